"""The commonest difference, found without a differ: one run of lines in place of another.

What two texts share at both ends is set aside, as every differ does. Where the two runs in between share no line,
and none of them can be moved over an equal line beside it, there is only one hunk and one place for it.
"""

from collections.abc import Sequence

from sulcus_panel.core.diff.shared_ends import shared_head, shared_tail
from sulcus_panel.core.model import Hunk

MANY_BYTES = 4_000
"""Bytes between the equal ends beyond which the differ is the quicker one."""


def one_run(old: bytes, new: bytes) -> Hunk | None:
    """Return the only hunk between two texts that differ, None where the differ may find another answer."""
    start = old.rfind(b"\n", 0, shared_head(old, new)) + 1
    end = _equal_lines_at_the_end(old, new, min(len(old), len(new)) - start)
    if max(len(old), len(new)) - start - end > MANY_BYTES:
        return None
    removed, added = _lines(old[start : len(old) - end]), _lines(new[start : len(new) - end])
    if not set(removed).isdisjoint(added):
        return None
    above, below = _line_before(old, start), _line_at(old, len(old) - end)
    for run in (removed, added):
        if run and (run[-1] == above or run[0] == below):
            return None
    line = old.count(b"\n", 0, start)
    return Hunk(line, len(removed), line, len(added))


def _equal_lines_at_the_end(old: bytes, new: bytes, most: int) -> int:
    """Count the bytes of the equal lines at the end, no more than `most`."""
    tail = shared_tail(old, new, most)
    if _starts_a_line(old, len(old) - tail) and _starts_a_line(new, len(new) - tail):
        return tail
    newline = old.find(b"\n", len(old) - tail)
    return 0 if newline < 0 else len(old) - newline - 1


def _starts_a_line(data: bytes, at: int) -> bool:
    return at == 0 or data[at - 1 : at] == b"\n"


def _lines(data: bytes) -> Sequence[bytes]:
    lines = data.split(b"\n")
    ended = [line + b"\n" for line in lines[:-1]]
    return [*ended, lines[-1]] if lines[-1] else ended


def _line_before(data: bytes, at: int) -> bytes | None:
    return data[data.rfind(b"\n", 0, at - 1) + 1 : at] if at else None


def _line_at(data: bytes, at: int) -> bytes | None:
    if at == len(data):
        return None
    newline = data.find(b"\n", at)
    return data[at:] if newline < 0 else data[at : newline + 1]
