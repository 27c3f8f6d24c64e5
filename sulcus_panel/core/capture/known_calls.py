"""Whether the ledger has a call already: an event comes twice, a transcript tells it again, an id is given anew."""

from dataclasses import replace
from datetime import timedelta

from sulcus_panel.core.capture.adapter import ToolCall, ToolStarted
from sulcus_panel.core.capture.drafts import Context, is_another
from sulcus_panel.core.capture.place import is_elsewhere
from sulcus_panel.core.capture.silence import silences
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import NewEntry, Provenance

SAME_CALL = timedelta(minutes=5)
"""By so much a hook and a transcript may differ on when a call of one id ended: other hooks run in between."""
SAME_DEED = timedelta(seconds=10)
"""By so much they may where only the deed tells: the next one on the same file may come soon."""
NEWEST = 500
"""Among so many of a session's entries a late event's own is looked for."""


def unrecorded(
    ledger: Ledger, context: Context, call: ToolCall, started: ToolStarted | None
) -> Context | None:
    """Who called, numbered among the calls of the same id; None where the ledger has this very call.

    A call without an id is known by its event, and in that by its file.
    """
    if context.is_nameless(call) and _is_filled(ledger, context, call):
        return None
    while (known := ledger.entry_by_uid(context.uid(call))) is not None:
        if context.is_nameless(call):
            other = is_elsewhere(ledger, call.path, context.scene.cwd, known.record.changes)
        else:
            record = known.record
            other = is_another(context, call, started, record) and not (
                _was_silent(ledger, context) and _is_late_for(ledger, context, call, record, SAME_CALL)
            )
        if not other:
            return None
        context = replace(context, nth=context.nth + 1)
    return context


def _is_filled(ledger: Ledger, context: Context, call: ToolCall) -> bool:
    """Whether the session's own file told of this call, which has no id, before its hook did."""
    if not _was_silent(ledger, context):
        return False
    newest = ledger.find(LedgerQuery(session_id=context.session, limit=NEWEST))
    return any(_is_late_for(ledger, context, call, entry.record, SAME_DEED) for entry in newest)


def _was_silent(ledger: Ledger, context: Context) -> bool:
    """Whether a file told of the session's calls what no hook had; of hardly any session it did."""
    session = context.session
    return bool(session) and any(one.session_id == session for one in silences(ledger))


def _is_late_for(ledger: Ledger, context: Context, call: ToolCall, kept: NewEntry, most: timedelta) -> bool:
    """Whether this is the call of an entry that its file told first: the same deed, at the same time."""
    if kept.provenance is not Provenance.IMPORTED or abs(kept.at - context.scene.at) > most:
        return False
    if call.command or kept.command is not None:
        return (kept.command or "") == call.command
    if not call.path:
        return kept.tool_name == call.tool
    return bool(kept.changes) and not is_elsewhere(ledger, call.path, context.scene.cwd, kept.changes)
