"""The way from an entry's after-image to the disk, through every version that the ledger knows.

Recorded hunks carry a step that starts where the last one ended; otherwise two kept contents are compared.
Versions whose bytes are not kept are skipped, and whoever made them shares the next passage. Pure.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sulcus_panel.core.diff import split_lines
from sulcus_panel.core.diff.alignments import edits_of, seen
from sulcus_panel.core.model import FileKind, FileState, Hunk, Origin, SeqId, Sha256, Step
from sulcus_panel.core.states import same_bytes
from sulcus_panel.core.undo.blame import Passage, everybody
from sulcus_panel.core.undo.lines import edits_between

Contents = Mapping[Sha256, bytes]


def bytes_of(state: FileState, contents: Contents) -> bytes | None:
    """Return a file's bytes, b"" for every state that holds no lines, None where they are not known."""
    if state.kind is FileKind.UNKNOWN:
        return None
    if state.kind is not FileKind.FILE:
        return b""
    return None if state.sha256 is None else contents.get(state.sha256)


def is_recorded(step: Step) -> bool:
    """Say whether the step's own hunks tell all that it did to the lines."""
    if step.before.kind is not FileKind.FILE or step.after.kind is not FileKind.FILE:
        return False
    return bool(step.hunks) or same_bytes(step.before, step.after)


def is_exact(step: Step) -> bool:
    """Say whether the step's hunks are what was done, none found by comparing; an undo's always are."""
    return step.origin is Origin.UNDO or all(hunk.exact for hunk in step.hunks)


def forward(before: bytes, hunks: Sequence[Hunk], after: FileState) -> bytes | None:
    """Derive an after-image from its before-image where the hunks carry text and the hash proves it."""
    return _spliced(before, [(h.before_start, h.before_lines, h.after_lines, h.new) for h in hunks], after)


def backward(after: bytes, hunks: Sequence[Hunk], before: FileState) -> bytes | None:
    """Derive a before-image from its after-image where the hunks carry text and the hash proves it."""
    return _spliced(after, [(h.after_start, h.after_lines, h.before_lines, h.old) for h in hunks], before)


def _spliced(
    data: bytes, runs: Sequence[tuple[int, int, int, bytes | None]], wanted: FileState
) -> bytes | None:
    """Put a text in each run's place (`start, lines, lines of the text, text`); None unless it all fits."""
    lines = split_lines(data)
    parts: list[bytes] = []
    at = 0
    for start, count, size, text in runs:
        if text is None and size:
            return None
        parts += lines[at:start]
        parts.append(text or b"")
        at = start + count
    parts += lines[at:]
    return _proven(b"".join(parts), wanted)


def _proven(data: bytes, state: FileState) -> bytes | None:
    return data if hashlib.sha256(data).hexdigest() == state.sha256 else None


def passages_between(
    after: FileState,
    steps: Sequence[Step],
    disk: FileState,
    contents: Contents,
    kin: Collection[SeqId] = (),
) -> tuple[Passage, ...]:
    """Return the passages from `after` through all `steps` to `disk`; `contents` holds both ends' bytes.

    `kin` are the entry itself and what it reverses: another undo of either is of another part.
    """
    walk = _Walk(after, after, after, dict(contents), kin)
    for step in _without_detours(after, steps):
        walk.take(step)
    return walk.arrive(disk)


def _without_detours(after: FileState, steps: Sequence[Step]) -> list[Step]:
    """Leave out what an undo took back to the byte: the lines are those that stood there before it all."""
    trail: list[tuple[FileState, Step]] = []
    last = after
    for step in steps:
        trail.append((last, step))
        last = step.after
        if step.origin is Origin.UNDO:
            same = (at for at in reversed(range(len(trail))) if same_bytes(trail[at][0], last))
            trail = trail[: next(same, len(trail))]
    return [step for _, step in trail]


