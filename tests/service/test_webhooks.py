"""Calls of rules, made over a real socket to a real server of the test's own."""

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from sulcus_panel.core.triggers import Rule, TriggerAction
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.rule_watch import RuleWatch
from sulcus_panel.service.webhooks import (
    AIR_GAP,
    RETRY_AFTER,
    SIGNATURE,
    STAMP,
    TIMEOUT_SECONDS,
    Webhooks,
    post_by_httpx,
    signature,
)
from tests.support.ledger_builder import LedgerBuilder


class Receiver:
    """A server that answers with what it is told to, and keeps what it was sent."""

    def __init__(self) -> None:
        self.status = 204
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.arrived = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.got.append((dict(self.headers), body))
                self.send_response(outer.status)
                self.send_header("Location", "/elsewhere")
                self.end_headers()
                outer.arrived.set()

            def log_message(self, format: str, *args: object) -> None:
                """Nothing is printed."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.server.shutdown()
    made.thread.join()
    made.server.server_close()


@pytest.fixture
def webhooks(operations: Operations, build: LedgerBuilder) -> Webhooks:
    return Webhooks(operations.ledger, build.clock, post_by_httpx)


def a_call(operations: Operations, build: LedgerBuilder, url: str, secret: str = "s3") -> None:
    rule = Rule("Tell", "entry.recorded", TriggerAction.WEBHOOK, url=url, secret=secret)
    operations.triggers.add(build.workspace.id, rule)
    build.write("a.txt", "secret text\n")
    assert operations.triggers.run() == 1


def test_a_call_is_signed_tells_ids_and_paths_and_no_content(
    operations: Operations, build: LedgerBuilder, receiver: Receiver, webhooks: Webhooks
) -> None:
    a_call(operations, build, receiver.url)
    assert webhooks.deliver() == 1
    assert webhooks.deliver() == 0
    [(headers, body)] = receiver.got
    assert headers[SIGNATURE] == signature("s3", headers[STAMP], body)
    told = json.loads(body)
    assert (told["event"]["event"], told["event"]["paths"]) == ("entry.recorded", ["a.txt"])
    assert told["trigger"]["name"] == "Tell"
    assert b"secret text" not in body


@pytest.mark.parametrize("status", [500, 302, 404])
def test_a_no_is_tried_again_and_at_last_given_up(
    operations: Operations, build: LedgerBuilder, receiver: Receiver, webhooks: Webhooks, status: int
) -> None:
    receiver.status = status
    a_call(operations, build, receiver.url)
    for seconds in (*RETRY_AFTER, 0):
        assert webhooks.deliver() == 0
        assert webhooks.deliver() == 0, "not before its time"
        build.clock.advance(seconds + 1)
    assert len(receiver.got) == len(RETRY_AFTER) + 1
    [dead] = operations.ledger.rules.dead()
    assert dead.error == f"answered with {status}"


def test_an_address_where_nobody_listens_waits_for_the_next_try(
    operations: Operations, build: LedgerBuilder, webhooks: Webhooks
) -> None:
    a_call(operations, build, "http://127.0.0.1:1/")
    assert webhooks.deliver() == 0
    assert operations.ledger.rules.dead() == ()
    build.clock.advance(RETRY_AFTER[0])
    assert len(operations.ledger.rules.due(2**62)) == 1


def test_nothing_leaves_an_air_gapped_workspace(
    operations: Operations, build: LedgerBuilder, receiver: Receiver, webhooks: Webhooks
) -> None:
    a_call(operations, build, receiver.url)
    operations.set_setting(build.workspace.id, "air_gap", value=True)
    webhooks.deliver()
    assert receiver.got == []
    assert [dead.error for dead in operations.ledger.rules.dead()] == [AIR_GAP]


def test_the_watch_lets_rules_see_and_call_by_itself(
    operations: Operations, build: LedgerBuilder, receiver: Receiver
) -> None:
    rule = Rule("Tell", "entry.recorded", TriggerAction.WEBHOOK, url=receiver.url)
    operations.triggers.add(build.workspace.id, rule)
    watch = RuleWatch(lambda: Operations.open(build.home, clock=build.clock), operations.bus)
    watch.start()
    try:
        build.write("a.txt", "1\n")
        assert receiver.arrived.wait(20)
    finally:
        watch.stop()
    assert len(receiver.got) == 1


class Silent:
    """A listener that lets everybody in and then does one thing to them, in a thread of its own."""

    def __init__(self, treat: Callable[[socket.socket], object]) -> None:
        self.calls = 0
        self._treat = treat
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/hook"
        self._lines: list[socket.socket] = []
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        with suppress(OSError):
            while True:
                line, _ = self._listener.accept()
                self.calls += 1
                self._lines.append(line)
                self._treat(line)

    def close(self) -> None:
        """Let nobody in any more."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()
        for line in self._lines:
            line.close()


