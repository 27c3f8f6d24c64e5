import os
from dataclasses import replace

import pytest

from sulcus_panel.core.errors import NotFound
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import (
    ActionType,
    Change,
    DriftKind,
    FileKind,
    FileState,
    GitDelta,
    GitState,
    LedgerPath,
    NewEntry,
    Provenance,
    RollbackHint,
    SeqId,
    Workspace,
)
from tests.support.clock import NOON, FakeClock
from tests.support.ledgers import appended, change, record

ODD = LedgerPath(os.fsdecode(b"caf\xe9/\xff.py"))


def test_every_field_comes_back_as_it_was_recorded(
    ledger: Ledger, workspace: Workspace, clock: FakeClock
) -> None:
    clean = GitState("1f" * 20, "main", {})
    given = NewEntry(
        uid="uid",
        at=NOON.replace(microsecond=123_457),
        harness="codex",
        actor=record("x").actor,
        origin=record("x").origin,
        action_type=ActionType.RUN_COMMAND,
        tool_name="Bash",
        target_path=ODD,
        summary="rm 'it'\n\x1b[31m",
        provenance=Provenance.IMPORTED,
        session_id="s",
        turn_id="t",
        intent="räum auf",
        changes=(
            Change(
                ODD, FileState(FileKind.UNKNOWN, reason="busy"), FileState(FileKind.DIRECTORY, mode=0o755)
            ),
            change("b", None, None),
        ),
        command="rm -r " + ODD,
        cwd="/tmp/" + ODD,
        exit_code=-9,
        git=GitDelta(clean, GitState(None, None, {"b": " M", ODD: "??"})),
        derived_from=(ODD, LedgerPath("c")),
        rollback_hint=RollbackHint("git", "HEAD"),
        reverses=SeqId(3),
        reversed_hunks=(0, 2),
        model="a model",
        notes=("another program wrote meanwhile",),
        input='{"a": 1}',
        why={"rule": "r1"},
    )
    clock.advance(5)
    entry = appended(ledger, workspace.id, given)
    assert entry.record == given
    assert entry.recorded_at == clock.now
    assert (entry.workspace_id, entry.namespace) == (workspace.id, workspace.namespace)
    assert ledger.entry_by_uid("uid") == ledger.entry(entry.seq_id) == entry


def test_what_there_is_not_stays_away(ledger: Ledger, workspace: Workspace) -> None:
    given = record("uid")
    assert appended(ledger, workspace.id, given).record == given


def test_long_texts_are_cut_and_lone_surrogates_are_told(ledger: Ledger, workspace: Workspace) -> None:
    entry = appended(ledger, workspace.id, record("u\ud800", summary="s" * 9_999, intent="i" * 99_999))
    assert entry.record.summary == "s" * 1_999 + "…"
    assert len(entry.record.intent) == 8_000
    assert entry.record.uid == "u?"
    assert ledger.entry_by_uid("u\ud800") == entry


def test_entries_come_in_the_order_asked_and_missing_ones_are_left_out(
    ledger: Ledger, workspace: Workspace
) -> None:
    with ledger.write():
        for number in range(600):
            ledger.append(workspace.id, record(f"u{number}", change(f"f{number}", b"a", b"b")))
    asked = [SeqId(n) for n in (600, 9_999, 1, 300, 2, 0)] + [SeqId(n) for n in range(100, 500)]
    found = ledger.entries(asked)
    assert [entry.seq_id for entry in found] == [600, 1, 300, 2, *range(100, 500)]
    assert all(entry.record.uid == f"u{entry.seq_id - 1}" for entry in found)
    assert ledger.entries([]) == ()


def test_a_missing_entry_is_named(ledger: Ledger) -> None:
    with pytest.raises(NotFound, match="no such entry") as caught:
        ledger.entry(SeqId(41))
    assert caught.value.detail == "#41"


def test_drift_shows_on_every_entry_of_the_path_until_it_is_cleared(
    ledger: Ledger, workspace: Workspace
) -> None:
    for uid in ("one", "two"):
        ledger.append(workspace.id, record(uid, change("a", b"a", b"b"), change(ODD, b"a", b"b")))
    ledger.append(workspace.id, record("three", change("c", b"a", b"b")))
    ledger.set_drift(workspace.id, {ODD: DriftKind.MISSING})
    assert [entry.drift for entry in ledger.after(SeqId(0))] == [DriftKind.MISSING, DriftKind.MISSING, None]
    ledger.set_drift(workspace.id, {ODD: DriftKind.CHANGED, LedgerPath("c"): None})
    assert ledger.drift(workspace.id) == {ODD: DriftKind.CHANGED}
    ledger.set_drift(workspace.id, {ODD: None})
    assert ledger.drift(workspace.id) == {}
    assert ledger.entry(SeqId(1)).drift is None


def test_the_tail_gives_what_came_after_oldest_first(ledger: Ledger, workspace: Workspace) -> None:
    other = ledger.add_workspace(None, "other")
    assert ledger.newest_seq() == 0
    for number in range(4):
        ledger.append((workspace, other)[number % 2].id, record(f"u{number}"))
    assert [entry.seq_id for entry in ledger.after(SeqId(1))] == [2, 3, 4]
    assert [entry.seq_id for entry in ledger.after(SeqId(1), other.id)] == [2, 4]
    assert [entry.seq_id for entry in ledger.after(SeqId(1), None, 2)] == [2, 3]


@pytest.mark.parametrize("action", [ActionType.RUN_COMMAND, ActionType.MCP_MUTATION])
def test_a_call_whose_effects_are_no_files_says_so(
    ledger: Ledger, workspace: Workspace, action: ActionType
) -> None:
    entry = appended(ledger, workspace.id, replace(record("x"), action_type=action, changes=()))
    assert ledger.entry(entry.seq_id).undo_reason == "its effects are not files"
