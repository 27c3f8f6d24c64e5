"""What a call's strings do to a file's bytes. Pure; used to prove a state, never to guess one.

A harness speaks of files as text: it may have dropped a BOM, turned CRLF into LF, or decoded UTF-16. So every
question is asked in each of these spellings, and only an answer that meets the bytes seen counts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sulcus_panel.core.capture.adapter import TextEdit, ToolCall, ToolKind


@dataclass(frozen=True, slots=True)
class Spelling:
    """One way in which a harness's text may stand in a file."""

    codec: str
    mark: bytes = b""
    crlf: bool = False

    def encode(self, text: str) -> bytes:
        """A part of a file; UnicodeEncodeError where the text is no text (lone surrogates)."""
        return (text.replace("\n", "\r\n") if self.crlf else text).encode(self.codec)

    def encode_file(self, text: str) -> bytes:
        """A whole file."""
        data = self.encode(text)
        return data if data.startswith(self.mark) else self.mark + data


SPELLINGS = tuple(
    Spelling(codec, mark, crlf)
    for codec, mark in (("utf-8", b""), ("utf-8", b"\xef\xbb\xbf"), ("utf-16-le", b"\xff\xfe"))
    for crlf in (False, True)
)


def apply_edits(data: bytes, edits: Sequence[TextEdit], spelling: Spelling) -> bytes | None:
    """`data` after these replacements, None where one has no place or more than one."""
    for edit in edits:
        old, new = spelling.encode(edit.old), spelling.encode(edit.new)
        if not old:
            if data.removeprefix(spelling.mark):
                return None
            data = spelling.mark + new
            continue
        found = data.count(old)
        if found == 0 or (found > 1 and not edit.every):
            return None
        data = data.replace(old, new)
    return data


def results(call: ToolCall, before: bytes) -> Iterator[bytes]:
    """Every content that the call may have left in a file that held `before`."""
    for spelling in SPELLINGS:
        try:
            yield from _results(call, before, spelling)
        except UnicodeEncodeError:
            return


def _results(call: ToolCall, before: bytes, spelling: Spelling) -> Iterator[bytes]:
    if call.content is not None:
        yield spelling.encode_file(call.content)
        return
    if call.kind is not ToolKind.EDIT or not call.edits:
        return
    for edits in (call.edits, _with_line_ends(call.edits)):
        result = apply_edits(before, edits, spelling)
        if result is not None:
            yield result


def _with_line_ends(edits: Sequence[TextEdit]) -> tuple[TextEdit, ...]:
    """A deletion takes the line's end along: Claude Code does so where the text stands at a line's end."""
    return tuple(
        TextEdit(edit.old + "\n", "", edit.every) if edit.old and not edit.new else edit for edit in edits
    )


def rebuild_before(call: ToolCall, original: str, after: bytes) -> bytes | None:
    """The bytes before the call, from the text that the harness gives, if the call makes `after` of them."""
    for spelling in SPELLINGS:
        try:
            before = spelling.encode_file(original)
            if after in _results(call, before, spelling):
                return before
        except UnicodeEncodeError:
            return None
    return None
