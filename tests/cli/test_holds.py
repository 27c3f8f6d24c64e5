"""What waits for the person, from the terminal: seen, looked at, accepted by the same question, or rejected."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sulcus_panel.core.access import ALL_SCOPES, Caller
from sulcus_panel.core.holds import Hold, HoldRequest, HoldState
from sulcus_panel.core.model import Actor, ActorKind, EntryState, SeqId
from sulcus_panel.service.asking import Ask
from sulcus_panel.service.operations import Operations, Selection
from tests.support.clock import FakeClock
from tests.support.ledger_builder import LedgerBuilder
from tests.support.terminal import Answer, sulcus

ONE = "".join(f"line {n}\n" for n in range(1, 11))
TWO = ONE.replace("line 2\n", "two\n").replace("line 8\n", "eight\n")
CODEX = Caller(Actor("codex", ActorKind.AGENT), ALL_SCOPES)


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LedgerBuilder]:
    """#1 creates a file, #2 changes two of its lines; both are another agent's."""
    builder = LedgerBuilder.make(tmp_path, FakeClock(datetime.now(UTC)))
    monkeypatch.setenv("SULCUS_HOME", str(builder.home.root))
    builder.write("a.txt", ONE)
    builder.write("a.txt", TWO)
    yield builder
    builder.ledger.close()


def asked(
    work: LedgerBuilder, seq_id: int, *, hunks: tuple[int, ...] | None = None, redo: bool = False
) -> Hold:
    with Operations.open(work.home) as operations:
        ask = Ask(Selection((SeqId(seq_id),)), hunks=hunks, redo=redo)
        hold = operations.asking.ask(CODEX, work.workspace.id, ask).hold
    assert hold is not None
    return hold


def holds(work: LedgerBuilder, *args: str, stdin: str = "") -> Answer:
    return sulcus("holds", *args, cwd=work.root, stdin=stdin)


def became(work: LedgerBuilder, hold: Hold) -> HoldState:
    return work.ledger.holds.by_id(hold.id).state


def test_a_list_says_who_asks_for_what_and_why_it_waits(work: LedgerBuilder) -> None:
    assert holds(work, "list").out == "Nothing waits for you.\n"
    hold = asked(work, 2, hunks=(1,))
    told = holds(work, "list").out
    assert "codex asks for undo of #2 part 2" in told
    assert hold.reason in told
    [listed] = holds(work, "list", "--json").json()["holds"]
    assert (listed["hold_id"], listed["actor"], listed["seq_ids"], listed["hunks"], listed["state"]) == (
        hold.id,
        "codex",
        [2],
        [2],
        "waiting",
    )


def test_the_ledgers_list_says_beside_its_answer_that_something_waits(work: LedgerBuilder) -> None:
    assert sulcus("ledger", "list", cwd=work.root).err == ""
    asked(work, 2)
    listed = sulcus("ledger", "list", "--json", cwd=work.root)
    assert listed.err == "1 undo waits for your decision: sulcus-panel holds list\n"
    assert len(listed.json()["entries"]) == 2


def test_accepting_asks_the_question_of_a_rollback_and_settles_the_hold(work: LedgerBuilder) -> None:
    hold = asked(work, 2)
    dry = sulcus("ledger", "rollback", "2", "--dry-run", cwd=work.root)
    assert holds(work, "accept", str(hold.id), "--dry-run").out == dry.out
    assert became(work, hold) is HoldState.WAITING
    answer = holds(work, "accept", str(hold.id), stdin="y\n")
    assert answer.code == 0, answer.err
    assert "Undo this? [y = undo, d = decide later, anything else = keep it]" in answer.err
    assert (work.root / "a.txt").read_text() == ONE
    assert became(work, hold) is HoldState.ACCEPTED
    assert holds(work, "list", "--json").json() == {"holds": []}
    [decided] = holds(work, "list", "--all", "--json").json()["holds"]
    assert (decided["state"], decided["outcome"]) == ("accepted", "undone")


def test_only_the_parts_that_were_asked_for_go_back(work: LedgerBuilder) -> None:
    hold = asked(work, 2, hunks=(0,))
    done = holds(work, "accept", str(hold.id), "--json", stdin="y\n").json()
    assert (done["hold_id"], done["outcome"]) == (hold.id, "undone")
    assert (work.root / "a.txt").read_text() == TWO.replace("two\n", "line 2\n")
    assert became(work, hold) is HoldState.ACCEPTED


def test_a_redo_that_waits_is_accepted_as_a_redo(work: LedgerBuilder) -> None:
    assert sulcus("ledger", "rollback", "2", cwd=work.root, stdin="y\n").code == 0
    hold = asked(work, 2, redo=True)
    assert "asks for redo of #3" in holds(work, "list").out
    answer = holds(work, "accept", str(hold.id), stdin="y\n")
    assert answer.code == 0, answer.err
    assert "Redo this?" in answer.err
    assert (work.root / "a.txt").read_text() == TWO
    assert became(work, hold) is HoldState.ACCEPTED


@pytest.mark.parametrize("said", ["", "n\n", "d\n"])
def test_without_a_yes_nothing_changes_and_the_hold_waits_on(work: LedgerBuilder, said: str) -> None:
    hold = asked(work, 2)
    answer = holds(work, "accept", str(hold.id), stdin=said)
    assert answer.code == 0
    assert f"Hold {hold.id} still waits" in answer.err
    assert (work.root / "a.txt").read_text() == TWO
    assert became(work, hold) is HoldState.WAITING


def test_a_pinned_plan_that_is_another_one_now_is_refused(work: LedgerBuilder) -> None:
    hold = asked(work, 2)
    assert holds(work, "accept", str(hold.id), "--plan", "0" * 64, stdin="y\n").code == 1
    assert became(work, hold) is HoldState.WAITING


def test_rejecting_changes_no_file_and_takes_the_mark_away(work: LedgerBuilder) -> None:
    hold = asked(work, 2)
    answer = holds(work, "reject", str(hold.id), "--json")
    assert (answer.code, answer.json()["state"]) == (0, "rejected")
    assert (work.root / "a.txt").read_text() == TWO
    assert work.ledger.entry(SeqId(2)).state is EntryState.RECORDED
    again = holds(work, "reject", str(hold.id))
    assert (again.code, again.out) == (2, "")
    assert "was decided before" in again.err


def test_what_is_in_the_way_is_said_and_the_hold_waits_on(work: LedgerBuilder) -> None:
    hold = asked(work, 2)
    work.write("a.txt", TWO.replace("two\n", "zwei\n"))
    answer = holds(work, "accept", str(hold.id), stdin="y\n")
    assert answer.code == 1
    assert "#3 stands in the way" in answer.out
    assert became(work, hold) is HoldState.WAITING


def test_a_number_that_names_no_hold_is_said_so(work: LedgerBuilder) -> None:
    assert holds(work, "accept", "7").code == 1
    assert holds(work, "accept", "seven").code == 2


def test_more_holds_than_a_page_are_all_told_and_all_settled(work: LedgerBuilder) -> None:
    with work.ledger.write():
        for number in range(205):
            actor = Actor(f"agent {number}", ActorKind.AGENT)
            work.ledger.holds.add(work.workspace.id, actor, asked_for_two(), "", number)
    assert "205 undos wait" in sulcus("ledger", "list", cwd=work.root).err
    assert sulcus("ledger", "rollback", "2", cwd=work.root, stdin="y\n").code == 0
    assert holds(work, "list", "--json").json() == {"holds": []}


def asked_for_two() -> HoldRequest:
    return HoldRequest((SeqId(2),))
