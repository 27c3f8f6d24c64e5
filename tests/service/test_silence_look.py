"""What agents did while their hooks were silent is found in the files that they write, and recorded once."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sulcus_panel.core.capture.silence import silences
from sulcus_panel.core.ledger.locks import holding
from sulcus_panel.core.model import Entry, Provenance
from sulcus_panel.service.operations import LedgerQuery, Operations
from sulcus_panel.service.silence_look import LOCK, SilenceLook
from tests.support.claude_transcripts import Transcript
from tests.support.hooks import Run, edit_answer
from tests.support.ledger_builder import LedgerBuilder
from tests.support.spooled import spool

MINUTE = timedelta(minutes=1)


@pytest.fixture
def claude(tmp_path: Path) -> Path:
    return tmp_path / "claude"


@pytest.fixture
def begin(build: LedgerBuilder, claude: Path) -> Callable[[], SilenceLook]:
    return lambda: SilenceLook(build.workspace, {"CLAUDE_CONFIG_DIR": str(claude)}, build.clock)


@pytest.fixture
def transcript(build: LedgerBuilder, claude: Path) -> Transcript:
    """A session that began two minutes ago."""
    path = claude / "projects" / "x" / "s-1.jsonl"
    made = Transcript(path, cwd=str(build.root), start=build.clock() - 2 * MINUTE)
    made.prompt("Write a poem")
    return made


def records(operations: Operations) -> list[Entry]:
    return list(operations.find(LedgerQuery(descending=False, limit=1_000)))


def summaries(operations: Operations) -> list[str]:
    return [entry.record.summary for entry in records(operations)]


def hook(build: LedgerBuilder, transcript: Transcript, name: str, call: str, **fields: object) -> None:
    """A hook of the session's, at the transcript's time."""
    common = {"hook_event_name": name, "session_id": transcript.session, "cwd": str(build.root)}
    spool(build.home.spool_new, transcript.now, {**common, "tool_use_id": call, **fields})


def wrote(build: LedgerBuilder, transcript: Transcript, name: str, text: str) -> str:
    path = build.root / name
    original = path.read_text() if path.exists() else None
    path.write_text(text)
    return transcript.write(str(path), text, original)


def told(build: LedgerBuilder, transcript: Transcript, call: str, name: str, text: str) -> None:
    """The hook's end of a Write that `wrote` has just made."""
    given = {"file_path": str(build.root / name), "content": text}
    answer = {"type": "create", "filePath": given["file_path"], "content": text, "originalFile": None}
    hook(build, transcript, "PostToolUse", call, tool_name="Write", tool_input=given, tool_response=answer)


def test_calls_that_no_hook_told_of_become_entries_that_go_back(
    build: LedgerBuilder, operations: Operations, transcript: Transcript, begin: Callable[[], SilenceLook]
) -> None:
    wrote(build, transcript, "poem.txt", "roses\n")
    wrote(build, transcript, "poem.txt", "roses\nviolets\n")
    transcript.bash("wc poem.txt")
    assert begin().look(operations) == 3
    first, second, ran = [entry.record for entry in records(operations)]
    assert [first.summary, second.summary, ran.summary] == [
        "created poem.txt",
        "wrote poem.txt",
        "ran: wc poem.txt",
    ]
    assert {first.provenance, second.provenance, ran.provenance} == {Provenance.IMPORTED}
    assert (first.intent, first.session_id) == ("Write a poem", "s-1")
    assert second.changes[0].before == first.changes[0].after
    (silence,) = silences(operations.ledger)
    assert (silence.harness, silence.session_id, silence.calls) == ("claude-code", "s-1", 3)
    assert (silence.heard, silence.alone) == (None, False)
    (filled,) = operations.governance(build.workspace.id, kind_prefix="capture.filled")
    assert filled.summary == "Claude Code: 3 changes were found in its transcript that no hook reported"


def test_nothing_is_recorded_twice_by_another_look_or_after_a_restart(
    build: LedgerBuilder, operations: Operations, transcript: Transcript, begin: Callable[[], SilenceLook]
) -> None:
    wrote(build, transcript, "a.txt", "a\n")
    look = begin()
    assert [look.look(operations), look.look(operations), begin().look(operations)] == [1, 0, 0]
    wrote(build, transcript, "b.txt", "b\n")
    build.clock.advance(60)
    assert [look.look(operations), begin().look(operations)] == [1, 0]
    assert summaries(operations) == ["created a.txt", "created b.txt"]


def test_a_young_call_waits_for_its_hook(
    build: LedgerBuilder, operations: Operations, transcript: Transcript, begin: Callable[[], SilenceLook]
) -> None:
    transcript.now = build.clock() - timedelta(seconds=40)
    wrote(build, transcript, "a.txt", "a\n")
    look = begin()
    assert look.look(operations) == 0
    build.clock.advance(30)
    assert look.look(operations) == 1


