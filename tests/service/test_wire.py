"""Entries, plans and results in the JSON that every door speaks, field by field."""

import json
import os
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest

from sulcus_panel.core.model import (
    ABSENT,
    PERSON,
    ActionType,
    Change,
    DriftKind,
    Entry,
    EntryState,
    FileKind,
    FileState,
    GitDelta,
    GitState,
    GovernanceRecord,
    LedgerPath,
    Origin,
    Provenance,
    RollbackHint,
    SeqId,
    Settings,
)
from sulcus_panel.core.undo.model import (
    Conflict,
    EntryPlan,
    EntryResult,
    Outcome,
    UndoPlan,
    UndoRequest,
    UndoResult,
    Warning,
)
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.wire import (
    conflict_json,
    entry_json,
    governance_json,
    plan_json,
    result_json,
    settings_json,
    state_json,
    time_text,
)
from tests.support.clock import NOON
from tests.support.entries import KEPT, make_entry
from tests.support.ledger_builder import LedgerBuilder
from tests.support.undo_plans import PATH, clean_plan, conflict_plan, plan_of, turn_plan

ODD = LedgerPath(os.fsdecode(b"caf\xe9.py"))
IN_EVERY_ENTRY = {
    "seq_id",
    "uid",
    "at",
    "recorded_at",
    "namespace",
    "harness",
    "session_id",
    "turn_id",
    "actor",
    "actor_kind",
    "origin",
    "action_type",
    "tool_name",
    "target_path",
    "paths",
    "summary",
    "intent",
    "state",
    "provenance",
    "undoability",
    "undo_reason",
    "reverses",
    "changes",
}
OF_COMMANDS = {"command", "cwd", "exit_code", "git"}


def with_record(entry: Entry, **fields: object) -> Entry:
    return replace(entry, record=replace(entry.record, **fields))  # type: ignore[arg-type]  # by name


def strict(body: object) -> str:
    """What another program reads: JSON that is UTF-8, without halves of characters."""
    return json.dumps(body, ensure_ascii=False).encode("utf-8").decode("utf-8")


def test_an_entry_says_exactly_what_the_contract_names() -> None:
    lost = replace(KEPT, kept=False)
    change = Change(LedgerPath("src/app.py"), lost, lost)
    body = entry_json(with_record(make_entry(7, intent="Make it louder"), changes=(change,)))
    side = {"kind": "file", "sha256": "ab" * 32, "size_bytes": 1842, "mode": "0644"}
    assert set(body) == IN_EVERY_ENTRY
    assert body == {
        "seq_id": 7,
        "uid": "uid-7",
        "at": "2026-03-04T12:00:07.000000Z",
        "recorded_at": "2026-03-04T12:00:07.000000Z",
        "namespace": "demo",
        "harness": "claude-code",
        "session_id": "session-1",
        "turn_id": "turn-1",
        "actor": "Claude",
        "actor_kind": "agent",
        "origin": "agent",
        "action_type": "file_edit",
        "tool_name": "Edit",
        "target_path": "src/app.py",
        "paths": ["src/app.py"],
        "summary": "",
        "intent": "Make it louder",
        "state": "recorded",
        "provenance": "observed",
        "undoability": "fully",
        "undo_reason": "",
        "reverses": None,
        "changes": [{"path": "src/app.py", "before": side, "after": side}],
    }


def test_only_commands_have_a_command_and_its_repository_may_be_unknown() -> None:
    entry = make_entry(7, action=ActionType.RUN_COMMAND, command="make")
    body = entry_json(with_record(entry, cwd="/w", exit_code=2))
    assert set(body) == IN_EVERY_ENTRY | OF_COMMANDS
    assert {key: body[key] for key in OF_COMMANDS} == {
        "command": "make",
        "cwd": "/w",
        "exit_code": 2,
        "git": None,
    }


def test_a_repository_is_told_before_and_after() -> None:
    before, after = GitState("1f" * 20, "main", {}), GitState(None, None, {"a.py": " M"})
    entry = make_entry(7, action=ActionType.RUN_COMMAND, command="git add a.py")
    assert entry_json(with_record(entry, git=GitDelta(before, after)))["git"] == {
        "before": {"head": "1f" * 20, "branch": "main", "status": {}},
        "after": {"head": None, "branch": None, "status": {"a.py": " M"}},
    }


