"""Everything the details of one entry need, looked up in one go, on a worker."""

from dataclasses import dataclass

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.model import Entry, EntryState, SeqId, Undoability
from sulcus_panel.core.undo.model import UndoPlan, UndoRequest
from sulcus_panel.service.interface import Verbs


@dataclass(frozen=True, slots=True)
class EntryDetails:
    """One entry, what came after it on the same paths, who read them, and what an undo would do now."""

    entry: Entry
    later: tuple[Entry, ...] = ()
    readers: tuple[Entry, ...] = ()
    plan: UndoPlan | None = None
    plan_error: str = ""


def load_details(operations: Verbs, seq_id: SeqId) -> EntryDetails:
    """Look up an entry's details; a plan that cannot be made is said in words. Raises NotFound."""
    entry = operations.entry(seq_id)
    later = operations.later(seq_id)
    readers = operations.entries(operations.readers(seq_id))
    if entry.undoability is Undoability.NOT or entry.state is EntryState.UNDONE:
        return EntryDetails(entry, later, readers)
    try:
        plan = operations.plan(UndoRequest((seq_id,)))
    except SulcusError as error:
        return EntryDetails(entry, later, readers, plan_error=str(error))
    return EntryDetails(entry, later, readers, plan)
