"""Connections by raw sockets: what is no HTTP, what is too large or too slow, who is not us, too many at once."""

import asyncio
import os
import re
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import pytest

from sulcus_panel.service.http.connection import MAX_HEADER, MOST_CONNECTIONS, SECONDS, Joining
from tests.support.children import NOBODY, exit_code, forked
from tests.support.http_door import LEDGER, Door, read_all

PATIENCE = SECONDS + 25


def head(key: str, *lines: str, length: int | str = 2, method: str = "POST") -> bytes:
    """The head of a record, with more lines."""
    named = [
        f"{method} {LEDGER}/record HTTP/1.1",
        "Host: localhost:{port}",
        f"Authorization: Bearer {key}",
        "Content-Type: application/json",
        *([] if length == "" else [f"Content-Length: {length}"]),
        *lines,
    ]
    return "\r\n".join([*named, "", ""]).encode()


def status(answer: bytes) -> int:
    found = re.match(rb"HTTP/1\.1 (\d{3}) ", answer)
    return int(found[1]) if found else 0


def ask(door: Door, data: bytes) -> int:
    """The status of the first answer to these bytes; the other side ends it."""
    return status(door.raw(data.replace(b"{port}", b"%d" % door.here.port)))


@pytest.mark.parametrize(
    ("lines", "length", "expected"),
    [
        (["Transfer-Encoding: chunked"], "", 411),
        (["Transfer-Encoding: chunked"], 2, 400),
        (["Transfer-Encoding: identity"], 2, 411),
        ([], "", 411),
        (["Content-Length: 2"], 2, 400),
        (["Content-Length: 3"], 2, 400),
        ([], "-1", 400),
        ([], "abc", 400),
        ([], "2 ", 400),
        ([], "0x2", 400),
        ([], "99999999999999999999999", 400),
        ([], 2**40, 413),
    ],
)
def test_lengths_that_two_could_read_in_two_ways_are_refused(
    door: Door, key: str, lines: list[str], length: int | str, expected: int
) -> None:
    found = ask(door, head(key, *lines, "Connection: close", length=length) + b"{}")
    assert found in {expected, 400}, found


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"hello there\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost localhost\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: a\x00b\r\n\r\n",
        b"GET /he alth HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
)
def test_what_is_no_http_is_told_so_in_the_one_form(door: Door, data: bytes) -> None:
    answer = door.raw(data)
    assert status(answer) == 400
    assert b'"error":"bad_' in answer


def test_a_header_of_more_than_its_bound_is_refused(door: Door, key: str) -> None:
    large = head(key, "X-More: " + "x" * (MAX_HEADER + 1))
    assert ask(door, large) == 400
    many = head(key, *(f"X-{number}: y" for number in range(3_000)))
    assert ask(door, many) == 400
    endless = door.raw(b"GET /health HTTP/1.1\r\n", then=b"X: " + b"y" * (2 * MAX_HEADER))
    assert status(endless) == 400


def test_slow_headers_and_slow_bodies_are_ended(door: Door, key: str) -> None:
    begun = time.monotonic()
    with ExitStack() as held:
        silent, half, slow = (
            held.enter_context(socket.create_connection(("127.0.0.1", door.here.port), timeout=PATIENCE))
            for _ in range(3)
        )
        half.sendall(b"GET /health HTT")
        slow.sendall(head(key, length=100).replace(b"{port}", b"%d" % door.here.port) + b'{"a"')
        assert read_all(silent) == b""
        assert read_all(half) == b""
        answer = read_all(slow)
    assert (status(answer), b"too_slow" in answer) == (400, True)
    assert time.monotonic() - begun < PATIENCE


def test_half_a_body_and_then_no_more_is_no_bug(door: Door, key: str) -> None:
    with socket.create_connection(("127.0.0.1", door.here.port), timeout=PATIENCE) as line:
        line.sendall(head(key, length=100).replace(b"{port}", b"%d" % door.here.port) + b"{")
    with door.client() as nobody:
        assert nobody.get("/health").status_code == 200
    assert not door.home.log.exists()


