"""The lower half of the window: which file, which view of it, the outside-change banner, and the diff."""

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from sulcus_panel.core.diff import DiffSide
from sulcus_panel.core.model import LedgerPath
from sulcus_panel.core.safety import plain
from sulcus_panel.ui.actions import Actions, Verb
from sulcus_panel.ui.models.wording import tooltip
from sulcus_panel.ui.syntax import SyntaxLines
from sulcus_panel.ui.theme import Theme, theme_of
from sulcus_panel.ui.views.banner import Banner
from sulcus_panel.ui.views.diff_document import EMPTY, DiffDocument
from sulcus_panel.ui.views.diff_view import DiffView
from sulcus_panel.ui.views.themed_label import ThemedLabel

SEGMENTS = (
    ("View", (Verb.VIEW_CHANGE, Verb.VIEW_NOW, Verb.VIEW_AFTER)),
    ("Layout", (Verb.UNIFIED, Verb.SIDE_BY_SIDE)),
)

LONGEST_PATH = 4096
ROOM_FOR_LAYOUT = 720
"""Below this width the file's name matters more than a button that a menu and a key have too."""


class ChangePane(QWidget):
    """Shows one document at a time."""

    file_chosen = Signal(int)
    """Another of the entry's files is wanted."""

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("change_pane")
        self._styled: Theme | None = None
        self.banner = Banner()
        self.diff = DiffView()
        self.diff.setAccessibleName("Difference")
        self._segments: dict[str, QFrame] = {}
        self._name = ThemedLabel(strong=True, max_lines=1, elide=Qt.TextElideMode.ElideMiddle)
        self._files = QComboBox()
        self._files.setObjectName("file_chooser")
        self._files.setAccessibleName("File of this change")
        self._files.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._files.setMinimumContentsLength(18)
        self._files.activated.connect(self.file_chosen)
        self._lay_out(actions)
        self._restyle()
        self.clear()

    def show_document(self, document: DiffDocument, files: tuple[LedgerPath, ...], index: int) -> None:
        """Show one file of an entry that changed `files`."""
        self._name.setText(plain(document.path, LONGEST_PATH))
        self._name.setToolTip(tooltip(plain(document.path)))
        self._name.setVisible(len(files) < 2)
        self._files.setVisible(len(files) > 1)
        names = [f"{number + 1} of {len(files)}: {plain(path, 300)}" for number, path in enumerate(files)]
        if names != [self._files.itemText(row) for row in range(self._files.count())]:
            self._files.clear()
            self._files.addItems(names)
        self._files.setCurrentIndex(index)
        self.diff.show_diff(document)

    def show_syntax(self, document: DiffDocument, colours: dict[DiffSide, SyntaxLines]) -> None:
        """Colour the document, when it is still the one shown."""
        if document is self.diff.document:
            for side, lines in colours.items():
                self.diff.set_syntax(side, lines)

    @Slot()
    def clear(self) -> None:
        """Show that no change is chosen."""
        self.banner.clear()
        self.show_document(EMPTY, (), 0)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._restyle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._segments["Layout"].setVisible(event.size().width() >= ROOM_FOR_LAYOUT)

    def _lay_out(self, actions: Actions) -> None:
        tools = QFrame()
        tools.setObjectName("diff_tools")
        row = QHBoxLayout(tools)
        row.setContentsMargins(12, 7, 8, 7)
        row.setSpacing(8)
        row.addWidget(self._name, 1, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._files, 1)
        for name, verbs in SEGMENTS:
            segment = _segment(name, [_button(actions, verb) for verb in verbs])
            row.addWidget(segment)
            self._segments[name] = segment
        blanks = _button(actions, Verb.SHOW_BLANKS)
        blanks.setText("¶")
        row.addWidget(_segment("Blanks", [blanks]))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(tools)
        column.addWidget(self.banner)
        column.addWidget(self.diff, 1)

    def _restyle(self) -> None:
        theme = theme_of(self.palette())
        if theme is not self._styled:
            self._styled = theme
            self.setStyleSheet(_style(theme))


def _button(actions: Actions, verb: Verb) -> QToolButton:
    action = actions[verb]
    button = QToolButton()
    button.setDefaultAction(action)
    button.setAccessibleName(action.iconText())
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def _segment(name: str, buttons: list[QToolButton]) -> QFrame:
    frame = QFrame()
    frame.setObjectName("segment")
    frame.setAccessibleName(name)
    row = QHBoxLayout(frame)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(0)
    for place, button in enumerate(buttons):
        button.setProperty("first", place == 0)
        row.addWidget(button)
    return frame


def _style(theme: Theme) -> str:
    return f"""
    #diff_tools {{ background: {theme.window};
        border-bottom: 1px solid {theme.border}; }}
    #segment {{ border: 1px solid {theme.border}; border-radius: 6px; background: {theme.base}; }}
    #segment QToolButton {{ border: none; border-left: 1px solid {theme.border}; padding: 5px 11px;
        margin: 1px 0; color: {theme.muted}; background: transparent; }}
    #segment QToolButton[first="true"] {{ border-left: none; margin-left: 1px; }}
    #segment QToolButton:hover {{ color: {theme.text}; }}
    #segment QToolButton:checked {{ background: {theme.accent_soft}; color: {theme.accent}; }}
    #segment QToolButton:focus {{ border: 1px solid {theme.accent}; }}
    """
