"""Who may undo at once, and what waits: every rule by a real ledger, real files and a real plan."""

import pytest

from sulcus_panel.core.access import ALL_SCOPES, THE_PERSON, Caller
from sulcus_panel.core.errors import BadRequest, NotFound, StalePlan
from sulcus_panel.core.holds import HoldState
from sulcus_panel.core.model import PERSON, Actor, ActorKind, EntryState, Origin, Provenance, SeqId
from sulcus_panel.core.undo.model import Outcome, UndoRequest
from sulcus_panel.service.asking import Answer, Ask
from sulcus_panel.service.operations import Operations, Selection
from tests.support.ledger_builder import CLAUDE, LedgerBuilder

CLAUDE_CALLS = Caller(CLAUDE, ALL_SCOPES)
OTHER = Caller(Actor("codex", ActorKind.AGENT), ALL_SCOPES)
TEXT = "one\ntwo\nthree\nfour\nfive\n"


def by_ids(*seq_ids: int) -> Ask:
    return Ask(Selection(tuple(SeqId(seq_id) for seq_id in seq_ids)))


def ask(operations: Operations, build: LedgerBuilder, caller: Caller, what: Ask) -> Answer:
    return operations.asking.ask(caller, build.workspace.id, what)


def an_edit(build: LedgerBuilder) -> SeqId:
    build.outside("a.txt", TEXT)
    return build.write("a.txt", TEXT.replace("two", "2")).seq_id


def test_an_agent_undoes_its_own_clean_change_at_once(operations: Operations, build: LedgerBuilder) -> None:
    done = ask(operations, build, CLAUDE_CALLS, by_ids(an_edit(build)))
    assert (done.outcome, (build.root / "a.txt").read_text()) == (Outcome.UNDONE, TEXT)
    undo = operations.entry(done.result.results[0].undo_seq_id or SeqId(0)) if done.result else None
    assert undo is not None
    assert undo.record.actor == CLAUDE


@pytest.mark.parametrize(
    "caller",
    [
        OTHER,
        Caller(Actor("", ActorKind.AGENT), ALL_SCOPES),
        Caller(Actor(PERSON.name, ActorKind.AGENT), ALL_SCOPES),
        Caller(Actor("codex", ActorKind.MODULE), ALL_SCOPES),
    ],
)
def test_the_work_of_another_waits_for_the_person_and_no_file_is_touched(
    operations: Operations, build: LedgerBuilder, caller: Caller
) -> None:
    seq_id, before = an_edit(build), (build.root / "a.txt").stat()
    answer = ask(operations, build, caller, by_ids(seq_id))
    assert answer.outcome is Outcome.HELD
    assert answer.hold is not None
    assert answer.hold.actor == caller.actor
    assert "is the work of" in answer.hold.reason
    assert (build.root / "a.txt").stat().st_mtime_ns == before.st_mtime_ns
    assert operations.entry(seq_id).state is EntryState.HELD
    assert ask(operations, build, caller, by_ids(seq_id)).hold == answer.hold, "asked twice, it waits once"


def test_the_person_undoes_anything_at_once(operations: Operations, build: LedgerBuilder) -> None:
    assert ask(operations, build, THE_PERSON, by_ids(an_edit(build))).outcome is Outcome.UNDONE


def test_a_drifted_file_waits(operations: Operations, build: LedgerBuilder) -> None:
    seq_id = an_edit(build)
    build.outside("a.txt", TEXT.replace("two", "2") + "six\n")
    assert ask(operations, build, CLAUDE_CALLS, by_ids(seq_id)).outcome is Outcome.HELD


@pytest.mark.parametrize("provenance", [Provenance.CLAIMED, Provenance.IMPORTED])
def test_what_nobody_saw_waits_but_not_for_the_person(
    operations: Operations, build: LedgerBuilder, provenance: Provenance
) -> None:
    seq_id = an_edit(build)
    with build.ledger.write():
        build.ledger._db.run("UPDATE entry SET provenance = ?", (provenance.value,))
    assert ask(operations, build, CLAUDE_CALLS, by_ids(seq_id)).outcome is Outcome.HELD
    assert ask(operations, build, THE_PERSON, by_ids(seq_id)).outcome is Outcome.UNDONE


