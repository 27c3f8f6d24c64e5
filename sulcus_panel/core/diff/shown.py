r"""Bytes to text a person may look at: decoded for showing only, with nothing in it that acts or hides.

Whatever is not printable becomes an escape (`\x1b`, `\u202e`), a byte that is not UTF-8 too, so that two
different lines never look the same. UTF-16 is known by its byte order mark.
"""

import codecs
import unicodedata
from dataclasses import dataclass

from sulcus_panel.core.diff.hunks import is_binary, split_lines

MAX_SHOWN_LINE = 2_000
"""Characters of one line that are shown; the rest is counted."""
LEAD = 100
"""Characters shown before the first difference of a line that is cut at its front."""
MAX_MARKS = 4
"""Combining marks in a row that are drawn over one letter; more are escaped."""
TAB = 4
"""Columns between tab stops."""
CR_SIGN = "␍"

_PRINTABLE = b"\t" + bytes(range(0x20, 0x7F))
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)


def as_utf8(data: bytes) -> bytes:
    """Return UTF-16 text with a byte order mark as UTF-8 with one, anything else as it is."""
    if data.startswith(_UTF16) and not data.startswith(_UTF32):
        return codecs.BOM_UTF8 + data.decode("utf-16", "replace").encode()
    return data


def is_shown_as_text(data: bytes) -> bool:
    """Say whether `data` can be shown line by line."""
    return not is_binary(as_utf8(data))


def escape(text: str) -> str:
    """Return `text` with all but printable characters and tabs escaped."""
    if text.replace("\t", " ").isprintable() and (text.isascii() or not _piled(text)):
        return text
    parts: list[str] = []
    marks = 0
    for char in text:
        marks = marks + 1 if unicodedata.combining(char) else 0
        shown = char == "\t" or (char.isprintable() and marks <= MAX_MARKS)
        parts.append(char if shown else _escaped(char))
    return "".join(parts)


def _piled(text: str) -> bool:
    return sum(1 for char in text if unicodedata.combining(char)) > MAX_MARKS


def _escaped(char: str) -> str:
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def clip(text: str, focus: int = 0) -> str:
    """Return at most MAX_SHOWN_LINE characters of `text`, around `focus`, with what is left out counted."""
    if len(text) <= MAX_SHOWN_LINE:
        return text
    start = max(0, focus - LEAD) if focus > MAX_SHOWN_LINE - LEAD else 0
    end = start + MAX_SHOWN_LINE
    front = f"… {start:,} characters … " if start else ""
    rest = len(text) - end
    return front + text[start:end] + (f" … {rest:,} more characters" if rest > 0 else "")


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: its lines as UTF-8 bytes with their ends, shown one at a time.

    `show_cr` makes a CR before the LF visible; `skip_bom` hides a byte order mark.
    """

    lines: list[bytes]
    show_cr: bool = False
    skip_bom: bool = True

    def decoded(self, index: int) -> str:
        """Return the text of one line without its end, undecodable bytes escaped, nothing left out."""
        line = self.lines[index].removesuffix(b"\n")
        if index == 0 and self.skip_bom:
            line = line.removeprefix(codecs.BOM_UTF8)
        text = line.decode("utf-8", "backslashreplace")
        if text.endswith("\r"):
            return text[:-1] + CR_SIGN if self.show_cr else text[:-1]
        return text

    def text(self, index: int, focus: int = 0) -> str:
        """Return one line as it is shown, cut around `focus` where it is long."""
        return escape(clip(self.decoded(index), focus))

    def lacks_newline(self, index: int) -> bool:
        """Say whether this line is the last and has no LF."""
        return not self.lines[index].endswith(b"\n")

    def is_verbatim(self, index: int) -> bool:
        """Say whether a line is shown character by character, so that a lexer's columns fit it."""
        text = self.raw(index).removesuffix("\n").removesuffix("\r")
        if index == 0 and self.skip_bom:
            text = text.removeprefix("\ufeff")
        return len(text) <= MAX_SHOWN_LINE and "\ufffd" not in text and escape(text) == text

    def raw(self, index: int) -> str:
        """Return one line with its end as text for the clipboard."""
        return self.lines[index].decode("utf-8", "replace")

    def whole(self) -> str:
        """Return the whole text for a lexer; where a line is shown unescaped and uncut, columns agree."""
        text = b"".join(self.lines).decode("utf-8", "replace")
        return text[1:] if self.skip_bom and text.startswith("\ufeff") else text

    def columns(self) -> int:
        """Return an upper estimate of the widest shown line, in columns of a fixed-width font."""
        return max(map(_columns, self.lines), default=0)


def _columns(line: bytes) -> int:
    line = line.rstrip(b"\r\n")
    if line.isascii():
        escaped = 3 * len(line.translate(None, _PRINTABLE))
        return min(len(line.expandtabs(TAB)) + escaped, MAX_SHOWN_LINE + LEAD)
    text = line.decode("utf-8", "backslashreplace")[:MAX_SHOWN_LINE]
    wide = sum(1 for char in text if unicodedata.east_asian_width(char) in "WF")
    return len(escape(text).expandtabs(TAB)) + wide


def both_sides(old: bytes | None, new: bytes | None) -> tuple[Side, Side]:
    """Return the two sides as they are shown beside each other: what differs in ends or mark is visible."""
    sides = [as_utf8(data) for data in (old, new) if data is not None]
    boms = {data.startswith(codecs.BOM_UTF8) for data in sides if data}
    ends = set().union(*map(_line_ends, sides))
    show_cr, skip_bom = len(ends) > 1, len(boms) < 2
    left, right = (split_lines(as_utf8(data or b"")) for data in (old, new))
    return Side(left, show_cr, skip_bom), Side(right, show_cr, skip_bom)


def _line_ends(data: bytes) -> set[bytes]:
    crlf, lf = data.count(b"\r\n"), data.count(b"\n")
    return ({b"\r\n"} if crlf else set()) | ({b"\n"} if lf > crlf else set())
