"""Where the cursor of the diff view stands, what is selected from there, and where a key takes it. Pure."""

from dataclasses import dataclass, replace

from PySide6.QtCore import Qt

from sulcus_panel.core.diff import DiffSide


@dataclass(frozen=True, slots=True)
class Selection:
    """Whole rows from `anchor` to `head`, where the cursor is. Not `active`, it is only the cursor."""

    anchor: int
    head: int
    side: DiffSide = DiffSide.NEW
    active: bool = False

    @property
    def first(self) -> int:
        """The topmost row."""
        return min(self.anchor, self.head)

    @property
    def last(self) -> int:
        """The lowest row."""
        return max(self.anchor, self.head)

    @property
    def rows(self) -> range:
        """All rows from first to last."""
        return range(self.first, self.last + 1)

    def moved(self, row: int, *, keep_anchor: bool) -> "Selection":
        """Return the selection with its head at `row`, grown from the anchor or started anew."""
        return replace(self, anchor=self.anchor if keep_anchor else row, head=row, active=keep_anchor)

    def on(self, side: DiffSide) -> "Selection":
        """Return the same rows of another side."""
        return replace(self, side=side)


def row_after_key(key: int, row: int, page: int, count: int) -> int | None:
    """Return the row a key leads to from `row`, or None for a key that leads nowhere."""
    steps = {
        Qt.Key.Key_Up: row - 1,
        Qt.Key.Key_Down: row + 1,
        Qt.Key.Key_PageUp: row - page,
        Qt.Key.Key_PageDown: row + page,
        Qt.Key.Key_Home: 0,
        Qt.Key.Key_End: count - 1,
    }
    target = next((target for known, target in steps.items() if known == key), None)
    return None if target is None else max(0, min(target, count - 1))