def test_what_there_is_not_to_say_is_absent_and_never_empty() -> None:
    optional = {"derived_from", "rollback_hint", "why", "drift"}
    assert not optional & set(entry_json(make_entry(1, command="make")))
    said = with_record(
        make_entry(1, drift=DriftKind.CHANGED),
        derived_from=(LedgerPath("notes.md"),),
        rollback_hint=RollbackHint("git", "HEAD"),
        why={"rule": "r1"},
    )
    body = entry_json(said)
    assert {key: body[key] for key in optional} == {
        "derived_from": ["notes.md"],
        "rollback_hint": {"kind": "git", "ref": "HEAD"},
        "why": {"rule": "r1"},
        "drift": "changed",
    }


@pytest.mark.parametrize(
    ("before", "ref"),
    [(KEPT, KEPT.sha256), (ABSENT, "absent"), (replace(KEPT, kept=False), None)],
)
def test_the_snapshot_from_before_is_the_way_back_where_there_is_one(
    before: FileState, ref: str | None
) -> None:
    entry = with_record(make_entry(1), changes=(Change(LedgerPath("a"), before, KEPT),))
    hint = None if ref is None else {"kind": "snapshot", "ref": ref}
    assert entry_json(entry).get("rollback_hint") == hint


def test_an_undo_names_what_it_reverses_and_words_are_the_contracts() -> None:
    entry = with_record(
        make_entry(9, origin=Origin.UNDO, state=EntryState.PARTLY_UNDONE),
        reverses=SeqId(7),
        provenance=Provenance.IMPORTED,
    )
    body = json.loads(json.dumps(entry_json(entry)))
    assert (body["origin"], body["state"], body["provenance"], body["reverses"]) == (
        "undo",
        "partly_undone",
        "imported",
        7,
    )


@pytest.mark.parametrize(
    ("state", "mode"),
    [
        (replace(KEPT, mode=0o600), "0600"),
        (replace(KEPT, mode=0), "0000"),
        (replace(KEPT, mode=0o4755), "4755"),
        (replace(KEPT, mode=None), None),
        (ABSENT, None),
    ],
)
def test_permissions_are_four_octal_digits_or_nothing(state: FileState, mode: str | None) -> None:
    assert state_json(state)["mode"] == mode


def test_an_absent_side_has_neither_hash_nor_size() -> None:
    assert state_json(ABSENT) == {"kind": "absent", "sha256": None, "size_bytes": None, "mode": None}


def test_names_that_are_not_utf8_can_be_read_by_any_program() -> None:
    entry = with_record(
        make_entry(1, ODD), summary=f"Edit {ODD}", derived_from=(ODD,), intent="\udcff", command=f"rm {ODD}"
    )
    body = json.loads(strict(entry_json(entry)))
    shown = "caf\\xe9.py"
    assert (body["target_path"], body["paths"], body["changes"][0]["path"]) == (shown, [shown], shown)
    assert (body["summary"], body["derived_from"]) == (f"Edit {shown}", [shown])
    assert (body["command"], body["intent"]) == (f"rm {shown}", "\\xff")


@pytest.mark.parametrize(
    "fields",
    [
        {"cwd": "/w/" + ODD},
        {"git": GitDelta(GitState(None, ODD, {}), GitState(None, None, {ODD: "??"}))},
        {"why": {"said": ODD}, "rollback_hint": RollbackHint("git", ODD)},
    ],
    ids=["cwd", "git", "why"],
)
def test_odd_names_around_a_command_can_be_read_by_any_program(fields: dict[str, object]) -> None:
    told = strict(entry_json(with_record(make_entry(1, command="make"), **fields)))
    assert "caf\\\\xe9.py" in told


def test_a_decision_and_a_setting_with_an_odd_name_can_be_read_by_any_program() -> None:
    record = GovernanceRecord(1, NOON, None, PERSON, "import", ODD, (), {"from": ODD})
    assert json.loads(strict(governance_json(record)))["detail"] == {"from": "caf\\xe9.py"}
    body = settings_json(Settings(exclude=(ODD,), llm_endpoint=ODD))
    assert json.loads(strict(body))["exclude"] == ["caf\\xe9.py"]


