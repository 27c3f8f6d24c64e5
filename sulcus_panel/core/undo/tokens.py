"""Two edits of the same lines, merged word by word, where words that nobody touched stand between them.

Only then is it certain that one edit does not rest on the other. Edits that touch at a word's border are merged
too, but for a person to look at; two edits of one word are not. Pure, and quick for a line of megabytes.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from sulcus_panel.core.diff import diff_hunks, split_lines
from sulcus_panel.core.diff.alignments import edits_of, overlap
from sulcus_panel.core.diff.shared_ends import shared_head, shared_tail

TOKEN = re.compile(rb"[A-Za-z0-9_\x80-\xff]+|[ \t\r\f\v]+|\n|[^\n]")
_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") | frozenset(
    range(128, 256)
)

LIKENESS = 0.5
"""Both sides must keep at least this share of a line's words, or it is no longer the same line."""

TELLING = 4
"""Words that a line must have to be known again among rewritten ones."""

FEW_LINES = 4
MANY_BYTES = 60_000
"""More of both is a rewrite, not two edits of the same lines; a single long line may be as long as it likes."""

_FAR = 200
"""Words that an edit is slid at most to find out where else it could be read."""


class Merged(NamedTuple):
    """The merged lines; `sure` where untouched words stand between the edits of both sides."""

    lines: tuple[bytes, ...]
    sure: bool


def merge_tokens(base: Sequence[bytes], ours: Sequence[bytes], theirs: Sequence[bytes]) -> Merged | None:
    """Merge two versions of some lines word by word; None where both changed the same words."""
    texts = b"".join(base), b"".join(ours), b"".join(theirs)
    if not all(texts):
        return None
    found = _by_ends(*texts)
    if found is not None:
        return found
    if max(len(base), len(ours), len(theirs)) > FEW_LINES and sum(map(len, texts)) > MANY_BYTES:
        return None
    return _by_tokens(*texts)


def _by_ends(base: bytes, ours: bytes, theirs: bytes) -> Merged | None:
    """Read each side's change as one run of bytes; where the two runs stand well apart, nothing is finer."""
    mine, other = _run(base, ours), _run(base, theirs)
    (one, low), (two, high) = sorted([(mine, ours), (other, theirs)], key=lambda pair: pair[0])
    if one[1] > two[0] or base[one[1] : two[0]].isspace() or one[1] == two[0]:
        return None
    start = base.rfind(b"\n", 0, other[0]) + 1
    end = base.find(b"\n", other[1])
    line = (end if end >= 0 else len(base)) - start
    if max(mine[1] - mine[0], other[1] - other[0]) > (1 - LIKENESS) * line:
        return None
    text = _upto(base, low, one[1]) + base[one[1] : two[0]] + high[two[0] :]
    return Merged(tuple(split_lines(text)), sure=True)


def _upto(base: bytes, text: bytes, end: int) -> bytes:
    """Return what became of `base[:end]`, where all from `end` on is the same."""
    return text[: len(text) - (len(base) - end)]


def _run(base: bytes, text: bytes) -> tuple[int, int]:
    """Return the whole words of `base` outside which nothing differs, however the change is read."""
    short = min(len(base), len(text))
    head = shared_head(base, text, short)
    tail = shared_tail(base, text, short)
    start, end = min(head, short - tail), len(base) - min(tail, short - head)
    while 0 < start < len(base) and base[start - 1] in _WORD and base[start] in _WORD:
        start -= 1
    while 0 < end < len(base) and base[end - 1] in _WORD and base[end] in _WORD:
        end += 1
    return start, end


class _Change(NamedTuple):
    """Words `[start, end)` of the base become `words`."""

    start: int
    end: int
    words: tuple[bytes, ...]
    ours: bool

    @property
    def place(self) -> tuple[int, int]:
        """The base's words that give way."""
        return self.start, self.end


def _by_tokens(base: bytes, ours: bytes, theirs: bytes) -> Merged | None:
    words = TOKEN.findall(base)
    mine, other = (
        _changes(words, TOKEN.findall(ours), ours=True),
        _changes(words, TOKEN.findall(theirs), ours=False),
    )
    solid = [0, *accumulate(not word.isspace() for word in words)]
    found = _joined(words, mine, other, solid)
    if found is None:
        return None
    text, apart = found
    likeness = _likeness(words, solid, mine, other)
    if likeness is None:
        return None
    sure = apart and likeness
    if sure:
        ways = [(_slid(mine, words, up), other) for up in (True, False)]
        ways += [(mine, _slid(other, words, up)) for up in (True, False)]
        again = [_joined(words, *way, solid) for way in ways if way != (mine, other)]
        sure = all(way is None or way[0] == text for way in again)
    return Merged(tuple(split_lines(text)), sure)


def _changes(base: list[bytes], tokens: list[bytes], *, ours: bool) -> list[_Change]:
    return [
        _Change(edit.a0, edit.a1, tuple(tokens[edit.b0 : edit.b1]), ours)
        for edit in edits_of(diff_hunks(_one_a_line(base), _one_a_line(tokens)))
    ]


