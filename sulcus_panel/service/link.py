"""The way to another machine's ledger: when it last answered, who waits for it now, whether it is broken.

By http.client: its socket can be shut from another thread, so that a window is closed at once however long the
other side keeps silent, and it is known whether anything was sent when a request fails.
"""

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from sulcus_panel.core.errors import BadRequest, SulcusError
from sulcus_panel.core.undo.model import UndoPlan
from sulcus_panel.service.far_errors import far_error
from sulcus_panel.service.key_proof import fresh_word, hashed, is_proof, name_of
from sulcus_panel.service.panel_verbs import PANEL, PROOF, forms

CONNECT_SECONDS = 5.0
READ_SECONDS = 30.0
WRITE_SECONDS = 120.0
IDLE_SECONDS = 3.0
"""A connection that rested longer may be closed by now: another one is opened."""
MOST_PROOF = 65_536
MOST_BYTES = 256 * 2**20
"""Of one answer; whoever says more is no ledger."""
UNKNOWN = "Whether it was done is not known; what is shown once the link is back is how it is."
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class LinkBroken(SulcusError):
    """The other machine cannot be reached; nothing was sent."""

    code = "link_broken"


class AnswerLost(LinkBroken):
    """It was asked, and the link broke before it answered."""

    code = "answer_lost"


