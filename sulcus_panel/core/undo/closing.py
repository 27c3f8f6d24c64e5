"""An undo that finds its change gone already: nothing is written, and an undo without changes closes the entry.

So the row says "undone" like any other, by an entry that can itself be taken back. The same goes for a batch
whose steps cancel each other out.
"""

from dataclasses import replace

from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Entry, EntryState, SeqId, Workspace
from sulcus_panel.core.undo.carry_out import Hands
from sulcus_panel.core.undo.gone import to_close
from sulcus_panel.core.undo.model import UndoPlan, UndoResult
from sulcus_panel.core.undo.records import closing_entry
from sulcus_panel.core.undo.results import as_planned


def close(ledger: Ledger, workspace: Workspace, plan: UndoPlan, hands: Hands) -> UndoResult:
    """Answer a plan that writes nothing, and close its entries where that is because nothing is left of them.

    Raises:
        LedgerFull, LedgerBusy: as said there; nothing was recorded.
    """
    told = as_planned(plan)
    gone = [entry for entry in to_close(plan) if not _is_overtaken(ledger, entry)]
    if not gone:
        return told
    closed: dict[SeqId, SeqId] = {}
    with ledger.write(durable=True):
        for entry in gone:
            record = closing_entry(plan, entry, hands.actor, hands.ids(), hands.clock())
            appended = ledger.append(workspace.id, record)
            if appended is not None:
                closed[entry.seq_id] = appended.seq_id
        ledger.record_governance(
            workspace.id,
            hands.actor,
            "undo.applied",
            f"already so: {', '.join(f'#{seq_id}' for seq_id in closed)}",
            tuple(closed),
            {"plan_digest": plan.digest},
        )
    results = tuple(replace(each, undo_seq_id=closed.get(each.seq_id)) for each in told.results)
    return replace(told, results=results)


def _is_overtaken(ledger: Ledger, entry: Entry) -> bool:
    """Say whether an entry brought a change back that another undo has taken back since: its row says that.

    To close it, too, would put the older undo in force again beside the newer one.
    """
    steps = 0
    while entry.record.reverses is not None:
        older = ledger.entries((entry.record.reverses,))
        if not older:
            return False
        entry, steps = older[0], steps + 1
    return steps > 0 and steps % 2 == 0 and entry.state is EntryState.UNDONE