def hang(_line: socket.socket) -> None:
    """Say nothing at all."""


def reset(line: socket.socket) -> None:
    """Cut it off without a goodbye."""
    line.recv(10)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.close()


def drip(line: socket.socket) -> None:
    """Let an answer come that has no end."""

    def dripping() -> None:
        with suppress(OSError):
            line.sendall(b"HTTP/1.1 200 OK\r\nX-Long: ")
            while not ended.wait(0.02):
                line.sendall(b"x")

    ended = threading.Event()
    DRIPS.append((ended, threading.Thread(target=dripping)))
    DRIPS[-1][1].start()


DRIPS: list[tuple[threading.Event, threading.Thread]] = []


@pytest.fixture
def silent(request: pytest.FixtureRequest) -> Iterator[Silent]:
    made = Silent(request.param)
    yield made
    made.close()
    while DRIPS:
        ended, thread = DRIPS.pop()
        ended.set()
        thread.join()


@pytest.mark.parametrize("silent", [hang, reset, drip], indirect=True)
def test_an_address_that_never_answers_ends_on_the_dead_letter_list_and_is_asked_once_a_round(
    operations: Operations, build: LedgerBuilder, receiver: Receiver, silent: Silent
) -> None:
    webhooks = Webhooks(operations.ledger, build.clock, partial(post_by_httpx, seconds=0.1))
    for url in (silent.url, receiver.url):
        rule = Rule("Tell", "entry.recorded", TriggerAction.WEBHOOK, url=url)
        operations.triggers.add(build.workspace.id, rule)
    for number in range(5):
        build.write(f"{number}.txt", "text\n")
    assert operations.triggers.run() == 10
    assert webhooks.deliver() == 5
    for seconds in RETRY_AFTER:
        build.clock.advance(seconds + 1)
        assert webhooks.deliver() == 0
    assert silent.calls == len(RETRY_AFTER) + 1
    assert len(receiver.got) == 5
    dead = operations.ledger.rules.dead()
    assert [delivery.attempts for delivery in dead] == [len(RETRY_AFTER) + 1] * 5
    assert all(delivery.error for delivery in dead)
    assert operations.ledger.rules.due(2**62) == ()


@pytest.mark.parametrize("silent", [hang], indirect=True)
def test_rules_go_on_while_an_address_keeps_a_call_waiting(
    operations: Operations, build: LedgerBuilder, silent: Silent
) -> None:
    operations.triggers.add(
        build.workspace.id, Rule("Tell", "entry.recorded", TriggerAction.WEBHOOK, url=silent.url)
    )
    operations.triggers.add(build.workspace.id, Rule("Keep", "entry.recorded", TriggerAction.PIN))
    heard = threading.Event()
    operations.bus.subscribe(lambda _: heard.set())
    watch = RuleWatch(
        partial(Operations.open, build.home, clock=build.clock, bus=operations.bus), operations.bus
    )
    watch.start()
    try:
        build.write("a.txt", "1\n")
        assert heard.wait(20)
        began = time.monotonic()
        heard.clear()
        build.write("b.txt", "2\n")
        assert heard.wait(20)
    finally:
        watch.stop()
    assert time.monotonic() - began < TIMEOUT_SECONDS
    assert silent.calls == 1
