"""The text engine: exact results of the scenarios, and what must hold for every history."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from sulcus_panel.core.diff import diff_hunks
from sulcus_panel.core.diff.alignments import edits_of, seen
from sulcus_panel.core.model import SeqId
from sulcus_panel.core.undo.blame import Passage, Who
from sulcus_panel.core.undo.model import HunkOutcome
from sulcus_panel.core.undo.text import Answer, Turn, take_back
from tests.support.bench import L10, edited


def history(*versions: bytes, recorded: bool = True) -> tuple[Passage, ...]:
    """Return the passages through versions; version n is entry n's work (the turn itself is entry 1)."""
    return tuple(
        Passage(
            seen(edits_of(diff_hunks(old, new))) if recorded else edits_of(diff_hunks(old, new)),
            (SeqId(n),) if recorded else (),
            outside=not recorded,
        )
        for n, (old, new) in enumerate(pairwise(versions), 2)
    )


def undo(before: bytes, *versions: bytes, recorded: bool = True) -> Answer:
    turn = Turn.of(before, versions[0], ())
    passages = history(*versions, recorded=recorded)
    return take_back(turn, versions[-1], passages, range(len(turn.hunks)))


def outcomes(answer: Answer) -> list[HunkOutcome]:
    return [verdict.outcome for verdict in answer.verdicts]


def test_an_edit_goes_back_and_a_later_edit_elsewhere_stays() -> None:
    t1 = edited(L10, _2="two by T1")
    answer = undo(L10, t1, edited(t1, _8="eight by T2"))
    assert answer.result == edited(L10, _8="eight by T2")


def test_undo_keeps_a_later_edit_to_the_next_line() -> None:
    t1 = edited(L10, _3="three T1")
    answer = undo(L10, t1, edited(t1, _4="four T2"))
    assert answer.result == edited(L10, _4="four T2")


def test_a_later_edit_of_the_same_line_is_a_conflict_that_names_it() -> None:
    t1 = edited(L10, _3="B")
    answer = undo(L10, t1, edited(t1, _8="other"), edited(t1, _8="other", _3="C"))
    assert outcomes(answer) == [HunkOutcome.CONFLICT]
    assert answer.verdicts[0].who == Who((SeqId(3),))
    assert answer.result == edited(t1, _8="other", _3="C")


def test_a_later_edit_that_says_the_same_is_already_undone() -> None:
    t1 = edited(L10, _3="B")
    answer = undo(L10, t1, edited(L10, _8="eight"))
    assert outcomes(answer) == [HunkOutcome.ALREADY_UNDONE]


def test_a_later_turn_that_was_itself_undone_does_not_stand_in_the_way() -> None:
    t1 = edited(L10, _3="B")
    answer = undo(L10, t1, edited(t1, _3="C"), t1, edited(t1, _9="nine"))
    assert answer.result == edited(L10, _9="nine")


def test_who_stands_in_the_way_leaves_out_work_that_was_undone() -> None:
    t1 = edited(L10, _3="B")
    versions = [t1, edited(t1, _3="C"), t1, edited(t1, _3="D")]
    passages = list(history(*versions))
    passages[1] = Passage(passages[1].edits, passages[1].seq_ids, undo=True)
    turn = Turn.of(L10, t1, ())
    answer = take_back(turn, versions[-1], passages, [0])
    assert answer.verdicts[0].who == Who((SeqId(4),))


def test_a_deleted_block_returns_at_its_new_place() -> None:
    t1 = b"".join(b"line %d\n" % n for n in (1, 2, 3, 7, 8, 9, 10))
    answer = undo(L10, t1, b"u1\nu2\n" + t1, recorded=False)
    assert answer.result == b"u1\nu2\n" + L10


def test_a_deleted_block_whose_two_neighbours_changed_is_a_conflict() -> None:
    t1 = b"".join(b"line %d\n" % n for n in (1, 2, 3, 7, 8, 9, 10))
    answer = undo(L10, t1, edited(t1, _3="x", _4="y"))
    assert outcomes(answer) == [HunkOutcome.CONFLICT]
    assert answer.verdicts[0].who == Who((SeqId(2),))


def test_an_edit_inside_an_inserted_block_is_a_conflict_from_outside() -> None:
    t1 = edited(L10, _5="line 5\nnew 1\nnew 2\nnew 3")
    answer = undo(L10, t1, t1.replace(b"new 2", b"new 2 (user)"), recorded=False)
    assert outcomes(answer) == [HunkOutcome.CONFLICT]
    assert answer.verdicts[0].who == Who((), outside=True)


def test_of_equal_blocks_only_the_one_that_was_changed_goes_back() -> None:
    block = b"try:\n    step()\nexcept Exception:\n    pass\n\n"
    other = block.replace(b"pass", b"log()")
    answer = undo(block * 3, block + other + block, other + block + other + block)
    assert answer.result == other + block * 3


def test_two_insertions_at_the_same_point_conflict() -> None:
    before = b"a\nb\nc\n"
    answer = undo(before, b"a\nc\n", b"a\nx\nc\n")
    assert outcomes(answer) == [HunkOutcome.CONFLICT]


