"""A change whose file was too large to keep: its hunks' own text, and nothing but what is proven. Pure.

Where all later work is known by its text too, every version in between comes back from the disk's, proven by its
hash. Else a hunk goes back only where the recorded steps lead to its very text.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sulcus_panel.core.diff import split_lines
from sulcus_panel.core.diff.alignments import edits_of, seen
from sulcus_panel.core.model import DiskFile, FileKind, FileState, Hunk, Sha256
from sulcus_panel.core.states import same_bytes
from sulcus_panel.core.undo.blame import Passage, cut_by, is_pinned, mapped
from sulcus_panel.core.undo.chain import backward, is_exact, is_recorded
from sulcus_panel.core.undo.model import HunkOutcome, HunkPlan, Outcome, Strategy
from sulcus_panel.core.undo.places import Text
from sulcus_panel.core.undo.question import PathAnswer, Question, conflict_over_all, planned
from sulcus_panel.core.undo.turn import fuses, has_open_place, span

PLACE_UNKNOWN = "only the changed lines are kept, and what came later leaves their place open"


def derived(ask: Question) -> Mapping[Sha256, bytes]:
    """Return the versions that later hunks give back from the disk's bytes, each proven by its hash."""
    found: dict[Sha256, bytes] = {}
    state, data = ask.file.state, ask.file.content
    for step in reversed(ask.steps):
        if data is None or step.before.kind is not FileKind.FILE or not same_bytes(step.after, state):
            break
        state = step.before
        digest = state.sha256
        known = None if digest is None else ask.contents.get(digest)
        data = known if known is not None else backward(data, step.hunks, state)
        if data is not None and digest is not None:
            found[digest] = data
    return found


def by_own_text(ask: Question, mode: int) -> PathAnswer | None:
    """Put the old lines of every chosen hunk in place of its new ones; None where the hunks carry no text.

    A conflict where the steps do not lead to the disk, or where the place of one hunk is not sure.
    """
    hunks = ask.change.hunks
    chosen = [index for index in range(len(hunks)) if ask.chosen is None or index in ask.chosen]
    if not hunks or not all(_carries_text(hunks[index]) for index in chosen):
        return None
    passages = _passages(ask)
    now = tuple(split_lines(ask.file.content or b""))
    places = {index: _place(hunks[index], now, passages) for index in chosen} if passages is not None else {}
    found = {index: place for index, place in places.items() if place is not None}
    if len(found) < len(chosen):
        return conflict_over_all(ask, PLACE_UNKNOWN)
    result: list[bytes] = []
    written: list[Hunk] = []
    at = 0
    for index in sorted(chosen, key=found.__getitem__):
        start, old = found[index], split_lines(hunks[index].old or b"")
        result += now[at:start]
        written.append(Hunk(start, hunks[index].after_lines, len(result), len(old)))
        result += old
        at = start + hunks[index].after_lines
    data = b"".join([*result, *now[at:]])
    state = FileState(FileKind.FILE, Sha256(hashlib.sha256(data).hexdigest()), len(data), mode)
    plan = planned(ask, Outcome.UNDONE, Strategy.SURGICAL_REVERSE_PATCH, DiskFile(state, data))
    return PathAnswer(replace(plan, hunks=_plans(ask, found)), tuple(written))


def _carries_text(hunk: Hunk) -> bool:
    return (hunk.old is not None or not hunk.before_lines) and (hunk.new is not None or not hunk.after_lines)


def _passages(ask: Question) -> list[Passage] | None:
    """Return the recorded steps from the entry to the disk; None where one is missing."""
    state = ask.change.after
    passages: list[Passage] = []
    for step in ask.steps:
        if not same_bytes(state, step.before) or not is_recorded(step):
            return None
        edits = edits_of(step.hunks)
        passages.append(Passage(seen(edits) if is_exact(step) else edits, (step.seq_id,)))
        state = step.after
    return passages if same_bytes(state, ask.file.state) else None


def _place(hunk: Hunk, now: tuple[bytes, ...], passages: Sequence[Passage]) -> int | None:
    """Return the line at which the hunk's own text stands untouched; None where that is not sure."""
    start, end = span(hunk)
    own = tuple(split_lines(hunk.new or b""))
    if cut_by(start, end, passages) is not None or has_open_place(hunk):
        return None
    place, _ = mapped((start, end), passages)
    if now[place : place + len(own)] != own or fuses(
        tuple(split_lines(hunk.old or b"")), now, place, place + len(own)
    ):
        return None
    if hunk.exact and is_pinned(start, end, passages):
        return place
    return place if any(line.strip() for line in own) and Text(now).count(own) == 1 else None


def _plans(ask: Question, found: Mapping[int, int]) -> tuple[HunkPlan, ...]:
    return tuple(
        HunkPlan(
            ask.first_hunk + index,
            ask.change.path,
            index in found,
            HunkOutcome.UNDONE,
            (found[index], found[index] + hunk.after_lines) if index in found else None,
            hunk.new or b"",
            hunk.old or b"",
        )
        for index, hunk in enumerate(ask.change.hunks)
    )
