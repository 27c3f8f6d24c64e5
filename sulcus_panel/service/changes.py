"""What a write changed, so that every door refreshes exactly that: Operations -> Changes -> bus -> models."""

from dataclasses import dataclass

from sulcus_panel.core.model import SeqId


@dataclass(frozen=True, slots=True)
class Changes:
    """One write's effect. Facts only: who listens decides what to reload.

    `new_entries` are rows that did not exist before, oldest first. `touched` are rows whose state, drift or
    undoability is another now; None means "any row may be". The flags name the other timelines.
    """

    workspace_id: int | None = None
    new_entries: tuple[SeqId, ...] = ()
    touched: tuple[SeqId, ...] | None = ()
    drift: bool = False
    governance: bool = False
    settings: bool = False
    holds: bool = False
    rules: bool = False
    hooks: bool = False
    """A hook fired, or was found silent, or is heard again."""
    notice: str = ""
    """A sentence for the person: a gap, a damaged ledger, a recovered undo."""
