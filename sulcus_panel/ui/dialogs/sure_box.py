"""One question before something that does not come back: the deed by its name, or nothing."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractButton, QMessageBox, QWidget

from sulcus_panel.ui.dialogs.plain_label import breakable


class SureBox(QMessageBox):
    """Says `agreed` only for the button that names the deed; Enter and Esc mean that all stays."""

    agreed = Signal()

    def __init__(self, title: str, text: str, deed: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sure_box")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setIcon(QMessageBox.Icon.Question)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWindowTitle(title)
        self.setText(breakable(title))
        self.setInformativeText(breakable(text))
        self._deed = self.addButton(deed, QMessageBox.ButtonRole.DestructiveRole)
        keep = self.addButton("&Keep it", QMessageBox.ButtonRole.RejectRole)
        self._deed.setObjectName("deed_button")
        keep.setObjectName("keep_button")
        self.setDefaultButton(keep)
        self.setEscapeButton(keep)
        self.buttonClicked.connect(self._on_clicked)

    @Slot(QAbstractButton)
    def _on_clicked(self, button: QAbstractButton) -> None:
        if button is self._deed:
            self.agreed.emit()