@dataclass(frozen=True, slots=True)
class Address:
    """Where the near end of a tunnel is."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def address_of(url: str) -> Address:
    """Read `http://127.0.0.1:PORT`. Raises BadRequest: a token goes over no network in the clear."""
    try:
        parts = urlsplit(url if "//" in url else f"//{url}", scheme="http")
        host, port = parts.hostname or "", parts.port
    except ValueError:
        parts, host, port = urlsplit(""), "", None
    extra = parts.path.strip("/") or parts.query or parts.fragment or parts.username or parts.password
    if parts.scheme != "http" or not host or port is None or extra:
        raise BadRequest(f"{url!r} is no address to attach to", "It is like http://127.0.0.1:4203.")
    if host not in LOOPBACK:
        raise BadRequest(
            f"{host} is another machine, and the token would go there in the clear",
            hint=f"ssh -N -L 4203:127.0.0.1:{port} {host}, then --attach http://127.0.0.1:4203",
        )
    return Address(host, port)


@dataclass(frozen=True, slots=True)
class LinkState:
    """How the link is at one moment. `waiting` is the longest wait under way, in seconds, 0 for none."""

    machine: str
    broken: str
    last_answer: datetime | None
    waiting: float
    next_try: float
    """In how many seconds it is tried again."""


@dataclass(frozen=True, slots=True)
class Owed:
    """A yes that was sent and not answered."""

    ticket: str
    plan: UndoPlan


class Link:
    """One for all threads of a window. Broken, nothing is tried but by whoever follows it (`probe`)."""

    def __init__(self, address: Address, key: str, clock: Callable[[], datetime]) -> None:
        self.address = address
        self.key = key
        self.owed: list[Owed] = []
        self.machine = str(address)
        self._clock = clock
        self._lock = threading.Lock()
        self._waits: dict[int, float] = {}
        self._waited = 0
        self._broken = ""
        self._last_answer: datetime | None = None
        self._next_try = 0.0
        self._sockets: set[socket.socket] = set()
        self._stream: socket.socket | None = None
        self._closed = False

    @property
    def state(self) -> LinkState:
        """How it is now."""
        now = time.monotonic()
        with self._lock:
            waiting = max((now - began for began in self._waits.values()), default=0.0)
            rest = max(0.0, self._next_try - now)
            return LinkState(self.machine, self._broken, self._last_answer, waiting, rest)

    @contextmanager
    def wait(self) -> Iterator[None]:
        """Count whoever waits for an answer."""
        with self._lock:
            self._waited += 1
            number = self._waited
            self._waits[number] = time.monotonic()
        try:
            yield
        finally:
            with self._lock:
                del self._waits[number]

    def check(self) -> None:
        """Raise LinkBroken where it is known to be broken."""
        if self._closed or self._broken:
            raise LinkBroken(f"The link to {self.machine} is broken", self._broken, "Nothing was sent.")

    def heard(self) -> None:
        """There was an answer."""
        with self._lock:
            self._last_answer = self._clock()

    def mend(self, machine: str) -> None:
        """It is whole again."""
        with self._lock:
            self.machine, self._broken, self._next_try = machine, "", 0.0

    def breaks(self, why: str) -> None:
        """Note that it is broken, and wake whoever listens to events, so that it is tried again."""
        with self._lock:
            self._broken = why
            stream = self._stream
        if stream is not None:
            _shut(stream)

    def retry_in(self, seconds: float) -> None:
        """Note when it is tried again."""
        with self._lock:
            self._next_try = time.monotonic() + seconds

    def open(self, seconds: float, *, is_stream: bool = False) -> http.client.HTTPConnection:
        """Connect, to somebody who knows our key: it is sent to nobody else.

        Raises OSError where nobody is there, LinkBroken where a stranger is, NotLetIn where the key is not known.
        """
        made = http.client.HTTPConnection(self.address.host, self.address.port, timeout=CONNECT_SECONDS)
        made.connect()
        made.auto_open = False  # once closed, whoever is there next would be sent the key unasked
        made.sock.settimeout(seconds)
        with self._lock:
            self._sockets.add(made.sock)
            if is_stream:
                self._stream = made.sock
            closed = self._closed
        if closed:
            _shut(made.sock)
        try:
            self._have_proved(made, seconds)
        except BaseException:
            self.drop(made)
            raise
        return made

    def _have_proved(self, connection: http.client.HTTPConnection, seconds: float) -> None:
        """Ask who listens for a proof that it knows our key, and send nothing that serves anywhere."""
        word = fresh_word()
        body = json.dumps({"key": name_of(hashed(self.key)), "word": word}).encode()
        try:
            connection.request("POST", PROOF, body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            found = _object(response.read(MOST_PROOF))
        except (OSError, http.client.HTTPException) as error:
            why = words_of(error, seconds)
            raise self._foreign(f"{self.machine} did not answer", why) from error
        if response.status == 200 and is_proof(found.get("proof"), self.key, word):
            return
        if response.status != 200 and found.keys() >= {"error", "title"}:
            raise far_error(response.status, found, self.machine)
        raise self._foreign(
            f"Another program listens at {self.address}",
            "It does not know the token, which was not sent to it",
            "Is the tunnel open, and does it lead to `sulcus-panel serve`?",
        )

    def _foreign(self, title: str, why: str, hint: str = "") -> LinkBroken:
        self.breaks(why)
        return LinkBroken(title, why, hint or "Nothing was sent.")

    def drop(self, connection: http.client.HTTPConnection) -> None:
        """End a connection."""
        with self._lock:
            self._sockets.discard(connection.sock)
            if self._stream is connection.sock:
                self._stream = None
        connection.close()

    def close(self) -> None:
        """Let nobody wait any longer."""
        with self._lock:
            self._closed = True
            sockets = tuple(self._sockets)
        for each in sockets:
            _shut(each)


def _shut(line: socket.socket) -> None:
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)


class Line:
    """One thread's connection over the link."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._connection: http.client.HTTPConnection | None = None
        self._used = 0.0

    def ask(self, verb: str, arguments: Mapping[str, Any], *, writes: bool, probe: bool = False) -> Any:
        """Return the value that a verb gives, packed. Raises LinkBroken, AnswerLost, and what the verb raises."""
        if not probe:
            self._link.check()
        body = json.dumps({"forms": forms(), "arguments": arguments}).encode()
        with self._link.wait():
            status, answer = self._exchange(f"{PANEL}/{verb}", body, writes=writes)
        self._link.heard()
        found = _object(answer)
        if status == 200 and "value" in found:
            return found["value"]
        if writes and (status == 200 or status >= 500):
            raise self.lost("What came back is no answer" if status == 200 else f"It failed with {status}")
        raise far_error(status, found, self._link.machine)

    def lost(self, why: str) -> AnswerLost:
        """Return what to raise where it may have been done: it is asked about once the link is opened anew."""
        self._link.breaks(why)
        return AnswerLost(f"{self._link.machine} gave no answer that can be read", why, UNKNOWN)

    def close(self) -> None:
        """End the connection."""
        if self._connection is not None:
            self._link.drop(self._connection)
            self._connection = None

    def _exchange(self, path: str, body: bytes, *, writes: bool) -> tuple[int, bytes]:
        """Ask once; a question that changes nothing goes out again where a resting connection was closed."""
        rested = self._connection is not None
        if writes or time.monotonic() - self._used > IDLE_SECONDS:
            self.close()
            rested = False
        try:
            return self._once(path, body, WRITE_SECONDS if writes else READ_SECONDS)
        except AnswerLost as lost:
            if not rested or isinstance(lost.__cause__, TimeoutError):
                self._link.breaks(lost.detail)
                if writes:
                    raise
                raise LinkBroken(lost.title, lost.detail) from lost
        try:
            return self._once(path, body, READ_SECONDS)
        except LinkBroken as broken:
            self._link.breaks(broken.detail)
            raise

    def _once(self, path: str, body: bytes, seconds: float) -> tuple[int, bytes]:
        link = self._link
        if self._connection is None:
            try:
                self._connection = link.open(seconds)
            except OSError as error:
                why = words_of(error, CONNECT_SECONDS)
                link.breaks(why)
                raise LinkBroken(f"{link.machine} cannot be reached", why, "Nothing was sent.") from error
        headers = {"Authorization": f"Bearer {link.key}", "Content-Type": "application/json"}
        try:
            self._connection.request("POST", path, body, headers)
            response = self._connection.getresponse()
            answer = _whole(response)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise AnswerLost(f"{link.machine} did not answer", words_of(error, seconds), UNKNOWN) from error
        self._used = time.monotonic()
        return response.status, answer


def words_of(error: Exception, seconds: float) -> str:
    """Say in plain words how a link broke."""
    if isinstance(error, TimeoutError):
        return f"There was no answer for {seconds:.0f} seconds"
    if isinstance(error, ConnectionRefusedError):
        return "Nobody listens there: is the tunnel open, and `sulcus-panel serve` running?"
    if isinstance(error, http.client.RemoteDisconnected | ConnectionError):
        return "The connection was cut"
    if isinstance(error, http.client.HTTPException):
        return "The answer was cut off"
    return (
        error.strerror or "The connection failed" if isinstance(error, OSError) else "The connection failed"
    )


def _whole(response: http.client.HTTPResponse) -> bytes:
    """Return all of an answer. Raises OSError, HTTPException where it is cut off, or has no end."""
    if response.length is not None and response.length <= MOST_BYTES:
        return response.read()
    answer = b"" if response.length is not None else response.read(MOST_BYTES + 1)
    if response.length is not None or len(answer) > MOST_BYTES:
        raise http.client.HTTPException("too long")
    return answer


def _object(answer: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(answer)
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {}
