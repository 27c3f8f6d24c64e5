"""One entry made ready to paint: every text of its cells, once, so that scrolling computes nothing."""

from dataclasses import dataclass
from datetime import datetime

from sulcus_panel.core.credentials import redacted
from sulcus_panel.core.local_time import local_time
from sulcus_panel.core.model import Entry, EntryState, SeqId, Undoability
from sulcus_panel.core.safety import plain
from sulcus_panel.ui.models.badges import Badge, drift_badge, state_badges
from sulcus_panel.ui.models.wording import (
    action_word,
    clock_time,
    dot_key,
    line_counts,
    one_line,
    short_time,
    target,
    who,
)

UNDO = "Surgical Undo"
PARTLY = "Undo in part"
NEVER = "Not undoable"
REDO = "Redo"
BRIEF = {UNDO: "Undo", PARTLY: "Partly", NEVER: "No undo"}
"""What is said of these where there is little room."""


@dataclass(frozen=True, slots=True)
class UndoCell:
    """What the button of a row offers. Not enabled: there is no button, `label` says so and `reason` why."""

    label: str = ""
    enabled: bool = False
    reason: str = ""

    @property
    def brief(self) -> str:
        """The shortest that the label can be said."""
        return BRIEF.get(self.label, self.label)

    @property
    def is_partial(self) -> bool:
        """True when not all of the change can go back; `reason` says why."""
        return self.label == PARTLY

    @property
    def is_redo(self) -> bool:
        """True when a click brings an undone change back."""
        return self.label == REDO


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """The cells of one entry; what only tooltips need is made when asked for."""

    seq_id: SeqId
    entry: Entry
    time: str
    who: str
    dot: str
    action: str
    name: str
    folder: str
    plus: int | None
    minus: int | None
    intent: str
    badges: tuple[Badge, ...]
    drift: Badge | None
    undo: UndoCell

    @property
    def full_time(self) -> str:
        """Day and local time, to the second."""
        return f"{local_time(self.entry.record.at):%Y-%m-%d %H:%M:%S}"

    @property
    def full_path(self) -> str:
        """The whole path or command."""
        return plain(redacted(self.entry.record.command or "") or self.entry.record.target_path)

    @property
    def title(self) -> str:
        """The row in a few words: `edited webhook.py`."""
        return f"{self.action} {self.name}"


def ledger_row(entry: Entry, now: datetime, undone_at: datetime | None = None, barred: str = "") -> LedgerRow:
    """Make the row of an entry, as it is to be shown at `now`; `undone_at` is when it was taken back.

    `barred` says why nothing can be undone at all, where that is so.
    """
    record = entry.record
    name, folder = target(entry)
    plus, minus = line_counts(entry)
    return LedgerRow(
        seq_id=entry.seq_id,
        entry=entry,
        time=clock_time(record.at, now),
        who=who(entry),
        dot=dot_key(entry),
        action=action_word(entry),
        name=name,
        folder=folder,
        plus=plus,
        minus=minus,
        intent=one_line(record.intent),
        badges=state_badges(entry, "" if undone_at is None else short_time(undone_at, now)),
        drift=drift_badge(entry),
        undo=undo_cell(entry, barred),
    )


def undo_cell(entry: Entry, barred: str = "") -> UndoCell:
    """Say what the row's button offers, known before anyone clicks; nothing where all is `barred`."""
    cell = _cell(entry)
    return UndoCell(cell.label, False, barred) if barred and cell.enabled else cell


def _cell(entry: Entry) -> UndoCell:
    reason = plain(entry.undo_reason, 400)
    if entry.record.takes_back:
        return _redo_of(entry, reason)
    if entry.state is EntryState.UNDONE:
        kept = entry.undone_by is not None
        return UndoCell(REDO, kept, "" if kept else "The undo itself is no longer kept.")
    if entry.undoability is Undoability.NOT:
        return UndoCell(NEVER, False, reason or "there is nothing to take back")
    if entry.undoability is Undoability.PARTLY:
        return UndoCell(PARTLY, True, reason)
    return UndoCell(UNDO, True)


def _redo_of(undo: Entry, reason: str) -> UndoCell:
    """Offer to take back an undo, where it stands and the means are there."""
    if undo.state is EntryState.UNDONE:
        return UndoCell()
    return UndoCell(REDO, undo.undoability is not Undoability.NOT, reason)
