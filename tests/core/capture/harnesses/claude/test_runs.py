"""Transcripts in, entries out: what is known of every call, and nothing that is not."""

import os
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from sulcus_panel.core.capture.past.into_ledger import ImportedRun, import_into
from sulcus_panel.core.diff import apply_hunks, carry_texts
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import (
    ActionType,
    Actor,
    ActorKind,
    FileKind,
    NewEntry,
    Origin,
    Provenance,
    Settings,
)
from tests.support.claude_transcripts import CWD, Transcript, read_run

ROOT = Path(__file__).parents[5]
DATA = ROOT / "tests" / "data" / "transcripts" / "claude-code"
SAMPLES = ROOT.parent / "shared" / "samples" / "claude-transcripts"


def imported(*paths: Path, config: Path | None = None, settings: Settings | None = None) -> ImportedRun:
    return read_run(paths, config_dir=config, root="/elsewhere/ws", settings=settings or Settings())


def entries(run: ImportedRun) -> list[NewEntry]:
    return [one.entry for one in run.entries]


def files(run: ImportedRun) -> list[NewEntry]:
    return [entry for entry in entries(run) if entry.changes]


def texts(run: ImportedRun) -> list[tuple[bytes | None, bytes | None]]:
    """Before and after of every change whose contents are there."""
    return [
        (
            one.contents.get(change.before.sha256) if change.before.sha256 else None,
            one.contents.get(change.after.sha256) if change.after.sha256 else None,
        )
        for one in run.entries
        for change in one.entry.changes
    ]


def is_chain(run: ImportedRun, path: str) -> bool:
    """Whether every change of this path begins where the one before it ended."""
    sides = [change for entry in entries(run) for change in entry.changes if change.path == path]
    return all(
        one.after.sha256 == two.before.sha256 and one.after.kind is two.before.kind
        for one, two in pairwise(sides)
    )


def keep_blob(config: Path, session: str, name: str, data: bytes) -> None:
    folder = config / "file-history" / session
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def test_a_run_of_2025_becomes_entries_with_turns_and_sources() -> None:
    run = imported(DATA / "edits_2025.jsonl")
    edit, multi, listing, tests = entries(run)
    assert edit.uid == "claude-code:old-1:toolu_b"
    assert (edit.harness, edit.actor) == ("claude-code", Actor("Claude Code", ActorKind.AGENT))
    assert (edit.provenance, edit.origin, edit.action_type) == (
        Provenance.IMPORTED,
        Origin.AGENT,
        ActionType.FILE_EDIT,
    )
    assert (edit.target_path, edit.turn_id, edit.intent) == ("app.css", "old-1#1", "Make the colours green")
    assert edit.derived_from == ("notes.md",)
    assert multi.tool_name == "MultiEdit"
    assert texts(run)[1][1] == b":root {\n\t--my-red: #0f0;\n\t--my-blue: #00e;\n}\n"
    assert is_chain(run, "app.css")
    assert (listing.session_id, listing.turn_id, listing.exit_code) == ("u11", "old-1#2", 0)
    assert (tests.command, tests.cwd, tests.exit_code) == ("npm test", "/Users/dev/shop", 1)
    assert (tests.session_id, tests.intent) == ("old-1", "Now run the tests")
    assert [(one.session_id, one.parent) for one in run.sessions] == [("old-1", None), ("u11", "old-1")]


def test_a_run_of_2026_uses_the_backup_named_by_a_delta(tmp_path: Path) -> None:
    keep_blob(tmp_path, "new-1", "0123456789abcdef@v1", b"total = 1.0\r\nshown = total\r\n")
    run = imported(DATA / "writes_2026.jsonl", config=tmp_path)
    created, edited = entries(run)
    assert (created.action_type, created.changes[0].before.kind) == (ActionType.FILE_CREATE, FileKind.ABSENT)
    assert (created.turn_id, created.intent) == ("p-1", "Price everything in cents")
    assert edited.uid == "claude-code:new-1:toolu_2"
    assert texts(run)[1] == (
        b"total = 1.0\r\nshown = total\r\n",
        b"total = 100\r\nshown = total\r\n",
    )
    assert len(run.problems) == 2


def test_without_the_backup_the_base_is_unknown_and_says_why() -> None:
    (change,) = entries(imported(DATA / "writes_2026.jsonl"))[1].changes
    assert (change.before.kind, change.after.kind) == (FileKind.UNKNOWN, FileKind.UNKNOWN)
    assert change.before.reason == "the transcript does not hold the file as it was before"
    assert (change.hunks, change.plus) == ((), None)


def test_hunks_lead_from_before_to_after(tmp_path: Path) -> None:
    run = Transcript(tmp_path / "s-1.jsonl")
    run.edit(f"{CWD}/a.txt", "two", "zwei\nextra", "one\ntwo\nthree")
    result = imported(run.path)
    (before, after), (entry,) = texts(result)[0], entries(result)
    assert before is not None
    assert after == b"one\nzwei\nextra\nthree"
    (change,) = entry.changes
    assert apply_hunks(before, carry_texts(change.hunks, before, after)) == after
    assert (change.plus, change.minus) == (2, 1)
    assert all(hunk.exact for hunk in change.hunks)


