"""What a harness tells twice: a call by its own events, and by one without an id. It is recorded once."""

from sulcus_panel.core.capture.adapter import ToolFinished
from sulcus_panel.core.capture.pairing import Pairs
from sulcus_panel.core.capture.place import place_path
from sulcus_panel.core.capture.sides import sides_between
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.states import same_state


def is_told(ledger: Ledger, pairs: Pairs, event: ToolFinished) -> bool:
    """Whether the call that this event only echoes tells of itself, or has told of what is there now."""
    if not event.echo:
        return False
    if pairs.has_named(event.scene, event.call):
        return True
    if not event.call.path:
        return False
    sides = sides_between(None, event.sighting)
    place = place_path(ledger, event.call.path, event.scene.cwd, link=sides.link)
    steps = [step for step in ledger.timeline(place.workspace.id, place.path) if step.at <= event.scene.at]
    return bool(steps) and same_state(steps[-1].after, sides.after.state)
