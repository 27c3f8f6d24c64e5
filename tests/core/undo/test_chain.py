"""The way from an entry to the disk: recorded where it is known, compared where it is not, owned by whoever."""

from dataclasses import replace
from datetime import timedelta

import pytest

from sulcus_panel.core.diff import carry_texts, diff_hunks
from sulcus_panel.core.diff.alignments import compose_all, holds
from sulcus_panel.core.model import ABSENT, FileKind, FileState, Hunk, Origin, SeqId, Sha256, Step
from sulcus_panel.core.undo.blame import Passage
from sulcus_panel.core.undo.chain import (
    backward,
    bytes_of,
    forward,
    is_recorded,
    needed,
    passages_between,
)
from tests.support.bench import L10, edited
from tests.support.clock import NOON
from tests.support.ledgers import contents_of, sha, state

V1 = edited(L10, _2="two")
V2 = edited(V1, _5="five")
V3 = edited(V2, _9="nine")
V4 = edited(V1, _9="nine")


def step(
    number: int, before: bytes, after: bytes, *, origin: Origin = Origin.AGENT, told: bool = True
) -> Step:
    hunks = diff_hunks(before, after) if told else ()
    return Step(SeqId(number), origin, NOON + timedelta(minutes=number), state(before), state(after), hunks)


def test_only_a_file_has_lines_and_what_is_not_known_has_no_bytes() -> None:
    contents = contents_of(L10)
    assert bytes_of(state(L10), contents) == L10
    assert bytes_of(state(V1), contents) is None
    assert bytes_of(FileState(FileKind.FILE), contents) is None
    assert bytes_of(FileState(FileKind.UNKNOWN, sha(L10)), contents) is None
    for kind in (FileKind.ABSENT, FileKind.SYMLINK, FileKind.DIRECTORY):
        assert bytes_of(FileState(kind, sha(L10)), contents) == b""


def test_a_step_is_recorded_where_its_hunks_tell_all() -> None:
    assert is_recorded(step(1, L10, V1))
    assert is_recorded(replace(step(1, L10, L10), after=state(L10, mode=0o600)))
    assert not is_recorded(step(1, L10, V1, told=False))
    assert not is_recorded(replace(step(1, L10, V1), before=ABSENT))


@pytest.mark.parametrize(("old", "new"), [(L10, V2), (L10, b""), (b"", L10), (b"a\nb", b"a\n")])
def test_hunks_that_carry_text_lead_both_ways(old: bytes, new: bytes) -> None:
    hunks = carry_texts(diff_hunks(old, new), old, new)
    assert forward(old, hunks, state(new)) == new
    assert backward(new, hunks, state(old)) == old


def test_what_the_hash_does_not_prove_is_not_believed() -> None:
    hunks = carry_texts(diff_hunks(L10, V1), L10, V1)
    assert forward(V2, hunks, state(V1)) is None
    assert backward(V1, hunks, FileState(FileKind.FILE)) is None
    assert forward(L10, diff_hunks(L10, V1), state(V1)) is None


def test_a_hunk_that_only_took_lines_away_needs_no_text_to_go_on() -> None:
    shorter = L10.split(b"\n", 1)[1]
    assert forward(L10, diff_hunks(L10, shorter), state(shorter)) == shorter
    assert backward(shorter, diff_hunks(L10, shorter), state(L10)) is None


def test_where_no_text_is_kept_recorded_hunks_are_all_that_is_known_and_prove_nothing() -> None:
    steps = (
        step(2, V1, V2),
        step(3, V2, V3, origin=Origin.OUTSIDE),
        step(4, V3, V4, origin=Origin.UNDO),
    )
    found = passages_between(state(V1), steps, state(V4), {})
    assert [(one.seq_ids, one.outside, one.undo, one.exact) for one in found] == [
        ((2,), False, False, False),
        ((), True, False, False),
        ((4,), False, True, True),
    ]
    assert set(needed(state(V1), steps, state(V4))) == {sha(V1), sha(V2), sha(V3)}


def test_a_recorders_hunks_are_one_reading_of_two_texts_and_an_undos_are_what_was_done() -> None:
    steps = (step(2, V1, V2), step(3, V2, V3, origin=Origin.OUTSIDE), step(4, V3, V4, origin=Origin.UNDO))
    found = passages_between(state(V1), steps, state(V4), contents_of(V1, V2, V3, V4))
    assert [(one.exact, one.texts) for one in found] == [(False, (V1, V2)), (False, (V2, V3)), (True, None)]


def test_hunks_that_were_seen_as_they_happened_need_no_text() -> None:
    seen = replace(step(2, V1, V2), hunks=tuple(replace(one, exact=True) for one in diff_hunks(V1, V2)))
    for contents in ({}, contents_of(V1, V2)):
        (only,) = passages_between(state(V1), (seen,), state(V2), contents)
        assert (only.exact, only.texts) == (True, None)
    assert set(needed(state(V1), (seen,), state(V2))) == set()


