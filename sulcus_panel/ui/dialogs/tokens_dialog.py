"""The keys that were given out: make one, see it this once, end one."""

from collections.abc import Sequence
from enum import IntEnum

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from sulcus_panel.core.access import Token
from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.safety import plain
from sulcus_panel.ui.dialogs.token_form import TokenForm
from sulcus_panel.ui.models.token_words import token_row
from sulcus_panel.ui.models.wording import local_now
from sulcus_panel.ui.theme import code_font
from sulcus_panel.ui.views.rows_table import RowsTable
from sulcus_panel.ui.views.themed_label import Ink, ThemedLabel

ABOUT = "A key lets an agent or a program in from outside this window. Each one says who acts with it."
NONE_YET = "No key has been given out yet."
ONCE = "Copy it now: it will not be shown again. Whoever has it can do what it allows, until you revoke it."


class Page(IntEnum):
    """What the dialog shows."""

    LIST = 0
    FORM = 1
    KEY = 2


class TokensDialog(QDialog):
    """Says what is wanted; whoever opened it does it and tells it what came of it."""

    make_requested = Signal(object)
    """Name, ActorKind and the scopes of a key to be made."""
    revoke_requested = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tokens_dialog")
        self.setWindowTitle("Access keys")
        self.setModal(False)
        self.resize(720, 460)
        self._tokens: dict[int, Token] = {}
        self.table = RowsTable(
            "Keys", ("Name", "What it is", "May", "Made", "State"), (20, 24, 26, 18), strong=0
        )
        self.form = TokenForm()
        self.key = QLineEdit()
        self._about = ThemedLabel(ABOUT, max_lines=3)
        self._none = ThemedLabel(NONE_YET, ink=Ink.MUTED)
        self._whose = ThemedLabel(strong=True, max_lines=2)
        self._copied = ThemedLabel("", ink=Ink.GOOD)
        self._pages = QStackedWidget()
        self._new = _button("&New key…", "new")
        self._revoke = _button("&Revoke…", "revoke")
        self._make = _button("&Make the key", "make")
        self._back = _button("&Back", "back")
        self._copy = _button("&Copy", "copy")
        self._done = _button("&Done", "done")
        self._close = _button("Close", "close")
        self._lay_out()
        self._connect()
        self._turn_to(Page.LIST)

    def show_tokens(self, tokens: Sequence[Token]) -> None:
        """Show these, the newest first."""
        now = local_now()
        self._tokens = {token.id: token for token in tokens}
        self.table.show_rows([token_row(token, now) for token in reversed(tokens)])
        self._none.setVisible(not tokens)
        self._on_choice_moved()

    def show_key(self, key: str, token: Token) -> None:
        """Show a new key this once."""
        self.form.clear()
        self._whose.setText(f"The key of {plain(token.actor.name, 100)}")
        self.key.setText(key)
        self.key.setCursorPosition(0)
        self._copied.setText("")
        self._turn_to(Page.KEY)
        self.key.setFocus()
        self.key.selectAll()

    def show_error(self, error: SulcusError) -> None:
        """Say why no key was made."""
        self.form.show_error(error)

    def token(self, token_id: int) -> Token | None:
        """Return a key that is listed."""
        return self._tokens.get(token_id)

    def done(self, result: int) -> None:
        """Close; a key that was shown is shown nowhere any more."""
        self._turn_to(Page.LIST)
        super().done(result)

    def _turn_to(self, page: Page) -> None:
        if page is not Page.KEY:
            self.key.clear()
        self._pages.setCurrentIndex(page)
        shown = {
            Page.LIST: (self._new, self._revoke, self._close),
            Page.FORM: (self._make, self._back),
            Page.KEY: (self._copy, self._done),
        }[page]
        for button in (self._new, self._revoke, self._make, self._back, self._copy, self._done, self._close):
            button.setVisible(button in shown)
            button.setDefault(button is shown[0])

    def _lay_out(self) -> None:
        self.key.setReadOnly(True)
        self.key.setFont(code_font())
        self.key.setAccessibleName("The new key")
        for widgets in (
            (self._about, self._none, self.table),
            (self.form,),
            (self._whose, self.key, ThemedLabel(ONCE, max_lines=4), self._copied),
        ):
            page = QWidget()
            column = QVBoxLayout(page)
            column.setContentsMargins(18, 0, 18, 0)
            column.setSpacing(10)
            for widget in widgets:
                column.addWidget(widget, 1 if widget in {self.table, self.form} else 0)
            if self.key in widgets:
                column.addStretch(1)
            self._pages.addWidget(page)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(18, 0, 18, 0)
        buttons.addStretch(1)
        for button in (self._back, self._revoke, self._new, self._make, self._copy, self._done, self._close):
            buttons.addWidget(button)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 16, 0, 14)
        whole.addWidget(self._pages, 1)
        whole.addLayout(buttons)

    def _connect(self) -> None:
        self._new.clicked.connect(self._on_new)
        self._back.clicked.connect(self._on_back)
        self._done.clicked.connect(self._on_back)
        self._make.clicked.connect(self._on_make)
        self.form.entered.connect(self._on_make)
        self._copy.clicked.connect(self._on_copy)
        self._revoke.clicked.connect(self._on_revoke)
        self._close.clicked.connect(self.reject)
        self.table.choice_moved.connect(self._on_choice_moved)

    @Slot()
    def _on_choice_moved(self) -> None:
        token = self._tokens.get(self.table.key or 0)
        self._revoke.setEnabled(token is not None and token.in_force)

    @Slot()
    def _on_new(self) -> None:
        self._turn_to(Page.FORM)
        self.form.name.setFocus()

    @Slot()
    def _on_back(self) -> None:
        self._turn_to(Page.LIST)
        self.table.setFocus()

    @Slot()
    def _on_make(self) -> None:
        self.make_requested.emit(self.form.asked)

    @Slot()
    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.key.text())
        self._copied.setText("Copied.")

    @Slot()
    def _on_revoke(self) -> None:
        if (key := self.table.key) is not None:
            self.revoke_requested.emit(key)


def _button(text: str, name: str) -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(f"{name}_button")
    button.setAutoDefault(False)
    return button
