"""Calls of rules, made over a real socket to a real server of the test's own."""

import json
import threading
from collections.abc import Iterator
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
