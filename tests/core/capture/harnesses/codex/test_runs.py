"""Rollouts of all generations in, entries out."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from sulcus_panel.core.capture.harnesses.codex.live import Codex
from sulcus_panel.core.capture.harnesses.codex.runs import CodexRuns
from sulcus_panel.core.capture.past.entries import FILES_NOT_TOLD, WORKED_BACK, Importing
from sulcus_panel.core.capture.past.into_ledger import ImportedRun, import_into
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import ActionType, Actor, ActorKind, FileKind, NewEntry, Provenance

ROOT = Path(__file__).parents[5]
DATA = ROOT / "tests" / "data" / "transcripts" / "codex"
SAMPLES = ROOT.parent / "shared" / "samples" / "codex"
CODE_MODE = (DATA / "paginated_code_mode.jsonl", DATA / "paginated_subagent.jsonl")


def imported(*paths: Path, root: str = "/elsewhere/ws") -> ImportedRun:
    return CodexRuns().read(paths, Importing(Codex(), root), None)


def entries(run: ImportedRun) -> list[NewEntry]:
    return [one.entry for one in run.entries]


def shown(run: ImportedRun) -> list[tuple[str, str, str, int | None]]:
    return [
        (
            entry.action_type.value,
            entry.uid.rpartition(":")[2],
            entry.target_path or entry.command or "",
            entry.exit_code,
        )
        for entry in entries(run)
    ]


def texts(run: ImportedRun, call: str) -> list[tuple[object, object]]:
    """Before and after of a call's changes: the bytes, or what stands for them."""
    (one,) = (one for one in run.entries if one.entry.uid.endswith(f":{call}"))
    return [
        tuple(
            one.contents.get(side.sha256, side.kind) if side.sha256 else side.kind
            for side in (change.before, change.after)
        )  # type: ignore[misc]  # two sides
        for change in one.entry.changes
    ]


def test_a_run_without_a_head() -> None:
    run = imported(DATA / "headerless.jsonl")
    assert shown(run) == [
        ("run_command", "call_a1", "ls src", 0),
        ("file_create", "call_a2", "src/price.py", None),
        ("file_create", "call_a2/2", "notes.md", None),
        ("file_edit", "call_a4", "src/price.py", None),
        ("run_command", "call_a6", "python -m pytest -q 'a b'", 1),
    ]
    assert texts(run, "call_a4") == [(b"TAX = 19\nNET = 81\n", b"TAX = 7\nNET = 81\n")]
    session = "a0000000-0000-4000-8000-000000000001"
    assert [(one.turn_id, one.intent) for one in entries(run)[-2:]] == [
        (f"{session}#1", "Set the tax"),
        (f"{session}#2", "Now test it"),
    ]
    assert run.problems == ()


def test_a_run_of_2025_patches_through_here_documents() -> None:
    run = imported(DATA / "heredoc_2025.jsonl")
    assert shown(run) == [
        ("file_create", "call_b1", "app.css", None),
        ("file_edit", "call_b2", "app.css", None),
        ("run_command", "call_b3", "npm test", 0),
        ("run_command", "call_b4", "npx eslint .", 2),
    ]
    assert texts(run, "call_b2")[0][1] == b"a { color: red }\nb { color: blue }\n"
    assert [entry.intent for entry in entries(run)] == ["Make b blue"] * 3 + ["Lint it"]
    assert entries(run)[3].cwd == "/Users/dev/shop/web"
    assert run.problems == ("heredoc_2025.jsonl, line 18: cut off",)


def test_a_run_of_2026_tells_its_patches_itself() -> None:
    run = imported(DATA / "patches_2026.jsonl")
    assert shown(run) == [
        ("file_create", "call_c1", "zoo.txt", None),
        ("file_create", "call_c1/2", "ant.txt", None),
        ("run_command", "call_c2", "cat zoo.txt", 0),
        ("file_edit", "call_c3", "zoo.txt", None),
        ("file_edit", "call_c3/2", "new/name.txt", None),
        ("file_delete", "call_c3/3", "ant.txt", None),
        ("run_command", "call_c4", "npm start", 130),
    ]
    assert texts(run, "call_c3") == [(b"ape\nbee\n", b"ape\nbear\n")]
    assert texts(run, "call_c3/3") == [(b"one\n", FileKind.ABSENT)]
    moved = entries(run)[4]
    assert moved.summary == "moved old/name.txt to new/name.txt"
    assert [(change.path, change.before.kind, change.after.kind) for change in moved.changes] == [
        ("old/name.txt", FileKind.UNKNOWN, FileKind.ABSENT),
        ("new/name.txt", FileKind.ABSENT, FileKind.UNKNOWN),
    ]
    first, last = entries(run)[0], entries(run)[-1]
    assert (first.uid, first.actor, first.provenance) == (
        "codex:c0000000-0000-7000-8000-000000000003:call_c1",
        Actor("Codex", ActorKind.AGENT),
        Provenance.IMPORTED,
    )
    assert (first.turn_id, first.intent) == ("c1111111-0000-7000-8000-000000000001", "Make a zoo")
    assert (last.turn_id, last.intent, last.cwd) == (
        "c2222222-0000-7000-8000-000000000002",
        "Serve it",
        "/Users/dev/shop/web",
    )
    assert moved.derived_from == ("zoo.txt",)
    assert run.problems == ()


