"""What the diff view is given: two texts compared, or one sentence why there is nothing to compare.

Building it is pure and may take a while for big files: do it on a worker.
"""

from dataclasses import dataclass

from sulcus_panel.core.diff import Comparison, DiffSide, compare
from sulcus_panel.core.diff.shown import is_shown_as_text

MAX_SHOWN_BYTES = 16 * 2**20
"""A file with more bytes than this is named, not shown."""
NOTHING_CHOSEN = "Select a change to see what it did."


@dataclass(frozen=True, slots=True)
class DiffDocument:
    """Two sides of a path with their labels ("before #840"), or a message in place of them."""

    path: str
    comparison: Comparison | None = None
    message: str = ""
    old_label: str = ""
    new_label: str = ""

    def text(self, side: DiffSide) -> str:
        """Return the whole text of a side for a lexer; its lines are those of the view."""
        return self.comparison.side(side).whole() if self.comparison else ""

    def describe(self) -> str:
        """Return the document in one sentence, for a screen reader."""
        if self.comparison is None:
            return self.message
        plus, minus = self.comparison.counts
        count = len(self.comparison.hunks)
        return (
            f"{count:,} {'difference' if count == 1 else 'differences'}, "
            f"{plus:,} {'line' if plus == 1 else 'lines'} added, {minus:,} removed."
        )


EMPTY = DiffDocument("", message=NOTHING_CHOSEN)


def build_document(
    path: str,
    old: bytes | None,
    new: bytes | None,
    *,
    labels: tuple[str, str] = ("", ""),
    ignore_whitespace: bool = False,
) -> DiffDocument:
    """Compare two files for the view; None is a file that is not there.

    For contents that are not known, make a DiffDocument with a message instead.
    """
    message = _why_not(old, new)
    if message:
        return DiffDocument(path, None, message, *labels)
    comparison = compare(old, new, ignore_whitespace=ignore_whitespace)
    if not comparison.hunks:
        return DiffDocument(path, None, "Only white space differs.", *labels)
    return DiffDocument(path, comparison, "", *labels)


def _why_not(old: bytes | None, new: bytes | None) -> str:
    """Return why two files cannot be shown line by line, or ""."""
    sides = [data for data in (old, new) if data is not None]
    if not any(sides) and old != new:
        return "An empty file was created." if old is None else "An empty file was deleted."
    if old == new:
        return "Both sides are the same." if sides else "There is no file on either side."
    if max(map(len, sides)) > MAX_SHOWN_BYTES:
        return f"Too large to show: {_size(old)} before, {_size(new)} after."
    if not all(map(is_shown_as_text, sides)):
        return f"A binary file: {_size(old)} before, {_size(new)} after."
    return ""


def _size(data: bytes | None) -> str:
    return "no file" if data is None else f"{len(data):,} bytes"
