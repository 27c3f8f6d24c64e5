"""Who may undo what at once, and what waits for the person. Pure; every door asks here.

Whoever is not the person undoes only what he did himself and what we saw him do, where nothing is in doubt. No
name is not the person, and a name that the person's entries bear makes nobody the person.
"""

from sulcus_panel.core.access import Caller
from sulcus_panel.core.model import ActorKind, Entry, Origin, Provenance
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.model import EntryPlan, HunkOutcome, Outcome, UndoPlan

SETTLED = frozenset(
    {
        Outcome.ALREADY_UNDONE,
        Outcome.NOTHING_TO_UNDO,
        Outcome.SUPERSEDED,
        Outcome.REFUSED,
        Outcome.UNAVAILABLE,
    }
)
"""Outcomes that a decision of the person would not change: they are told at once, to whoever asks."""


def why_held(caller: Caller, plan: UndoPlan) -> str:
    """Return why this plan waits for the person, in one sentence; "" where it need not."""
    if plan.outcome in SETTLED:
        return ""
    if caller.is_person:
        return _needs_a_look(plan)
    for item in plan.entries:
        if why := _why_not_his(caller, item.entry) or _why_not_clean(item):
            return f"#{item.entry.seq_id} {why}"
    if plan.drift:
        return f"{plain(next(iter(plan.drift)), 200)} was changed outside since"
    return _needs_a_look(plan)


def _needs_a_look(plan: UndoPlan) -> str:
    """A consent is given by who sees what it is about: at the window or the terminal, never over a wire."""
    return f"it needs a yes of its own: {plain(plan.consents[0].text, 300)}" if plan.consents else ""


def _why_not_his(caller: Caller, entry: Entry) -> str:
    record = entry.record
    if record.origin is Origin.OUTSIDE:
        return "is an edit by somebody outside"
    if record.actor.name != caller.actor.name or record.actor.kind is ActorKind.PERSON:
        return f"is the work of {plain(record.actor.name, 60)}"
    if record.provenance is not Provenance.OBSERVED:
        return f"was not seen as it happened: it is {record.provenance}"
    return ""


def _why_not_clean(item: EntryPlan) -> str:
    if item.entry.looks:
        return f"waits for a look, by the trigger {plain(item.entry.looks[0], 60)}"
    if item.outcome is not Outcome.UNDONE:
        return f"does not go back without a decision: {item.outcome.replace('_', ' ')}"
    chosen = [hunk for path in item.paths for hunk in path.hunks if hunk.chosen]
    if any(hunk.outcome is not HunkOutcome.UNDONE for hunk in chosen):
        return "goes back at another place, or in part"
    ran = item.entry.record.ran
    return "has files that may be somebody else's work" if ran is not None and ran.unsure else ""