def test_what_a_hook_told_is_not_told_again_and_only_the_rest_is(
    build: LedgerBuilder, operations: Operations, transcript: Transcript, begin: Callable[[], SilenceLook]
) -> None:
    call = wrote(build, transcript, "a.txt", "a\n")
    told(build, transcript, call, "a.txt", "a\n")
    wrote(build, transcript, "b.txt", "b\n")
    assert begin().look(operations) == 1
    assert sorted(summaries(operations)) == ["created a.txt", "created b.txt"]
    (silence,) = silences(operations.ledger)
    assert (silence.calls, silence.newest) == (1, transcript.now)


@pytest.mark.parametrize("with_start", [True, False])
def test_a_hook_that_tells_late_is_not_recorded_again(
    build: LedgerBuilder,
    operations: Operations,
    transcript: Transcript,
    begin: Callable[[], SilenceLook],
    with_start: bool,
) -> None:
    given = {"file_path": str(build.root / "a.txt"), "content": "a\n"}
    call = "toolu_s-1__1"
    before = transcript.now
    assert wrote(build, transcript, "a.txt", "a\n") == call
    assert begin().look(operations) == 1
    if with_start:
        after, transcript.now = transcript.now, before
        hook(build, transcript, "PreToolUse", call, tool_name="Write", tool_input=given)
        transcript.now = after
    told(build, transcript, call, "a.txt", "a\n")
    operations.drain()
    assert summaries(operations) == ["created a.txt"]
    assert begin().look(operations) == 0


def test_a_call_that_changed_nothing_was_told_of_all_the_same(
    build: LedgerBuilder, operations: Operations, transcript: Transcript, begin: Callable[[], SilenceLook]
) -> None:
    path = build.root / "a.txt"
    path.write_text("a\n")
    transcript.now = datetime.now(UTC)
    call = transcript.edit(str(path), "a", "a", None)
    Run(build.root, build.home.spool, session="s-1").edit("a.txt", "a", "a", call=call)
    build.clock.now = transcript.now + 2 * MINUTE
    assert begin().look(operations) == 0
    assert summaries(operations) == []


def test_a_call_that_was_recorded_together_with_another_was_told_of(
    build: LedgerBuilder, operations: Operations, transcript: Transcript, begin: Callable[[], SilenceLook]
) -> None:
    path = build.root / "a.txt"
    path.write_text("one\ntwo\n")
    transcript.now = datetime.now(UTC) - MINUTE
    run = Run(build.root, build.home.spool, session="s-1")
    edits = {"one": "ONE", "two": "TWO"}
    calls = {old: transcript.edit(str(path), old, new, "one\ntwo\n") for old, new in edits.items()}
    given = {old: {"file_path": str(path), "old_string": old, "new_string": edits[old]} for old in edits}
    for old, call in calls.items():
        run.tool("PreToolUse", "Edit", given[old], tool_use_id=call)
    path.write_text("ONE\nTWO\n")
    for old, call in calls.items():
        answer = edit_answer(path, old, edits[old])
        run.tool("PostToolUse", "Edit", given[old], tool_use_id=call, tool_response=answer)
    build.clock.now = datetime.now(UTC) + 2 * MINUTE
    assert begin().look(operations) == 0
    assert len(records(operations)) == 1
    assert silences(operations.ledger) == ()


def test_failed_and_refused_calls_and_reads_are_no_gap(
    build: LedgerBuilder, operations: Operations, transcript: Transcript, begin: Callable[[], SilenceLook]
) -> None:
    arguments: dict[str, object] = {
        "file_path": str(build.root / "a.txt"),
        "old_string": "x",
        "new_string": "y",
    }
    transcript.call("Edit", arguments, "Error: String to replace not found", failed=True)
    transcript.call("Edit", arguments, "User rejected tool use", failed=True)
    transcript.read(str(build.root / "a.txt"), "a\n")
    assert begin().look(operations) == 0
    assert silences(operations.ledger) == ()


def test_what_happened_before_the_last_hour_or_while_recording_was_off_stays_out(
    build: LedgerBuilder, operations: Operations, transcript: Transcript, begin: Callable[[], SilenceLook]
) -> None:
    transcript.now = build.clock() - timedelta(hours=2)
    wrote(build, transcript, "old.txt", "a\n")
    operations.set_setting(build.workspace.id, "enabled", False)
    transcript.now = build.clock() - 2 * MINUTE
    wrote(build, transcript, "off.txt", "a\n")
    look = begin()
    assert look.look(operations) == 0
    operations.set_setting(build.workspace.id, "enabled", True)
    assert [look.look(operations), begin().look(operations)] == [0, 0]
    transcript.now = build.clock()
    wrote(build, transcript, "on.txt", "a\n")
    build.clock.advance(120)
    assert begin().look(operations) == 1
    assert summaries(operations) == ["created on.txt"]


