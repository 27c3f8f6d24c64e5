"""Where two runs of lines can be read in one way only, and where equal lines leave a choice.

Lines that stand once on either side are the same line, and part what is around them into gaps (as in patience
diff). A gap has one reading if no line in it is on both sides, or if its equal lines fit together in one way only.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from sulcus_panel.core.diff.alignments import Edit, edits_of, hunks_of, shifted
from sulcus_panel.core.diff.hunks import diff_hunks
from sulcus_panel.core.model import Hunk

MANY_LINES = 20_000
"""Lines beyond which nothing is proven about texts that were compared as a whole."""

SHORT = 30
"""Lines of a change that is taken as one where equal lines in it leave a choice."""

Lines = Sequence[bytes]
Pair = tuple[int, int]
"""A line of the old side and the line of the new one that it is."""


class _Gap(NamedTuple):
    """Lines `[a0, a1)` of the old side against `[b0, b1)` of the new one."""

    a0: int
    a1: int
    b0: int
    b1: int


def read_run(old: Lines, new: Lines) -> tuple[Edit, ...]:
    """Return how a run of lines became another, by exact edits wherever possible.

    Where equal lines leave a choice, an edit is taken for one change among lines that stay at both ends. If these
    ends meet, it is a pure insertion or deletion whose place is open: that is not exact. Nor is a change that has
    lines in it which stay beside it: it may be two, around these.
    """
    edits: list[Edit] = []
    for gap, sure in _gaps(old, new):
        one = gap if sure else _trimmed(gap, old, new)
        if sure or (one.a0 < one.a1 and one.b0 < one.b1 and one.a1 - one.a0 + one.b1 - one.b0 <= SHORT):
            edits.append(Edit(*one, exact=sure or not _may_be_parted(one, gap, old, new)))
        else:
            texts = b"".join(old[one.a0 : one.a1]), b"".join(new[one.b0 : one.b1])
            edits += shifted(edits_of(diff_hunks(*texts)), one.a0, one.b0)
    return tuple(edits)


def _trimmed(gap: _Gap, old: Lines, new: Lines) -> _Gap:
    """Leave out the lines that both sides begin with, and then those that they end with."""
    a0, a1, b0, b1 = gap
    while a0 < a1 and b0 < b1 and old[a0] == new[b0]:
        a0, b0 = a0 + 1, b0 + 1
    while a0 < a1 and b0 < b1 and old[a1 - 1] == new[b1 - 1]:
        a1, b1 = a1 - 1, b1 - 1
    return _Gap(a0, a1, b0, b1)


def _may_be_parted(one: _Gap, gap: _Gap, old: Lines, new: Lines) -> bool:
    """Say whether a line that stays beside the change stands in its larger side too: which of them stayed?"""
    removed, added = one.a1 - one.a0, one.b1 - one.b0
    if removed == added:
        return False
    larger = old[one.a0 : one.a1] if removed > added else new[one.b0 : one.b1]
    below, above = old[one.a1 : gap.a1], old[gap.a0 : one.a0]
    return any(line in larger for line in (*below[:1], *above[-1:]))


def with_certainty(hunks: Sequence[Hunk], old: Lines, new: Lines) -> tuple[Hunk, ...]:
    """Return hunks that were found by comparing, those marked exact that can be read in no other way."""
    if max(len(old), len(new)) > MANY_LINES:
        return tuple(hunks)
    certain = set(hunks_of(Edit(*gap) for gap, sure in _gaps(old, new) if sure))
    return tuple(replace(hunk, exact=True) if hunk in certain else hunk for hunk in hunks)


def _gaps(old: Lines, new: Lines) -> list[tuple[_Gap, bool]]:
    """Return the gaps in which two runs differ, in order, and whether each has one reading only."""
    found: list[tuple[_Gap, bool]] = []
    open_gaps = [_Gap(0, len(old), 0, len(new))]
    while open_gaps:
        gap = open_gaps.pop()
        a, b = old[gap.a0 : gap.a1], new[gap.b0 : gap.b1]
        if a == b:
            continue
        pairs = _landmarks(a, b)
        if pairs:
            open_gaps += _between(gap, pairs)
        elif pairs is None:
            found.append((gap, False))
        else:
            found += _fitted(gap, a, b)
    return sorted(found)


def _landmarks(a: Lines, b: Lines) -> list[Pair] | None:
    """Pair the lines that stand once on either side; None where these have changed their order."""
    once = {line for line, count in Counter(a).items() if count == 1}
    once &= {line for line, count in Counter(b).items() if count == 1}
    places = {line: at for at, line in enumerate(b) if line in once}
    pairs = [(at, places[line]) for at, line in enumerate(a) if line in once]
    return pairs if all(one[1] < other[1] for one, other in pairwise(pairs)) else None


def _between(gap: _Gap, pairs: Sequence[Pair]) -> Iterator[_Gap]:
    """Yield what lies between paired lines, in the gap's own count; nothing where both sides are empty."""
    a, b = gap.a0, gap.b0
    for one, other in (*pairs, (gap.a1 - gap.a0, gap.b1 - gap.b0)):
        inner = _Gap(a, gap.a0 + one, b, gap.b0 + other)
        if inner.a0 < inner.a1 or inner.b0 < inner.b1:
            yield inner
        a, b = inner.a1 + 1, inner.b1 + 1


def _fitted(gap: _Gap, a: Lines, b: Lines) -> list[tuple[_Gap, bool]]:
    """Part a gap at those of its equal lines that fit together in one way only."""
    shared = set(a) & set(b)
    mine = [at for at, line in enumerate(a) if line in shared]
    others = [at for at, line in enumerate(b) if line in shared]
    first = _embedded([a[at] for at in mine], [b[at] for at in others])
    if first is None:
        return [(gap, False)]
    last = _embedded([a[at] for at in reversed(mine)], [b[at] for at in reversed(others)])
    assert last is not None
    pairs = [(mine[one], others[other]) for one, other in first]
    backwards = {(mine[-1 - one], others[-1 - other]) for one, other in last}
    loose = [pair for pair in pairs if pair not in backwards]
    return [
        (inner, not any(inner.a0 <= gap.a0 + one < inner.a1 for one, _ in loose))
        for inner in _between(gap, [pair for pair in pairs if pair in backwards])
    ]


def _embedded(a: Lines, b: Lines) -> list[Pair] | None:
    """Pair all lines of the shorter side with lines of the longer one, as early as can be; None if not all fit."""
    if len(a) > len(b):
        pairs = _embedded(b, a)
        return None if pairs is None else [(one, other) for other, one in pairs]
    pairs = []
    at = 0
    for number, line in enumerate(a):
        while at < len(b) and b[at] != line:
            at += 1
        if at == len(b):
            return None
        pairs.append((number, at))
        at += 1
    return pairs
