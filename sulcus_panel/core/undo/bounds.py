"""Where an undo may write: below its own workspace's root, and there not everywhere. Looks at the root alone."""

import functools
import os
from collections.abc import Iterable

from sulcus_panel.core.errors import UnsafePath
from sulcus_panel.core.ledger.folder_ids import is_replaced, told_replaced
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import LedgerPath, Workspace
from sulcus_panel.core.protected import check_place
from sulcus_panel.core.safety import check_path, plain


def out_of_bounds(ledger: Ledger, workspace: Workspace, paths: Iterable[LedgerPath]) -> dict[LedgerPath, str]:
    """Return those of `paths` that may not be written at all, each with the reason."""
    inner = _nested(ledger, workspace)
    replaced = told_replaced(workspace.root or "") if is_replaced(workspace) else ""
    home, own = _real(os.path.expanduser("~")), _real(str(ledger.home.root))
    refusals: dict[LedgerPath, str] = {}
    for path in paths:
        try:
            check_path(path)
            if workspace.root is not None:
                check_place(path, workspace.root, home=home, own=own)
        except UnsafePath as error:
            refusals[path] = f"{error.title.lower()}: {error.detail}"
            continue
        if reason := replaced or _belongs_elsewhere(path, inner):
            refusals[path] = reason
    return refusals


@functools.lru_cache(maxsize=8)
def _real(folder: str) -> str:
    return os.path.realpath(folder)


def _nested(ledger: Ledger, workspace: Workspace) -> dict[str, Workspace]:
    """Every workspace inside this one, by its folder's path there."""
    if workspace.root is None:
        return {}
    start = len(workspace.root.rstrip(os.sep)) + 1
    found = ledger.workspaces(below=workspace.root)
    return {(other.root or "")[start:].replace(os.sep, "/"): other for other in found}


def _belongs_elsewhere(path: LedgerPath, inner: dict[str, Workspace]) -> str:
    """Say to which other workspace a path belongs, "" to none: the nearest one above it has it."""
    for folder, other in inner.items():
        if f"{path}/".startswith(f"{folder}/"):
            return f"{plain(path, 200)} belongs to the workspace {other.namespace} now, which keeps its own record"
    return ""
