"""What the window says of its link to another machine: where it is attached, who is waited for, what is broken."""

from PySide6.QtCore import QObject, QTimer, Slot

from sulcus_panel.service.link import Link, LinkState
from sulcus_panel.ui.main_window import MainWindow
from sulcus_panel.ui.views.banner import Banner
from sulcus_panel.ui.views.status_line import StatusLine

LOOK_MS = 250
PATIENCE_SECONDS = 1.0
"""After this long without an answer the window says that it waits."""


class LinkNews(QObject):
    """Looks at the link, and bars what cannot be done without it."""

    def __init__(self, link: Link, window: MainWindow, barred: str = "") -> None:
        super().__init__(window)
        self._link = link
        self._window = window
        self._barred = barred
        self._status: StatusLine = window.parts.status
        self._banner: Banner = window.parts.standing
        self._was_broken = False
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        """Begin to look."""
        self.look()
        self._timer.start()

    def stop(self) -> None:
        """Look no more."""
        self._timer.stop()

    @Slot()
    def look(self) -> None:
        """Show how the link is now."""
        state = self._link.state
        self._status.show_watch(_words(state), is_watching=not state.broken and not _is_slow(state))
        if state.broken:
            self._banner.tell(f"The link to {state.machine} is broken", _told(state), "")
        elif self._was_broken:
            self._banner.clear()
        if bool(state.broken) != self._was_broken:
            self._was_broken = bool(state.broken)
            self._bar(f"the link to {state.machine} is broken" if state.broken else "")

    def _bar(self, why: str) -> None:
        barred = why or self._barred
        self._window.model.bar(barred)
        self._window.selected.bar(barred)


def _is_slow(state: LinkState) -> bool:
    return state.waiting > PATIENCE_SECONDS


def _words(state: LinkState) -> str:
    if state.broken:
        return f"No link to {state.machine}"
    return f"waiting for {state.machine}…" if _is_slow(state) else f"Attached to {state.machine}"


def _told(state: LinkState) -> str:
    heard = "It has not answered yet"
    if state.last_answer is not None:
        heard = f"Its last answer came at {state.last_answer.astimezone():%H:%M:%S}, and is what is shown"
    again = f"it is tried again in {state.next_try:.0f} s" if state.next_try >= 1 else "it is tried again now"
    return f"{state.broken.rstrip('.')}. {heard}; {again}."
