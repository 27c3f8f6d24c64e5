"""aider's SEARCH/REPLACE blocks on a file's bytes: as the tool applies them, or nothing at all. Pure.

The first place where the lines stand exactly is the one that gives way. What the tool does beyond that (other
indentation, elided lines, another file of the chat) is not imitated: then the result is unknown. It ends the
last line of every file in which it replaces, and reads and writes line ends as the system has them.
Source: aider/coders/editblock_coder.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sulcus_panel.core.capture.edits import NOT_UNICODE, Unknown
from sulcus_panel.core.diff import split_lines

NOT_THERE = Unknown("the lines to replace do not stand in the file as it is known")
NO_TEXT = Unknown("the file as it is known is no text with plain line ends")
ODD_LINES = Unknown("the block holds line separators that aider rewrites")
NO_FILE_THERE = Unknown("the block replaces lines of a file that was not there")
FENCES = ("```", "````", "<source>", "<code>", "<pre>", "<codeblock>", "<sourcecode>")


@dataclass(frozen=True, slots=True)
class Block:
    """What a reply asks of one file: `old` gives way to `new`; None: `new` is the whole file."""

    path: str
    old: str | None
    new: str


def apply_blocks(data: bytes | None, blocks: Sequence[Block]) -> bytes | Unknown:
    """The bytes after these blocks, in order; `data` None: there was no file."""
    result: bytes | Unknown | None = data
    for block in blocks:
        if isinstance(result, Unknown):
            break
        result = _apply(result, block)
    return NOT_THERE if result is None else result


def take_back(after: bytes, blocks: Sequence[Block]) -> bytes | None:
    """The bytes before these blocks where only one text can have become `after`, else None.

    But for the end of the last line: aider adds it, and whether it was there before nobody can tell.
    """
    result = after
    for block in reversed(blocks):
        before = _take_back(result, block)
        if before is None or _apply(before, block) != result:
            return None
        result = before
    return result


def _apply(data: bytes | None, block: Block) -> bytes | Unknown:
    texts = _encoded(block)
    if isinstance(texts, Unknown):
        return texts
    old, new = texts
    if block.old is None:
        return new
    if data is None:
        return new if not old.strip() else NO_FILE_THERE
    if not _is_text(data):
        return NO_TEXT
    return data + new if not old.strip() else _replaced(data, old, new)


def _replaced(data: bytes, old: bytes, new: bytes) -> bytes | Unknown:
    lines = split_lines(_ended(data))
    gone = split_lines(_ended(old))
    at = next(iter(_standing(lines, gone)), None)
    if at is None:
        return NOT_THERE
    return b"".join([*lines[:at], _ended(new), *lines[at + len(gone) :]])


def _take_back(after: bytes, block: Block) -> bytes | None:
    texts = _encoded(block)
    if isinstance(texts, Unknown) or block.old is None or not _is_text(after):
        return None
    old, new = texts
    if not new:
        return None
    if not old.strip():
        return after.removesuffix(new) if after.endswith(new) and after != new else None
    lines, come = split_lines(after), split_lines(_ended(new))
    places = _standing(lines, come)
    if len(places) != 1:
        return None
    return b"".join([*lines[: places[0]], _ended(old), *lines[places[0] + len(come) :]])


def _standing(lines: Sequence[bytes], part: Sequence[bytes]) -> list[int]:
    wanted = list(part)
    return [at for at in range(len(lines) - len(wanted) + 1) if lines[at : at + len(wanted)] == wanted]


def _encoded(block: Block) -> tuple[bytes, bytes] | Unknown:
    found: list[bytes] = []
    for text in (block.old or "", block.new):
        bare = text if block.old is None else _unwrapped(text, block.path)
        if block.old is not None and len(bare.splitlines()) != bare.count("\n"):
            return ODD_LINES
        try:
            found.append(bare.encode())
        except UnicodeEncodeError:
            return NOT_UNICODE
    return found[0], found[1]


def _unwrapped(text: str, path: str) -> str:
    """The text without the file's name and the fences that models put around it, as the tool takes them off."""
    lines = text.split("\n")[:-1] if text.endswith("\n") else text.split("\n")
    if not text or not lines:
        return text
    if lines[0].strip().endswith(path.replace("\\", "/").rpartition("/")[2]):
        lines = lines[1:]
    if len(lines) > 1 and lines[0].startswith(FENCES[0]) and lines[-1].startswith(FENCES[0]):
        lines = lines[1:-1]
    return "".join(line + "\n" for line in lines)


def _is_text(data: bytes) -> bool:
    if b"\r" in data:
        return False
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _ended(data: bytes) -> bytes:
    return data + b"\n" if data and not data.endswith(b"\n") else data