def test_who_closes_his_half_is_answered_all_the_same(door: Door, key: str) -> None:
    with socket.create_connection(("127.0.0.1", door.here.port), timeout=PATIENCE) as line:
        line.sendall(head(key).replace(b"{port}", b"%d" % door.here.port) + b"{}")
        line.shutdown(socket.SHUT_WR)
        assert status(read_all(line)) == 400


def test_two_requests_at_once_are_answered_in_their_order(door: Door) -> None:
    one = b"GET /%s HTTP/1.1\r\nHost: localhost:%d\r\n%s\r\n"
    port = door.here.port
    answer = door.raw(one % (b"health", port, b"") + one % (b"nowhere", port, b"Connection: close\r\n"))
    assert re.findall(rb"HTTP/1\.1 (\d{3})", answer) == [b"200", b"404"]


def test_a_full_house_makes_room_for_who_asks(door: Door) -> None:
    with ExitStack() as held:
        for _ in range(3 * MOST_CONNECTIONS):
            held.enter_context(socket.create_connection(("127.0.0.1", door.here.port), timeout=PATIENCE))
        with door.client() as good:
            assert good.get("/health").status_code == 200


@pytest.fixture
def over_socket(door: Door) -> Iterator[httpx.Client]:
    assert door.here.socket is not None
    with httpx.Client(
        base_url="http://localhost", transport=httpx.HTTPTransport(uds=door.here.socket), timeout=PATIENCE
    ) as client:
        yield client


def test_the_socket_is_private_and_wants_a_key_as_well(
    door: Door, key: str, over_socket: httpx.Client
) -> None:
    assert door.here.socket is not None
    assert Path(door.here.socket).stat().st_mode & 0o777 == 0o600
    assert over_socket.get("/health").json() == {"ok": True}
    query = {"namespace": "nowhere"}
    assert over_socket.get(LEDGER, params=query).status_code == 401
    mine = {"authorization": f"Bearer {key}"}
    assert over_socket.get(LEDGER, params=query, headers=mine).status_code == 404
    assert over_socket.get(LEDGER, params=query, headers=mine | {"host": "evil.example"}).status_code == 421


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="to become somebody else takes root")
def test_another_user_gets_no_connection_over_the_socket_and_nothing_without_a_key(door: Door) -> None:
    path = door.here.socket
    assert path is not None
    folders = [Path(path), *Path(path).parents]
    modes = [(each, each.stat().st_mode & 0o7777) for each in folders]

    def come_in() -> None:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(PATIENCE)
            line.connect(path)
            with suppress(BrokenPipeError):
                line.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert read_all(line) == b""
        assert ask(door, head("guess", "Connection: close") + b"{}") in {401, 429}

    try:
        for each, mode in modes:  # as if the folder let him in
            os.chmod(each, mode | 0o077)
        assert exit_code(forked(come_in, rights=False)) == 0
    finally:
        for each, mode in modes:
            os.chmod(each, mode)
    assert os.geteuid() != NOBODY


class Written(asyncio.WriteTransport):
    """A transport that notes each packet, and the end."""

    def __init__(self) -> None:
        super().__init__()
        self.packets: list[bytes] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Note a packet."""
        self.packets.append(bytes(data))

    def close(self) -> None:
        """Note the end."""
        self.packets.append(b"<end>")


def test_an_answers_head_and_body_leave_as_one_packet_and_a_head_alone_does_not_wait() -> None:
    async def sent() -> list[list[bytes]]:
        all_packets = []
        for parts in ((b"head ", b"body"), (b"head ", b"first", b"second"), (b"head ",), (b"head ", None)):
            written = Written()
            joining = Joining(written, asyncio.get_running_loop())
            for part in parts:
                if part is None:
                    joining.close()
                else:
                    joining.write(part)
            await asyncio.sleep(0)
            all_packets.append(written.packets)
        return all_packets

    assert asyncio.run(sent()) == [
        [b"head body"],
        [b"head first", b"second"],
        [b"head "],
        [b"head ", b"<end>"],
    ]
