"""What the ledger last saw of each path, so that every new change goes on from there, within one transaction.

Between two sightings of a path that do not fit, an entry "outside" closes the chain. A change of what agents
obey stands on governance too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from sulcus_panel.core.capture.adapter import Scene
from sulcus_panel.core.capture.backgrounds import goes_on, left_running, may_be_by
from sulcus_panel.core.capture.changes import build_change
from sulcus_panel.core.capture.drafts import outside_entry
from sulcus_panel.core.capture.governed import what_it_governs
from sulcus_panel.core.capture.place import Place
from sulcus_panel.core.capture.sides import Sides
from sulcus_panel.core.errors import LedgerCorrupt, NotFound
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import (
    DiskFile,
    Entry,
    FileKind,
    FileState,
    LedgerPath,
    NewEntry,
    Origin,
    SeqId,
    Sha256,
    Workspace,
)
from sulcus_panel.core.states import same_state


@dataclass(frozen=True, slots=True)
class Seen:
    """The newest state of a path in the ledger."""

    at: datetime
    seq_id: SeqId
    after: FileState


@dataclass(frozen=True, slots=True)
class Named:
    """Where a changed file is, and the names by which the agent reached it."""

    place: Place
    names: tuple[LedgerPath, ...]


class Chains:
    """The ends of all chains that a transaction touched. `recorded` and `messages` grow with it."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._seen: dict[tuple[int, LedgerPath], Seen] = {}
        self._running: dict[int, tuple[Entry, ...]] = {}
        self.recorded: list[SeqId] = []
        self.messages: list[str] = []

    def join(self, scene: Scene, named: Named, sides: Sides, since: datetime) -> Sides | None:
        """The sides so that they go on from what the ledger last saw; None where nothing is left of them.

        `since` is when `sides.before` was seen.
        """
        place = named.place
        last = self.last_seen(place, scene.at)
        if last is None or FileKind.UNKNOWN in (last.after.kind, sides.before.state.kind):
            return sides
        if same_state(last.after, sides.before.state) or self._is_newest(place, sides.before.state):
            return sides
        known = DiskFile(last.after, self.content(last.after))
        if last.at > since:
            if same_state(last.after, sides.after.state):
                self.messages.append(f"{place.path}: two calls at once, recorded together as #{last.seq_id}")
                return None
            return replace(sides, before=known)
        settings = self._ledger.settings(place.workspace.id)
        change, contents = build_change(place.path, known, sides.before, settings, names=named.names)
        self.append_outside(place.workspace, outside_entry(scene.spool_name, since, change), contents)
        return sides

    def last_seen(self, place: Place, at: datetime) -> Seen | None:
        """What the ledger last saw of a path up to then; read once, as nobody else writes meanwhile."""
        key = (place.workspace.id, place.path)
        known = self._seen.get(key)
        if known is not None and known.at <= at:
            return known
        steps = [step for step in self._ledger.timeline(*key) if step.at <= at]
        return Seen(steps[-1].at, steps[-1].seq_id, steps[-1].after) if steps else None

    def content(self, state: FileState) -> bytes | None:
        """The kept bytes of a state, None where they are not."""
        try:
            return self._ledger.blobs.get(state.sha256) if state.kept and state.sha256 else None
        except (LedgerCorrupt, NotFound):
            return None  # a snapshot that is damaged or gone must not stop what comes after

    def append_outside(self, workspace: Workspace, entry: NewEntry, contents: Mapping[Sha256, bytes]) -> None:
        """Record what nobody here is known to have done; what runs in the background may have, and is named."""
        if workspace.id not in self._running:
            self._running[workspace.id] = left_running(self._ledger, workspace.id)
        few, told = may_be_by(self._running[workspace.id], entry.at)
        if told:
            entry = replace(entry, summary=entry.summary + few, notes=(*entry.notes, told))
        self.append(workspace, entry, contents)

    def append(self, workspace: Workspace, entry: NewEntry, contents: Mapping[Sha256, bytes]) -> None:
        """Record an entry; one that the ledger has already moves nothing."""
        before = self._ledger.newest_seq()
        recorded = self._ledger.append(workspace.id, entry, contents=contents)
        if recorded is not None and recorded.seq_id > before:
            self.recorded.append(recorded.seq_id)
            if goes_on(recorded) and workspace.id in self._running:
                self._running[workspace.id] = (recorded, *self._running[workspace.id])
            for change in recorded.record.changes:
                seen = Seen(entry.at, recorded.seq_id, change.after)
                self._seen[workspace.id, change.path] = seen
                self._govern(workspace, recorded, change.path)

    def _is_newest(self, place: Place, state: FileState) -> bool:
        """Whether a path was left like this by what came last, however early that was by a clock set back."""
        steps = self._ledger.timeline(place.workspace.id, place.path)
        return bool(steps) and same_state(steps[-1].after, state)

    def _govern(self, workspace: Workspace, entry: Entry, path: LedgerPath) -> None:
        what = what_it_governs(path)
        if what is not None and entry.record.origin is not Origin.UNDO:
            who = entry.record.actor
            summary = f"{path} changed by {who.name} (#{entry.seq_id})"
            self._ledger.record_governance(workspace.id, who, f"agent.{what}", summary, (entry.seq_id,))
