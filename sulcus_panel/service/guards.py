"""What is checked of a request before its body is read, and of a body before it is understood, by HTTP and MCP.

In this order: one Host of our own, no Origin (a browser's page is never our client), the token, its scope, the
content type, the length. A body is JSON without doubt: no key twice, no depth, no number that is none.
"""

import json
import re
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from sulcus_panel.core.access import Caller, Scope
from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.model import Actor, ActorKind

NOBODY = Caller(Actor("nobody", ActorKind.AGENT), frozenset())
"""Who asks what needs no token."""
MAX_BODY = 2 * 2**20
MAX_DEPTH = 32
MAX_NODES = 10_000
FAILURES_A_MINUTE = 10
_OWN_NAMES = ("127.0.0.1", "localhost", "[::1]")
_LENGTH = re.compile(rb"[0-9]{1,12}")
_STRUCTURE = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[\[\]{},]', re.DOTALL)
_ZERO = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
"""The escape itself, and not the six letters of a text that speaks of it."""

Headers = Sequence[tuple[bytes, bytes]]
"""Names in lower case, as ASGI gives them."""


class Refused(SulcusError):
    """A request that is not let in, with its HTTP status."""

    def __init__(
        self, status: int, code: str, title: str, detail: str = "", hint: str = "", *, field: str = ""
    ) -> None:
        super().__init__(title, detail, hint)
        self.status = status
        self.code = code
        self.field = field
        self.allow = ""
        """Of a method that a route has not: those that it has."""


@dataclass(slots=True)
class Failures:
    """How often a key was wrong within the last minute. A right key is never held up by it."""

    clock: Callable[[], float] = time.monotonic
    _times: deque[float] = field(default_factory=deque)

    def refuse(self) -> Refused:
        """Count one more, and return what it is answered with."""
        now = self.clock()
        while self._times and self._times[0] <= now - 60:
            self._times.popleft()
        self._times.append(now)
        if len(self._times) > FAILURES_A_MINUTE:
            self._times.popleft()
            return Refused(429, "too_many_failures", "Too many requests without a valid token")
        return Refused(
            401, "unauthorized", "A valid token is needed", hint="`sulcus-panel token create` makes one."
        )


def check_origin(headers: Headers, port: int | None) -> None:
    """Refuse what comes under another name or from a page in a browser. `port` None: over the local socket."""
    hosts = _all(headers, b"host")
    if len(hosts) != 1 or not _is_own(hosts[0].decode("latin-1").lower(), port):
        raise Refused(421, "wrong_host", "This is not the host that was asked for")
    if _all(headers, b"origin"):
        raise Refused(403, "origin_not_allowed", "Pages in a browser are not let in")
    if any(value != b"none" for value in _all(headers, b"sec-fetch-site")):
        raise Refused(403, "origin_not_allowed", "Pages in a browser are not let in")


def _is_own(host: str, port: int | None) -> bool:
    if port is None:
        return host.rsplit(":", 1)[0] in _OWN_NAMES or host in _OWN_NAMES
    return host in _own_hosts(port)


@lru_cache(maxsize=16)
def _own_hosts(port: int) -> frozenset[str]:
    return frozenset(f"{name}:{port}" for name in _OWN_NAMES)


def check_token(
    headers: Headers, caller_of: Callable[[str], Caller | None], failures: Failures, scopes: frozenset[Scope]
) -> Caller:
    """Return who comes; one of `scopes` is enough. Raises Refused: 401, 403, 429."""
    given = _all(headers, b"authorization")
    scheme, _, key = given[0].partition(b" ") if len(given) == 1 else (b"", b"", b"")
    caller = caller_of(key.strip().decode("latin-1")) if scheme.lower() == b"bearer" else None
    if caller is None:
        raise failures.refuse()
    if not caller.scopes & scopes:
        raise lacks(scopes)
    return caller


def lacks(scopes: frozenset[Scope]) -> Refused:
    """What a token without any of these is answered."""
    needed = " or ".join(sorted(scopes))
    return Refused(403, "scope_missing", f"This token lacks the scope {needed}", hint="Make another token.")


def check_no_body(headers: Headers) -> None:
    """Refuse a body where none belongs."""
    if _all(headers, b"transfer-encoding") or any(each != b"0" for each in _all(headers, b"content-length")):
        raise Refused(400, "no_body_here", "A body does not belong to this request")


def check_length(headers: Headers, most: int) -> int:
    """Return how long the body will be. Raises Refused: 400, 411, 413, 415."""
    kinds = _all(headers, b"content-type")
    if len(kinds) != 1 or kinds[0].split(b";")[0].strip().lower() != b"application/json":
        raise Refused(415, "unsupported_media_type", "The body must be application/json")
    lengths = _all(headers, b"content-length")
    if not lengths or _all(headers, b"transfer-encoding"):
        raise Refused(411, "length_required", "The length of the body must be said")
    if len(lengths) != 1 or not _LENGTH.fullmatch(lengths[0]):
        raise Refused(400, "bad_length", "The length of the body is no number")
    length = int(lengths[0])
    if length > most:
        raise Refused(413, "too_large", f"The body is larger than {most:,} bytes")
    return length


def is_small(headers: Headers) -> bool:
    """True where a body says that it is no larger than any may be."""
    lengths = _all(headers, b"content-length")
    return len(lengths) != 1 or not lengths[0].isdigit() or int(lengths[0][:12]) <= MAX_BODY


def _all(headers: Headers, name: bytes) -> list[bytes]:
    return [value for key, value in headers if key == name]


def read_json(body: bytes) -> dict[str, Any]:
    """Return the object that a body holds. Raises Refused (400) for what two readers could read in two ways."""
    _check_shape(body)
    try:
        found = _DECODER.decode(body.decode())
    except (ValueError, RecursionError) as error:
        raise _bad(str(error) if isinstance(error, _Doubt) else "it is not valid JSON in UTF-8") from error
    if not isinstance(found, dict):
        raise _bad("it is not an object")
    if b"\\u" in body:
        _check_texts(found)
    return found


class _Doubt(ValueError):
    """Valid JSON that is refused, and why."""


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _Doubt("a key is there twice")
    return made


def _no_number(name: str) -> float:
    raise _Doubt(f"{name} is not a number")


_DECODER = json.JSONDecoder(object_pairs_hook=_each_key_once, parse_constant=_no_number)


def _check_shape(body: bytes) -> None:
    """Refuse depth and number before anything is made of them; marks inside texts do not count."""
    opened = body.count(b"[") + body.count(b"{")
    if opened <= MAX_DEPTH and body.count(b",") + opened <= MAX_NODES:
        return
    depth = nodes = 0
    for token in _STRUCTURE.finditer(body):
        mark = token.group()
        if mark in b"[{,":
            nodes += 1
            depth += mark != b","
        elif mark in b"]}":
            depth -= 1
        if depth > MAX_DEPTH:
            raise _bad(f"it is nested more than {MAX_DEPTH} levels deep")
        if nodes > MAX_NODES:
            raise _bad(f"it has more than {MAX_NODES:,} values")


def _check_texts(found: Mapping[str, Any]) -> None:
    """Escapes can spell what no text may hold: half a character, or a zero byte."""
    try:
        plain = json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise _bad("a text holds half a character") from error
    if _ZERO.search(plain):
        raise _bad("a text holds a zero byte: send such content with content_encoding base64")


def _bad(why: str) -> Refused:
    return Refused(400, "bad_request", "The body cannot be read", f"{why[:1].upper()}{why[1:]}.")
