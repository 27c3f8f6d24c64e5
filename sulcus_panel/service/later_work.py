"""What came after an entry: on its files, and by those who had read them."""

from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Entry, SeqId


def after(ledger: Ledger, entry: Entry) -> tuple[SeqId, ...]:
    """Return the entries that came after this one on any of its paths, in order of happening."""
    later: dict[SeqId, None] = {}
    for path in entry.paths:
        steps = ledger.timeline(entry.workspace_id, path)
        at = next((i for i, step in enumerate(steps) if step.seq_id == entry.seq_id), len(steps))
        later.update(dict.fromkeys(step.seq_id for step in steps[at + 1 :]))
    return tuple(later)


def readers(ledger: Ledger, entry: Entry) -> tuple[SeqId, ...]:
    """Return the later entries whose session had read one of this entry's paths."""
    found: dict[SeqId, None] = {}
    for path in entry.paths:
        found.update(dict.fromkeys(ledger.readers(entry.workspace_id, path, entry.record.at)))
    return tuple(found)
