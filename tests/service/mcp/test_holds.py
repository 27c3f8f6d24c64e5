"""An undo that waits for the person: the agent has its number at once, and learns the decision by each way."""

import json
from functools import partial

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ResourceUpdated
from mcp_types import ResourceUpdatedNotification

from sulcus_panel.core.model import SeqId
from sulcus_panel.core.undo.model import UndoRequest
from sulcus_panel.service.operations import Operations
from tests.support.ledger_builder import LedgerBuilder
from tests.support.mcp_door import call, connected, parameters, talk

TEXT = "one\ntwo\nthree\n"


def an_edit(build: LedgerBuilder) -> int:
    build.outside("a.txt", TEXT)
    return build.write("a.txt", TEXT.replace("two", "2")).seq_id


def rejects(build: LedgerBuilder, hold_id: int) -> None:
    with Operations.open(build.home) as operations:
        operations.holds.reject(hold_id)


def accepts(build: LedgerBuilder, hold_id: int) -> None:
    with Operations.open(build.home) as operations:
        operations.apply(operations.plan(operations.holds.request(hold_id)))


def test_another_ones_work_is_held_and_its_number_tells_the_decision(build: LedgerBuilder) -> None:
    seq_id = an_edit(build)

    async def speech(client: Client) -> None:
        held = await call(client, "undo_activity", seq_ids=[seq_id])
        assert (held["outcome"], held["is_error"]) == ("held", False)
        assert "is the work of Claude Code" in held["reason"]
        asked = partial(call, client, "undo_activity", hold_id=held["hold_id"])
        assert (await asked())["outcome"] == "held"
        assert (await call(client, "list_activity_ledger"))["holds"][0]["state"] == "waiting"
        await anyio.to_thread.run_sync(rejects, build, held["hold_id"])
        assert (await asked())["outcome"] == "rejected"
        again = await call(client, "undo_activity", seq_ids=[seq_id])
        assert again["hold_id"] > held["hold_id"]
        await anyio.to_thread.run_sync(accepts, build, again["hold_id"])
        decided = await call(client, "undo_activity", hold_id=again["hold_id"])
        assert (decided["outcome"], decided["hold"]["state"]) == ("undone", "accepted")

    talk(parameters(build), speech)
    assert (build.root / "a.txt").read_text() == TEXT


def test_who_listens_is_told_of_the_decision(build: LedgerBuilder) -> None:
    seq_id = an_edit(build)

    async def speech(client: Client) -> None:
        held = await call(client, "undo_activity", seq_ids=[seq_id])
        [resource] = (await client.list_resources()).resources
        async with client.listen(resource_subscriptions=[resource.uri]) as subscription:
            await anyio.to_thread.run_sync(rejects, build, held["hold_id"])
            async for event in subscription:
                assert event == ResourceUpdated(resource.uri)
                break
        [content] = (await client.read_resource(resource.uri)).contents
        assert json.loads(getattr(content, "text", ""))["state"] == "rejected"

    talk(parameters(build), speech)


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
def test_a_host_of_the_older_protocol_subscribes_and_is_told(build: LedgerBuilder) -> None:
    seq_id, told = an_edit(build), anyio.Event()

    async def hear(message: object) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            told.set()

    async def speech(client: Client) -> None:
        held = await call(client, "undo_activity", seq_ids=[seq_id])
        await client.subscribe_resource(f"sulcus://holds/{held['hold_id']}")
        await anyio.to_thread.run_sync(rejects, build, held["hold_id"])
        await told.wait()

    talk(parameters(build), speech, mode="legacy", message_handler=hear)


def test_the_hold_of_somebody_else_is_not_told(build: LedgerBuilder) -> None:
    seq_id = an_edit(build)

    async def conversation() -> None:
        async with connected(parameters(build), name="first") as first:
            held = await call(first, "undo_activity", seq_ids=[seq_id])
        async with connected(parameters(build), name="second") as second:
            answer = await call(second, "undo_activity", hold_id=held["hold_id"])
            assert (answer["error"], answer["is_error"]) == ("not_found", True)
            assert (await call(second, "list_activity_ledger"))["holds"] == []
            for uri in (f"sulcus://holds/{held['hold_id']}", "sulcus://holds/x", "file:///etc/passwd"):
                with pytest.raises(MCPError):
                    await second.read_resource(uri)

    anyio.run(conversation)


def test_the_persons_own_undo_settles_what_waits(build: LedgerBuilder) -> None:
    seq_id = an_edit(build)

    async def speech(client: Client) -> None:
        held = await call(client, "undo_activity", seq_ids=[seq_id])
        with Operations.open(build.home) as operations:
            operations.apply(operations.plan(UndoRequest((SeqId(seq_id),))))
        assert (await call(client, "undo_activity", hold_id=held["hold_id"]))["outcome"] == "undone"

    talk(parameters(build), speech)