def test_an_outside_edit_closes_the_hole_in_the_chain(tmp_path: Path) -> None:
    run = Transcript(tmp_path / "s-1.jsonl")
    run.prompt("go")
    run.edit(f"{CWD}/a.txt", "a", "b", "a\n")
    run.edit(f"{CWD}/a.txt", "b\n", "c\n", "b\nby hand\n")
    first, outside, second = entries(imported(run.path))
    assert (outside.harness, outside.origin, outside.provenance) == (
        "outside",
        Origin.OUTSIDE,
        Provenance.IMPORTED,
    )
    assert first.at < outside.at < second.at
    assert (outside.session_id, outside.turn_id) == ("", "")
    assert is_chain(imported(run.path), "a.txt")
    assert outside.uid == entries(imported(run.path))[1].uid


def test_the_next_prompts_snapshot_shows_what_was_done_by_hand(tmp_path: Path) -> None:
    run = Transcript(tmp_path / "s-1.jsonl")
    run.prompt("go")
    run.write(f"{CWD}/a.txt", "a\n")
    run.snapshot("m2", {"a.txt": "aaaaaaaaaaaaaaaa@v2"})
    keep_blob(tmp_path, "s-1", "aaaaaaaaaaaaaaaa@v2", b"a\nby hand\n")
    run.prompt("more")
    run.edit(f"{CWD}/a.txt", "a\n", "b\n", None)
    kinds = [entry.origin for entry in entries(imported(run.path, config=tmp_path))]
    assert kinds == [Origin.AGENT, Origin.OUTSIDE, Origin.AGENT]
    assert is_chain(imported(run.path, config=tmp_path), "a.txt")


def test_subagents_are_sessions_of_their_own_in_the_turn_of_the_person(tmp_path: Path) -> None:
    main = Transcript(tmp_path / "p/s-1.jsonl")
    main.prompt("Refactor")
    agent = Transcript(tmp_path / "p/s-1/subagents/agent-a1.jsonl", agent="a1", start=main.now)
    agent.prompt("Do the small part")
    agent.edit(f"{CWD}/a.txt", "a", "b", "a\n")
    run = imported(main.path)
    (entry,) = entries(run)
    assert (entry.session_id, entry.turn_id, entry.intent) == ("a1", "s-1-p1", "Refactor")
    assert entry.uid.startswith("claude-code:s-1/a1:")
    assert ("a1", "s-1") in [(one.session_id, one.parent) for one in run.sessions]


def test_paths_outside_keep_hash_and_size_and_secrets_too(tmp_path: Path) -> None:
    run = Transcript(tmp_path / "s-1.jsonl")
    run.write("/home/dev/.claude/plans/a.md", "plan\n")
    run.write(f"{CWD}/.env", "TOKEN=1\n")
    result = imported(run.path)
    outside, secret = entries(result)
    assert (outside.target_path, secret.target_path) == ("/home/dev/.claude/plans/a.md", ".env")
    assert all(one.contents == {} for one in result.entries)
    assert all(entry.changes[0].after.sha256 and not entry.changes[0].hunks for entry in (outside, secret))


def test_reads_of_another_turn_and_the_target_itself_are_no_source(tmp_path: Path) -> None:
    run = Transcript(tmp_path / "s-1.jsonl")
    run.prompt("one")
    run.read(f"{CWD}/old.txt", "x\n")
    run.prompt("two")
    run.read(f"{CWD}/a.txt", "a\n")
    run.read(f"{CWD}/b.txt", "b\n")
    run.edit(f"{CWD}/a.txt", "a", "b", "a\n")
    run.read(f"{CWD}/late.txt", "x\n")
    (entry,) = entries(imported(run.path))
    assert entry.derived_from == ("b.txt",)


def test_entries_come_in_order_of_happening_over_all_files(tmp_path: Path) -> None:
    later = Transcript(tmp_path / "s-1.jsonl")
    later.tick()
    later.write(f"{CWD}/b.txt", "b\n")
    earlier = Transcript(tmp_path / "s-2.jsonl", session="s-2")
    earlier.write(f"{CWD}/a.txt", "a\n")
    assert [entry.target_path for entry in entries(imported(later.path, earlier.path))] == ["a.txt", "b.txt"]


def test_two_sessions_on_one_file_make_one_chain(tmp_path: Path) -> None:
    first = Transcript(tmp_path / "s-1.jsonl")
    first.write(f"{CWD}/a.txt", "a\n")
    second = Transcript(tmp_path / "s-2.jsonl", session="s-2", start=first.now)
    second.edit(f"{CWD}/a.txt", "a", "b", None)
    assert texts(imported(first.path, second.path)) == [(None, b"a\n"), (b"a\n", b"b\n")]


