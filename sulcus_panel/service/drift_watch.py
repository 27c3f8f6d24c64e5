"""Drift, measured and marked: stat first, hash only what moved, never while an undo or a tool is at work.

The panel's own undo is no drift because it holds the ledger's lock until its entries are in. A path whose
tool call is in flight (a Pre without its Post) is left alone: what the agent writes is no outside change.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sulcus_panel.core.capture.recorder import Recorder
from sulcus_panel.core.drift import Fingerprints, measure_drift
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import DriftKind, FileState, LedgerPath, SeqId, Workspace
from sulcus_panel.core.undo.lock import undo_lock

WAIT_SECONDS = 10.0
"""How long a running undo is waited for; after that the next look finds what it left."""

PAGE = 1000


@dataclass(slots=True)
class _Known:
    """What the ledger last saw at each path, as of one entry."""

    newest: SeqId
    states: dict[LedgerPath, FileState]


class DriftWatch:
    """Remembers each path's last fingerprint, so that an unchanged file costs one lstat."""

    def __init__(self, ledger: Ledger, recorder: Recorder) -> None:
        self._ledger = ledger
        self._recorder = recorder
        self._fingerprints: dict[int, Fingerprints] = {}
        self._known: dict[int, _Known] = {}

    def refresh(
        self, workspace: Workspace, paths: Collection[LedgerPath] | None
    ) -> tuple[Mapping[LedgerPath, DriftKind], bool]:
        """Measure all known paths, or `paths` among them; mark what changed.

        Returns the drift of every path of the workspace, and whether a mark is another than before.
        """
        if workspace.root is None:
            return {}, False
        with undo_lock(self._ledger, WAIT_SECONDS) as held:
            marked = self._ledger.drift(workspace.id)
            if not held:
                return marked, False
            in_flight = self._recorder.in_flight(workspace)
            wanted = {
                path: state
                for path, state in self.known(workspace).items()
                if (paths is None or path in paths) and path not in in_flight
            }
            cache = self._fingerprints.setdefault(workspace.id, {})
            measured = measure_drift(workspace.root, wanted, cache)
            changed = {path: kind for path, kind in measured.items() if marked.get(path) != kind}
            if changed:
                self._ledger.set_drift(workspace.id, changed)
        return self._ledger.drift(workspace.id), bool(changed)

    def known(self, workspace: Workspace) -> Mapping[LedgerPath, FileState]:
        """What the ledger last saw at each path; only paths of entries since the last call are read again."""
        known = self._known.get(workspace.id)
        if known is None:
            newest = self._ledger.newest_seq()
            known = _Known(newest, dict(self._ledger.last_known(workspace.id)))
            self._known[workspace.id] = known
        while fresh := self._ledger.after(known.newest, workspace.id, PAGE):
            for path in {path for entry in fresh for path in entry.paths}:
                known.states[path] = self._ledger.timeline(workspace.id, path)[-1].after
            known.newest = fresh[-1].seq_id
        return known.states
