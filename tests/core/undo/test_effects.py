"""What becomes of effects, from facts alone: the same facts, the same plan, nothing looked up."""

from dataclasses import replace

import pytest

from sulcus_panel.core.commands.now import GitNow
from sulcus_panel.core.model import (
    ActionType,
    Entry,
    GitDelta,
    GitState,
    Origin,
    Provenance,
    RefMove,
    SeqId,
)
from sulcus_panel.core.undo.model import Outcome, UndoFacts, UndoPlan
from sulcus_panel.core.undo.plan import plan_undo
from tests.support.entries import make_entry

P, C, D = "a" * 40, "b" * 40, "c" * 40
MAIN, TOPIC, NEW = "refs/heads/main", "refs/heads/topic", "refs/heads/new"
HERE = GitNow("/w/.git", "", "main", P, {MAIN: P, TOPIC: P})


def entry(
    command: str,
    *moves: tuple[str, str, str],
    before: str = "main",
    after: str = "main",
    head: str = P,
    seq: int = 1,
) -> Entry:
    made = make_entry(seq, action=ActionType.RUN_COMMAND, command=command)
    refs = tuple(RefMove(*move) for move in moves)
    delta = GitDelta(GitState(P, before, {}), GitState(head, after, {}), refs)
    return replace(made, record=replace(made.record, git=delta, cwd="/w"))


BRANCH = entry("git branch topic", (TOPIC, "", P))
SWITCH = entry("git switch -c topic", (TOPIC, "", P), after="topic")
COMMIT = entry("git commit -m x", (MAIN, P, C), head=C)
AMEND = entry("git commit --amend", (MAIN, P, C), head=C)
RENAME = entry("git branch -m topic new", (TOPIC, P, ""), (NEW, "", P))


def plan(now: GitNow, *entries: Entry) -> UndoPlan:
    looked = {one.seq_id: now for one in entries}
    return plan_undo(UndoFacts(1, "/w", entries, None, {}, {}, {}, {}, frozenset(), {}, git=looked))


def test_a_plan_says_what_happened_what_it_does_and_by_which_words() -> None:
    made = plan(HERE, BRANCH)
    (effect,) = made.effects
    assert effect.happened == "branch topic was made at aaaaaaaaa"
    assert effect.undo == "branch topic is deleted, and aaaaaaaaa stays in the repository"
    assert effect.commands == (("git", "update-ref", "-d", TOPIC, P),)
    assert effect.delta is not None
    assert effect.delta.refs == (RefMove(TOPIC, P, ""),)
    assert (made.outcome, made.can_apply, made.writes) == (Outcome.UNDONE, True, ())
    assert [consent.key for consent in made.consents] == ["effect:#1"]
    assert made.explanation.what_happens == effect.undo
    assert "git_moved" not in {warning.code for warning in made.warnings}


def test_a_switch_goes_back_with_head_first() -> None:
    made = plan(replace(HERE, branch="topic"), SWITCH)
    (effect,) = made.effects
    assert effect.commands == (
        ("git", "symbolic-ref", "HEAD", MAIN),
        ("git", "update-ref", "-d", TOPIC, P),
    )
    assert effect.undo.startswith("HEAD goes to main, and no file changes")


IN_THE_WAY = {
    "moved": (replace(HERE, refs={TOPIC: C}), BRANCH, "has moved since, to bbb"),
    "gone and back elsewhere": (replace(HERE, refs={TOPIC: C, NEW: P}), RENAME, "another branch topic"),
    "renamed one gone": (replace(HERE, refs={}), RENAME, "branch new is not there"),
    "checked out": (replace(HERE, branch="topic"), BRANCH, "branch topic is checked out"),
    "elsewhere": (replace(HERE, elsewhere={TOPIC: "w"}), BRANCH, "checked out in w"),
    "old branch moved": (replace(HERE, branch="topic", refs={MAIN: C, TOPIC: P}), SWITCH, "has moved on"),
    "old branch gone": (replace(HERE, branch="topic", refs={TOPIC: P}), SWITCH, "has moved on"),
    "pushed": (
        replace(HERE, refs={MAIN: C}, parents={C: (P,)}, pushed={C: "origin/main"}),
        COMMIT,
        "origin/main has it",
    ),
    "merge": (replace(HERE, refs={MAIN: C}, parents={C: (P, D)}), COMMIT, "not one commit on top"),
    "unknown parents": (replace(HERE, refs={MAIN: C}), COMMIT, "not one commit on top"),
    "amended another": (
        replace(HERE, refs={MAIN: C}, parents={C: (P,), P: (D,)}),
        AMEND,
        "not one commit on top",
    ),
}


