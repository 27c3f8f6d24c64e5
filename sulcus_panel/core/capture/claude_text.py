"""A tool's string edits applied to a file's bytes, exactly or not at all.

The harness edits text with LF line ends and writes back with the ends that the file had; its display diff
is only good for checking a result, since it shows each tab as two spaces.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sulcus_panel.core.capture.adapter import TextEdit
from sulcus_panel.core.capture.claude_records import PatchHunk


@dataclass(frozen=True, slots=True)
class Unknown:
    """Something that cannot be known, and why in a few words."""

    reason: str


NOT_UNICODE = Unknown("the text in the transcript is not valid Unicode")
MIXED_ENDS = Unknown("the file's line ends are mixed and the transcript does not hold them")


def encode(text: str) -> bytes | Unknown:
    """The UTF-8 bytes of a transcript's string; half a surrogate pair stands for lost bytes."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return NOT_UNICODE


def apply_edits(base: bytes, edits: Sequence[TextEdit], patch: Sequence[PatchHunk]) -> bytes | Unknown:
    """The bytes after all edits, in order. `patch` settles what the edits leave open."""
    if not edits:
        return Unknown("the transcript does not tell what was replaced")
    content = base
    for edit in edits:
        result = _apply(content, edit, patch if len(edits) == 1 else ())
        if isinstance(result, Unknown):
            return result
        content = result
    return content


def whole_text(content: str, base: bytes | None) -> bytes | Unknown:
    """The bytes of a file written anew; `base` is what stood there, None where nothing or unknown."""
    if base is not None and b"\r\n" in base and "\r\n" not in content and "\n" in content:
        return Unknown("the transcript does not tell with which line ends it was written")
    return encode(content)


def same_text(one: bytes, other: bytes) -> bool:
    """Equal but for what a transcript loses: a byte order mark and the kind of line ends."""
    return one == other or _unmarked(one) == _unmarked(other)


def agrees(old: bytes, new: bytes, patch: Sequence[PatchHunk]) -> bool:
    """False where the harness's own display diff contradicts these texts. No diff contradicts nothing."""
    old_lines, new_lines = _shown_lines(old), _shown_lines(new)
    for hunk in patch:
        removed = [_shown(line[1:]) for line in hunk.lines if line[:1] in (" ", "-")]
        added = [_shown(line[1:]) for line in hunk.lines if line[:1] in (" ", "+")]
        if not _stands(removed, old_lines, hunk.old_start) or not _stands(added, new_lines, hunk.new_start):
            return False
    return True


def _apply(content: bytes, edit: TextEdit, patch: Sequence[PatchHunk]) -> bytes | Unknown:
    old, new = encode(edit.old), encode(edit.new)
    if isinstance(old, Unknown) or isinstance(new, Unknown):
        return NOT_UNICODE
    if not old:
        return Unknown("the edit names no text to replace") if content else new
    if b"\r\n" in content:
        if content.count(b"\r\n") != content.count(b"\n"):
            return MIXED_ENDS
        old, new = _with_crlf(old), _with_crlf(new)
    if not new:
        old = _removed_run(content, old, edit, patch)
    count = content.count(old)
    if count == 0:
        return Unknown("the text to replace does not stand in the file as it is known")
    if count > 1 and not edit.every:
        return Unknown(f"the text to replace stands {count} times in the file as it is known")
    return content.replace(old, new)


def _removed_run(content: bytes, old: bytes, edit: TextEdit, patch: Sequence[PatchHunk]) -> bytes:
    """What an edit to nothing takes away: some versions take the line's end too, as their diff shows."""
    end = b"\r\n" if b"\r\n" in content else b"\n"
    if not patch or old.endswith(b"\n") or old + end not in content:
        return old
    plain = content.replace(old, b"") if edit.every else content.replace(old, b"", 1)
    return old if agrees(content, plain, patch) else old + end


def _stands(shown: Sequence[str], lines: Sequence[str], start: int) -> bool:
    first = max(start - 1, 0)
    return not shown or list(lines[first : first + len(shown)]) == list(shown)


def _shown_lines(data: bytes) -> list[str]:
    lines = data.decode("utf-8", "replace").removeprefix("\ufeff").split("\n")
    return [_shown(line) for line in lines]


def _shown(line: str) -> str:
    return line.rstrip("\r").removeprefix("\ufeff").replace("\t", "  ")


def _with_crlf(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _unmarked(data: bytes) -> bytes:
    return data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
