"""A request -> its plan, from the ledger and the disk as they are; and who would have to be taken back too.

The smallest safe set is found by planning: only entries that a plan names are added, so that an edit of the
person, which no plan names, never is.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from sulcus_panel.core.errors import BadRequest
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Entry, EntryState, SeqId
from sulcus_panel.core.undo.facts import gather_facts
from sulcus_panel.core.undo.model import STUCK, WRITABLE, Outcome, Resolution, UndoPlan, UndoRequest, Write
from sulcus_panel.core.undo.planner import Planner

MOST = 12
"""Entries that are offered at most; beyond that a person cannot judge them one by one."""

OPPOSED = STUCK | {Outcome.REFUSED, Outcome.UNAVAILABLE}
"""Outcomes of a plan that something holds back."""

Planning = Callable[[UndoRequest], UndoPlan]
Standing = Callable[[SeqId], SeqId | None]


def plan_request(
    ledger: Ledger, request: UndoRequest, clock: Callable[[], datetime], planner: Planner
) -> UndoPlan:
    """Plan a request; where somebody stands in the way, say with whom it would go. Raises NotFound, BadRequest."""
    if not request.seq_ids:
        raise BadRequest("No change is named", "Say which changes are meant.", field="seq_ids")
    wanted = tuple(dict.fromkeys(request.seq_ids))
    entries = ledger.entries(wanted)
    if len(entries) < len(wanted):
        entries = tuple(ledger.entry(seq_id) for seq_id in wanted)  # which names the one that is missing
    if len({entry.workspace_id for entry in entries}) != 1:
        raise BadRequest("These changes belong to different workspaces", field="seq_ids")
    _check_chains(ledger, entries)
    workspace = ledger.workspace(entries[0].workspace_id)

    def planning(asked: UndoRequest) -> UndoPlan:
        return planner(gather_facts(ledger, workspace, asked, clock())).plan

    def standing(seq_id: SeqId) -> SeqId | None:
        return _in_force(ledger, seq_id)

    plan = planning(request)
    if plan.outcome not in OPPOSED:
        return plan
    safe_set = smallest_safe_set(plan, planning, standing) if plan.outcome in STUCK else ()
    return replace(plan, safe_set=safe_set, choices=_choices(plan, planning))


def _check_chains(ledger: Ledger, entries: Sequence[Entry]) -> None:
    """Refuse an entry together with a later undo of its own undo: which of them is in force depends on the order.

    An entry and its own undo may go together; they cancel each other out.
    """
    named = {entry.seq_id: entry for entry in entries}
    for entry in entries:
        older, steps = entry.record.reverses, 1
        while older is not None:
            if older in named and steps > 1:
                raise BadRequest(
                    f"#{entry.seq_id} and #{older} are steps of one undo and redo",
                    "Both at once have no clear meaning.",
                    "Take them back one at a time.",
                    field="seq_ids",
                )
            found = ledger.entries((older,))
            older, steps = (found[0].record.reverses, steps + 1) if found else (None, steps)


def _choices(plan: UndoPlan, planning: Planning) -> tuple[Resolution, ...]:
    """Return what a person may decide, each of a single entry and with a result that differs from the others."""
    if len(plan.request.seq_ids) != 1:
        return ()
    results: dict[Resolution, tuple[Write, ...]] = {}
    for resolution in _decisions(plan):
        other = planning(replace(plan.request, resolution=resolution))
        if other.can_apply and other.writes not in results.values():
            results[resolution] = other.writes
    return tuple(results)


def _decisions(plan: UndoPlan) -> Iterator[Resolution]:
    if plan.outcome in STUCK:
        yield from (Resolution.TAKE_ALL, Resolution.REST)
        if any(conflict.lines is None for conflict in plan.conflicts):
            yield Resolution.BESIDE
    if len(plan.entries[0].paths) > 1:
        yield Resolution.OTHERS


def _in_force(ledger: Ledger, seq_id: SeqId) -> SeqId | None:
    """Return whose work a named entry is: of a redo, the entry that it brought back; None where it is undone."""
    found = ledger.entries((seq_id,))
    if not found or found[0].state is EntryState.UNDONE:
        return None
    entry = found[0]
    while entry.record.reverses is not None:
        undo = ledger.entries((entry.record.reverses,))
        if not undo or undo[0].record.reverses is None:
            break  # an undo itself, and it is its lines that stand there
        redone = ledger.entries((undo[0].record.reverses,))
        if not redone:
            break
        entry = redone[0]
    return entry.seq_id


def smallest_safe_set(plan: UndoPlan, planning: Planning, standing: Standing) -> tuple[SeqId, ...]:
    """Return the entries to be taken back with those of `plan`, newest first; () where none is needed or helps.

    `planning` answers other requests from the same ledger and disk, `standing` says whose work a named entry is.
    Parts chosen of one entry have no such set: a batch is of whole entries.
    """
    if plan.request.hunks is not None:
        return ()
    asked = frozenset(plan.request.seq_ids)
    found = _enough(plan, asked, planning, standing)
    for seq_id in sorted(found - asked):
        less = found - {seq_id}
        if len(less) > len(asked) and _goes(_again(less, planning)):
            found = less
    return tuple(seq_id for seq_id in _again(found, planning).request.seq_ids if seq_id not in asked)


def _enough(
    plan: UndoPlan, asked: frozenset[SeqId], planning: Planning, standing: Standing
) -> frozenset[SeqId]:
    """Add whoever is named until the batch goes through; what was asked, where it never does."""
    chosen = asked
    while plan.outcome in STUCK:
        told = {seq_id for conflict in plan.conflicts for seq_id in conflict.with_seq_ids}
        named = {seq_id for each in told if (seq_id := standing(each)) is not None}
        if named <= chosen or len(chosen | named) - len(asked) > MOST:
            return asked
        chosen |= named
        plan = _again(chosen, planning)
    return chosen if _goes(plan) else asked


def _again(seq_ids: frozenset[SeqId], planning: Planning) -> UndoPlan:
    return planning(UndoRequest(tuple(seq_ids)))


def _goes(plan: UndoPlan) -> bool:
    return plan.outcome in WRITABLE or plan.outcome is Outcome.ALREADY_UNDONE
