"""Imports into a real ledger: each action once, whoever saw it first."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from sulcus_panel.core.capture.past.into_ledger import ImportedRun, import_into
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import (
    FileKind,
    FileState,
    LedgerPath,
    NewEntry,
    Origin,
    Provenance,
    SeqId,
    Workspace,
)
from tests.support.claude_transcripts import CWD, Transcript, read_run


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(DataHome(tmp_path / "home")) as opened:
        yield opened


@pytest.fixture
def workspace(ledger: Ledger, tmp_path: Path) -> Workspace:
    root = tmp_path / "ws"
    root.mkdir()
    return ledger.add_workspace(str(root))


@pytest.fixture
def run(tmp_path: Path) -> ImportedRun:
    transcript = Transcript(tmp_path / "s-1.jsonl")
    transcript.prompt("half \ud83d a pair")
    transcript.write(f"{CWD}/a.txt", "a\n")
    transcript.edit(f"{CWD}/a.txt", "a\n", "b\n", "a\nby hand\n")
    transcript.bash("make \ud83d", failed="Exit code 2\nboom")
    transcript.write("/tmp/elsewhere.txt", "x\n")
    return read_run([transcript.path], config_dir=None, root=str(tmp_path / "ws"))


def records(ledger: Ledger, workspace: Workspace) -> list[NewEntry]:
    return [entry.record for entry in ledger.after(SeqId(0), workspace.id, 100)]


def live(entry: NewEntry, uid: str, at: int = 1) -> NewEntry:
    return replace(entry, uid=uid, provenance=Provenance.OBSERVED, intent=f"live {at}")


def test_an_import_is_recorded_once(ledger: Ledger, workspace: Workspace, run: ImportedRun) -> None:
    assert import_into(ledger, workspace, run).recorded == 5
    again = import_into(ledger, workspace, run)
    assert (again.recorded, again.already) == (0, 5)
    found = records(ledger, workspace)
    assert [entry.origin for entry in found].count(Origin.OUTSIDE) == 1
    assert [entry.exit_code for entry in found if entry.command] == [2]


def test_the_timeline_of_an_imported_file_is_a_chain_whose_bytes_are_kept(
    ledger: Ledger, workspace: Workspace, run: ImportedRun
) -> None:
    import_into(ledger, workspace, run)
    steps = ledger.timeline(workspace.id, LedgerPath("a.txt"))
    assert [step.origin for step in steps] == [Origin.AGENT, Origin.OUTSIDE, Origin.AGENT]
    last = steps[-1].after.sha256
    assert last is not None
    assert ledger.blobs.get(last) == b"b\nby hand\n"


def test_the_past_does_not_push_out_what_was_recorded_live(
    ledger: Ledger, workspace: Workspace, run: ImportedRun
) -> None:
    ledger.set_setting(workspace.id, "max_entries", 50)
    for number in range(48):
        here = replace(
            run.entries[-1].entry, uid=f"live-{number}", session_id="now", target_path=LedgerPath("x")
        )
        ledger.append(workspace.id, here, contents={})

    report = import_into(ledger, workspace, run)
    ledger.prune()

    assert report.recorded == 2
    assert any(problem.startswith("3 entries not recorded: too old") for problem in report.problems)
    kept = records(ledger, workspace)
    assert sum(entry.uid.startswith("live-") for entry in kept) == 48
    assert [entry.at for entry in kept[-2:]] == [one.entry.at for one in run.entries[-2:]]


def test_sessions_are_noted(ledger: Ledger, workspace: Workspace, run: ImportedRun) -> None:
    import_into(ledger, workspace, run)
    assert [one.session_id for one in ledger.runs(workspace.id) if one.harness == "claude-code"] == ["s-1"]


def test_calls_that_the_hook_saw_are_skipped_also_under_a_resumed_session(
    ledger: Ledger, workspace: Workspace, run: ImportedRun
) -> None:
    for one, session in zip(run.entries[:1], ("resumed",), strict=True):
        call = one.entry.uid.split(":", 2)[2]
        ledger.append(workspace.id, live(one.entry, f"claude-code:{session}:{call}"), contents=one.contents)
    report = import_into(ledger, workspace, run)
    assert (report.recorded, report.already) == (4, 1)


def test_a_hook_that_knew_no_id_is_recognised_by_what_it_saw_and_answers_once(
    ledger: Ledger, workspace: Workspace, run: ImportedRun
) -> None:
    for number, one in enumerate(run.entries):
        if one.entry.origin is Origin.AGENT and one.entry.target_path != "/tmp/elsewhere.txt":
            ledger.append(workspace.id, live(one.entry, f"claude-code:spool:{number}"), contents=one.contents)
    twice = replace(
        run,
        entries=(
            *run.entries,
            replace(run.entries[0], entry=replace(run.entries[0].entry, uid="claude-code:s-1:other")),
        ),
    )
    report = import_into(ledger, workspace, twice)
    assert (report.recorded, report.already) == (3, 3)


def test_a_hook_that_knew_no_id_is_recognised_where_the_transcript_tells_no_state(
    ledger: Ledger, workspace: Workspace, run: ImportedRun
) -> None:
    (edit,) = [one for one in run.entries if one.entry.tool_name == "Edit"]
    nothing = FileState(FileKind.UNKNOWN, reason="not told")
    told = tuple(replace(one, before=nothing, after=nothing, hunks=()) for one in edit.entry.changes)
    untold = replace(edit, entry=replace(edit.entry, changes=told), contents={})
    late = timedelta(seconds=2)
    seen = replace(live(edit.entry, "claude-code:spool:1"), at=edit.entry.at + late)
    ledger.append(workspace.id, seen, contents=edit.contents)
    again = replace(untold, entry=replace(untold.entry, uid="claude-code:s-1:other"))
    report = import_into(ledger, workspace, replace(run, entries=(untold, again)))
    assert (report.recorded, report.already) == (1, 1)


def test_a_subagents_call_without_an_id_is_recognised_under_its_parents_session(
    ledger: Ledger, workspace: Workspace, run: ImportedRun
) -> None:
    first = run.entries[0]
    ledger.append(workspace.id, live(first.entry, "claude-code:spool:1"), contents=first.contents)
    own = replace(first.entry, uid="claude-code:s-1/agent:c9", session_id="agent")
    report = import_into(ledger, workspace, replace(run, entries=(replace(first, entry=own),)))
    assert (report.recorded, report.already) == (0, 1)


def test_an_outside_change_that_was_seen_as_it_happened_is_not_told_again(
    ledger: Ledger, workspace: Workspace, run: ImportedRun
) -> None:
    outside = next(one for one in run.entries if one.entry.origin is Origin.OUTSIDE)
    ledger.append(workspace.id, live(outside.entry, "outside:1:a.txt"), contents=outside.contents)
    assert import_into(ledger, workspace, run).recorded == 4


def test_what_another_workspace_has_is_told(
    ledger: Ledger, workspace: Workspace, run: ImportedRun, tmp_path: Path
) -> None:
    import_into(ledger, workspace, run)
    other = ledger.add_workspace(str(tmp_path / "other"))
    report = import_into(ledger, other, run)
    assert (report.recorded, report.already) == (0, 5)
    assert report.problems == ("5 entries already recorded in another workspace",)


def test_a_workspace_that_records_nothing_says_so(
    ledger: Ledger, workspace: Workspace, run: ImportedRun
) -> None:
    ledger.set_setting(workspace.id, "enabled", False)
    report = import_into(ledger, workspace, run)
    assert report.recorded == 0
    assert report.problems == ("5 entries not recorded: recording is switched off for this workspace",)


def test_a_transcript_without_ids_tells_nothing_new_behind_hooks_that_had_them(
    ledger: Ledger, workspace: Workspace, run: ImportedRun
) -> None:
    calls = [one for one in run.entries if one.entry.origin is Origin.AGENT]
    for number, one in enumerate(calls):
        ledger.append(workspace.id, live(one.entry, f"claude-code:s-1:call-{number}"), contents=one.contents)
    nameless = tuple(
        replace(one, entry=replace(one.entry, uid=f"claude-code:s-1:@s-1.{number}"))
        for number, one in enumerate(calls)
    )
    report = import_into(ledger, workspace, replace(run, entries=nameless))
    assert (report.recorded, report.already) == (0, len(calls))
