"""What a person may decide where later work stands on the lines: it goes too, or only what is left goes. Pure.

Neither is ever chosen for anybody. Both are shown before, need their own yes, and keep what they displace.
"""

from collections.abc import Iterator, Sequence

from sulcus_panel.core.diff.alignments import Edit
from sulcus_panel.core.undo.blame import meets
from sulcus_panel.core.undo.doubt import REPLACED
from sulcus_panel.core.undo.judge import IN_THE_WAY
from sulcus_panel.core.undo.model import HunkOutcome, Resolution
from sulcus_panel.core.undo.turn import Lines, Merge, Verdict, fuses, span

GOES_TOO = "the later work on these lines goes too"
STAYS = "the later work stays, and only what is left of the change goes"
DECIDABLE = frozenset({IN_THE_WAY, REPLACED})
"""Reasons that leave the place of the hunk's lines known; where equal lines leave a choice, nobody may decide."""
STUCK_HUNKS = frozenset({HunkOutcome.CONFLICT, HunkOutcome.SUPERSEDED})


def resolved(merge: Merge, verdicts: Sequence[Verdict], how: Resolution) -> list[Verdict]:
    """Return the verdicts with every chosen hunk that later work stands on decided as the person did.

    A hunk that is stuck for another reason stays so: where its lines are is not sure, or the file's end has moved.
    """
    decided = list(verdicts)
    if how is Resolution.KEEP:
        return decided
    for indexes, edits in _groups(merge, verdicts):
        decision = _decide(merge, indexes, edits, how)
        if decision is not None:
            for index in indexes:
                decided[index] = decision
    return decided


def _groups(merge: Merge, verdicts: Sequence[Verdict]) -> Iterator[tuple[tuple[int, ...], tuple[Edit, ...]]]:
    """Gather the stuck hunks that share an edit, with all edits that they meet."""
    indexes: tuple[int, ...] = ()
    edits: tuple[Edit, ...] = ()
    for index, verdict in enumerate(verdicts):
        if index not in merge.chosen or verdict.outcome not in STUCK_HUNKS or verdict.reason not in DECIDABLE:
            continue
        met = tuple(edit for edit in merge.edits if meets(edit, *span(merge.turn.hunks[index])))
        if edits and met and met[0] == edits[-1]:
            indexes, edits = (*indexes, index), (*edits, *met[1:])
            continue
        if edits:
            yield indexes, edits
        indexes, edits = (index,), met
    if edits:
        yield indexes, edits


def _decide(
    merge: Merge, indexes: tuple[int, ...], edits: tuple[Edit, ...], how: Resolution
) -> Verdict | None:
    hunks = [merge.turn.hunks[index] for index in indexes]
    low = min(edits[0].a0, hunks[0].after_start)
    high = max(edits[-1].a1, span(hunks[-1])[1])
    start, end = edits[0].b0 - (edits[0].a0 - low), edits[-1].b1 + (high - edits[-1].a1)
    if how is Resolution.TAKE_ALL:
        restored, reason = merge.turn.without(hunks, low, high), GOES_TOO
    elif any(hunk.before_lines for hunk in hunks):
        return None  # where the old lines would stand among the later ones is anybody's guess
    else:
        restored, reason = _left(merge, indexes, edits, (low, high)), STAYS
    if fuses(restored, merge.now, start, end) or restored == merge.now[start:end]:
        return None
    return Verdict(HunkOutcome.REVIEW, start, end, restored, reason, together=indexes)


def _left(merge: Merge, indexes: tuple[int, ...], edits: tuple[Edit, ...], base: tuple[int, int]) -> Lines:
    """Return lines `base` of the after-image as they stand now, without those of the hunks that are untouched."""
    own = {line for index in indexes for line in range(*span(merge.turn.hunks[index]))}
    lines: list[bytes] = []
    at = base[0]
    for edit in edits:
        lines += [merge.turn.after[line] for line in range(at, edit.a0) if line not in own]
        lines += merge.now[edit.b0 : edit.b1]
        at = edit.a1
    lines += [merge.turn.after[line] for line in range(at, base[1]) if line not in own]
    return tuple(lines)
