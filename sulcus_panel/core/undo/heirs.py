"""Which line of a rewritten passage is still the turn's line? The one alike to it, when no other is nearly so.

Both ways must agree: among the new lines none else resembles the old one, among the old lines none else
resembles the new one.
"""

import re
from collections import Counter
from collections.abc import Sequence

WORD = re.compile(rb"[A-Za-z0-9_\x80-\xff]+|[^\sA-Za-z0-9_\x80-\xff]")
ALIKE = 0.6
"""The share of words that a line and its heir have in common, at least."""
MARGIN = 0.2
"""How far every other line stays behind."""
FEW_WORDS = 3
"""Words below which a line is like too many others."""
MANY_LINES = 200
"""A longer passage is not searched."""


def heir(old: Sequence[bytes], at: int, new: Sequence[bytes]) -> int | None:
    """Return which of the `new` lines has come of line `old[at]`; None where that is not certain."""
    if max(len(old), len(new)) > MANY_LINES:
        return None
    words = [Counter(WORD.findall(line)) for line in old]
    others = [Counter(WORD.findall(line)) for line in new]
    found = _best(words[at], others)
    if found is None or words[at].total() < FEW_WORDS or _best(others[found], words) != at:
        return None
    return found


def _best(line: Counter[bytes], others: Sequence[Counter[bytes]]) -> int | None:
    scores = sorted(((_likeness(line, other), at) for at, other in enumerate(others)), reverse=True)
    if not scores or scores[0][0] < ALIKE or (len(scores) > 1 and scores[1][0] > scores[0][0] - MARGIN):
        return None
    return scores[0][1]


def _likeness(one: Counter[bytes], other: Counter[bytes]) -> float:
    size = one.total() + other.total()
    return 2 * (one & other).total() / size if size else 0.0
