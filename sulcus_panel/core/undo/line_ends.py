"""A text whose line ends were all changed later is still the same text.

It is merged with the ends that the turn knew, and every line that goes back gets the ends of the disk. A file that
has one kind of line end is never left with two: where the turn itself made it one, that cannot go back in part.
"""

from collections.abc import Sequence
from dataclasses import replace

from sulcus_panel.core.undo.turn import Lines, Turn

LF, CRLF = b"\n", b"\r\n"


def other_ends(turn: Turn, now: Lines) -> bytes | None:
    """Return the line end that all of the turn's lines have, where all lines of the disk have another."""
    if not now or not turn.after or now[0].endswith(CRLF) == turn.after[0].endswith(CRLF):
        return None
    ours, theirs = _end_of_all(now), _end_of_all([*turn.before, *turn.after])
    return theirs if ours is not None and ours != theirs else None


def foreign_end(turn: Turn, disk: bytes) -> bytes | None:
    """Return the line end that all lines of the disk have, where some line that would go back has the other one."""
    crlf = disk.count(CRLF)
    if not disk or (crlf and crlf != disk.count(LF)):
        return None
    end = CRLF if crlf else LF
    back = (line for hunk in turn.hunks for line in turn.restores(hunk))
    return end if any(_differs(line, end) for line in back) else None


def in_one_kind(turn: Turn, end: bytes) -> Turn | None:
    """Return the turn as if all its lines had ended so, where it left some that do not; None if it left none."""
    if not any(_differs(line, end) for line in turn.after):
        return None
    return replace(turn, before=with_ends(turn.before, end), after=with_ends(turn.after, end))


def is_mixed(data: bytes) -> bool:
    """Say whether some lines end in LF alone and others in CRLF."""
    return 0 < data.count(CRLF) < data.count(LF)


def _differs(line: bytes, end: bytes) -> bool:
    return line.endswith(LF) and line.endswith(CRLF) != (end == CRLF)


def with_ends(lines: Lines, end: bytes) -> Lines:
    """Return lines with this line end, whatever they had; a last line without any keeps none."""
    bare = (line.removesuffix(LF).removesuffix(b"\r") for line in lines)
    return tuple(text + end if line.endswith(LF) else line for text, line in zip(bare, lines, strict=True))


def _end_of_all(lines: Sequence[bytes]) -> bytes | None:
    ends = {CRLF if line.endswith(CRLF) else LF for line in lines if line.endswith(LF)}
    return ends.pop() if len(ends) == 1 else None