def test_times_are_utc_to_the_microsecond() -> None:
    east = timezone(timedelta(hours=2))
    assert time_text(datetime(2026, 1, 1, 1, 0, tzinfo=east)) == "2025-12-31T23:00:00.000000Z"


def test_contents_are_in_no_list(build: LedgerBuilder, operations: Operations) -> None:
    build.write("a.txt", "secret one\n")
    entry = build.write("a.txt", "secret two\n")
    plan = operations.plan(UndoRequest((entry.seq_id,)))
    told = [entry_json(entry), plan_json(plan), result_json(operations.apply(plan), plan)]
    assert "secret" not in json.dumps(told)


def test_a_dry_run_has_the_form_of_the_result_that_follows(
    build: LedgerBuilder, operations: Operations
) -> None:
    build.write("a.txt", "one\ntwo\n")
    entry = build.write("a.txt", "one\nTWO\n")
    (change,) = entry.record.changes

    plan = operations.plan(UndoRequest((entry.seq_id,)))
    tried = plan_json(plan)
    done = result_json(operations.apply(plan), plan)

    assert set(tried) == set(done) == {"outcome", "plan_digest", "results"}
    assert (tried["outcome"], tried["plan_digest"]) == (done["outcome"], done["plan_digest"])
    (foretold,), (came,) = tried["results"], done["results"]
    assert foretold["hunks"] == [{"hunk": 1, "outcome": "undone", "chosen": True, "lines": [2, 2]}]
    assert foretold["strategy"] == came["strategy"] == "pre_image_restore"
    assert (foretold["undo_seq_id"], came["undo_seq_id"]) == (None, entry.seq_id + 1)
    hashes = {"before_sha256": change.after.sha256, "after_sha256": change.before.sha256}
    assert came["paths"] == [{"path": "a.txt", **hashes, "read_back": True}]
    assert foretold["paths"] == [{"path": "a.txt", **hashes, "outcome": "undone"}]


def test_who_stands_in_the_way_is_named_by_number_or_as_outside() -> None:
    (stands,) = plan_json(conflict_plan())["results"][0]["conflicts"]
    assert (stands["path"], stands["lines"], stands["with_seq_ids"]) == (PATH, [80, 82], [842])
    assert "outside" not in stands
    (outside,) = plan_json(conflict_plan(outside=True))["results"][0]["conflicts"]
    assert outside["outside"] is True


def test_lines_count_from_one_and_an_empty_run_is_the_line_it_stands_before() -> None:
    def lines(run: tuple[int, int] | None) -> dict[str, object]:
        body = conflict_json(Conflict(PATH, run, (), True, "x"))
        return {key: body[key] for key in ("lines", "empty") if key in body}

    assert lines((79, 82)) == {"lines": [80, 82]}
    assert lines((2, 3)) == {"lines": [3, 3]}
    assert lines((2, 2)) == {"lines": [3, 3], "empty": True}
    assert lines((0, 0)) == {"lines": [1, 1], "empty": True}
    assert lines(None) == {"lines": None}


def test_a_part_that_put_nothing_there_stands_before_a_line(
    build: LedgerBuilder, operations: Operations
) -> None:
    build.write("a.txt", "one\ntwo\nthree\n")
    entry = build.write("a.txt", "one\nthree\n")
    (hunk,) = plan_json(operations.plan(UndoRequest((entry.seq_id,))))["results"][0]["hunks"]
    assert (hunk["lines"], hunk["empty"]) == ([2, 2], True)


def test_a_path_without_hunks_tells_the_number_that_chooses_it() -> None:
    item = clean_plan().entries[0]
    body = plan_json(plan_of(replace(item, paths=(replace(item.paths[0], hunks=(), part=1, chosen=False),))))
    assert body["results"][0]["paths"][0].items() >= {"hunk": 2, "chosen": False}.items()


