"""A harness's own patches on a file's bytes: each line where the patch says it stands, or nothing at all. Pure.

An exact patch has line numbers and goes both ways. One of the `*** Begin Patch` language has none: its lines are
searched as the tool does it, and they count only where they stand in one place.
"""

import re
from collections.abc import Iterator, Sequence

from sulcus_panel.core.capture.edits import NOT_UNICODE, Unknown
from sulcus_panel.core.capture.past.records import PatchHunk
from sulcus_panel.core.capture.patch_text import Chunk
from sulcus_panel.core.diff import split_lines

NOT_THERE = Unknown("the lines of the patch do not stand in the file as it is known")
TWO_PLACES = Unknown("the lines of the patch stand in more than one place of the file as it is known")
AT_THE_END = Unknown("the patch does not tell where its lines went")
CRLF_FILE = Unknown("the patch does not tell with which line ends its lines were written")

_HEADER = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_NO_END = "\\"


def read_unified(text: str) -> tuple[PatchHunk, ...]:
    """The hunks of a unified diff, its headers of files left out; none where it is not one."""
    hunks: list[PatchHunk] = []
    lines: list[str] = []
    starts = (0, 0)
    for line in text.removesuffix("\n").split("\n"):
        header = _HEADER.match(line)
        if header is None:
            lines.append(line)
            continue
        if starts != (0, 0) or hunks:
            hunks.append(PatchHunk(*starts, tuple(lines)))
        starts = _first(header[1], header[2]), _first(header[3], header[4])
        lines = []
    if starts == (0, 0):
        return ()
    hunks.append(PatchHunk(*starts, tuple(lines)))
    return tuple(hunks)


def _first(start: str, count: str | None) -> int:
    """The number, from 1, of the line at which a side begins; of an empty side that of the line below."""
    return int(start) + (count is not None and int(count) == 0)


def apply_exact(data: bytes, hunks: Sequence[PatchHunk], *, backward: bool = False) -> bytes | Unknown:
    """The bytes after an exact patch, or, backward, those before it."""
    lines = split_lines(data)
    result: list[bytes] = []
    at = 0
    for hunk in hunks:
        sides = _sides(hunk)
        if sides is None:
            return NOT_UNICODE
        there, instead = reversed(sides) if backward else sides
        start = (hunk.new_start if backward else hunk.old_start) - 1
        if start < at or lines[start : start + len(there)] != there:
            return NOT_THERE
        result += [*lines[at:start], *instead]
        at = start + len(there)
    return b"".join([*result, *lines[at:]])


def _sides(hunk: PatchHunk) -> tuple[list[bytes], list[bytes]] | None:
    """The lines before and after, with their ends; None where they are no text."""
    old: list[bytes] = []
    new: list[bytes] = []
    ended = [*hunk.lines[1:], ""]
    for line, following in zip(hunk.lines, ended, strict=True):
        if line.startswith(_NO_END):
            continue
        try:
            text = line[1:].encode() + (b"" if following.startswith(_NO_END) else b"\n")
        except UnicodeEncodeError:
            return None
        if not line.startswith("+"):
            old.append(text)
        if not line.startswith("-"):
            new.append(text)
    return old, new


def apply_chunks(data: bytes, chunks: Sequence[Chunk]) -> bytes | Unknown:
    """The bytes after a patch without line numbers. The tool ends the last line of every file that it patches."""
    if b"\r" in data:
        return CRLF_FILE
    try:
        lines = data.decode().split("\n")
    except UnicodeDecodeError:
        return NOT_UNICODE
    if lines[-1] == "":
        lines.pop()
    result: list[str] = []
    at = 0
    for found in _places(lines, chunks):
        if isinstance(found, Unknown):
            return found
        start, old, new = found
        result += [*lines[at:start], *new]
        at = start + len(old)
    result += lines[at:]
    try:
        return "".join(line + "\n" for line in result).encode()
    except UnicodeEncodeError:
        return NOT_UNICODE


_Place = tuple[int, tuple[str, ...], tuple[str, ...]]


def _places(lines: Sequence[str], chunks: Sequence[Chunk]) -> Iterator[_Place | Unknown]:
    """Where each chunk's lines stand, one below the other; ends with the first that has no place of its own."""
    at = 0
    for chunk in chunks:
        if chunk.anchor is not None:
            above = _anchored(lines, chunk.anchor, at)
            if above is None:
                yield NOT_THERE
                return
            at = above + 1
        found = _place(lines, chunk, at)
        yield found
        if isinstance(found, Unknown):
            return
        at = found[0] + len(found[1])


def _place(lines: Sequence[str], chunk: Chunk, at: int) -> _Place | Unknown:
    old, new = chunk.old, chunk.new
    if not old:
        if not new:
            return at, (), ()
        return AT_THE_END if chunk.anchor is not None or not lines or not lines[-1] else (len(lines), (), new)
    found = _standing(lines, old, at, at_end=chunk.at_end)
    if not found and not old[-1] and new and not new[-1]:
        old, new = old[:-1], new[:-1]  # an empty last line may only be the patch's own
        found = _standing(lines, old, at, at_end=chunk.at_end)
    if len(found) != 1:
        return TWO_PLACES if found else NOT_THERE
    return found[0], old, new


def _standing(lines: Sequence[str], old: tuple[str, ...], at: int, *, at_end: bool) -> list[int]:
    last = len(lines) - len(old)
    first = max(at, last) if at_end else at
    return [place for place in range(first, last + 1) if tuple(lines[place : place + len(old)]) == old]


def _anchored(lines: Sequence[str], anchor: str, at: int) -> int | None:
    """The line that an anchor names: the first that is it, else the first that is it but for spaces around."""
    for same in (str, str.rstrip, str.strip):
        found = next((n for n in range(at, len(lines)) if same(lines[n]) == same(anchor)), None)
        if found is not None:
            return found
    return None