def test_a_gap_of_when_nobody_looked_is_filled_at_the_next_look(
    build: LedgerBuilder, operations: Operations, transcript: Transcript, begin: Callable[[], SilenceLook]
) -> None:
    assert begin().look(operations) == 0
    transcript.now = build.clock() + timedelta(hours=5)
    wrote(build, transcript, "a.txt", "a\n")
    build.clock.advance(days=3)
    assert begin().look(operations) == 1


def test_a_subagents_calls_and_those_of_a_workspace_inside_are_recorded_where_hooks_would(
    build: LedgerBuilder, operations: Operations, transcript: Transcript, begin: Callable[[], SilenceLook]
) -> None:
    folder = transcript.path.with_suffix("") / "subagents"
    agent = Transcript(folder / "agent-1.jsonl", cwd=str(build.root), agent="a1", start=transcript.now)
    wrote(build, agent, "a.txt", "a\n")
    (build.root / "inner").mkdir()
    inner = operations.register(build.root / "inner")
    wrote(build, transcript, "inner/b.txt", "b\n")
    assert begin().look(operations) == 1
    (entry,) = records(operations)
    assert (entry.record.session_id, entry.record.target_path) == ("a1", "a.txt")
    look = SilenceLook(inner, {"CLAUDE_CONFIG_DIR": str(transcript.path.parents[2])}, build.clock)
    assert look.look(operations) == 0, "that session ran elsewhere"


def test_what_does_not_grow_is_not_opened_again(
    build: LedgerBuilder, operations: Operations, transcript: Transcript, begin: Callable[[], SilenceLook]
) -> None:
    wrote(build, transcript, "a.txt", "a\n")
    look = begin()
    assert look.look(operations) == 1
    size = transcript.path.stat().st_size
    transcript.path.write_bytes(b"x" * size)
    assert look.look(operations) == 0
    with transcript.path.open("ab") as file:
        file.write(b"\n")
    wrote(build, transcript, "b.txt", "b\n")
    build.clock.advance(60)
    transcript.path.write_bytes(transcript.path.read_bytes())
    assert look.look(operations) == 1


def test_what_the_ledger_let_go_of_again_is_no_gap(
    build: LedgerBuilder, operations: Operations, transcript: Transcript, begin: Callable[[], SilenceLook]
) -> None:
    operations.set_setting(build.workspace.id, "max_entries", 50)
    transcript.now = build.clock() - 30 * MINUTE
    for number in range(150):
        call = wrote(build, transcript, "a.txt", f"{number}\n")
        told(build, transcript, call, "a.txt", f"{number}\n")
    operations.drain()
    kept = summaries(operations)
    assert len(kept) < 150
    assert [begin().look(operations), summaries(operations)] == [0, kept]


def test_two_who_look_at_once_record_it_once(
    build: LedgerBuilder, operations: Operations, transcript: Transcript, begin: Callable[[], SilenceLook]
) -> None:
    wrote(build, transcript, "a.txt", "a\n")
    look = begin()
    with holding(build.home, LOCK, 0):
        assert look.look(operations) == 0
    assert [look.look(operations), begin().look(operations)] == [1, 0]


def test_a_ledger_that_is_only_read_is_left_alone(
    build: LedgerBuilder, transcript: Transcript, begin: Callable[[], SilenceLook]
) -> None:
    wrote(build, transcript, "a.txt", "a\n")
    with Operations.open(build.home, clock=build.clock, read_only=True) as operations:
        assert begin().look(operations) == 0


def test_a_run_that_began_before_the_hooks_did_is_told_of_though_others_are_heard(
    build: LedgerBuilder, operations: Operations, transcript: Transcript, begin: Callable[[], SilenceLook]
) -> None:
    wrote(build, transcript, "a.txt", "a\n")
    spool(
        build.home.spool_new,
        build.clock(),
        {"hook_event_name": "Notification", "session_id": "s-2", "cwd": str(build.root)},
    )
    assert begin().look(operations) == 1
    (silence,) = silences(operations.ledger)
    assert (silence.alone, silence.heard) == (True, None)
    assert not silence.is_over(build.clock(), build.clock())
    assert silence.is_over(build.clock(), build.clock() + timedelta(hours=1))


def test_a_change_from_outside_between_two_silent_calls_is_found_with_them(
    build: LedgerBuilder, operations: Operations, transcript: Transcript, begin: Callable[[], SilenceLook]
) -> None:
    wrote(build, transcript, "a.txt", "one\n")
    (build.root / "a.txt").write_text("one\nmine\n")
    wrote(build, transcript, "a.txt", "one\nmine\ntwo\n")
    assert begin().look(operations) == 3
    assert [entry.record.origin.value for entry in records(operations)] == ["agent", "outside", "agent"]
    (silence,) = silences(operations.ledger)
    assert silence.calls == 2