def test_each_result_has_the_warnings_that_concern_it_and_the_first_those_of_nobody() -> None:
    newest, oldest = turn_plan().entries
    path = oldest.entry.paths[0]
    warnings = (
        Warning("drift", "by path", path),
        Warning("later_kept", "by path, of others", path, (SeqId(900),)),
        Warning("command", "by number", seq_ids=(newest.entry.seq_id,)),
        Warning("command", "by both numbers", seq_ids=(newest.entry.seq_id, oldest.entry.seq_id)),
        Warning("command_stays", "of nobody here", seq_ids=(SeqId(901),)),
        Warning("note", "general"),
    )
    plan = replace(turn_plan(), warnings=warnings)
    first, second = plan_json(plan)["results"]
    assert [one["text"] for one in first["warnings"]] == [
        "by number",
        "by both numbers",
        "of nobody here",
        "general",
    ]
    assert [one["text"] for one in second["warnings"]] == ["by path", "by path, of others", "by both numbers"]
    result = UndoResult(Outcome.FAILED, plan.digest, tuple(failed(item) for item in plan.entries))
    assert [one["warnings"] for one in result_json(result, plan)["results"]] == [
        first["warnings"],
        second["warnings"],
    ]


def failed(item: EntryPlan) -> EntryResult:
    return EntryResult(item.entry.seq_id, Outcome.FAILED, None, (), reason="the disk is full")


def outcomes(result: UndoResult, plan: UndoPlan) -> list[str]:
    return [hunk["outcome"] for one in result_json(result, plan)["results"] for hunk in one["hunks"]]


def test_a_part_of_a_batch_that_failed_is_not_called_undone() -> None:
    plan = clean_plan()
    assert outcomes(UndoResult(Outcome.FAILED, "d1", (failed(plan.entries[0]),)), plan) == ["not_tried"]


def test_a_part_beside_one_in_conflict_is_not_called_undone_once_nothing_is_done(
    build: LedgerBuilder, operations: Operations
) -> None:
    build.write("a.txt", "1\n2\n3\n4\n5\n6\n")
    entry = build.write("a.txt", "one\n2\n3\n4\n5\nsix\n")
    build.write("a.txt", "one\n2\n3\n4\n5\nsechs\n")
    plan = operations.plan(UndoRequest((entry.seq_id,)))
    assert [hunk["outcome"] for hunk in plan_json(plan)["results"][0]["hunks"]] == ["undone", "conflict"]
    assert outcomes(operations.apply(plan), plan) == ["not_tried", "conflict"]


def test_a_part_that_was_not_chosen_is_not_called_undone(
    build: LedgerBuilder, operations: Operations
) -> None:
    build.write("a.txt", "1\n2\n3\n4\n5\n6\n")
    entry = build.write("a.txt", "one\n2\n3\n4\n5\nsix\n")
    plan = operations.plan(UndoRequest((entry.seq_id,), (1,)))
    assert outcomes(operations.apply(plan), plan) == ["not_tried", "undone"]


def test_what_was_already_undone_is_not_called_so_where_the_result_is_another() -> None:
    plan = plan_of(replace(clean_plan().entries[0], outcome=Outcome.ALREADY_UNDONE))
    result = UndoResult(Outcome.FAILED, "d1", (failed(plan.entries[0]),))
    assert "already" in plan_json(plan)["results"][0]
    assert "already" not in result_json(result, plan)["results"][0]


def test_what_is_already_undone_says_already(build: LedgerBuilder, operations: Operations) -> None:
    entry = build.write("a.txt", "one\n")
    operations.apply(operations.plan(UndoRequest((entry.seq_id,))))
    plan = operations.plan(UndoRequest((entry.seq_id,)))
    result = operations.apply(plan)
    assert result.outcome is Outcome.ALREADY_UNDONE
    assert result_json(result, plan)["results"][0]["already"] is True


def test_a_decision_is_told_with_who_made_it(build: LedgerBuilder, operations: Operations) -> None:
    operations.set_setting(build.workspace.id, "max_entries", "60")
    (record,) = operations.governance(build.workspace.id, kind_prefix="config")
    body = governance_json(record)
    assert (body["kind"], body["actor"], body["actor_kind"]) == ("config.set", "you", "person")
    assert (body["namespace"], body["summary"]) == ("work", "max_entries = 60")


def test_an_unknown_side_says_so() -> None:
    unknown = FileState(FileKind.UNKNOWN, reason="busy")
    entry = with_record(make_entry(1), changes=(Change(LedgerPath("a"), unknown, KEPT),))
    assert entry_json(entry)["changes"][0]["before"]["kind"] == "unknown"
