"""Where something stands in the way: who that is, and which other requests would go through instead."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout

from sulcus_panel.core.model import Entry
from sulcus_panel.core.undo.model import Outcome, Resolution, UndoPlan, UndoRequest
from sulcus_panel.core.undo.words import WAYS
from sulcus_panel.ui.dialogs import undo_words as words
from sulcus_panel.ui.dialogs.plain_label import PlainLabel
from sulcus_panel.ui.models.ledger_row import LedgerRow, ledger_row
from sulcus_panel.ui.models.wording import local_now, numbers, one_line

MOST_NAMED = 6
FEW = 3
"""So many are named on a button, more are counted."""
DECIDED = {
    Resolution.TAKE_ALL: "You let what stands there go too; a copy of it is kept.",
    Resolution.REST: "You keep what stands there; the rest goes back.",
    Resolution.BESIDE: "You keep the file as it is; its old copy is saved beside it.",
    Resolution.OTHERS: "You leave out what cannot go back; the others go back.",
}


@dataclass(frozen=True, slots=True)
class Offer:
    """A button and the request that it asks for."""

    text: str
    request: UndoRequest


class WayCard(QFrame):
    """A sentence with its offer, who stands in the way one a line, and what else can be decided."""

    request_wanted = Signal(object)
    """The UndoRequest that would go through."""

    def __init__(
        self,
        said: str,
        standing: Sequence[Entry] = (),
        offer: Offer | None = None,
        choices: Sequence[Offer] = (),
    ) -> None:
        super().__init__()
        self.setObjectName("way_card" if offer else "who_card")
        self.setAccessibleName(said)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 11, 12, 12)
        column.setSpacing(9)
        head = QHBoxLayout()
        head.setSpacing(14)
        head.addWidget(PlainLabel(said, name="card_title", wrap=True), 1)
        if offer is not None:
            head.addWidget(self._button(offer, "way_button"), 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(head)
        if standing:
            column.addLayout(_people(standing))
        if choices:
            column.addLayout(self._choices(choices))

    def _choices(self, choices: Sequence[Offer]) -> QVBoxLayout:
        """Return the second-best ways, one a line: a person who has read so far may want one of them."""
        column = QVBoxLayout()
        column.setSpacing(2)
        for number, choice in enumerate(choices):
            row = QHBoxLayout()
            row.setSpacing(6)
            row.addWidget(PlainLabel("Or:", tone="quiet"))
            row.addWidget(self._button(choice, f"choice_{number}"))
            row.addStretch(1)
            column.addLayout(row)
        return column

    def _button(self, offer: Offer, name: str) -> QPushButton:
        button = QPushButton(offer.text)
        button.setObjectName(name)
        button.setFlat(name != "way_button")
        button.setAutoDefault(False)
        button.setProperty("request", offer.request)
        button.clicked.connect(self._on_clicked)
        return button

    @Slot()
    def _on_clicked(self) -> None:
        self.request_wanted.emit(self.sender().property("request"))


def ways(plan: UndoPlan, standing: Sequence[Entry]) -> tuple[WayCard, ...]:
    """Return who is in the way of a plan and what would go instead, or the way back from what was decided."""
    if (decided := DECIDED.get(plan.request.resolution)) is not None:
        anew = replace(plan.request, resolution=Resolution.KEEP)
        return (WayCard(decided, (), Offer("Decide anew", anew)),)
    if plan.can_apply:
        return ()
    without = _without_entries(plan) if len(plan.entries) > 1 else _without_paths(plan)
    return (*_about(plan, standing), *without)


def _about(plan: UndoPlan, standing: Sequence[Entry]) -> Iterator[WayCard]:
    choices = [
        Offer(WAYS[choice], replace(plan.request, resolution=choice))
        for choice in plan.choices
        if choice in WAYS and choice is not Resolution.OTHERS  # whose files have a card of their own
    ]
    if plan.safe_set:
        one = len(plan.safe_set) == 1
        said = f"{words.stands_in_the_way(plan)} {'Undo it too?' if one else 'Undo them too, newest first?'}"
        named = numbers(plan.safe_set) if len(plan.safe_set) <= FEW else f"these {len(plan.safe_set)}"
        chosen = [entry for entry in standing if entry.seq_id in plan.safe_set]
        request = UndoRequest((*plan.safe_set, *plan.request.seq_ids))
        yield WayCard(said, chosen, Offer(f"Undo {named} too", request), choices)
    elif standing:
        yield WayCard("Who stands in the way", standing, None, choices)
    elif choices:
        yield WayCard(
            f"{words.conflict_words(plan.conflicts[0])}." if plan.conflicts else "", (), None, choices
        )


def _without_entries(plan: UndoPlan) -> Iterator[WayCard]:
    """Offer to take back the entries of a batch that nothing stands in the way of."""
    bad = [item.entry.seq_id for item in plan.entries if words.is_in_the_way(item)]
    rest = tuple(seq_id for seq_id in plan.request.seq_ids if seq_id not in bad)
    if bad and rest:
        out = numbers(bad) if len(bad) <= FEW else f"{len(bad)} changes"
        said = f"{out} cannot go back; the other {'one' if len(rest) == 1 else len(rest)} could."
        yield WayCard(said, (), Offer(f"Leave {out} out", UndoRequest(rest)))


def _without_paths(plan: UndoPlan) -> Iterator[WayCard]:
    """Offer to take back the files of one entry that nothing stands in the way of, and to leave out the others."""
    if Resolution.OTHERS not in plan.choices:
        return
    item = plan.entries[0]
    bad = [path for path in item.paths if path.outcome not in words.IN_NOBODYS_WAY]
    rest = [path for path in item.paths if path.outcome in (Outcome.UNDONE, Outcome.REVIEW)]
    out = words.path_text(bad[0].path) if len(bad) == 1 else f"{len(bad)} files"
    could = words.path_text(rest[0].path) if len(rest) == 1 else f"{len(rest)} other files"
    leave = "Leave it out" if len(bad) == 1 else "Leave them out"
    request = replace(plan.request, resolution=Resolution.OTHERS)
    yield WayCard(f"{out} cannot go back; {could} could.", (), Offer(leave, request))


def _people(standing: Sequence[Entry]) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(14)
    grid.setVerticalSpacing(6)
    grid.setColumnStretch(3, 1)
    now = local_now()
    shown = standing if len(standing) <= MOST_NAMED + 1 else standing[:MOST_NAMED]
    for number, entry in enumerate(shown):
        _add_line(grid, number, ledger_row(entry, now))
    if rest := len(standing) - len(shown):
        grid.addWidget(PlainLabel(f"and {rest:,} more", tone="quiet"), len(shown), 0, 1, 4)
    return grid


def _add_line(grid: QGridLayout, number: int, row: LedgerRow) -> None:
    top = Qt.AlignmentFlag.AlignTop
    grid.addWidget(PlainLabel(f"#{row.seq_id}", name="way_number"), number, 0, top)
    grid.addWidget(PlainLabel(row.who), number, 1, top)
    grid.addWidget(PlainLabel(row.time, tone="quiet"), number, 2, top)
    intent = one_line(row.entry.record.intent, 120)
    what = f"{row.action} {row.name}" + (f" — “{intent}”" if intent else "")
    grid.addWidget(PlainLabel(what, wrap=True), number, 3, top)
