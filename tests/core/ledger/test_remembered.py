from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest

from sulcus_panel.core.errors import NotFound
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import LedgerPath, SeqId, Sha256, Workspace
from tests.support.ledgers import change, contents_of, record

PATH = LedgerPath("a")


@pytest.fixture
def workspace(ledger: Ledger) -> Workspace:
    return ledger.add_workspace("/nowhere")


@pytest.fixture
def other(workspace: Workspace, data_home: DataHome) -> Iterator[Ledger]:
    assert workspace.id  # the ledger is there
    with Ledger.open(data_home) as opened:
        yield opened


def write(ledger: Ledger, workspace: Workspace, uid: str, before: bytes, after: bytes) -> None:
    entry = record(uid, change("a", before, after))
    ledger.append(workspace.id, entry, contents=contents_of(before, after))


def sha(data: bytes) -> Sha256:
    return next(iter(contents_of(data)))


def test_an_answer_is_the_same_object_until_something_is_written(
    ledger: Ledger, workspace: Workspace
) -> None:
    write(ledger, workspace, "1", b"x", b"y")
    first = ledger.timeline(workspace.id, PATH)
    assert ledger.timeline(workspace.id, PATH) is first
    assert ledger.blobs.get(sha(b"x")) is ledger.blobs.get(sha(b"x"))
    write(ledger, workspace, "2", b"y", b"z")
    assert len(ledger.timeline(workspace.id, PATH)) == 2


def test_what_another_connection_writes_is_seen_at_once(
    ledger: Ledger, other: Ledger, workspace: Workspace
) -> None:
    write(ledger, workspace, "1", b"x", b"y")
    assert len(ledger.timeline(workspace.id, PATH)) == 1
    write(other, workspace, "2", b"y", b"z")
    assert len(ledger.timeline(workspace.id, PATH)) == 2


def test_what_is_only_told_to_people_leaves_the_answers_standing(
    ledger: Ledger, workspace: Workspace
) -> None:
    write(ledger, workspace, "1", b"x", b"y")
    first = ledger.timeline(workspace.id, PATH)
    ledger.record_governance(workspace.id, record("1").actor, "undo.accepted", "yes")
    assert ledger.timeline(workspace.id, PATH) is first


def test_what_was_read_in_a_transaction_that_failed_is_not_remembered(
    ledger: Ledger, workspace: Workspace
) -> None:
    write(ledger, workspace, "1", b"x", b"y")
    with suppress(KeyError), ledger.write():
        write(ledger, workspace, "2", b"y", b"z")
        assert len(ledger.timeline(workspace.id, PATH)) == 2
        assert ledger.blobs.get(sha(b"z")) == b"z"
        raise KeyError
    assert len(ledger.timeline(workspace.id, PATH)) == 1
    with pytest.raises(NotFound):
        ledger.blobs.get(sha(b"z"))


def test_contents_that_were_let_go_of_are_not_given_from_memory(
    ledger: Ledger, other: Ledger, workspace: Workspace
) -> None:
    write(ledger, workspace, "1", b"x", b"y")
    assert ledger.blobs.get(sha(b"x")) == b"x"
    with other.write():
        other._db.run("DELETE FROM snapshot")
    with pytest.raises(NotFound):
        ledger.blobs.get(sha(b"x"))


def test_settings_workspaces_and_readers_are_those_of_now(
    ledger: Ledger, other: Ledger, workspace: Workspace
) -> None:
    assert ledger.workspace(workspace.id) is ledger.workspace(workspace.id)
    assert ledger.settings(workspace.id) is ledger.settings(workspace.id)
    assert ledger.workspaces(below="/nowhere") == ()
    write(ledger, workspace, "1", b"x", b"y")
    at = ledger.entry(SeqId(1)).record.at
    assert ledger.readers(workspace.id, PATH, at) == ()

    other.set_setting(workspace.id, "max_entries", 77)
    inner = other.add_workspace("/nowhere/inside")
    reading = replace(
        record("2", change("b", b"x", b"y")), derived_from=(PATH,), at=at + timedelta(seconds=1)
    )
    other.append(workspace.id, reading)
    assert ledger.settings(workspace.id).max_entries == 77
    assert ledger.workspaces(below="/nowhere") == (inner,)
    assert ledger.readers(workspace.id, PATH, at) == (2,)

    ledger.set_setting(workspace.id, "max_entries", 78)
    assert ledger.settings(workspace.id).max_entries == 78
    with pytest.raises(NotFound):
        ledger.workspace(99)