def test_text_that_no_file_can_hold_does_not_stop_the_import(tmp_path: Path) -> None:
    run = Transcript(tmp_path / "s-1.jsonl")
    run.prompt("half \ud83d a pair")
    run.write(f"{CWD}/a.txt", "\ud83d")
    run.bash("echo \ud83d")
    change = files(imported(run.path))[0].changes[0]
    assert change.after.reason == "the text in the transcript is not valid Unicode"
    assert len(entries(imported(run.path))) == 2


@pytest.mark.parametrize(
    "odd", ["\ud800", "a\0b", "x" * 300, "/" * 5000, "C:\\\ud800", "..", 2**70, None, [["x"]]]
)
def test_no_value_in_any_field_stops_the_import(odd: object, tmp_path: Path, ledger: Ledger) -> None:
    run = Transcript(tmp_path / "s-1.jsonl")
    for field in (
        "sessionId",
        "cwd",
        "uuid",
        "parentUuid",
        "timestamp",
        "promptId",
        "agentId",
        "isSidechain",
    ):
        run.message("user", f"{field} is odd", **{field: odd})
        run.call("Write", {"file_path": "a", "content": "x"}, {"filePath": "a"}, text="done", **{field: odd})
    for field in (
        "filePath",
        "content",
        "originalFile",
        "oldString",
        "newString",
        "edits",
        "structuredPatch",
    ):
        for tool in ("Write", "Edit", "MultiEdit", "NotebookEdit", "Read", "Bash"):
            run.call(tool, {"file_path": "a", "command": "x", field: odd}, {"filePath": "a", field: odd})
    run.snapshot("m", {str(odd): "0123456789abcdef@v1"})
    run.write(f"{CWD}/behind.txt", "x")
    workspace = ledger.add_workspace(str(tmp_path / "ws"))
    read = read_run([run.path], config_dir=tmp_path, root=str(tmp_path / "ws"), recorded_root=CWD)
    assert import_into(ledger, workspace, read).recorded == len(read.entries)
    assert "behind.txt" in {entry.target_path for entry in entries(read)}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
def test_a_backup_that_is_no_file_is_told(tmp_path: Path) -> None:
    run = Transcript(tmp_path / "s-1.jsonl")
    run.snapshot("m", {"a.txt": "aaaaaaaaaaaaaaaa@v1", "b.txt": "bbbbbbbbbbbbbbbb@v1"})
    run.edit(f"{CWD}/a.txt", "a", "b", None)
    run.edit(f"{CWD}/b.txt", "a", "b", None)
    keep_blob(tmp_path, "s-1", "other", b"")
    os.mkfifo(tmp_path / "file-history" / "s-1" / "aaaaaaaaaaaaaaaa@v1")
    (tmp_path / "file-history" / "s-1" / "bbbbbbbbbbbbbbbb@v1").mkdir()
    assert imported(run.path, config=tmp_path).problems == (
        "backup aaaaaaaaaaaaaaaa@v1: not a regular file",
        "backup bbbbbbbbbbbbbbbb@v1: not a regular file",
    )


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recordings are not here")
@pytest.mark.parametrize(
    ("name", "actions", "unknown"),
    [
        ("gitai_example-claude-code.jsonl", {ActionType.FILE_EDIT: 3}, 0),
        ("irr07_v2.1.96_tool_denial_esc.jsonl", {ActionType.RUN_COMMAND: 1}, 0),
        (
            "irr08_v2.1.98_18edits_null_originals.jsonl",
            {ActionType.RUN_COMMAND: 63, ActionType.FILE_EDIT: 18, ActionType.FILE_CREATE: 1},
            1,
        ),
        ("irr13_subagent_agent-af7bf8be5a1b511e4.jsonl", {ActionType.RUN_COMMAND: 6}, 0),
        ("irr13_v2.1.101_12agents_main.jsonl", {ActionType.RUN_COMMAND: 1}, 0),
    ],
)
def test_real_recordings_go_through(name: str, actions: dict[ActionType, int], unknown: int) -> None:
    run = imported(SAMPLES / name)
    assert Counter(entry.action_type for entry in entries(run)) == actions
    assert run.problems == ()
    assert all(entry.origin is Origin.AGENT for entry in entries(run))
    assert sum(FileKind.UNKNOWN is entry.changes[0].before.kind for entry in files(run)) == unknown
    assert all(is_chain(run, path) for path in {entry.target_path for entry in files(run)})
    assert all(entry.intent for entry in entries(run))


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recordings are not here")
def test_a_real_recording_names_paths_below_the_root_of_its_run() -> None:
    run = imported(SAMPLES / "irr08_v2.1.98_18edits_null_originals.jsonl")
    paths = Counter(os.path.basename(entry.target_path) for entry in files(run))
    assert paths == {"scanner.go": 11, "presession_test.go": 6, "main.go": 1, "wiggly-knitting-allen.md": 1}
    assert sum(entry.target_path.startswith("core/") for entry in files(run)) == 18
    codes: Sequence[int | None] = [entry.exit_code for entry in entries(run) if entry.command]
    assert Counter(codes) == {0: 55, 1: 7, None: 1}
