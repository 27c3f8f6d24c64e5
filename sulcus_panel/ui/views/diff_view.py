"""The diff a person reads: gestures, selection and speech over the canvas.

Lines are selected whole, by mouse or keyboard; folds open on a click, Enter or Space; F7 and Shift+F7 go
from difference to difference, each of which is told to screen readers.
"""

from dataclasses import replace

from PySide6.QtCore import QBasicTimer, QEvent, Qt, QTimerEvent, Signal, Slot
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAction,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
)
from PySide6.QtWidgets import QWidget

from sulcus_panel.core.diff import DiffRows, DiffSide, RowKind
from sulcus_panel.core.safety import plain
from sulcus_panel.ui.views.diff_canvas import DiffCanvas
from sulcus_panel.ui.views.diff_cells import text_between
from sulcus_panel.ui.views.diff_document import EMPTY, DiffDocument
from sulcus_panel.ui.views.diff_painter import Look
from sulcus_panel.ui.views.diff_steps import Selection, row_after_key

AUTOSCROLL = 40
"""Milliseconds between steps while a drag is held outside the view."""
OPENING_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class DiffView(DiffCanvas):
    """Shows one DiffDocument. `difference_shown` tells which difference (from 0) of how many is current.

    `fold_toggled` names the fold by the number of the difference it stands before, and says if it is open.
    """

    difference_shown = Signal(int, int)
    fold_toggled = Signal(int, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._selection = Selection(0, 0)
        self._difference = -1
        self._is_dragging = False
        self._drag_y = 0
        self._autoscroll = QBasicTimer()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self._add_actions()
        self.show_diff(EMPTY)

    def show_diff(self, document: DiffDocument) -> None:
        """Show another document, from its top."""
        super().show_diff(document)
        self._difference = -1
        self._select(Selection(0, 0))
        self._describe("")

    def set_rows(self, rows: DiffRows) -> None:
        """Show the same comparison in other rows, with the same line at the top and under the cursor."""
        before = self.rows
        super().set_rows(rows)
        if before is not None:
            head = rows.same_row(before, self._selection.head)
            self._select(Selection(head, head, self._selection.side))

    @Slot()
    def next_difference(self) -> bool:
        """Go to the next difference below the cursor. Returns False where there is none."""
        if self.rows is None:
            return False
        start = self._selection.head + (1 if self._difference >= 0 else 0)
        return self._go_to(next((row for row in self.rows.differences if row >= start), -1))

    @Slot()
    def previous_difference(self) -> bool:
        """Go to the difference above the cursor. Returns False where there is none."""
        if self.rows is None:
            return False
        head = self._selection.head
        return self._go_to(next((row for row in reversed(self.rows.differences) if row < head), -1))

    @Slot()
    def open_all_folds(self) -> None:
        """Show every unchanged line."""
        if self.rows is not None:
            self.set_rows(self.rows.with_opened(self.rows.all_folds()))

    @Slot()
    def close_all_folds(self) -> None:
        """Fold unchanged lines away again."""
        if self.rows is not None:
            self.set_rows(self.rows.with_opened(frozenset()))

    @Slot()
    def select_all(self) -> None:
        """Select every row."""
        if self.rows is not None:
            self._select(Selection(0, len(self.rows) - 1, self._selection.side, active=True))

    @Slot()
    def copy(self) -> None:
        """Put the selected lines, or the line of the cursor, on the clipboard as they are in the file."""
        if self.rows is not None:
            chosen = self._selection
            text = text_between(self.rows, chosen.first, chosen.last, chosen.side)
            QGuiApplication.clipboard().setText(text)

    def _add_actions(self) -> None:
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        for text, slot in (
            ("&Copy\tCtrl+C", self.copy),
            ("Select &All\tCtrl+A", self.select_all),
            ("&Next Difference\tF7", self.next_difference),
            ("&Previous Difference\tShift+F7", self.previous_difference),
            ("Show All &Unchanged Lines", self.open_all_folds),
            ("&Fold Unchanged Lines", self.close_all_folds),
        ):
            action = QAction(text, self)
            action.triggered.connect(slot)
            self.addAction(action)

    def _open_fold(self, row: int) -> None:
        if self.rows is None:
            return
        owner = self.rows.place(row).owner
        self.set_rows(self.rows.with_opened(self.rows.opened | {owner}))
        self.fold_toggled.emit(owner, True)

    def _go_to(self, row: int) -> bool:
        """Make the difference that begins at `row` the current one, and show and tell it."""
        if self.rows is None or row < 0:
            return False
        differences = self.rows.differences
        self._difference = differences.index(row)
        height, page = self.row_height(), self.row_area().height()
        if not 0 <= row * height - self.verticalScrollBar().value() <= page - 2 * height:
            self.verticalScrollBar().setValue(row * height - page // 4)
        self._select(Selection(row, row, self._selection.side))
        hunk = self.rows.comparison.hunks[self._difference]
        self._describe(
            f"Difference {self._difference + 1:,} of {len(differences):,}, line {hunk.after_start + 1:,}: "
            f"{hunk.before_lines:,} removed, {hunk.after_lines:,} added."
        )
        self.difference_shown.emit(self._difference, len(differences))
        return True

    def _describe(self, current: str) -> None:
        """Tell a screen reader what is shown, and speak the current difference."""
        path = self.document.path
        self.setAccessibleName(f"Differences in {plain(path, 300)}" if path else "Differences")
        self.setAccessibleDescription(f"{self.document.describe()} {current}".strip())
        if current and QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, current))

    def _select(self, selection: Selection) -> None:
        self._selection = selection
        self._update_look()

    def _update_look(self) -> None:
        chosen = self._selection
        self.set_look(
            Look(
                selected=chosen.rows if chosen.active else range(0),
                side=chosen.side,
                difference=self._difference,
                cursor=chosen.head if self.hasFocus() else -1,
                hover=self.look.hover,
            )
        )

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            keys = QKeySequence.StandardKey
            if event.matches(keys.Copy) or event.matches(keys.SelectAll):
                event.accept()
                return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._update_look()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._update_look()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = QKeySequence.StandardKey
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.matches(keys.Copy):
            self.copy()
        elif event.matches(keys.SelectAll):
            self.select_all()
        elif event.key() == Qt.Key.Key_F7:
            (self.previous_difference if shift else self.next_difference)()
        elif event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._step_sideways(event)
        elif self.rows is None or not self._step(self.rows, event.key(), shift):
            super().keyPressEvent(event)

    def _step(self, rows: DiffRows, key: int, shift: bool) -> bool:
        """Open the fold under the cursor, or move the cursor. Returns False for any other key."""
        head = self._selection.head
        if key in OPENING_KEYS:
            if rows.place(head).kind is not RowKind.FOLD:
                return False
            self._open_fold(head)
            return True
        page = max(1, self.row_area().height() // self.row_height() - 1)
        row = row_after_key(key, head, page, len(rows))
        if row is None:
            return False
        self._select(self._selection.moved(row, keep_anchor=shift))
        self.reveal(row)
        return True

    def _step_sideways(self, event: QKeyEvent) -> None:
        """Scroll by a few columns; with Ctrl, put the cursor on the left or the right side."""
        right = event.key() == Qt.Key.Key_Right
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._select(self._selection.on(DiffSide.NEW if right else DiffSide.OLD))
        else:
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() + (bar.singleStep() if right else -bar.singleStep()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self.rows is None:
            return
        point = event.position().toPoint()
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        side = self._selection.side if shift else self.side_at(point.x())
        self._select(self._selection.moved(self.row_at(point.y()), keep_anchor=shift).on(side))
        self._is_dragging = True

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        if not self._is_dragging:
            self._set_hover(self.fold_at(point))
            return
        self._drag_y = point.y()
        row = self.row_at(point.y())
        if row != self._selection.head:
            self._select(self._selection.moved(row, keep_anchor=True))
        if self.row_area().contains(point):
            self._autoscroll.stop()
        elif not self._autoscroll.isActive():
            self._autoscroll.start(AUTOSCROLL, self)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        was_dragging, self._is_dragging = self._is_dragging, False
        self._autoscroll.stop()
        fold = self.fold_at(event.position().toPoint())
        if was_dragging and fold >= 0 and not self._selection.active:
            self._open_fold(fold)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        if self.rows is not None and event.button() == Qt.MouseButton.LeftButton:
            row = self.row_at(point.y())
            self._select(Selection(row, row, self.side_at(point.x()), active=True))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._set_hover(-1)

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() != self._autoscroll.timerId():
            super().timerEvent(event)
            return
        area, bar = self.row_area(), self.verticalScrollBar()
        below = self._drag_y > area.bottom()
        bar.setValue(bar.value() + (bar.singleStep() if below else -bar.singleStep()))
        row = self.row_at(max(area.top(), min(self._drag_y, area.bottom())))
        self._select(self._selection.moved(row, keep_anchor=True))

    def _set_hover(self, row: int) -> None:
        if row == self.look.hover:
            return
        shape = Qt.CursorShape.PointingHandCursor if row >= 0 else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)
        self.set_look(replace(self.look, hover=row))
