"""A change as a patch in git's format, exact to the byte: `git apply` makes the new file, `-R` the old one.

What to look at is render_unified(); this is for programs, and goes to a screen only escaped.
"""

import stat

from sulcus_panel.core.diff.excerpts import ADDED, excerpts
from sulcus_panel.core.diff.hunks import diff_hunks, is_binary, split_lines
from sulcus_panel.core.diff.shown import escape

CONTEXT = 3
NO_NEWLINE = b"\\ No newline at end of file\n"
FILE, PROGRAM, LINK = 0o100644, 0o100755, 0o120000
"""The modes that git knows."""

_SHORT = {7: b"\\a", 8: b"\\b", 9: b"\\t", 10: b"\\n", 11: b"\\v", 12: b"\\f", 13: b"\\r"}
_SHORT |= {ord('"'): b'\\"', ord("\\"): b"\\\\"}


def render_patch(
    path: str, old: bytes | None, new: bytes | None, old_mode: int | None, new_mode: int | None
) -> bytes:
    """Return the patch from `old` to `new`, b"" where git sees no difference; None is no file.

    Modes are those of stat (permission bits, S_IFLNK for a link whose text is given) or None where unknown:
    then the other side's counts, else a plain file's. What is not text gives one line of comment.
    """
    modes = _git_mode(old_mode, new_mode), _git_mode(new_mode, old_mode)
    if old is None or new is None:
        return _whole(path, old, new, modes)
    if (modes[0] == LINK) is not (modes[1] == LINK):
        return _whole(path, old, None, modes) + _whole(path, None, new, modes)
    changed = [b"old mode %o\n" % modes[0], b"new mode %o\n" % modes[1]] if modes[0] != modes[1] else []
    if old == new and not changed:
        return b""
    if old != new and not _is_text(old, new):
        return comment(f"{path}: a binary file, which this patch leaves out")
    return b"".join([_title(path), *changed, _body(path, old, new)])


def comment(text: str) -> bytes:
    """Return a line that every patch tool passes over."""
    return f"# {escape(text)}\n".encode()


def _git_mode(mode: int | None, other: int | None) -> int:
    if mode is not None and stat.S_ISLNK(mode):
        return LINK
    known = mode if mode is not None else other
    is_program = known is not None and not stat.S_ISLNK(known) and known & stat.S_IXUSR
    return PROGRAM if is_program else FILE


def _is_text(*sides: bytes | None) -> bool:
    return not any(side is not None and is_binary(side) for side in sides)


def _whole(path: str, old: bytes | None, new: bytes | None, modes: tuple[int, int]) -> bytes:
    """Return the creation or the deletion of a file."""
    if old is None and new is None:
        return b""
    if not _is_text(old, new):
        return comment(f"{path}: a binary file, which this patch leaves out")
    fate = b"new file mode %o\n" % modes[1] if old is None else b"deleted file mode %o\n" % modes[0]
    return _title(path) + fate + _body(path, old, new)


def _title(path: str) -> bytes:
    return b"diff --git %s %s\n" % (_quoted("a/" + path), _quoted("b/" + path))


def _body(path: str, old: bytes | None, new: bytes | None) -> bytes:
    hunks = diff_hunks(old or b"", new or b"")
    if not hunks:
        return b""
    before, after = split_lines(old or b""), split_lines(new or b"")
    parts = [b"--- " + _side("a/", path, old), b"+++ " + _side("b/", path, new)]
    for excerpt in excerpts(hunks, len(before), CONTEXT):
        parts.append(excerpt.header.encode() + b"\n")
        for sign, number in excerpt.lines():
            line = (after if sign == ADDED else before)[number]
            parts.append(sign.encode() + line)
            if not line.endswith(b"\n"):
                parts.append(b"\n" + NO_NEWLINE)
    return b"".join(parts)


def _side(prefix: str, path: str, data: bytes | None) -> bytes:
    if data is None:
        return b"/dev/null\n"
    name = _quoted(prefix + path)
    # As git does: a tab ends a name with blanks, or a reader would look for a date behind them.
    return name + (b"\t\n" if b" " in name else b"\n")


def _quoted(name: str) -> bytes:
    """Return a name as git writes it: in quotes, with octal escapes, where it holds an odd byte."""
    raw = name.encode("utf-8", "surrogateescape")
    if all(0x20 <= byte < 0x7F and byte not in _SHORT for byte in raw):
        return raw
    return b'"%s"' % b"".join(_escaped(byte) for byte in raw)


def _escaped(byte: int) -> bytes:
    if byte in _SHORT:
        return _SHORT[byte]
    return b"%c" % byte if 0x20 <= byte < 0x7F else b"\\%03o" % byte
