"""Commands, and other servers' calls, that began and of which no end was ever told: killed, interrupted, refused.

They have an entry all the same, with what was found changed since they began. Whether they ran at all nobody
knows, and the entry says so.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from sulcus_panel.core.capture.adapter import ToolCall, ToolFailed, ToolFinished, ToolKind, ToolStarted
from sulcus_panel.core.capture.drafts import MAX_SUMMARY, Context, command_entry, mcp_entry
from sulcus_panel.core.capture.place import place_folder
from sulcus_panel.core.capture.shell.effects import Effects
from sulcus_panel.core.capture.shell.lost import look_again
from sulcus_panel.core.capture.spool import Looked
from sulcus_panel.core.capture.trees import Trees
from sulcus_panel.core.credentials import redacted
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import CommandFacts, Entry, NewEntry, Workspace

NEVER_ENDED = "It never reported its end: it may have been stopped, or refused before it began."
NOT_LOOKED_AGAIN = "no look was taken after it"
RECENT = 50
"""So many entries of a session are asked whether one of them is the call."""


@dataclass(frozen=True, slots=True)
class Unended:
    """The part of a transaction that knows calls without an end."""

    ledger: Ledger
    trees: Trees

    def found(
        self, context: Context, started: ToolStarted, workspace: Workspace, lost: Sequence[Looked]
    ) -> tuple[NewEntry, Effects] | None:
        """The entry of such a call and what was found changed; None where it has been told otherwise."""
        call = started.call
        if context.is_nameless(call) and self._told_since(context, started):
            return None
        looked = next((one for one in lost if look_of(one) == started.look), None) if started.look else None
        event = ToolFailed(context.scene, call, None, is_lost=True)
        effects = self.trees.effects(context, event, workspace, looked)
        if started.look and looked is None:
            facts = effects.facts or CommandFacts()
            effects = replace(effects, facts=replace(facts, unseen=(*facts.unseen, NOT_LOOKED_AGAIN)))
        if call.kind is ToolKind.MCP:
            if not effects.changes:
                return None  # a call that did not succeed and left nothing is no mutation
            entry = mcp_entry(context, call)
        else:
            entry = command_entry(context, call, None)
            summary = f"never reported its end: {redacted(call.command)}"[:MAX_SUMMARY]
            entry = replace(entry, summary=summary)
        return replace(entry, notes=(*entry.notes, NEVER_ENDED)), effects

    def told(self, context: Context, event: ToolFinished | ToolFailed) -> str:
        """What is to be said of an end that came after all; "" where the call was not given up before."""
        call = event.call
        same = self._alike(context, call)
        own = [entry for entry in same if NEVER_ENDED in entry.record.notes]
        if not context.is_nameless(call):
            own = [entry for entry in own if entry.record.uid == context.uid(call)]
        if not own:
            return ""
        code = "" if event.exit_code is None else f" with code {event.exit_code}"
        return f"#{own[0].seq_id} did end{code}, after it had been recorded without an end"

    def _told_since(self, context: Context, started: ToolStarted) -> bool:
        """Whether a call without an id was recorded after it began: one harness may tell a call in two voices."""
        return any(entry.record.at >= started.scene.at for entry in self._alike(context, started.call))

    def _alike(self, context: Context, call: ToolCall) -> list[Entry]:
        """The session's newest entries of the same words."""
        found = self.ledger.find(LedgerQuery(session_id=context.session, limit=RECENT))
        records = [(entry, entry.record.command or entry.record.tool_name) for entry in found]
        return [entry for entry, words in records if words == (call.command or call.tool)]


def look_of(looked: Looked | None) -> str:
    """The name of the look that was taken before a call, as its hook told it."""
    return "" if looked is None else looked.sections.get("tree_key", b"").decode("ascii", "replace")


def is_silent(ledger: Ledger, started: ToolStarted, before: datetime) -> bool:
    """Whether a call began before that time, and nothing was heard of its session since then."""
    scene = started.scene
    if scene.at >= before or not scene.cwd:
        return False
    active = ledger.active_sessions(place_folder(ledger, scene.cwd).id, before)
    return active.isdisjoint((scene.session_id, scene.agent_id))


def look_now(home: Path, started: ToolStarted) -> Looked | None:
    """The tree as it is now against the look before a call of which nothing more was heard; None without one."""
    if not started.look or os.sep in started.look:
        return None
    baselines = home / "baselines"
    for folder in sorted(baselines.iterdir()) if baselines.is_dir() else ():
        if (folder / started.look).is_file() and (
            told := look_again(str(folder), started.look, str(home))
        ) is not None:
            return Looked(*told)
    return None