@dataclass(slots=True, eq=False, repr=False)
class _Walk:
    """`anchor` is the last version reached by known lines, `last` the last one heard of."""

    start: FileState
    anchor: FileState
    last: FileState
    contents: dict[Sha256, bytes]
    kin: Collection[SeqId]
    passages: list[Passage] = field(default_factory=list)
    waiting: dict[SeqId, None] = field(default_factory=dict)
    outside: bool = False

    def take(self, step: Step) -> None:
        if not same_bytes(self.last, step.before):
            self.outside = True
        self._reach(step.before)
        if same_bytes(self.anchor, step.before) and is_recorded(step):
            edits = edits_of(step.hunks)
            self.passages.append(
                Passage(
                    seen(edits) if step.origin is Origin.UNDO else edits,
                    (step.seq_id,) if step.origin is not Origin.OUTSIDE else (),
                    outside=step.origin is Origin.OUTSIDE,
                    undo=step.origin is Origin.UNDO,
                    kin=step.reverses in self.kin,
                    texts=None if is_exact(step) else self._texts(step),
                )
            )
            self._derive(step)
            self.anchor = step.after
        else:
            self._wait_for(step)
            self._reach(step.after)
        self.last = step.after

    def _texts(self, step: Step) -> tuple[bytes, bytes] | None:
        """Give both texts of a step, where they are known."""
        old, new = bytes_of(step.before, self.contents), bytes_of(step.after, self.contents)
        return None if old is None or new is None else (old, new)

    def _derive(self, step: Step) -> None:
        """Keep in reach what the snapshot store did not: a later comparison may start from here."""
        old, digest = bytes_of(step.before, self.contents), step.after.sha256
        if old is None or digest is None or digest in self.contents:
            return
        new = forward(old, step.hunks, step.after)
        if new is not None:
            self.contents[digest] = new

    def _wait_for(self, step: Step) -> None:
        if step.origin is Origin.OUTSIDE:
            self.outside = True
        else:
            self.waiting[step.seq_id] = None

    def _reach(self, state: FileState) -> None:
        """Compare the anchor with `state` where both are known, and stand there."""
        if same_bytes(self.anchor, state):
            self._settle()
            return
        old, new = bytes_of(self.anchor, self.contents), bytes_of(state, self.contents)
        if old is None or new is None:
            return
        self.passages.append(
            Passage(edits_between(old, new), tuple(self.waiting), outside=self.outside, texts=(old, new))
        )
        self.anchor = state
        self._settle()

    def _settle(self) -> None:
        """What happened on the way here left no trace, or has just been told."""
        self.waiting.clear()
        self.outside = False

    def arrive(self, disk: FileState) -> tuple[Passage, ...]:
        if not same_bytes(self.last, disk):
            self.outside = True
        self._reach(disk)
        if same_bytes(self.anchor, disk):
            return tuple(self.passages)
        # The last known version is out of reach: compare the two ends, and let all share it.
        everyone = everybody(self.passages)
        seq_ids = (*everyone.seq_ids, *self.waiting)
        self.anchor, self.passages = self.start, []
        self.waiting, self.outside = dict.fromkeys(seq_ids), everyone.outside or self.outside
        self._reach(disk)
        return tuple(self.passages)


def needed(after: FileState, steps: Sequence[Step], disk: FileState) -> Iterable[Sha256]:
    """Name the contents, beside the entry's own and the disk's, that passages_between() will want to read."""
    last = after
    for step in steps:
        joined = same_bytes(last, step.before)
        if not joined:
            yield from _hashes(last, step.before)
        if not is_recorded(step) or not is_exact(step):
            yield from _hashes(step.before, step.after)
        last = step.after
    if not same_bytes(last, disk):
        yield from _hashes(last)


def _hashes(*states: FileState) -> Iterable[Sha256]:
    for state in states:
        if state.kind is FileKind.FILE and state.sha256 is not None:
            yield state.sha256
