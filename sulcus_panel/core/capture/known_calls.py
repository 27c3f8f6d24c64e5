"""Whether the ledger has a call already: an event comes twice, a transcript tells it again, an id is given anew."""

from dataclasses import replace

from sulcus_panel.core.capture.adapter import ToolCall, ToolStarted
from sulcus_panel.core.capture.drafts import Context, is_another
from sulcus_panel.core.capture.place import is_elsewhere
from sulcus_panel.core.ledger.store import Ledger


def unrecorded(
    ledger: Ledger, context: Context, call: ToolCall, started: ToolStarted | None
) -> Context | None:
    """Who called, numbered among the calls of the same id; None where the ledger has this very call.

    A call without an id is known by its event, and in that by its file.
    """
    while (known := ledger.entry_by_uid(context.uid(call))) is not None:
        if context.is_nameless(call):
            other = is_elsewhere(ledger, call.path, context.scene.cwd, known.record.changes)
        else:
            other = is_another(context, call, started, known.record)
        if not other:
            return None
        context = replace(context, nth=context.nth + 1)
    return context