@pytest.mark.parametrize("name", IN_THE_WAY)
def test_what_stands_in_the_way_is_a_conflict_with_its_reason(name: str) -> None:
    now, target, word = IN_THE_WAY[name]
    made = plan(now, target)
    (effect,) = made.effects
    assert (made.outcome, made.can_apply, made.consents) == (Outcome.CONFLICT, False, ())
    assert word in effect.reason
    assert effect.delta is None
    assert word in made.explanation.what_happens


def test_an_amended_commit_goes_back_where_both_have_the_same_parents() -> None:
    made = plan(replace(HERE, refs={MAIN: C}, parents={C: (D,), P: (D,)}), AMEND)
    assert made.effects[0].commands == (("git", "update-ref", MAIN, P, C),)


def test_what_git_keeps_no_longer_or_cannot_be_read_is_unavailable() -> None:
    gone = entry("git branch -D topic", (TOPIC, C, ""))
    assert plan(replace(HERE, refs={}, missing=frozenset({C})), gone).outcome is Outcome.UNAVAILABLE
    made = plan(GitNow(problem="it is away"), BRANCH)
    assert (made.outcome, made.entries[0].reason) == (Outcome.UNAVAILABLE, "it is away")


def test_what_is_back_already_is_only_marked() -> None:
    made = plan(replace(HERE, refs={MAIN: P}), BRANCH)
    assert (made.outcome, made.can_apply) == (Outcome.ALREADY_UNDONE, False)


def test_later_entries_of_a_batch_build_on_what_is_taken_back_before() -> None:
    second = entry("git commit -m y", (MAIN, C, D), head=D, seq=2)
    second = replace(
        second,
        record=replace(
            second.record,
            git=GitDelta(GitState(C, "main", {}), GitState(D, "main", {}), (RefMove(MAIN, C, D),)),
        ),
    )
    now = replace(HERE, refs={MAIN: D}, parents={D: (C,), C: (P,)})
    made = plan(now, second, COMMIT)
    assert made.outcome is Outcome.UNDONE
    assert [effect.delta.refs for effect in made.effects if effect.delta] == [
        (RefMove(MAIN, D, C),),
        (RefMove(MAIN, C, P),),
    ]
    assert plan(now, COMMIT).outcome is Outcome.CONFLICT


def test_one_that_cannot_go_stops_a_batch_of_effects_and_asks_for_nothing() -> None:
    push = replace(entry("git push"), seq_id=SeqId(2))
    made = plan(HERE, push, BRANCH)
    assert (made.outcome, made.can_apply, made.consents) == (Outcome.UNAVAILABLE, False, ())
    assert made.entries[1].outcome is Outcome.NOT_TRIED


def test_a_key_in_a_command_that_went_out_is_not_shown() -> None:
    key = "ghp_" + "a1B2" * 9
    made = plan(HERE, entry(f"curl -H 'Authorization: Bearer {key}' https://example.org"))
    assert made.effects[0].happened.startswith("curl")
    assert key not in str(made.effects) + str(made.warnings)


@pytest.mark.parametrize("provenance", [Provenance.CLAIMED, Provenance.IMPORTED])
def test_a_record_that_nobody_saw_never_runs_and_says_what_was_not_checked(provenance: Provenance) -> None:
    forged = replace(BRANCH, record=replace(BRANCH.record, provenance=provenance))
    made = plan(HERE, forged)
    assert (made.outcome, made.can_apply, made.effects[0].delta) == (Outcome.UNAVAILABLE, False, None)
    assert "was not seen" in made.entries[0].reason


def test_a_command_of_which_nothing_is_known_has_no_way_back() -> None:
    nothing = replace(BRANCH, record=replace(BRANCH.record, command="make", git=None))
    made = plan_undo(UndoFacts(1, "/w", (nothing,), None, {}, {}, {}, {}, frozenset(), {}))
    assert (made.effects, made.outcome) == ((), Outcome.UNAVAILABLE)
    assert made.entries[0].reason == "no_rollback_point"


def test_the_redo_of_an_undo_is_its_moves_backwards() -> None:
    record = replace(
        BRANCH.record,
        origin=Origin.UNDO,
        command="x",
        reverses=SeqId(9),
        git=GitDelta(GitState(P, "main", {}), GitState(P, "main", {}), (RefMove(TOPIC, P, ""),)),
    )
    made = plan(replace(HERE, refs={MAIN: P}), replace(BRANCH, record=record))
    assert made.effects[0].commands == (("git", "update-ref", TOPIC, P, "0" * 40),)
    assert made.is_redo


def test_the_digest_covers_what_moves_and_why_not() -> None:
    first = plan(HERE, BRANCH)
    assert first == plan(HERE, BRANCH)
    assert first.digest != plan(replace(HERE, git="/other/.git"), BRANCH).digest
    moved = plan(replace(HERE, refs={TOPIC: C}), BRANCH).digest
    assert moved not in {first.digest, plan(replace(HERE, refs={TOPIC: D}), BRANCH).digest}