def _joined(
    base: list[bytes], ours: list[_Change], theirs: list[_Change], solid: list[int]
) -> tuple[bytes, bool] | None:
    """Apply both sides' changes, what they did alike once; say whether untouched words stand between them."""
    done = {change[:3] for change in ours}
    order = sorted(
        [*ours, *(change for change in theirs if change[:3] not in done)], key=lambda each: each[:2]
    )
    apart = True
    for before, change in pairwise(order):
        if overlap(before[:2], change[:2]) or before.end > change.start:
            return None
        if before.ours is not change.ours and not (_is_space(before, base) or _is_space(change, base)):
            apart = apart and solid[change.start] > solid[before.end]
    return _written(base, order), apart


def _slid(changes: list[_Change], base: list[bytes], up: bool) -> list[_Change]:
    """Read pure insertions and deletions as far up (or down) as equal words allow."""
    slid = list(changes)
    for at in range(len(slid)) if up else reversed(range(len(slid))):
        low = slid[at - 1].end if at else 0
        high = slid[at + 1].start if at + 1 < len(slid) else len(base)
        slid[at] = _pushed(slid[at], base, low if up else high, up)
    return slid


def _pushed(change: _Change, base: list[bytes], stop: int, up: bool) -> _Change:
    start, end, words = change.start, change.end, list(change.words)
    if (start == end) != bool(words):
        return change
    far = 0
    while far < _FAR and (start > stop if up else end < stop):
        here = base[start - 1] if up else base[end]
        edge = (words[-1] if up else words[0]) if words else (base[end - 1] if up else base[start])
        if here != edge:
            break
        if words:
            words = [words[-1], *words[:-1]] if up else [*words[1:], words[0]]
        start, end, far = (start - 1, end - 1, far + 1) if up else (start + 1, end + 1, far + 1)
    return change._replace(start=start, end=end, words=tuple(words))


def _one_a_line(tokens: Iterable[bytes]) -> bytes:
    """Write tokens as lines, so that the line differ compares them (a newline is spelled out)."""
    return b"".join(b"\\n\n" if token == b"\n" else token + b"\n" for token in tokens)


def _written(base: list[bytes], changes: Iterable[_Change]) -> bytes:
    parts: list[bytes] = []
    at = 0
    for change in changes:
        parts += base[at : change.start]
        parts += change.words
        at = change.end
    return b"".join([*parts, *base[at:]])


def _is_space(change: _Change, base: list[bytes]) -> bool:
    """Say whether one run of blanks became another: such a change, an indent, touches no word."""
    old, new = base[change.start : change.end], change.words
    return (
        len(old) == len(new) == 1 and old[0].isspace() and new[0].isspace() and b"\n" not in (old[0], new[0])
    )


def _likeness(base: list[bytes], solid: list[int], ours: list[_Change], theirs: list[_Change]) -> bool | None:
    """Say whether each line that their changes touch is the same line on both sides: most words, and no break.

    None where one side kept no word at all of a line that both touch: what the other did there rests on nothing.
    """
    ends = [at + 1 for at, word in enumerate(base) if word == b"\n"]
    starts = [0, *ends, len(base)]
    mine, other = _by_line(ours, ends, starts, solid), _by_line(theirs, ends, starts, solid)
    sizes = {line: solid[starts[line + 1]] - solid[starts[line]] for line in other}
    both = [line for line in other if line in mine]
    if any(sizes[line] and max(mine[line], other[line]) == sizes[line] for line in both):
        return None
    if any(max(mine[line], other[line]) > (1 - LIKENESS) * sizes[line] for line in both):
        return False
    if max(sum(mine.values()), sum(other.values())) <= (1 - LIKENESS) * solid[-1]:
        return True
    return all(
        not _is_broken(line, starts, ours) if line in mine else size >= TELLING
        for line, size in sizes.items()
    )


def _is_broken(line: int, starts: list[int], ours: list[_Change]) -> bool:
    """Say whether later work broke a line in two, or joined it to another."""
    low, high = starts[line], starts[line + 1] - 1
    return any(
        (low < change.start < high and b"\n" in change.words) or change.start < high < change.end
        for change in ours
    )


def _by_line(
    changes: Iterable[_Change], ends: list[int], starts: list[int], solid: list[int]
) -> dict[int, int]:
    """Count the words that are changed on each line of the base."""
    counts: dict[int, int] = {}
    for change in changes:
        first = bisect_right(ends, change.start)
        last = max(first, bisect_right(ends, change.end - 1)) if change.end > change.start else first
        for line in range(first, min(last + 1, len(starts) - 1)):
            low, high = max(change.start, starts[line]), min(change.end, starts[line + 1])
            counts[line] = counts.get(line, 0) + solid[max(low, high)] - solid[low]
    return counts