def test_code_mode_is_known_by_its_items_and_its_subagents_by_their_own_files() -> None:
    run = imported(*CODE_MODE)
    assert shown(run) == [
        ("file_create", "exec-1111", "poem.txt", None),
        ("run_command", "exec-2222", "wc -l poem.txt", 2),
        ("file_edit", "exec-3333", "poem.txt", None),
        ("file_create", "exec-7777", "review.md", None),
        ("run_command", "call_d2", "date", 0),
    ]
    assert texts(run, "exec-3333") == [(b"roses\nviolets\n", b"roses\ntulips\n")]
    assert entries(run)[1].cwd == "/Users/dev/shop/a b"
    main, agent = "d0000000-0000-7000-8000-000000000004", "e0000000-0000-7000-8000-000000000005"
    assert entries(run)[3].uid == f"codex:{main}/{agent}:exec-7777"
    assert [(entry.session_id, entry.intent) for entry in entries(run)[2:4]] == [
        (main, "Write a poem"),
        (agent, "Review the poem"),
    ]
    assert [(one.session_id, one.parent) for one in run.sessions] == [(main, None), (agent, main)]


def test_a_call_of_another_server_is_an_entry_unless_it_only_reads(tmp_path: Path) -> None:
    text = (DATA / "patches_2026.jsonl").read_text()
    writing = tmp_path / "writing.jsonl"
    writing.write_text(text.replace('"tool": "query"', '"tool": "write"'))
    assert not [one for one in entries(imported(DATA / "patches_2026.jsonl")) if one.input]
    (call,) = (one for one in entries(imported(writing)) if one.action_type is ActionType.MCP_MUTATION)
    assert (call.tool_name, call.input, call.notes) == ("mcp__db__write", "{}", (FILES_NOT_TOLD,))


def test_what_lies_in_the_workspace_tells_what_stood_before_a_patch(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "name.txt").write_bytes(b"1st\nsecond\nthird\n")
    run = imported(DATA / "patches_2026.jsonl", root=str(tmp_path))
    assert texts(run, "call_c3/2") == [
        (b"first\nsecond\nthird\n", FileKind.ABSENT),
        (FileKind.ABSENT, b"1st\nsecond\nthird\n"),
    ]
    (moved,) = (entry for entry in entries(run) if entry.uid.endswith("/2") and len(entry.changes) == 2)
    assert moved.notes == (WORKED_BACK,)


def test_what_lies_in_the_workspace_is_nothing_to_go_by_where_it_is_another(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "name.txt").write_bytes(b"zero\n1st\nsecond\n")
    run = imported(DATA / "patches_2026.jsonl", root=str(tmp_path))
    assert texts(run, "call_c3/2") == [
        (FileKind.UNKNOWN, FileKind.ABSENT),
        (FileKind.ABSENT, FileKind.UNKNOWN),
    ]


def test_doing_it_again_records_nothing(ledger: Ledger, tmp_path: Path) -> None:
    workspace = ledger.add_workspace(str(tmp_path))
    for path in sorted(DATA.glob("*.jsonl")):
        run = imported(path, root=str(tmp_path))
        first, second = import_into(ledger, workspace, run), import_into(ledger, workspace, run)
        assert first.recorded == len(run.entries)
        assert (second.recorded, second.already) == (0, len(run.entries))


def test_the_home_is_codexs_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert CodexRuns().home({}) == tmp_path / ".codex"
    assert CodexRuns().home({"CODEX_HOME": "/x"}) == Path("/x")


SAMPLE_COUNTS: Sequence[tuple[str, dict[ActionType, int], int, int]] = (
    # Worked out from the files with other means: calls by type and status, exit codes other than 0, requests.
    (
        "irr_0.130_apply_patch_add_and_exec.jsonl",
        {ActionType.FILE_CREATE: 4, ActionType.RUN_COMMAND: 3},
        0,
        3,
    ),
    ("irr_0.147_paginated_code_mode_exec.jsonl", {}, 0, 1),
    (
        "irr_headerless_old_format.jsonl",
        {ActionType.RUN_COMMAND: 59, ActionType.FILE_EDIT: 10, ActionType.FILE_CREATE: 1},
        3,
        4,
    ),
)


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recordings are not here")
@pytest.mark.parametrize(("name", "counts", "failed", "requests"), SAMPLE_COUNTS)
def test_the_recordings_become_as_many_entries_as_they_hold_calls(
    name: str, counts: dict[ActionType, int], failed: int, requests: int
) -> None:
    run = imported(SAMPLES / name)
    found = entries(run)
    assert {kind: sum(one.action_type is kind for one in found) for kind in ActionType} == {
        kind: counts.get(kind, 0) for kind in ActionType
    }
    assert sum(one.exit_code not in (0, None) for one in found) == failed
    assert run.problems == ()
    assert len({one.uid for one in found}) == len(found)
    assert len({one.intent for one in found}) <= requests
