"""What a call's strings do to a file's bytes, exactly or not at all. Pure.

A harness speaks of files as text: it may have dropped a BOM, turned CRLF into LF, or decoded UTF-16. Who has
seen the bytes after asks in each of these spellings, and only an answer that meets them counts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sulcus_panel.core.capture.adapter import TextEdit, ToolCall, ToolKind


@dataclass(frozen=True, slots=True)
class Unknown:
    """Something that cannot be known, and why in a few words."""

    reason: str


NOT_UNICODE = Unknown("the text in the transcript is not valid Unicode")


@dataclass(frozen=True, slots=True)
class Spelling:
    """One way in which a harness's text may stand in a file."""

    codec: str
    mark: bytes = b""
    crlf: bool = False

    def encode(self, text: str) -> bytes:
        """A part of a file; UnicodeEncodeError where the text is no text (lone surrogates)."""
        spelled = text.replace("\r\n", "\n").replace("\n", "\r\n") if self.crlf else text
        return spelled.encode(self.codec)

    def encode_file(self, text: str) -> bytes:
        """A whole file."""
        data = self.encode(text)
        return data if data.startswith(self.mark) else self.mark + data


SPELLINGS = tuple(
    Spelling(codec, mark, crlf)
    for codec, mark in (("utf-8", b""), ("utf-8", b"\xef\xbb\xbf"), ("utf-16-le", b"\xff\xfe"))
    for crlf in (False, True)
)
LF, CRLF = SPELLINGS[:2]


def apply_edits(
    data: bytes, edits: Sequence[TextEdit], spelling: Spelling, *, whole_lines: bool = False
) -> bytes | Unknown:
    """`data` after these replacements, in order; Unknown where one has no place or more than one.

    `whole_lines`: a deletion takes the line end behind it along, as some versions of a harness do.
    """
    result: bytes | Unknown = data
    for edit in edits:
        if isinstance(result, bytes):
            result = _apply(result, edit, spelling, whole_lines=whole_lines)
    return result


def _apply(data: bytes, edit: TextEdit, spelling: Spelling, *, whole_lines: bool) -> bytes | Unknown:
    found = replacement(data, edit, spelling, whole_lines=whole_lines)
    if isinstance(found, Unknown):
        return found
    old, new = found
    return data.replace(old, new) if old else new


def replacement(
    data: bytes, edit: TextEdit, spelling: Spelling, *, whole_lines: bool
) -> tuple[bytes, bytes] | Unknown:
    """What gives way to what, wherever it stands in `data`; nothing gives way to a whole file that was empty.

    Unknown where it does not stand there, or more than once and not all of them are meant.
    """
    try:
        old, new, end = spelling.encode(edit.old), spelling.encode(edit.new), spelling.encode("\n")
    except UnicodeEncodeError:
        return NOT_UNICODE
    if not old:
        empty = not data.removeprefix(spelling.mark)
        return (b"", spelling.mark + new) if empty else Unknown("the edit names no text to replace")
    if whole_lines and not new and not old.endswith(end) and old + end in data:
        old += end
    count = data.count(old)
    if count == 0:
        return Unknown("the text to replace does not stand in the file as it is known")
    if count > 1 and not edit.every:
        return Unknown(f"the text to replace stands {count} times in the file as it is known")
    return old, new


def results(call: ToolCall, before: bytes) -> Iterator[bytes]:
    """Every content that the call may have left in a file that held `before`."""
    for spelling in SPELLINGS:
        yield from _results(call, before, spelling)


def _results(call: ToolCall, before: bytes, spelling: Spelling) -> Iterator[bytes]:
    if call.content is not None:
        whole = _whole(call.content, spelling)
        if whole is not None:
            yield whole
    elif call.kind is ToolKind.EDIT and call.edits:
        for whole_lines in (False, True):
            result = apply_edits(before, call.edits, spelling, whole_lines=whole_lines)
            if isinstance(result, bytes):
                yield result


def rebuild_before(call: ToolCall, original: str, after: bytes) -> bytes | None:
    """The bytes before the call, from the text that the harness gives, if the call makes `after` of them."""
    for spelling in SPELLINGS:
        before = _whole(original, spelling)
        if before is not None and after in _results(call, before, spelling):
            return before
    return None


def _whole(text: str, spelling: Spelling) -> bytes | None:
    try:
        return spelling.encode_file(text)
    except UnicodeEncodeError:
        return None
