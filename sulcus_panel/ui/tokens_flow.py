"""The keys of those who come in from outside: read, made and revoked for the dialog that shows them."""

from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from sulcus_panel.core.access import Scope, Token
from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.model import ActorKind
from sulcus_panel.core.safety import plain
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.interface import Verbs
from sulcus_panel.ui.dialogs.sure_box import SureBox
from sulcus_panel.ui.dialogs.tokens_dialog import TokensDialog
from sulcus_panel.ui.jobs import Jobs

Asked = tuple[str, ActorKind, frozenset[Scope]]


class TokensFlow(QObject):
    """Opens the dialog and does what it asks for."""

    noted = Signal(str)
    """A sentence for the window."""

    def __init__(self, jobs: Jobs, window: QWidget) -> None:
        super().__init__(window)
        self._jobs = jobs
        self._window = window
        self._dialog: TokensDialog | None = None
        self._box: SureBox | None = None
        self._revoking = 0
        self._is_making = False

    @property
    def dialog(self) -> TokensDialog | None:
        """The dialog, once it was opened."""
        return self._dialog

    @property
    def box(self) -> SureBox | None:
        """The question that was asked last."""
        return self._box

    @Slot()
    def open(self) -> None:
        """Show the keys."""
        if self._dialog is None:
            self._dialog = TokensDialog(self._window)
            self._dialog.make_requested.connect(self._on_make)
            self._dialog.revoke_requested.connect(self._on_revoke)
        self._dialog.show()
        self._dialog.raise_()
        self._dialog.activateWindow()
        self._jobs.spawn(self._read())

    def follow(self, changes: Changes) -> None:
        """Read again where a write may have changed what is shown."""
        if (
            self._dialog is not None
            and self._dialog.isVisible()
            and (changes.governance or changes.touched is None)
        ):
            self._jobs.spawn(self._read())

    def close(self) -> None:
        """Close the dialog with the window."""
        if self._dialog is not None:
            self._dialog.reject()

    async def _read(self) -> None:
        tokens = await self._jobs.read(_all, key="tokens")
        if self._dialog is not None:
            self._dialog.show_tokens(tokens)

    async def _make(self, dialog: TokensDialog, asked: Asked) -> None:
        try:
            key, token = await self._jobs.write(partial(_make, asked=asked))
        except SulcusError as error:
            dialog.show_error(error)
        else:
            dialog.show_key(key, token)
            await self._read()
        finally:
            self._is_making = False

    async def _revoke(self, token_id: int) -> None:
        token = await self._jobs.write(lambda operations: operations.tokens.revoke(token_id))
        self.noted.emit(f"The key of {plain(token.actor.name, 100)} no longer opens anything.")
        await self._read()

    @Slot(object)
    def _on_make(self, asked: Asked) -> None:
        if self._dialog is not None and not self._is_making:
            self._is_making = True
            self._jobs.spawn(self._make(self._dialog, asked))

    @Slot(int)
    def _on_revoke(self, token_id: int) -> None:
        token = None if self._dialog is None else self._dialog.token(token_id)
        if token is None:
            return
        self._revoking = token_id
        self._box = SureBox(
            f"Revoke the key of “{plain(token.actor.name, 100)}”?",
            "Whoever uses it is turned away from now on. It cannot be put in force again.",
            "&Revoke it",
            self._dialog,
        )
        self._box.agreed.connect(self._on_revoke_agreed)
        self._box.open()

    @Slot()
    def _on_revoke_agreed(self) -> None:
        self._jobs.spawn(self._revoke(self._revoking))


def _all(operations: Verbs) -> tuple[Token, ...]:
    return operations.tokens.all()


def _make(operations: Verbs, asked: Asked) -> tuple[str, Token]:
    return operations.tokens.make(*asked)
