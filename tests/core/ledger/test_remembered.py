from collections.abc import Iterator
from contextlib import suppress

import pytest

from sulcus_panel.core.errors import NotFound
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import LedgerPath, Sha256, Workspace
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