def test_bom_and_missing_final_newline_survive() -> None:
    start = b"\xef\xbb\xbfa=1\nb=2\nc=3\nd=4\ne=5"
    t1 = b"\xef\xbb\xbfa=1\nb=2\nc=3\nd=4\ne=6\n"
    answer = undo(start, t1, b"\xef\xbb\xbfz=0\n" + t1[3:])
    assert answer.result == b"\xef\xbb\xbfz=0\n" + start[3:]


def test_lines_are_never_glued_together_at_the_end_of_the_file() -> None:
    answer = undo(b"a\nb", b"a\nb\n", b"a\nb\nc\n")
    assert outcomes(answer) == [HunkOutcome.CONFLICT]
    assert answer.verdicts[0].who == Who((SeqId(2),))


def test_line_ends_outside_the_turn_stay_as_they_are() -> None:
    start = L10.replace(b"\n", b"\r\n")
    t1 = start.replace(b"line 2\r", b"zwei\r")
    answer = undo(start, t1, t1.replace(b"line 8\r", b"acht\r"))
    assert answer.result == start.replace(b"line 8\r", b"acht\r")


def test_only_chosen_hunks_go_back() -> None:
    t1 = edited(L10, _2="x", _8="y")
    turn = Turn.of(L10, t1, ())
    answer = take_back(turn, t1, (), [1])
    assert answer.result == edited(L10, _2="x")
    assert outcomes(answer) == [HunkOutcome.UNDONE, HunkOutcome.UNDONE]


LINE = st.sampled_from([b"a\n", b"b\n", b"c\n", b"\n", b"d\r\n"])
TEXT = st.builds(
    lambda lines, tail: b"".join(lines) + tail, st.lists(LINE, max_size=12), st.sampled_from([b"", b"end"])
)


@given(TEXT, TEXT)
def test_undo_then_redo_is_identity(before: bytes, after: bytes) -> None:
    assert undo(before, after).result == before
    assert undo(after, before).result == after


@given(TEXT, TEXT, st.lists(TEXT, max_size=3), st.booleans())
def test_undo_then_redo_comes_back_whatever_came_between(
    before: bytes,
    after: bytes,
    later: list[bytes],
    recorded: bool,
) -> None:
    versions = [after, *later]
    answer = undo(before, *versions, recorded=recorded)
    if any(v.outcome is not HunkOutcome.UNDONE for v in answer.verdicts):
        return
    turn = Turn.of(versions[-1], answer.result, answer.hunks)
    assert turn.hunks == answer.hunks
    assert take_back(turn, answer.result, (), range(len(turn.hunks))).result == versions[-1]


UNIQUE = [b"line %d\n" % n for n in range(30)]
SPOTS = st.lists(st.integers(0, 29), min_size=1, max_size=5, unique=True)


@settings(max_examples=200)
@given(
    SPOTS,
    SPOTS,
    st.sampled_from(["replace", "delete", "insert"]),
    st.sampled_from(["replace", "delete", "insert"]),
)
def test_undo_keeps_every_later_edit_on_other_lines(
    first: list[int], second: list[int], how: str, later_how: str
) -> None:
    """Apart by a line or more, undo and later edit never see each other: the truth is by construction."""
    mine = [spot for spot in first if all(abs(spot - other) > 1 for other in second)]
    if not mine:
        return
    start = b"".join(UNIQUE)
    t1 = _change(UNIQUE, mine, how, b"T1")
    t2 = _change([*t1], second, later_how, b"T2")
    truth = b"".join(_change(UNIQUE, second, later_how, b"T2"))
    assert undo(start, b"".join(t1), b"".join(t2)).result == truth
    assert undo(start, b"".join(t1), b"".join(t2), recorded=False).result == truth


def _change(lines: list[bytes], spots: list[int], how: str, mark: bytes) -> list[bytes]:
    """Change slots of a list whose items may be several lines, so that places keep their meaning."""
    changed = list(lines)
    for spot in spots:
        if how == "replace":
            changed[spot] = mark + b" %d\n" % spot
        elif how == "delete":
            changed[spot] = b""
        else:
            changed[spot] += mark + b" after %d\n" % spot
    return changed


@settings(max_examples=150)
@given(st.data())
def test_random_histories_undone_in_any_order_give_the_start_bytes_or_a_conflict(data: st.DataObject) -> None:
    versions = [data.draw(TEXT, label="start")]
    for n in range(3):
        versions.append(data.draw(TEXT, label=f"after T{n + 1}"))
    passages = list(history(*versions, recorded=True))
    for turn_index in data.draw(st.permutations(range(3)), label="order"):
        turn = Turn.of(versions[turn_index], versions[turn_index + 1], ())
        disk = versions[-1]
        answer = take_back(turn, disk, passages[turn_index + 1 :], range(len(turn.hunks)))
        # A later turn may have done the same already; taking that one back too would undo both at once.
        if any(v.outcome is not HunkOutcome.UNDONE for v in answer.verdicts):
            return
        passages.append(Passage(seen(edits_of(answer.hunks)), (SeqId(90 + turn_index),), undo=True))
        versions.append(answer.result)
    # A line comes back with the line end that the whole file has by then, so two ends count as one here.
    assert versions[-1].replace(b"\r\n", b"\n") == versions[0].replace(b"\r\n", b"\n")
