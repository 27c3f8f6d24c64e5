"""A comparison as the unified diff everybody knows, safe to print: no control character survives."""

from collections.abc import Iterable, Iterator, Sequence

from sulcus_panel.core.diff.excerpts import ADDED, REMOVED, Excerpt, excerpts
from sulcus_panel.core.diff.hunks import diff_hunks
from sulcus_panel.core.diff.shown import Side, as_utf8, both_sides, escape, is_shown_as_text
from sulcus_panel.core.model import Hunk

NO_NEWLINE = "\\ No newline at end of file"


def render_unified(path: str, old: bytes | None, new: bytes | None, *, context: int = 3) -> str:
    """Return the differences of two texts with LF after each line; "" where there are none.

    None is a file that is not there. It is made to be read: long lines are cut and controls escaped, so it is not
    a patch (that is render_patch).
    """
    if old == new:
        return ""
    if not all(is_shown_as_text(data) for data in (old, new) if data is not None):
        return f"Binary file {escape(path)}: {_size(old)} before, {_size(new)} after.\n"
    sides = both_sides(old, new)
    hunks = diff_hunks(as_utf8(old or b""), as_utf8(new or b""))
    head = [
        "--- /dev/null" if old is None else f"--- a/{escape(path)}",
        "+++ /dev/null" if new is None else f"+++ b/{escape(path)}",
    ]
    found = excerpts(hunks, len(sides[0].lines), context)
    return "".join(f"{line}\n" for line in (*head, *_body(*sides, found)))


def _body(old: Side, new: Side, found: Iterable[Excerpt]) -> Iterator[str]:
    for excerpt in found:
        yield excerpt.header
        for sign, line in excerpt.lines():
            side = new if sign == ADDED else old
            yield sign + side.text(line)
            if side.lacks_newline(line):
                yield NO_NEWLINE


def render_hunks(path: str, hunks: Sequence[Hunk]) -> str:
    """Return the changed lines alone, under the numbers they have in the files; for hunks that carry texts.

    Nothing is known of the lines around them. A text of None counts as empty.
    """
    lines = [f"--- a/{escape(path)}", f"+++ b/{escape(path)}"]
    for hunk in hunks:
        (excerpt,) = excerpts((hunk,), hunk.before_start + hunk.before_lines, 0)
        old, new = both_sides(hunk.old or b"", hunk.new or b"")
        lines.append(excerpt.header)
        for sign, side in ((REMOVED, old), (ADDED, new)):
            for index in range(len(side.lines)):
                lines.append(sign + side.text(index))
                if side.lacks_newline(index):
                    lines.append(NO_NEWLINE)
    return "".join(f"{line}\n" for line in lines)


def _size(data: bytes | None) -> str:
    return "no file" if data is None else f"{len(data):,} bytes"
