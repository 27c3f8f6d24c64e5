"""All line ends changed later: still the same text."""

from sulcus_panel.core.model import SeqId
from sulcus_panel.core.undo.blame import Passage
from sulcus_panel.core.undo.line_ends import with_ends
from sulcus_panel.core.undo.lines import edits_between
from sulcus_panel.core.undo.model import HunkOutcome
from sulcus_panel.core.undo.text import Turn, take_back

BEFORE = b"".join(b"line %d\n" % at for at in range(20))
AFTER = BEFORE.replace(b"line 7\n", b"seven\n")


def undo(before: bytes, after: bytes, disk: bytes) -> bytes:
    turn = Turn.of(before, after, ())
    step = Passage(edits_between(after, disk), (SeqId(2),), texts=(after, disk))
    return take_back(turn, disk, [step], [0]).result


def test_a_turn_goes_back_from_a_file_that_got_other_line_ends() -> None:
    crlf = AFTER.replace(b"\n", b"\r\n").replace(b"line 3\r\n", b"three\r\n")
    assert undo(BEFORE, AFTER, crlf) == BEFORE.replace(b"\n", b"\r\n").replace(b"line 3\r\n", b"three\r\n")


def test_and_the_other_way_round_without_a_final_newline() -> None:
    before, after = (text.replace(b"\n", b"\r\n") + b"end" for text in (BEFORE, AFTER))
    assert undo(before, after, AFTER + b"end") == BEFORE + b"end"


def test_mixed_line_ends_are_nobodys_conversion() -> None:
    mixed = AFTER.replace(b"line 9\n", b"line 9\r\n")
    assert undo(BEFORE, AFTER, mixed) == BEFORE.replace(b"line 9\n", b"line 9\r\n")


MIXED = BEFORE.replace(b"line 2\n", b"line 2\r\n").replace(b"line 7\n", b"line 7\r\n")


def answered(before: bytes, after: bytes, disk: bytes) -> tuple[HunkOutcome, bytes]:
    turn = Turn.of(before, after, ())
    step = Passage(edits_between(after, disk), (SeqId(2),), texts=(after, disk))
    answer = take_back(turn, disk, [step], range(len(turn.hunks)))
    worst = next((each for each in answer.verdicts if not each.clean), answer.verdicts[0])
    return worst.outcome, answer.result


def test_a_line_of_mixed_ends_comes_back_with_the_one_end_that_the_file_was_given_since() -> None:
    after = MIXED.replace(b"line 7\r\n", b"seven\r\n")
    for end in (b"\n", b"\r\n"):
        unified = after.replace(b"\r\n", b"\n").replace(b"\n", end).replace(b"line 15", b"later")
        expected = BEFORE.replace(b"\n", end).replace(b"line 15", b"later")
        assert answered(MIXED, after, unified) == (HunkOutcome.UNDONE, expected)


def test_a_turn_that_made_all_ends_one_kind_is_a_conflict_where_later_lines_have_only_that_kind() -> None:
    before = BEFORE.replace(b"\n", b"\r\n")
    disk = AFTER + b"later\n"
    assert answered(before, AFTER, AFTER) == (HunkOutcome.UNDONE, before)
    assert answered(before, AFTER, disk) == (HunkOutcome.CONFLICT, disk)
    disk = AFTER.replace(b"line 15", b"later")
    assert answered(MIXED, AFTER, disk) == (HunkOutcome.CONFLICT, disk)
    assert answered(MIXED, AFTER, AFTER) == (HunkOutcome.UNDONE, MIXED)


def test_a_file_that_was_mixed_and_still_is_gets_its_lines_back_as_they_were() -> None:
    after = MIXED.replace(b"line 7\r\n", b"seven\n")
    disk = after.replace(b"line 15", b"later")
    assert answered(MIXED, after, disk) == (HunkOutcome.UNDONE, MIXED.replace(b"line 15", b"later"))


def test_a_line_that_ends_so_already_is_given_no_second_carriage_return() -> None:
    before, after, disk = b"a\nb\nc\r\n", b"a\n", b"d\r\na\r\n"
    assert undo(before, after, disk) == b"d\r\na\r\nb\r\nc\r\n"
    assert with_ends((b"a\n", b"b\r\n", b"c"), b"\r\n") == (b"a\r\n", b"b\r\n", b"c")
    assert with_ends((b"a\n", b"b\r\n", b"c"), b"\n") == (b"a\n", b"b\n", b"c")
