"""What a cell says: painted, in its tooltip, and to a screen reader."""

from collections.abc import Callable

from sulcus_panel.ui.models.columns import LedgerColumn
from sulcus_panel.ui.models.ledger_row import LedgerRow
from sulcus_panel.ui.models.wording import count_of, harness_name, signed_counts, tooltip


def cell_text(row: LedgerRow, column: LedgerColumn) -> str:
    """Return the cell as one line of plain text."""
    return _TEXTS[column](row)


def cell_tip(row: LedgerRow, column: LedgerColumn) -> str:
    """Return the tooltip, escaped; nothing where it would repeat the cell."""
    return tooltip(_TIPS[column](row)) if column in _TIPS else ""


def spoken_text(row: LedgerRow, column: LedgerColumn) -> str:
    """Return the cell for a screen reader, in words that stand without the heading."""
    return _SPOKEN[column](row) if column in _SPOKEN else cell_text(row, column)


def _target(row: LedgerRow) -> str:
    return f"{row.name} {row.folder}".rstrip()


def _counts(row: LedgerRow) -> str:
    return signed_counts(row.plus, row.minus)


def _spoken_counts(row: LedgerRow) -> str:
    if row.plus is None and row.minus is None:
        return ""
    return f"{count_of(row.plus or 0, 'line')} added, {row.minus or 0:,} removed"


def _state(row: LedgerRow) -> str:
    return ", ".join(badge.text for badge in row.badges)


def _drift(row: LedgerRow) -> str:
    return "" if row.drift is None else row.drift.text


def _who_tip(row: LedgerRow) -> str:
    return harness_name(row.entry.record.harness)


def _marks_tip(row: LedgerRow) -> str:
    marks = row.badges if row.drift is None else (*row.badges, row.drift)
    return "\n".join(mark.tip for mark in marks)


SHOWN_FIRST = "You are shown what happens before it does."


def _undo_tip(row: LedgerRow) -> str:
    cell = row.undo
    if not cell.label:
        return ""
    if not cell.enabled:
        return f"Cannot be {'redone' if cell.is_redo else 'undone'}: {cell.reason}"
    if cell.is_redo:
        return f"Bring this change back. {SHOWN_FIRST}"
    if cell.is_partial:
        return f"Can be undone in part: {cell.reason}. {SHOWN_FIRST}"
    return f"Take back this one change and keep everything later. {SHOWN_FIRST}"


def _spoken_button(row: LedgerRow) -> str:
    cell = row.undo
    if not cell.label:
        return ""
    if not cell.enabled:
        return f"Change {row.seq_id} cannot be {'redone' if cell.is_redo else 'undone'}: {cell.reason}"
    if cell.is_partial:
        return f"Undo change {row.seq_id} in part, {row.title}: {cell.reason}"
    return f"{'Redo' if cell.is_redo else 'Undo'} change {row.seq_id}, {row.title}"


_Say = Callable[[LedgerRow], str]

_TEXTS: dict[LedgerColumn, _Say] = {
    LedgerColumn.SEQ: lambda row: str(row.seq_id),
    LedgerColumn.TIME: lambda row: row.time,
    LedgerColumn.HARNESS: lambda row: row.who,
    LedgerColumn.ACTION: lambda row: row.action,
    LedgerColumn.TARGET: _target,
    LedgerColumn.PLUS_MINUS: _counts,
    LedgerColumn.INTENT: lambda row: row.intent,
    LedgerColumn.STATE: _state,
    LedgerColumn.DRIFT: _drift,
    LedgerColumn.UNDO: lambda row: row.undo.label,
}
_TIPS: dict[LedgerColumn, _Say] = {
    LedgerColumn.TIME: lambda row: row.full_time,
    LedgerColumn.HARNESS: _who_tip,
    LedgerColumn.TARGET: lambda row: row.full_path,
    LedgerColumn.INTENT: lambda row: row.intent,
    LedgerColumn.STATE: _marks_tip,
    LedgerColumn.DRIFT: _marks_tip,
    LedgerColumn.UNDO: _undo_tip,
}
_SPOKEN: dict[LedgerColumn, _Say] = {
    LedgerColumn.SEQ: lambda row: f"Change {row.seq_id}",
    LedgerColumn.TIME: lambda row: row.full_time,
    LedgerColumn.PLUS_MINUS: _spoken_counts,
    LedgerColumn.UNDO: _spoken_button,
}
