"""The folder of a call whose event names none: Windsurf's of another server's tool. What is found is said.

The folder in which it began, that of a file which its input names, the workspace in which its session worked last,
or the only one that there is; more would be a guess.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from sulcus_panel.core.capture.adapter import ToolFailed, ToolFinished, ToolStarted
from sulcus_panel.core.capture.place import git_top, resolve
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.ledger.store import Ledger

BY_FILE = (
    "Its harness does not say in which folder it was called: this one holds a file that its input names."
)
BY_SESSION = "Its harness does not say in which folder it was called: its session worked in this one last."
ONLY_ONE = "Its harness does not say in which folder it was called: no other workspace is known."
MAX_NAMES = 200

_Ended = TypeVar("_Ended", bound=ToolFinished | ToolFailed)


def where_it_began(event: _Ended, started: ToolStarted | None) -> _Ended:
    """A call's end in the folder in which it began: a command may go elsewhere."""
    if started is None or not started.scene.cwd:
        return event
    return replace(event, scene=replace(event.scene, cwd=started.scene.cwd))


def with_folder(ledger: Ledger, event: _Ended) -> _Ended:
    """The event with its folder and how that was found; as it is where it names one, or nothing tells it."""
    if event.scene.cwd:
        return event
    folder, how = _found(ledger, event)
    return replace(event, scene=replace(event.scene, cwd=folder, placed=how)) if folder else event


def _found(ledger: Ledger, event: ToolFinished | ToolFailed) -> tuple[str, str]:
    for path in _named(event):
        workspace = ledger.workspace_above(path)
        root = workspace.root if workspace is not None else git_top(resolve(os.path.dirname(path)))
        if root is not None:
            return root, BY_FILE
    scene = event.scene
    query = LedgerQuery(harness=scene.caller or scene.harness, session_id=scene.session_id or None, limit=1)
    for entry in ledger.find(query) if scene.session_id else ():
        root = ledger.workspace(entry.workspace_id).root
        if root is not None:
            return root, BY_SESSION
    roots = [workspace.root for workspace in ledger.workspaces() if workspace.root is not None]
    return (roots[0], ONLY_ONE) if len(roots) == 1 else ("", "")


def _named(event: ToolFinished | ToolFailed) -> Iterator[str]:
    """Absolute paths in the call's input, those that the hook looked at first."""
    if event.sighting is not None:
        yield event.sighting.path
    try:
        given: object = json.loads(event.call.given or "null")
    except (ValueError, RecursionError):
        return
    waiting, seen = [given], 0
    while waiting and seen < MAX_NAMES:
        seen += 1
        value = waiting.pop(0)
        if isinstance(value, dict | list):
            waiting += value.values() if isinstance(value, dict) else value
        elif isinstance(value, str) and os.path.isabs(value) and "\0" not in value:
            yield value
