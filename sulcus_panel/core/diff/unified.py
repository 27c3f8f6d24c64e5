"""A comparison as the unified diff everybody knows, safe to print: no control character survives."""

from collections.abc import Iterator

from sulcus_panel.core.diff.comparison import Comparison, compare
from sulcus_panel.core.diff.rows import NO_NEWLINE
from sulcus_panel.core.diff.shown import Side, escape, is_shown_as_text
from sulcus_panel.core.model import Hunk


def render_unified(path: str, old: bytes | None, new: bytes | None, *, context: int = 3) -> str:
    """Return the differences of two texts with LF after each line; "" where there are none.

    None is a file that is not there. It is made to be read: long lines are cut, so it is not a patch.
    """
    if old == new:
        return ""
    if not all(is_shown_as_text(data) for data in (old, new) if data is not None):
        return f"Binary file {escape(path)}: {_size(old)} before, {_size(new)} after.\n"
    comparison = compare(old, new)
    head = [
        "--- /dev/null" if old is None else f"--- a/{escape(path)}",
        "+++ /dev/null" if new is None else f"+++ b/{escape(path)}",
    ]
    groups = _groups(comparison.hunks, context)
    body = [line for group in groups for line in _render(comparison, group, context)]
    return "".join(f"{line}\n" for line in head + body)


def _size(data: bytes | None) -> str:
    return "no file" if data is None else f"{len(data):,} bytes"


def _groups(hunks: tuple[Hunk, ...], context: int) -> list[list[Hunk]]:
    """Put hunks together whose context would touch."""
    groups: list[list[Hunk]] = []
    end = 0
    for hunk in hunks:
        if groups and hunk.before_start - end <= 2 * context:
            groups[-1].append(hunk)
        else:
            groups.append([hunk])
        end = hunk.before_start + hunk.before_lines
    return groups


def _render(comparison: Comparison, group: list[Hunk], context: int) -> Iterator[str]:
    old, new = comparison.old, comparison.new
    first, last = group[0], group[-1]
    before = min(context, first.before_start)
    after = min(context, len(old.lines) - last.before_start - last.before_lines)
    start_old, start_new = first.before_start - before, first.after_start - before
    end_old = last.before_start + last.before_lines + after
    end_new = last.after_start + last.after_lines + after
    yield f"@@ -{_range(start_old, end_old)} +{_range(start_new, end_new)} @@"
    at_old = start_old
    for hunk in group:
        yield from _lines(" ", old, at_old, hunk.before_start)
        at_old = hunk.before_start + hunk.before_lines
        yield from _lines("-", old, hunk.before_start, at_old)
        yield from _lines("+", new, hunk.after_start, hunk.after_start + hunk.after_lines)
    yield from _lines(" ", old, at_old, end_old)


def _range(start: int, end: int) -> str:
    count = end - start
    first = start + 1 if count else start
    return f"{first}" if count == 1 else f"{first},{count}"


def _lines(sign: str, side: Side, start: int, end: int) -> Iterator[str]:
    for index in range(start, end):
        yield sign + side.text(index)
        if side.lacks_newline(index):
            yield NO_NEWLINE