def test_an_undo_of_the_entry_in_question_or_of_what_it_reverses_is_told_from_another() -> None:
    steps = [
        replace(step(3, V1, V2, origin=Origin.UNDO), reverses=SeqId(1)),
        replace(step(4, V2, V3, origin=Origin.UNDO), reverses=SeqId(2)),
        step(5, V3, V4),
    ]
    for entries, kin in (((1,), [True, False, False]), ((2, 1), [True, True, False]), ((), [False] * 3)):
        found = passages_between(state(V1), steps, state(V4), {}, [SeqId(one) for one in entries])
        assert [one.kin for one in found] == kin


def leads(passages: tuple[Passage, ...], old: bytes, new: bytes) -> bool:
    edits = compose_all([one.edits for one in passages])
    return holds(edits, old.splitlines(keepends=True), new.splitlines(keepends=True))


def test_a_disk_that_no_step_left_is_outside_work() -> None:
    steps = (step(2, V1, V2),)
    known, outside = passages_between(state(V1), steps, state(V3), contents_of(V2, V3))
    assert (known.seq_ids, known.exact, outside.seq_ids, outside.outside) == ((2,), False, (), True)
    assert leads((known, outside), V1, V3)
    assert set(needed(state(V1), steps, state(V3))) == {sha(V1), sha(V2)}


def test_work_between_two_steps_that_do_not_meet_is_outside_too() -> None:
    found = passages_between(state(L10), (step(3, V1, V2),), state(V2), contents_of(L10, V1))
    assert [(one.seq_ids, one.outside) for one in found] == [((), True), ((3,), False)]
    assert set(needed(state(L10), (step(3, V1, V2),), state(V2))) == {sha(L10), sha(V1), sha(V2)}


def test_versions_that_are_not_kept_are_bridged_and_their_makers_share_the_passage() -> None:
    steps = (step(2, L10, V1, told=False), step(3, V1, V2, told=False), step(4, V2, V3))
    found = passages_between(state(L10), steps, state(V3), contents_of(L10, V2))
    assert [(one.seq_ids, one.outside, one.exact) for one in found] == [
        ((2, 3), False, False),
        ((4,), False, False),
    ]
    assert leads(found, L10, V3)


def test_a_version_that_was_not_kept_is_derived_where_hunks_carry_its_text() -> None:
    first = replace(step(2, L10, V1), hunks=carry_texts(diff_hunks(L10, V1), L10, V1))
    found = passages_between(
        state(L10), (first, step(3, V1, V2, told=False)), state(V2), contents_of(L10, V2)
    )
    assert [(one.seq_ids, one.exact) for one in found] == [((2,), False), ((3,), False)]
    assert leads(found, L10, V2)


def test_where_the_last_version_is_lost_both_ends_are_compared_and_all_share_it() -> None:
    steps = (step(2, L10, V1), step(3, V1, V2, told=False))
    (only,) = passages_between(state(L10), steps, state(V3), contents_of(L10, V3))
    assert (only.seq_ids, only.outside, only.exact) == ((2, 3), True, False)
    assert leads((only,), L10, V3)


def test_a_detour_without_bytes_that_ends_where_it_began_is_nobodys_work() -> None:
    steps = (step(2, L10, V1, told=False), step(3, V1, L10, told=False))
    assert passages_between(state(L10), steps, state(L10), {}) == ()
    later = (*steps, step(4, L10, V2, told=False))
    (only,) = passages_between(state(L10), later, state(V2), contents_of(L10, V2))
    assert (only.seq_ids, only.outside) == ((4,), False)


def test_a_file_that_was_gone_on_the_way_lost_all_its_lines_there() -> None:
    deleted = replace(step(2, L10, L10, told=False), after=ABSENT)
    again = replace(step(3, L10, V1, told=False), before=ABSENT)
    gone, back = passages_between(state(L10), (deleted, again), state(V1), contents_of(L10, V1))
    assert [(edit.a1 - edit.a0, edit.b1 - edit.b0) for edit in (*gone.edits, *back.edits)] == [
        (10, 0),
        (0, 10),
    ]
    assert (gone.seq_ids, back.seq_ids) == ((2,), (3,))


def test_a_hunk_alone_does_not_prove_a_version() -> None:
    wrong = (Hunk(0, 1, 0, 1, b"line 1\n", b"other\n"),)
    assert forward(L10, wrong, FileState(FileKind.FILE, Sha256("0" * 64))) is None


def test_what_an_undo_took_back_to_the_byte_leaves_the_lines_that_stood_there_before() -> None:
    undone, redone = (step(at, *texts, origin=Origin.UNDO) for at, texts in ((3, (V2, V1)), (4, (V1, V2))))
    steps = (step(2, V1, V2), undone)
    assert passages_between(state(V1), steps, state(V1), contents_of(V1)) == ()
    last = step(5, V2, V3)
    (passage,) = passages_between(state(V2), (undone, redone, last), state(V3), contents_of(V2, V3))
    assert passage.seq_ids == (5,)


def test_what_others_put_back_was_written_anew() -> None:
    steps = (step(2, V1, V2), step(3, V2, V1))
    passages = passages_between(state(V1), steps, state(V1), contents_of(V1, V2))
    assert [passage.seq_ids for passage in passages] == [(2,), (3,)]
