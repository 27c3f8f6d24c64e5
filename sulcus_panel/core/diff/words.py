"""What changed within a run of changed lines: which old line became which new one, and which words differ."""

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

Span = tuple[int, int]
"""Start and end of a run of characters."""
Pair = tuple[int | None, int | None]
"""An old and a new line beside each other, counted within their runs; None where one side is missing."""

MAX_CELLS = 2_500
"""Old lines times new lines above which lines are paired by position only."""
MAX_TOKENS = 40_000
"""Old tokens times new tokens above which a line is marked from its first to its last difference."""
LIKE = 0.5
"""Two lines with at least this share of common tokens are versions of one line."""
RELATED = 0.3
"""Below this share of common characters, word marks would be noise."""

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


def pair_lines(old: Sequence[str], new: Sequence[str]) -> tuple[Pair, ...]:
    """Put the lines of both runs beside each other, alike with alike, in order, leaving none out."""
    anchors = _anchors(old, new) if 1 < len(old) * len(new) <= MAX_CELLS else []
    pairs: list[Pair] = []
    at_old = at_new = 0
    for anchor_old, anchor_new in [*anchors, (len(old), len(new))]:
        pairs += by_position(range(at_old, anchor_old), range(at_new, anchor_new))
        if anchor_old < len(old):
            pairs.append((anchor_old, anchor_new))
        at_old, at_new = anchor_old + 1, anchor_new + 1
    return tuple(pairs)


def by_position(old: range, new: range) -> list[Pair]:
    """Pair two runs line by line from the top."""
    count = max(len(old), len(new))
    return [(old[i] if i < len(old) else None, new[i] if i < len(new) else None) for i in range(count)]


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs of alike lines whose likeness adds up to most, rising on both sides."""
    bags_old, bags_new = [Counter(_tokens(text)) for text in old], [Counter(_tokens(text)) for text in new]
    likeness = [[_likeness(left, right) for right in bags_new] for left in bags_old]
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in reversed(range(len(old))):
        for j in reversed(range(len(new))):
            taken = likeness[i][j] + best[i + 1][j + 1] if likeness[i][j] else 0.0
            best[i][j] = max(best[i + 1][j], best[i][j + 1], taken)
    anchors: list[tuple[int, int]] = []
    i = j = 0
    while i < len(old) and j < len(new):
        if likeness[i][j] and best[i][j] == likeness[i][j] + best[i + 1][j + 1]:
            anchors.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return anchors


def _tokens(text: str) -> list[str]:
    return [token for token in _TOKEN.findall(text) if not token.isspace()]


def _likeness(old: Counter[str], new: Counter[str]) -> float:
    """Return 0, or the share of common tokens where it is at least LIKE."""
    total = old.total() + new.total()
    share = 2 * (old & new).total() / total if total else 1.0
    return share if share >= LIKE else 0.0


def word_spans(old: str, new: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return the runs of characters that differ on each side; none where the lines have little in common."""
    left, right = _TOKEN.findall(old), _TOKEN.findall(new)
    ops = _differences(left, right)
    spans_old = _spans(left, [(a, b) for a, b, _, _ in ops])
    spans_new = _spans(right, [(c, d) for _, _, c, d in ops])
    changed = sum(end - start for start, end in (*spans_old, *spans_new))
    total = len(old.strip()) + len(new.strip())
    if not total or (total - changed) / total < RELATED:
        return (), ()
    return spans_old, spans_new


def _differences(left: list[str], right: list[str]) -> list[tuple[int, int, int, int]]:
    """Return the unequal runs of tokens as (old start, old end, new start, new end)."""
    shorter = min(len(left), len(right))
    head = next((i for i in range(shorter) if left[i] != right[i]), shorter)
    tail = next((i for i in range(shorter - head) if left[-1 - i] != right[-1 - i]), shorter - head)
    end_left, end_right = len(left) - tail, len(right) - tail
    if (end_left - head) * (end_right - head) > MAX_TOKENS:
        return [(head, end_left, head, end_right)]
    matcher = SequenceMatcher(None, left[head:end_left], right[head:end_right], autojunk=False)
    return [
        (a + head, b + head, c + head, d + head)
        for tag, a, b, c, d in matcher.get_opcodes()
        if tag != "equal"
    ]


def _spans(tokens: list[str], runs: list[Span]) -> tuple[Span, ...]:
    """Turn runs of tokens into runs of characters, joining those with only white space between."""
    starts = [0]
    for token in tokens:
        starts.append(starts[-1] + len(token))
    spans: list[Span] = []
    previous = 0
    for first, last in runs:
        if first == last:
            continue
        between = tokens[previous:first]
        if spans and all(token.isspace() for token in between):
            spans[-1] = (spans[-1][0], starts[last])
        else:
            spans.append((starts[first], starts[last]))
        previous = last
    return tuple(spans)
