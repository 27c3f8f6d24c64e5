"""Drift, measured and marked: stat first, hash only what moved, never while an undo or a tool is at work.

The panel's own undo is no drift because it holds the ledger's lock until its entries are in. A path whose
tool call is in flight (a Pre without its Post) is left alone: what the agent writes is no outside change.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from sulcus_panel.core.drift import Fingerprints, measure_drift
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import DriftKind, FileState, LedgerPath, SeqId, Workspace
from sulcus_panel.core.undo.lock import undo_lock

WAIT_SECONDS = 10.0
"""How long a running undo is waited for; after that the next look finds what it left."""


@dataclass(frozen=True, slots=True)
class Looked:
    """The marks after a look, whether one of them is another than before, and whether there was a look at all."""

    marks: Mapping[LedgerPath, DriftKind]
    is_news: bool
    is_done: bool = True


@dataclass(slots=True)
class _Known:
    """What the ledger last saw at each path, as of one entry; `fresh` are those not looked at since."""

    newest: SeqId
    states: Mapping[LedgerPath, FileState]
    fresh: set[LedgerPath] = field(default_factory=set)


class DriftWatch:
    """Remembers each path's last fingerprint, so that an unchanged file costs one lstat.

    `in_flight` tells the paths whose tool call has started and not ended.
    """

    def __init__(self, ledger: Ledger, in_flight: Callable[[Workspace], Collection[LedgerPath]]) -> None:
        self._ledger = ledger
        self._in_flight = in_flight
        self._fingerprints: dict[int, Fingerprints] = {}
        self._known: dict[int, _Known] = {}

    def refresh(
        self, workspace: Workspace, paths: Collection[LedgerPath] | None, *, wait: float = WAIT_SECONDS
    ) -> Looked:
        """Measure all known paths, or `paths` among them; mark what changed.

        The marks returned are those of every path. An undo at work is waited for up to `wait` seconds; if it
        does not end, nothing is looked at.
        """
        if workspace.root is None:
            return Looked({}, is_news=False)
        with undo_lock(self._ledger, wait) as held:
            marked = self._ledger.drift(workspace.id)
            if not held:
                return Looked(marked, is_news=False, is_done=False)
            in_flight = self._in_flight(workspace)
            states = self._wanted(workspace, paths)
            wanted = {path: state for path, state in states.items() if path not in in_flight}
            cache = self._fingerprints.setdefault(workspace.id, {})
            measured = measure_drift(workspace.root, wanted, cache)
            changed = {path: kind for path, kind in measured.items() if marked.get(path) != kind}
            if changed:
                self._ledger.set_drift(workspace.id, changed)
                marked = self._ledger.drift(workspace.id)
        if workspace.id in self._known:
            self._known[workspace.id].fresh.difference_update(states)
        return Looked(marked, is_news=bool(changed))

    def known(self, workspace: Workspace) -> Mapping[LedgerPath, FileState]:
        """What the ledger last saw at each path, the last recorded last; another mapping once there are entries.

        Only paths of entries since the last call are read again.
        """
        newest = self._ledger.newest_seq()  # before the reading: what comes meanwhile is read again
        known = self._known.get(workspace.id)
        if known is None:
            known = _Known(newest, self._ledger.last_known(workspace.id))
            self._known[workspace.id] = known
        elif known.newest != newest:
            paths = self._ledger.changed_since(workspace.id, known.newest)
            if paths:
                kept = {path: state for path, state in known.states.items() if path not in paths}
                known.states = kept | dict(self._ledger.last_known(workspace.id, paths))
                known.fresh |= paths
            known.newest = newest
        return known.states

    def fresh(self, workspace: Workspace) -> frozenset[LedgerPath]:
        """Paths of which `known` has heard something new since they were last looked at."""
        known = self._known.get(workspace.id)
        return frozenset(known.fresh) if known is not None else frozenset()

    def _wanted(
        self, workspace: Workspace, paths: Collection[LedgerPath] | None
    ) -> Mapping[LedgerPath, FileState]:
        if paths is None:
            return self.known(workspace)
        if workspace.id not in self._known:  # a few paths are no reason to read the whole ledger
            return self._ledger.last_known(workspace.id, paths)
        known = self.known(workspace)
        return {path: known[path] for path in paths if path in known}
