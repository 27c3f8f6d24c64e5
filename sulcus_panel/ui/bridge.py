"""The one thread hop from the bus to the window: Changes published in any thread arrive on the GUI thread."""

from PySide6.QtCore import QObject, Qt, Signal, Slot

from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes


class ChangeSignals(QObject):
    """Emits `changed` on the GUI thread for every Changes of the bus, in order."""

    changed = Signal(object)
    _arrived = Signal(object)

    def __init__(self, bus: ChangeBus, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._closed = False
        self._arrived.connect(self._on_arrived, Qt.ConnectionType.QueuedConnection)
        self._unsubscribe = bus.subscribe(self._arrived.emit)

    def close(self) -> None:
        """Hear nothing more, not even what is already on its way."""
        self._closed = True
        self._unsubscribe()

    @Slot(object)
    def _on_arrived(self, changes: Changes) -> None:
        if not self._closed:
            self.changed.emit(changes)
