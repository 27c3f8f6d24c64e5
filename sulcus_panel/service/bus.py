"""Who wants to hear of Changes hears of them, in the thread that published; a door marshals to its own."""

from collections.abc import Callable

from sulcus_panel.service.changes import Changes

Listener = Callable[[Changes], None]


class ChangeBus:
    """A list of listeners. Subscribing returns the way out."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` for every published Changes until the returned function is called."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return unsubscribe

    def publish(self, changes: Changes) -> None:
        """Tell every listener, in order of subscription."""
        for listener in tuple(self._listeners):
            listener(changes)
