"""An edit tells what it replaced: where that stood is known, and equal lines around it leave no choice. Pure.

The runs of bytes that a call's edits replaced, one after the other, are composed and widened to whole lines; only
within these is anything compared. A call that does not lead from the one text to the other in one way says nothing.
"""

from collections.abc import Iterator, Sequence

from sulcus_panel.core.capture.adapter import TextEdit, ToolCall, ToolKind
from sulcus_panel.core.capture.edits import CRLF, LF, Spelling, Unknown, replacement
from sulcus_panel.core.diff import split_lines
from sulcus_panel.core.diff.alignments import Edit, compose_all, holds, hunks_of, shifted
from sulcus_panel.core.diff.one_reading import read_run
from sulcus_panel.core.model import Hunk


def told_hunks(call: ToolCall, before: bytes | None, after: bytes | None) -> tuple[Hunk, ...] | None:
    """Return the hunks that a call's edits made of `before`; None if they do not give `after`, or in two ways.

    Almost all of them are exact (see core.diff.one_reading).
    """
    if call.kind is not ToolKind.EDIT or not call.edits or before is None or after is None:
        return None
    ways = {
        runs
        for spelling in (LF, CRLF)
        for whole_lines in (False, True)
        if (runs := _replaced(before, after, call.edits, spelling, whole_lines=whole_lines)) is not None
    }
    found = {_hunks(runs, before, after) for runs in ways}
    return found.pop() if len(found) == 1 else None


def _hunks(runs: Sequence[Edit], before: bytes, after: bytes) -> tuple[Hunk, ...] | None:
    """Compare only within the lines of these runs of bytes."""
    old, new = split_lines(before), split_lines(after)
    edits: list[Edit] = []
    for run in _whole_lines(runs, before, after):
        inside = read_run(old[run.a0 : run.a1], new[run.b0 : run.b1])
        edits += shifted(inside, run.a0, run.b0)
    return hunks_of(edits) if holds(edits, old, new) else None


def _replaced(
    before: bytes, after: bytes, edits: Sequence[TextEdit], spelling: Spelling, *, whole_lines: bool
) -> tuple[Edit, ...] | None:
    """Return the runs of bytes that edits replaced, counted in the first and the last text."""
    data = before
    steps: list[tuple[Edit, ...]] = []
    for edit in edits:
        found = replacement(data, edit, spelling, whole_lines=whole_lines)
        if isinstance(found, Unknown):
            return None
        steps.append(tuple(_places(data, *found)))
        data = data.replace(*found) if found[0] else found[1]
    return compose_all(steps) if data == after else None


def _places(data: bytes, old: bytes, new: bytes) -> Iterator[Edit]:
    """Yield where each `old` stands in `data`, and `new` in what becomes of it; an empty one stands for all."""
    if not old:
        yield Edit(0, len(data), 0, len(new), exact=True)
        return
    at = data.find(old)
    growth = 0
    while at >= 0:
        end = at + len(old)
        yield Edit(at, end, at + growth, at + growth + len(new), exact=True)
        growth += len(new) - len(old)
        at = data.find(old, end)


def _whole_lines(runs: Sequence[Edit], before: bytes, after: bytes) -> list[Edit]:
    """Widen runs of bytes to the lines that they lie in; of those that share one, the last knows where it ends."""
    joined: list[Edit] = []
    for run in runs:
        wide = _widened(run, before, after)
        if joined and (wide.a0 < joined[-1].a1 or wide.b0 < joined[-1].b1):
            last = joined.pop()
            wide = Edit(last.a0, wide.a1, last.b0, wide.b1)
        joined.append(wide)
    return _in_lines(joined, before, after)


def _widened(run: Edit, before: bytes, after: bytes) -> Edit:
    """What is above and below a run is the same in both texts: go up to a line's start, down to a line's end."""
    start = before.rfind(b"\n", 0, run.a0) + 1
    low = run._replace(a0=start, b0=run.b0 - (run.a0 - start))
    if _ends_a_line(before, run.a1) and _ends_a_line(after, run.b1):
        return low
    end = before.find(b"\n", run.a1)
    rest = (end + 1 if end >= 0 else len(before)) - run.a1
    return low._replace(a1=run.a1 + rest, b1=run.b1 + rest)


def _ends_a_line(data: bytes, at: int) -> bool:
    return at == 0 or at == len(data) or data[at - 1 : at] == b"\n"


def _in_lines(runs: Sequence[Edit], before: bytes, after: bytes) -> list[Edit]:
    """Count lines instead of bytes."""
    counted: list[Edit] = []
    last = lines = Edit(0, 0, 0, 0)
    for run in runs:
        a0 = lines.a1 + _lines(before, last.a1, run.a0)
        b0 = lines.b1 + _lines(after, last.b1, run.b0)
        lines = Edit(a0, a0 + _lines(before, run.a0, run.a1), b0, b0 + _lines(after, run.b0, run.b1))
        counted.append(lines)
        last = run
    return counted


def _lines(data: bytes, start: int, end: int) -> int:
    """Count the lines of a part of a text that begins where a line begins."""
    unended = start < end == len(data) and not data.endswith(b"\n")
    return data.count(b"\n", start, end) + unended
