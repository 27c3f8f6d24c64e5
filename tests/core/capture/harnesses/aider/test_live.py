"""aider has no hooks: an event in its name is set aside, not believed."""

from datetime import UTC, datetime

import pytest

from sulcus_panel.core.capture.harnesses.aider.live import Aider
from sulcus_panel.core.capture.spool import SpoolEvent
from sulcus_panel.core.errors import BadPayload


def test_an_event_in_its_name_is_refused() -> None:
    event = SpoolEvent("1-1", "aider", datetime(2026, 1, 1, tzinfo=UTC), {"hook_event_name": "PostToolUse"})
    with pytest.raises(BadPayload, match="no hooks"):
        Aider().read(event)
