"""What waits for the person, said in words: who asks, for what, and why it was not done at once."""

from sulcus_panel.core.holds import Hold
from sulcus_panel.core.model import Actor, ActorKind
from sulcus_panel.core.safety import plain
from sulcus_panel.ui.models.wording import count_of, numbers

MOST_NUMBERS = 3


def asker(actor: Actor) -> str:
    """Return who asks, at the beginning of a sentence."""
    if actor.kind is ActorKind.PERSON:
        return "Somebody with your own key"
    return plain(actor.name.strip(), 40) or "Somebody without a name"


def question(hold: Hold) -> str:
    """Say who asks for what: `codex asks to undo #842`."""
    asked = hold.request
    verb = "bring back what was undone:" if asked.redo else "undo"
    what = numbers(asked.seq_ids, MOST_NUMBERS)
    if asked.hunks is not None:
        what = f"{count_of(len(asked.hunks), 'part')} of {what}"
    return f"{asker(hold.actor)} asks to {verb} {what}"


def reason(hold: Hold) -> str:
    """Say why it waits."""
    why = plain(hold.reason.strip().rstrip("."), 400)
    return f"It waits for you because {why}." if why else "It waits for you."
