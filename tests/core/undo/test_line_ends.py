"""All line ends changed later: still the same text."""

from sulcus_panel.core.model import SeqId
from sulcus_panel.core.undo.blame import Passage
from sulcus_panel.core.undo.lines import edits_between
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
