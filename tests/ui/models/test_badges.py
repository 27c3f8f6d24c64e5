"""What rules or the person put on an entry stands right behind what became of it, plain whatever it says."""

from dataclasses import replace

from sulcus_panel.core.model import EntryState
from sulcus_panel.ui.models.badges import Tone, state_badges
from tests.support.entries import make_entry


def test_a_look_a_pin_and_labels_are_badges() -> None:
    entry = make_entry(1, state=EntryState.HELD)
    marked = replace(entry, marks=("label:done", "label:<b>\u202e" + "x" * 50, "look:Careful", "pin"))
    badges = state_badges(marked)
    assert [badge.text for badge in badges[:4]] == ["waiting for you", "look first", "pinned", "done"]
    assert badges[1].tone is Tone.WARN
    assert "by: Careful" in badges[1].tip
    assert badges[4].text.startswith("<b>")
    assert badges[4].text.isprintable()
    assert len(badges[4].text) < 50
