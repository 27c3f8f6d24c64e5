"""Two byte strings to hunks: the one line differ of the product, exact to the byte.

Lines end at LF only, so a CR, a BOM or a missing final newline is part of its line and survives. The work is
libgit2's (indent heuristic on, as in git); applying the hunks to `old` always yields `new`.
"""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

from sulcus_panel.core.diff.one_run import one_run
from sulcus_panel.core.model import Hunk

if TYPE_CHECKING:
    from pygit2.enums import DiffOption

MOST_KNOWN = 2**19
"""Bytes of a text whose lines may stay at hand; of a longer one they would hold too much memory."""
BINARY_PROBE = 8000
"""How many leading bytes decide whether a file is binary: git's own rule, so both give the same answer."""


def split_lines(data: bytes) -> list[bytes]:
    """Return the lines of `data` with their LF; the last may lack one. `b""` has no line."""
    return list(_known_lines(data)) if len(data) <= MOST_KNOWN else BytesIO(data).readlines()


@lru_cache(maxsize=8)
def _known_lines(data: bytes) -> tuple[bytes, ...]:
    """Split a text once: a plan asks for the same few again and again."""
    return tuple(BytesIO(data).readlines())


def lines_in(data: bytes) -> int:
    """Count a text's lines without splitting it."""
    return data.count(b"\n") + bool(data and not data.endswith(b"\n"))


def is_binary(data: bytes) -> bool:
    """Say whether `data` holds a NUL within its first 8,000 bytes (so UTF-16 counts as binary here)."""
    return b"\0" in data[:BINARY_PROBE]


def diff_hunks(
    old: bytes, new: bytes, *, patience: bool = False, ignore_whitespace: bool = False
) -> tuple[Hunk, ...]:
    """Return the runs of lines that differ, in order, without context and without their texts.

    With `ignore_whitespace` (for display only) the lines outside the hunks still correspond one to one, but
    may differ in white space.
    """
    if old == new:
        return ()
    if not (patience or ignore_whitespace) and (hunk := one_run(old, new)) is not None:
        return (hunk,)
    runs = differing_runs(old, new, patience=patience, ignore_whitespace=ignore_whitespace)
    return tuple(Hunk(a0, a1 - a0, b0, b1 - b0) for a0, a1, b0, b1 in runs)


def differing_runs(
    old: bytes, new: bytes, *, patience: bool = False, ignore_whitespace: bool = False
) -> list[tuple[int, int, int, int]]:
    """Return libgit2's hunks between two texts bare: lines `[a0, a1)` of the one, `[b0, b1)` of the other."""
    import pygit2  # here, for its import takes longer than most undos

    flags = _flags(patience, ignore_whitespace)
    patch = pygit2.Patch.create_from(old, new, flag=flags, context_lines=0, interhunk_lines=0)
    runs: list[tuple[int, int, int, int]] = []
    for hunk in patch.hunks:
        removed, added = hunk.old_lines, hunk.new_lines
        # A header counts from 1, and names the line before where its run is empty.
        a0 = hunk.old_start - 1 if removed else hunk.old_start
        b0 = hunk.new_start - 1 if added else hunk.new_start
        runs.append((a0, a0 + removed, b0, b0 + added))
    return runs


@cache
def _flags(patience: bool, ignore_whitespace: bool) -> "DiffOption":
    from pygit2.enums import DiffOption

    flags = DiffOption.FORCE_TEXT | DiffOption.INDENT_HEURISTIC
    if patience:
        flags |= DiffOption.PATIENCE
    if ignore_whitespace:
        flags |= DiffOption.IGNORE_WHITESPACE
    return flags


def carry_texts(hunks: Iterable[Hunk], old: bytes, new: bytes) -> tuple[Hunk, ...]:
    """Return the same hunks with the exact texts of both runs, for a change whose snapshots are not kept."""
    before, after = split_lines(old), split_lines(new)
    return tuple(
        Hunk(
            hunk.before_start,
            hunk.before_lines,
            hunk.after_start,
            hunk.after_lines,
            b"".join(before[hunk.before_start : hunk.before_start + hunk.before_lines]),
            b"".join(after[hunk.after_start : hunk.after_start + hunk.after_lines]),
            hunk.exact,
        )
        for hunk in hunks
    )


def apply_hunks(old: bytes, hunks: Sequence[Hunk]) -> bytes:
    """Return `old` with every hunk applied; they are in order and carry their texts (see carry_texts)."""
    lines = split_lines(old)
    parts: list[bytes] = []
    at = 0
    for hunk in hunks:
        if hunk.new is None:
            raise ValueError("a hunk without its text cannot be applied")
        parts += lines[at : hunk.before_start]
        parts.append(hunk.new)
        at = hunk.before_start + hunk.before_lines
    parts += lines[at:]
    return b"".join(parts)


def count_lines(hunks: Iterable[Hunk]) -> tuple[int, int]:
    """Return how many lines the hunks add and remove."""
    plus = minus = 0
    for hunk in hunks:
        plus += hunk.after_lines
        minus += hunk.before_lines
    return plus, minus
