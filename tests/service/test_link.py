"""Only through a tunnel; what is known to be broken is not tried; what was sent is told from what was not."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime

import pytest

from sulcus_panel.core.errors import BadRequest, SulcusError, UnknownField
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.service import link as link_module
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.far_errors import NotLetIn
from sulcus_panel.service.key_proof import hashed, proof
from sulcus_panel.service.link import Address, AnswerLost, Line, Link, LinkBroken, address_of
from sulcus_panel.service.panel_verbs import VersionsDiffer, forms
from sulcus_panel.service.remote import RemoteOperations

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def a_link(port: int) -> Link:
    return Link(Address("127.0.0.1", port), "key", lambda: NOW)


@contextmanager
def answering(*answers: bytes) -> Iterator[tuple[Link, list[bytes]]]:
    """A server of one connection after another; each gets the next answer, b"" ends it without one."""
    listening = socket.create_server(("127.0.0.1", 0))
    asked: list[bytes] = []

    def serve() -> None:
        for answer in answers:
            line, _ = listening.accept()
            with line:
                prove(line, "key")
                asked.append(line.recv(65_536))
                line.sendall(answer)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield a_link(listening.getsockname()[1]), asked
    finally:
        thread.join(20)
        listening.close()


def prove(line: socket.socket, key: str) -> None:
    """Answer as a server that knows the key."""
    asked = line.recv(65_536)
    assert b"Authorization" not in asked
    while not asked.endswith(b"}"):
        asked += line.recv(65_536)
    word = json.loads(asked.partition(b"\r\n\r\n")[2])["word"]
    line.sendall(http(200, b'{"proof": "%s"}' % proof(hashed(key), word).encode()))


def http(status: int, body: bytes) -> bytes:
    return b"HTTP/1.1 %d X\r\nContent-Length: %d\r\n\r\n%s" % (status, len(body), body)


def test_an_address_is_the_near_end_of_a_tunnel() -> None:
    assert address_of("http://127.0.0.1:4203") == Address("127.0.0.1", 4203)
    assert address_of("http://localhost:80/") == Address("localhost", 80)
    assert str(address_of("http://[::1]:4203")) == "[::1]:4203"
    assert address_of("127.0.0.1:4203") == Address("127.0.0.1", 4203)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://127.0.0.1",
        "https://127.0.0.1:1",
        "http://u@127.0.0.1:1",
        "http://127.0.0.1:1/x",
        "http://[:1",
    ],
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(BadRequest, match="no address to attach to"):
        address_of(url)


def test_a_token_is_sent_over_no_network() -> None:
    with pytest.raises(BadRequest, match="in the clear") as refused:
        address_of("http://buildbox:4203")
    assert "ssh -N -L 4203:127.0.0.1:4203 buildbox" in refused.value.hint


def test_an_answer_is_the_value_and_its_time_is_known() -> None:
    with answering(http(200, b'{"value": 7}')) as (link, asked):
        line = Line(link)
        assert line.ask("count", {}, writes=False) == 7
        line.close()
    assert link.state.last_answer == NOW
    assert b"Authorization: Bearer key" in asked[0]
    assert b"POST /api/v1/panel/count " in asked[0]


def test_nobody_there_is_said_and_nothing_was_sent() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    link = a_link(port)
    with pytest.raises(LinkBroken, match="cannot be reached") as broken:
        Line(link).ask("apply", {}, writes=True)
    assert not isinstance(broken.value, AnswerLost)
    assert broken.value.hint == "Nothing was sent."
    assert "Nobody listens there" in link.state.broken


def test_a_link_known_to_be_broken_is_not_tried_but_by_a_probe() -> None:
    with answering(http(200, b'{"value": 1}')) as (link, asked):
        link.breaks("It was cut")
        with pytest.raises(LinkBroken, match="is broken: It was cut"):
            Line(link).ask("count", {}, writes=False)
        assert not asked
        line = Line(link)
        assert line.ask("greet", {}, writes=False, probe=True) == 1
        line.close()
        link.mend("box")
    assert link.state.broken == ""
    assert link.state.machine == "box"


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 200 X\r\nContent-Length: 99\r\n\r\n{"])
def test_a_write_without_an_answer_is_lost_and_not_sent_again(answer: bytes) -> None:
    with answering(answer) as (link, asked):
        with pytest.raises(AnswerLost, match="did not answer"):
            Line(link).ask("apply", {}, writes=True)
        assert len(asked) == 1
    assert link.state.broken


def test_a_question_is_asked_again_where_a_resting_connection_was_closed() -> None:
    with answering(http(200, b'{"value": 1}'), http(200, b'{"value": 2}')) as (link, asked):
        line = Line(link)
        assert line.ask("count", {}, writes=False) == 1
        assert line.ask("count", {}, writes=False) == 2
        line.close()
    assert len(asked) == 2
    assert link.state.broken == ""


def test_silence_ends_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "READ_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        link = a_link(silent.getsockname()[1])
        with pytest.raises(LinkBroken, match="no answer for 0 seconds"):
            Line(link).ask("count", {}, writes=False)


def test_a_closed_link_lets_nobody_wait() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        link = a_link(silent.getsockname()[1])
        errors: list[SulcusError] = []

        def ask() -> None:
            try:
                Line(link).ask("count", {}, writes=False)
            except SulcusError as error:
                errors.append(error)

        thread = threading.Thread(target=ask)
        thread.start()
        line, _ = silent.accept()
        with line:
            assert line.recv(4)
            link.close()
            thread.join(10)
    assert [type(error) for error in errors] == [LinkBroken]


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (401, b'{"error": "unauthorized", "title": "A valid token is needed"}', NotLetIn),
        (421, b'{"error": "wrong_host", "title": "x"}', NotLetIn),
        (404, b'{"error": "no_such_route", "title": "x"}', VersionsDiffer),
        (404, b"<html>", VersionsDiffer),
        (200, b"<html>", VersionsDiffer),
        (400, b'{"error": "bad_request", "title": "x", "field": "y"}', BadRequest),
        (400, b'{"error": "unknown_field", "title": "x", "field": "y"}', UnknownField),
        (500, b'{"error": "internal", "title": "A bug there"}', SulcusError),
    ],
)
def test_errors_there_are_errors_here(status: int, body: bytes, kind: type[SulcusError]) -> None:
    with answering(http(status, body)) as (link, _):
        line = Line(link)
        with pytest.raises(kind):
            line.ask("count", {}, writes=False)
        line.close()


@pytest.mark.parametrize(
    "reply",
    [
        http(200, b'{"proof": "%s"}' % (b"0" * 64)),
        http(200, b'{"value": 7}'),
        http(404, b"<html>not here</html>"),
        http(401, b'{"error": "unauthorized", "title": "A valid token is needed"}'),
        b"HTTP/1.1 307 X\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"",
    ],
)
def test_a_stranger_on_the_port_hears_nothing_that_serves_anywhere(reply: bytes) -> None:
    heard: list[bytes] = []
    key = "sulcus_" + "k" * 43

    def strange() -> None:
        with suppress(OSError):
            while True:
                line, _ = listening.accept()
                with line:
                    line.settimeout(20)
                    with suppress(ConnectionResetError):
                        heard.append(line.recv(65_536))
                        while b"}" not in heard[-1]:
                            heard.append(line.recv(65_536))
                        line.sendall(reply)
                        while reply and heard[-1]:
                            heard.append(line.recv(65_536))

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=strange)
        thread.start()
        link = Link(Address("127.0.0.1", listening.getsockname()[1]), key, lambda: NOW)
        for writes in (False, True):
            with pytest.raises((LinkBroken, NotLetIn)) as broken:
                Line(link).ask("apply", {}, writes=writes, probe=True)
            assert not isinstance(broken.value, AnswerLost)
        with pytest.raises((LinkBroken, NotLetIn)):
            link.open(5, is_stream=True)
        listening.shutdown(socket.SHUT_RDWR)
        thread.join(20)
    sent = b"".join(heard)
    assert sent.count(b"POST /api/v1/panel/proof ") == 3
    assert key.encode() not in sent
    assert hashed(key).hex().encode() not in sent
    assert b"authorization" not in sent.lower()


@pytest.mark.parametrize(
    "answer",
    [
        http(200, b"{}"),
        http(200, b"<html>"),
        http(200, b"[" * 100_000),
        http(500, b'{"error": "internal", "title": "A bug"}'),
        http(502, b"bad gateway"),
        b"HTTP/1.1 200 X\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
        b"HTTP/1.1 200 X\r\nContent-Length: 20\r\n\r\n{",
        b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
)
def test_a_write_whose_answer_cannot_be_read_may_have_been_done(answer: bytes) -> None:
    with answering(answer) as (link, _):
        line = Line(link)
        with pytest.raises(AnswerLost) as lost:
            line.ask("apply", {}, writes=True)
        line.close()
    assert "not known" in lost.value.hint
    assert link.state.broken, "whoever follows the link asks what came of it"


@pytest.mark.parametrize("value", [b'"x"', b"[" * 700 + b"]" * 700, b'"\\ue000\\u0100"'])
def test_a_value_of_another_kind_is_an_error_in_words(value: bytes) -> None:
    answer = http(200, b'{"value": %s}' % value)
    with remote(answer) as far, pytest.raises(SulcusError, match="cannot be read"):
        far.count(LedgerQuery())
    with remote(answer) as far, pytest.raises(AnswerLost):
        far.set_setting(1, "enabled", value=False)


def test_a_greeting_that_is_none_is_an_error_in_words() -> None:
    answer = http(200, b'{"value": {"forms": "%s", "workspaces": 7}}' % forms().encode())
    with remote(answer) as far, pytest.raises(SulcusError, match="cannot be read"):
        far.greet()


@contextmanager
def remote(*answers: bytes) -> Iterator[RemoteOperations]:
    with answering(*answers) as (link, _), RemoteOperations(link, ChangeBus()) as far:
        yield far
