"""The text engine as a scorer of undo corpora calls it: `undo(pre, post, current, *, versions, hunks)`.

`versions` lead from the turn's after-image to the disk, oldest first; `hunks` are the turn's own, as a tool
recorded them, or None. Returns the text and what stands in the way. `undo_with_review` also takes what the
engine would show to a person first.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from sulcus_panel.core.diff import split_lines
from sulcus_panel.core.model import Hunk, SeqId
from sulcus_panel.core.undo.blame import Passage
from sulcus_panel.core.undo.lines import edits_between
from sulcus_panel.core.undo.model import HunkOutcome
from sulcus_panel.core.undo.text import CLEAN, Turn, Verdict, take_back

Recorded = Sequence[Mapping[str, str | int]]
Answered = tuple[bytes | None, list[Verdict]]


def undo(
    pre: bytes, post: bytes, current: bytes, *, versions: Sequence[bytes], hunks: Recorded | None
) -> Answered:
    """Undo a turn; None and the hunks in the way where not all of them go back."""
    return _undo(pre, post, current, versions, hunks, CLEAN)


def undo_with_review(
    pre: bytes, post: bytes, current: bytes, *, versions: Sequence[bytes], hunks: Recorded | None
) -> Answered:
    """Undo a turn as a person would who has looked at what needs looking at."""
    return _undo(pre, post, current, versions, hunks, CLEAN | {HunkOutcome.REVIEW})


def _undo(
    pre: bytes,
    post: bytes,
    current: bytes,
    versions: Sequence[bytes],
    hunks: Recorded | None,
    enough: frozenset[HunkOutcome],
) -> Answered:
    turn = Turn.of(pre, post, recorded(hunks or ()))
    passages = [
        Passage(edits_between(old, new), (SeqId(number),), texts=(old, new))
        for number, (old, new) in enumerate(pairwise(versions), 2)
    ]
    answer = take_back(turn, current, passages, range(len(turn.hunks)))
    stuck = [verdict for verdict in answer.verdicts if verdict.outcome not in enough]
    return (None, stuck) if stuck else (answer.result, [])


def recorded(hunks: Recorded) -> list[Hunk]:
    """Turn a tool's excerpts into hunks; `start_line` counts from 1 in the text that the turn left."""
    found: list[Hunk] = []
    growth = 0
    for hunk in hunks:
        old, new = (_lines(hunk[name]) for name in ("target_excerpt", "replacement_excerpt"))
        start = int(hunk["start_line"]) - 1
        found.append(Hunk(start - growth, old, start, new, exact=True))
        growth += new - old
    return found


def _lines(text: str | int) -> int:
    return len(split_lines(str(text).encode("utf-8", "surrogateescape")))
