"""Which line of a rewritten passage is still the turn's line? The one alike to it, when no other is nearly so.

Both ways must agree: among the new lines none else resembles the old one, among the old lines none else
resembles the new one.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

WORD = re.compile(rb"[A-Za-z0-9_\x80-\xff]+|[^\sA-Za-z0-9_\x80-\xff]")
ALIKE = 0.6
"""The share of words that a line and its heir have in common, at least."""
MARGIN = 0.2
"""How far every other line stays behind."""
FEW_WORDS = 3
"""Words below which a line is like too many others."""
MANY_LINES = 200
"""A longer passage is not searched."""

_Words = tuple[Counter[bytes], int]
"""A line's words, and how many they are."""


def heir(old: Sequence[bytes], at: int, new: Sequence[bytes]) -> int | None:
    """Return which of the `new` lines has come of line `old[at]`; None where that is not certain."""
    return next(heirs(old, range(at, at + 1), new))


def heirs(old: Sequence[bytes], which: range, new: Sequence[bytes]) -> Iterator[int | None]:
    """Yield for several lines of `old` what `heir` returns for one."""
    if max(len(old), len(new)) > MANY_LINES:
        yield from (None for _ in which)
        return
    words, others = _words(old), _words(new)
    for at in which:
        found = _best(words[at], others) if words[at][1] >= FEW_WORDS else None
        yield found if found is not None and _best(others[found], words) == at else None


def _words(lines: Sequence[bytes]) -> list[_Words]:
    found = [WORD.findall(line) for line in lines]
    return [(Counter(words), len(words)) for words in found]


def _best(line: _Words, others: Sequence[_Words]) -> int | None:
    scores = sorted(((_likeness(line, other), at) for at, other in enumerate(others)), reverse=True)
    if not scores or scores[0][0] < ALIKE or (len(scores) > 1 and scores[1][0] > scores[0][0] - MARGIN):
        return None
    return scores[0][1]


def _likeness(one: _Words, other: _Words) -> float:
    """Return the share of common words; 0 where so few can be common that the line stays behind in any case."""
    size = one[1] + other[1]
    if not size or 2 * min(one[1], other[1]) / size <= ALIKE - MARGIN:
        return 0.0
    return 2 * (one[0] & other[0]).total() / size
