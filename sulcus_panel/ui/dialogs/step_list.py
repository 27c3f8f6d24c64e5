"""The four steps at the side of the undo sheet: which are done, which is now, and a word about each."""

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from sulcus_panel.ui.dialogs.plain_label import PlainLabel
from sulcus_panel.ui.models.wording import tooltip
from sulcus_panel.ui.theme import theme_of
from sulcus_panel.ui.views.themed_label import Ink, ThemedLabel

DOT = 24
WIDE, NARROW = 236, 188
"""How wide the steps stand beside the page."""
WIDE_SHEET_FROM = 900


class StepState(StrEnum):
    """Where a step stands."""

    TODO = "still to come"
    NOW = "now"
    DONE = "done"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its name, a few words about it, and where it stands."""

    name: str
    note: str
    state: StepState


class StepList(QWidget):
    """Shows a title and the steps below each other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("steps")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(WIDE)
        self._title = PlainLabel(name="sheet_title", wrap=True)
        self._subtitle = ThemedLabel(ink=Ink.MUTED, max_lines=4, elide=Qt.TextElideMode.ElideMiddle)
        self._rows: list[_StepRow] = []
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 26, 18, 18)
        layout.setSpacing(6)
        layout.addWidget(self._title)
        layout.addWidget(self._subtitle)
        layout.addSpacing(14)
        self._steps = QVBoxLayout()
        self._steps.setSpacing(18)
        layout.addLayout(self._steps)
        layout.addStretch(1)

    def suit_width(self, sheet: int) -> None:
        """Leave more to the page in a sheet that is not wide."""
        self.setFixedWidth(WIDE if sheet >= WIDE_SHEET_FROM else NARROW)

    def set_title(self, title: str, subtitle: str) -> None:
        """Say what the sheet is about."""
        self._title.setText(title)
        self._subtitle.setText(subtitle)
        self._subtitle.setToolTip(tooltip(subtitle))

    def show_steps(self, steps: tuple[Step, ...]) -> None:
        """Show where each step stands."""
        while len(self._rows) < len(steps):
            row = _StepRow(len(self._rows) + 1, self)
            self._rows.append(row)
            self._steps.addWidget(row)
        for row, step in zip(self._rows, steps, strict=True):
            row.show_step(step)
        now = next((s for s in steps if s.state in (StepState.NOW, StepState.STOPPED)), steps[-1])
        self.setAccessibleName(f"Step {steps.index(now) + 1} of {len(steps)}: {now.name}, {now.note}")


class _StepRow(QWidget):
    """A numbered dot, the step's name and its note."""

    def __init__(self, number: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._dot = _Dot(number)
        self._name = PlainLabel(name="step_name")
        self._note = PlainLabel(name="step_note", wrap=True)
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.setContentsMargins(0, 1, 0, 0)
        texts.addWidget(self._name)
        texts.addWidget(self._note)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        layout.addWidget(self._dot, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(texts, 1)

    def show_step(self, step: Step) -> None:
        self._name.setText(step.name)
        self._note.setText(step.note)
        font = self._name.font()
        font.setBold(step.state in (StepState.NOW, StepState.STOPPED))
        self._name.setFont(font)
        self._dot.show_state(step.state)
        self.setAccessibleName(f"{step.name}: {step.state.value}. {step.note}")


class _Dot(QWidget):
    """A circle: filled with a tick when done, outlined with its number before that."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number
        self._state = StepState.TODO
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(DOT, DOT)

    def show_state(self, state: StepState) -> None:
        self._state = state
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        circle = QRectF(0.5, 0.5, DOT - 1, DOT - 1)
        colour, text = self._colours()
        if self._state is StepState.DONE:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawEllipse(circle)
            self._draw_tick(painter)
            return
        painter.setPen(QPen(colour, 1.2))
        painter.drawEllipse(circle)
        font = painter.font()
        font.setBold(True)
        font.setPixelSize(12)
        painter.setFont(font)
        painter.setPen(text)
        mark = "!" if self._state is StepState.STOPPED else str(self._number)
        painter.drawText(circle, Qt.AlignmentFlag.AlignCenter, mark)

    def _colours(self) -> tuple[QColor, QColor]:
        theme = theme_of(self.palette())
        if self._state is StepState.TODO:
            return QColor(theme.border), QColor(theme.text)
        colour = {StepState.DONE: theme.good, StepState.NOW: theme.accent}.get(self._state, theme.danger)
        return QColor(colour), QColor(colour)

    def _draw_tick(self, painter: QPainter) -> None:
        pen = QPen(QColor(theme_of(self.palette()).window), 2)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.drawPolyline([QPointF(8, 12.5), QPointF(11, 15.5), QPointF(16.5, 9)])
