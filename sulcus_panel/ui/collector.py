"""Collects garbage on the GUI thread only, where Qt's objects must be collected, and in small parts.

A look at all that was ever made takes 40 ms and more, and nearly all of it is modules and classes, which stay as
long as the process: once the window stands they are left out.
"""

import gc

from PySide6.QtCore import QObject, QTimer, Slot

COLLECT_MS = 5_000
ALL_EVERY = 12
"""Every so many times the old objects are looked at too: a minute."""


class Collector(QObject):
    """Collects from now on until `stop()`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._rounds = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.collect)
        self._timer.start(COLLECT_MS)

    @Slot()
    def collect(self) -> None:
        """Collect what is due; the first time, settle what stays."""
        if self._rounds == 0:
            gc.collect()
            gc.freeze()
        else:
            gc.collect(2 if self._rounds % ALL_EVERY == 0 else 1)
        self._rounds += 1

    def stop(self) -> None:
        """Leave it to Python again."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()
