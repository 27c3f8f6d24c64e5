"""The `*** Begin Patch` language in which several harnesses' models ask for changes of files. Pure.

Read as tolerantly as the tool that applies it: markers may have spaces around them, the first `@@` may be
missing, a shell's here-document may stand around the whole. What the tool would refuse is no patch here either.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from sulcus_panel.core.capture.adapter import TextEdit, ToolCall, ToolKind

BEGIN, END, END_OF_FILE = "*** Begin Patch", "*** End Patch", "*** End of File"
MOVE = "*** Move to: "
PREAMBLE = "*** Environment ID: "


class PatchKind(StrEnum):
    """What a patch does to one file."""

    ADD = "*** Add File: "
    UPDATE = "*** Update File: "
    DELETE = "*** Delete File: "


@dataclass(frozen=True, slots=True)
class Chunk:
    """One run of lines, without their ends, that give way to others; where they stand has to be searched.

    `anchor`: a line above it, None where the patch names none. `at_end`: it stands at the end of the file.
    """

    anchor: str | None
    old: tuple[str, ...]
    new: tuple[str, ...]
    at_end: bool = False


@dataclass(frozen=True, slots=True)
class FilePatch:
    """One file's part of a patch, its paths as the patch spells them. `content`: an added file's whole text."""

    kind: PatchKind
    path: str
    moved_to: str = ""
    content: str | None = None
    chunks: tuple[Chunk, ...] = ()


def parse_patch(text: str) -> tuple[FilePatch, ...] | None:
    """The files of a patch in its order, None where the text is no patch that the tool would take."""
    body = _body(text)
    if body is None:
        return None
    found: list[FilePatch] = []
    for header, lines in _parts(body):
        one = _file_patch(header, lines)
        if one is None:
            return None
        found.append(one)
    return tuple(found) or None


def patch_call(tool: str, call_id: str, patch: FilePatch) -> ToolCall:
    """One file's part as a call: an added file is written whole, an updated one edited.

    The edits are all of them or none: lines that are only put in have no text to stand for their place.
    """
    if patch.kind is PatchKind.ADD:
        return ToolCall(tool, ToolKind.WRITE, call_id, patch.path, patch.content)
    if patch.kind is PatchKind.DELETE:
        return ToolCall(tool, ToolKind.DELETE, call_id, patch.path)
    edits = tuple(TextEdit(_text(chunk.old), _text(chunk.new)) for chunk in patch.chunks if _changes(chunk))
    whole = edits if all(edit.old for edit in edits) else ()
    return ToolCall(tool, ToolKind.EDIT, call_id, patch.path, None, whole, moved_to=patch.moved_to)


def _text(lines: tuple[str, ...]) -> str:
    return "".join(line + "\n" for line in lines)


def _changes(chunk: Chunk) -> bool:
    return chunk.old != chunk.new


def _body(text: str) -> list[str] | None:
    """The lines between the markers, None where they do not stand around all of it."""
    lines = [line.removesuffix("\r") for line in text.strip().split("\n")]
    if len(lines) >= 4 and lines[0] in ("<<EOF", "<<'EOF'", '<<"EOF"') and lines[-1].endswith("EOF"):
        lines = lines[1:-1]
    if len(lines) < 2 or lines[0].strip() != BEGIN or lines[-1].strip() != END:
        return None
    return lines[2:-1] if lines[1].strip().startswith(PREAMBLE) else lines[1:-1]


def _parts(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Each file's header and the lines below it; what stands above the first header is under an empty one."""
    header, below = "", list[str]()
    for line in lines:
        if line.strip().startswith(tuple(PatchKind)):
            if header or any(one.strip() for one in below):
                yield header, below
            header, below = line.strip(), []
        else:
            below.append(line)
    if header or below:
        yield header, below


def _file_patch(header: str, lines: list[str]) -> FilePatch | None:
    kind = next((one for one in PatchKind if header.startswith(one)), None)
    path = header.removeprefix(kind) if kind is not None else ""
    if kind is None or not path:
        return None
    if kind is PatchKind.DELETE:
        return FilePatch(kind, path) if not any(line.strip() for line in lines) else None
    if kind is PatchKind.ADD:
        return _added(path, lines)
    moved_to = ""
    if lines and lines[0].strip().startswith(MOVE):
        moved_to, lines = lines[0].strip().removeprefix(MOVE), lines[1:]
    chunks = _chunks(lines)
    if chunks is None or not (chunks or moved_to):
        return None
    return FilePatch(kind, path, moved_to, chunks=chunks)


def _added(path: str, lines: list[str]) -> FilePatch | None:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    if not all(line.startswith("+") for line in lines):
        return None
    return FilePatch(PatchKind.ADD, path, content="".join(line[1:] + "\n" for line in lines))


def _chunks(lines: list[str]) -> tuple[Chunk, ...] | None:
    """The runs of an updated file, None where a line is none of the language."""
    found: list[Chunk] = []
    is_open = False
    for line in lines:
        marker = line.strip()
        if marker == "@@" or marker.startswith("@@ "):
            found.append(Chunk(marker[3:] if marker != "@@" else None, (), ()))
            is_open = True
        elif marker == END_OF_FILE:
            if not found:
                return None
            found[-1] = _ended(found[-1])
            is_open = False
        elif not is_open and not marker:
            continue  # between two runs
        else:
            if not is_open:
                found.append(Chunk(None, (), ()))
                is_open = True
            grown = _grown(found[-1], line)
            if grown is None:
                return None
            found[-1] = grown
    return tuple(found)


def _ended(chunk: Chunk) -> Chunk:
    return Chunk(chunk.anchor, chunk.old, chunk.new, at_end=True)


def _grown(chunk: Chunk, line: str) -> Chunk | None:
    """The run with one more line; an empty one is an empty line of the file, as models spell it."""
    sign, rest = line[:1] or " ", line[1:]
    if sign not in "+- ":
        return None
    old = (*chunk.old, rest) if sign != "+" else chunk.old
    new = (*chunk.new, rest) if sign != "-" else chunk.new
    return Chunk(chunk.anchor, old, new, chunk.at_end)
