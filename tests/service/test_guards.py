"""What is refused before a body is read, and which bodies are no JSON without doubt."""

import json

import pytest

from sulcus_panel.core.access import Caller, Scope
from sulcus_panel.core.model import Actor, ActorKind
from sulcus_panel.service import guards
from sulcus_panel.service.guards import Failures, Refused

BOT = Caller(Actor("bot", ActorKind.AGENT), frozenset({Scope.READ}))
HOST = (b"host", b"127.0.0.1:4203")


def status(refused: "pytest.ExceptionInfo[Refused]") -> int:
    return refused.value.status


@pytest.mark.parametrize("name", [b"127.0.0.1:4203", b"localhost:4203", b"LOCALHOST:4203", b"[::1]:4203"])
def test_our_own_names_are_let_in(name: bytes) -> None:
    guards.check_origin([(b"host", name)], 4203)


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [HOST, HOST],
        [(b"host", b"evil.example:4203")],
        [(b"host", b"127.0.0.1")],
        [(b"host", b"127.0.0.1:4204")],
        [(b"host", b"127.0.0.1:4203.evil.example")],
        [(b"host", b"")],
        [(b"host", b"\xff")],
    ],
)
def test_any_other_host_is_misdirected(headers: list[tuple[bytes, bytes]]) -> None:
    with pytest.raises(Refused) as refused:
        guards.check_origin(headers, 4203)
    assert status(refused) == 421


@pytest.mark.parametrize(
    "header",
    [
        (b"origin", b"null"),
        (b"origin", b"http://127.0.0.1:4203"),
        (b"sec-fetch-site", b"same-origin"),
        (b"sec-fetch-site", b"cross-site"),
    ],
)
def test_a_page_in_a_browser_is_never_let_in(header: tuple[bytes, bytes]) -> None:
    with pytest.raises(Refused) as refused:
        guards.check_origin([HOST, header], 4203)
    assert status(refused) == 403
    guards.check_origin([HOST, (b"sec-fetch-site", b"none")], 4203)


def test_over_the_socket_any_port_will_do() -> None:
    guards.check_origin([(b"host", b"localhost")], None)
    guards.check_origin([(b"host", b"localhost:80")], None)
    with pytest.raises(Refused):
        guards.check_origin([(b"host", b"example.org")], None)


def knows(key: str) -> Caller | None:
    return BOT if key == "right" else None


READ = frozenset({Scope.READ})


@pytest.mark.parametrize(
    "given", [b"", b"Bearer", b"Bearer ", b"Basic right", b"right", b"Bearer wrong", b"Bearer \xff"]
)
def test_no_right_key_is_unauthorized(given: bytes) -> None:
    headers = [(b"authorization", given)] if given else []
    with pytest.raises(Refused) as refused:
        guards.check_token(headers, knows, Failures(), READ)
    assert status(refused) == 401


def test_two_keys_are_none_and_a_key_without_the_scope_is_forbidden() -> None:
    right = (b"authorization", b"bearer right")
    assert guards.check_token([right], knows, Failures(), READ) is BOT
    with pytest.raises(Refused) as refused:
        guards.check_token([right, right], knows, Failures(), READ)
    assert status(refused) == 401
    with pytest.raises(Refused) as refused:
        guards.check_token([right], knows, Failures(), frozenset({Scope.ADMIN}))
    assert status(refused) == 403


def test_ten_wrong_keys_a_minute_are_too_many_and_a_right_one_is_let_in_all_the_same() -> None:
    now = [0.0]
    failures = Failures(lambda: now[0])
    wrong, right = [(b"authorization", b"Bearer wrong")], [(b"authorization", b"Bearer right")]
    found = []
    for _ in range(12):
        with pytest.raises(Refused) as refused:
            guards.check_token(wrong, knows, failures, READ)
        found.append(status(refused))
    assert found == [401] * 10 + [429] * 2
    assert guards.check_token(right, knows, failures, READ) is BOT
    now[0] = 61
    with pytest.raises(Refused) as refused:
        guards.check_token(wrong, knows, failures, READ)
    assert status(refused) == 401


JSON = (b"content-type", b"application/json")


@pytest.mark.parametrize(
    ("headers", "answer"),
    [
        ([(b"content-length", b"2")], 415),
        ([(b"content-type", b"text/plain"), (b"content-length", b"2")], 415),
        ([JSON, JSON, (b"content-length", b"2")], 415),
        ([JSON], 411),
        ([JSON, (b"content-length", b"2"), (b"transfer-encoding", b"chunked")], 411),
        ([JSON, (b"content-length", b"2"), (b"content-length", b"2")], 400),
        ([JSON, (b"content-length", b"-1")], 400),
        ([JSON, (b"content-length", b"+1")], 400),
        ([JSON, (b"content-length", b"0x10")], 400),
        ([JSON, (b"content-length", b"11")], 413),
    ],
)
def test_a_body_says_what_and_how_long_it_is(headers: list[tuple[bytes, bytes]], answer: int) -> None:
    with pytest.raises(Refused) as refused:
        guards.check_length(headers, 10)
    assert status(refused) == answer
    kind = (b"content-type", b"application/json; charset=utf-8")
    assert guards.check_length([kind, (b"content-length", b"10")], 10) == 10


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b'"x"',
        b"{",
        b'{"a": NaN}',
        b'{"a": -Infinity}',
        b'{"a": 1, "a": 1}',
        b'{"a": {"b": 1, "b": 2}}',
        b'{"a": "\\ud800"}',
        b'{"a": "\\u0000"}',
        b'{"\\u0000": 1}',
        b'{"a": "\xff"}',
        b'{"a": ' + b"[" * 40 + b"]" * 40 + b"}",
        b'{"a": ' + b"[" * 1_000_000,
        b'{"a": [' + b"1," * 20_000 + b"1]}",
        b'{"a": [[' + b"1," * 20_000 + b"1]]}",
        json.dumps(dict.fromkeys(map(str, range(1_000_000)), 1)).encode(),
        b'{"a": ' + b"9" * 5_000 + b"}",
        b'{"a": "' + b'\\"' * 500_000,
    ],
    ids=lambda body: str(body[:24]),
)
def test_json_that_can_be_doubted_is_refused(body: bytes) -> None:
    with pytest.raises(Refused) as refused:
        guards.read_json(body)
    assert status(refused) == 400


def test_marks_inside_texts_do_not_count() -> None:
    text = '[{,\\"' * 20_000
    assert guards.read_json(json.dumps({"a": text}).encode()) == {"a": text}
    assert guards.read_json(b'{"a": "\\\\u0000 is six letters"}') == {"a": "\\u0000 is six letters"}


def test_a_question_has_no_body() -> None:
    guards.check_no_body([(b"content-length", b"0")])
    for header in ((b"content-length", b"1"), (b"transfer-encoding", b"chunked")):
        with pytest.raises(Refused):
            guards.check_no_body([header])