def test_a_conflict_waits_for_the_person_and_is_told_to_him_as_one(
    operations: Operations, build: LedgerBuilder
) -> None:
    build.outside("a.txt", TEXT)
    seq_id = build.write("a.txt", TEXT.replace("two\nthree", "2\n3\n3b")).seq_id
    build.write("a.txt", TEXT.replace("two\nthree", "2\ndrei\n3b"))
    assert ask(operations, build, CLAUDE_CALLS, by_ids(seq_id)).outcome is Outcome.HELD
    assert ask(operations, build, THE_PERSON, by_ids(seq_id)).outcome is Outcome.CONFLICT


def test_what_no_decision_would_change_is_told_at_once(operations: Operations, build: LedgerBuilder) -> None:
    seq_id = an_edit(build)
    ask(operations, build, CLAUDE_CALLS, by_ids(seq_id))
    again = ask(operations, build, OTHER, by_ids(seq_id))
    assert (again.outcome, again.hold) == (Outcome.ALREADY_UNDONE, None)


def test_a_file_that_tools_obey_needs_a_yes_that_no_wire_carries(
    operations: Operations, build: LedgerBuilder
) -> None:
    build.outside(".mcp.json", TEXT)
    seq_id = build.write(".mcp.json", TEXT.replace("two", "2")).seq_id
    for caller in (CLAUDE_CALLS, THE_PERSON):
        answer = ask(operations, build, caller, by_ids(seq_id))
        assert answer.outcome is Outcome.HELD
        assert answer.hold is not None
        assert "a yes of its own" in answer.hold.reason


def test_an_agent_that_names_no_entry_means_its_own(operations: Operations, build: LedgerBuilder) -> None:
    mine = an_edit(build)
    build.actor = OTHER.actor
    build.write("b.txt", "theirs\n")
    done = ask(operations, build, CLAUDE_CALLS, Ask(Selection(last_n=5)))
    assert done.plan.request.seq_ids == (mine,)
    with pytest.raises(NotFound, match="No change by an agent matches"):
        ask(operations, build, CLAUDE_CALLS, Ask(Selection(query="b.txt")))


def test_a_dry_run_shows_the_plan_to_anyone_and_changes_nothing(
    operations: Operations, build: LedgerBuilder
) -> None:
    seq_id = an_edit(build)
    answer = ask(operations, build, OTHER, Ask(Selection((seq_id,)), dry_run=True))
    assert (answer.outcome, answer.result, answer.hold) == (Outcome.UNDONE, None, None)
    assert operations.entry(seq_id).state is EntryState.RECORDED
    assert operations.holds.find(build.workspace.id, waiting_only=False) == ()


def test_a_plan_that_was_shown_is_the_one_that_runs(operations: Operations, build: LedgerBuilder) -> None:
    seq_id = an_edit(build)
    digest = ask(operations, build, CLAUDE_CALLS, Ask(Selection((seq_id,)), dry_run=True)).plan.digest
    build.write("a.txt", TEXT.replace("two", "2").replace("five", "5"))
    with pytest.raises(StalePlan):
        ask(operations, build, CLAUDE_CALLS, Ask(Selection((seq_id,)), plan_digest=digest))
    assert operations.entry(seq_id).state is EntryState.RECORDED


