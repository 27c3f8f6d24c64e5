"""aider has no hooks: the adapter gives its name, and its runs are read from what it leaves (`runs.py`)."""

from typing import NoReturn

from sulcus_panel.core.capture.spool import SpoolEvent, bad_event


class Aider:
    """The adapter for `aider`."""

    harness = "aider"
    actor = "aider"

    def read(self, event: SpoolEvent) -> NoReturn:
        """BadPayload always: nothing of aider's writes events."""
        raise bad_event(event.name, "aider has no hooks")
