"""A text whose line ends were all changed later is still the same text.

It is merged with the ends that the turn knew, and every line that goes back gets the ends of the disk.
"""

from collections.abc import Sequence

from sulcus_panel.core.undo.turn import Lines, Turn

LF, CRLF = b"\n", b"\r\n"


def other_ends(turn: Turn, now: Lines) -> bytes | None:
    """Return the line end that all of the turn's lines have, where all lines of the disk have another."""
    if not now or not turn.after or now[0].endswith(CRLF) == turn.after[0].endswith(CRLF):
        return None
    ours, theirs = _end_of_all(now), _end_of_all([*turn.before, *turn.after])
    return theirs if ours is not None and ours != theirs else None


def with_ends(lines: Lines, end: bytes) -> Lines:
    """Return lines of the other kind of line end with this one; a last line without any keeps none."""
    old = LF if end == CRLF else CRLF
    return tuple(line[: -len(old)] + end if line.endswith(old) else line for line in lines)


def _end_of_all(lines: Sequence[bytes]) -> bytes | None:
    ends = {CRLF if line.endswith(CRLF) else LF for line in lines if line.endswith(LF)}
    return ends.pop() if len(ends) == 1 else None