def test_chosen_hunks_are_of_one_entry(operations: Operations, build: LedgerBuilder) -> None:
    build.outside("a.txt", TEXT)
    seq_id = build.write("a.txt", TEXT.replace("one", "1").replace("five", "5")).seq_id
    other = build.write("b.txt", "b\n").seq_id
    done = ask(operations, build, CLAUDE_CALLS, Ask(Selection((seq_id,)), hunks=(1,)))
    assert done.result is not None
    assert (build.root / "a.txt").read_text() == TEXT.replace("one", "1")
    with pytest.raises(BadRequest, match="one entry"):
        ask(operations, build, CLAUDE_CALLS, Ask(Selection((seq_id, other)), hunks=(1,)))


def test_an_agent_redoes_what_it_undid(operations: Operations, build: LedgerBuilder) -> None:
    seq_id = an_edit(build)
    ask(operations, build, CLAUDE_CALLS, by_ids(seq_id))
    redo = Ask(Selection((seq_id,)), redo=True)
    assert ask(operations, build, OTHER, redo).outcome is Outcome.HELD
    assert ask(operations, build, CLAUDE_CALLS, redo).outcome is Outcome.UNDONE
    assert (build.root / "a.txt").read_text() == TEXT.replace("two", "2")


def test_an_unknown_entry_and_one_of_another_workspace_are_named_and_nothing_is_done(
    operations: Operations, build: LedgerBuilder
) -> None:
    seq_id = an_edit(build)
    with pytest.raises(NotFound, match="#77"):
        ask(operations, build, CLAUDE_CALLS, by_ids(seq_id, 77))
    elsewhere = build.ledger.add_workspace(None, "elsewhere")
    with pytest.raises(NotFound, match=f"#{seq_id}"):
        operations.asking.ask(CLAUDE_CALLS, elsewhere.id, by_ids(seq_id))
    assert operations.entry(seq_id).state is EntryState.RECORDED


def test_an_edit_from_outside_is_nobodys_own(operations: Operations, build: LedgerBuilder) -> None:
    build.outside("a.txt", TEXT)
    seq_id = build.write("a.txt", TEXT.replace("two", "2"), origin=Origin.OUTSIDE).seq_id
    assert ask(operations, build, CLAUDE_CALLS, by_ids(seq_id)).outcome is Outcome.HELD


def test_the_persons_own_undo_settles_what_waits(operations: Operations, build: LedgerBuilder) -> None:
    seq_id = an_edit(build)
    hold = ask(operations, build, OTHER, by_ids(seq_id)).hold
    assert hold is not None
    operations.apply(operations.plan(operations.holds.request(hold.id)))
    settled = operations.holds.get(hold.id)
    assert (settled.state, settled.outcome) == (HoldState.ACCEPTED, Outcome.UNDONE)
    assert operations.holds.find(build.workspace.id) == ()
    with pytest.raises(BadRequest, match="decided before"):
        operations.holds.reject(hold.id)


def test_a_larger_undo_settles_a_smaller_request(operations: Operations, build: LedgerBuilder) -> None:
    first = an_edit(build)
    second = build.write("b.txt", "b\n").seq_id
    hold = ask(operations, build, OTHER, by_ids(first)).hold
    operations.apply(operations.plan(UndoRequest((first, second))))
    assert hold is not None
    assert operations.holds.get(hold.id).state is HoldState.SETTLED


def test_a_no_leaves_the_file_and_takes_the_mark_away(operations: Operations, build: LedgerBuilder) -> None:
    seq_id = an_edit(build)
    one = ask(operations, build, OTHER, by_ids(seq_id)).hold
    other = ask(operations, build, Caller(Actor("gemini", ActorKind.AGENT), ALL_SCOPES), by_ids(seq_id)).hold
    assert one is not None
    assert other is not None
    assert operations.holds.reject(one.id).state is HoldState.REJECTED
    assert operations.entry(seq_id).state is EntryState.HELD, "another one still waits"
    operations.holds.reject(other.id)
    assert operations.entry(seq_id).state is EntryState.RECORDED
    kinds = [one.kind for one in operations.governance(build.workspace.id, kind_prefix="undo.")]
    assert kinds == ["undo.rejected", "undo.rejected", "undo.held", "undo.held"]
