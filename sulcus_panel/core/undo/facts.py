"""Gather everything a plan rests on: entries, every known version of their paths, the disk's bytes now.

Only contents that the plan will read are fetched; each is verified by its hash on its way out of the ledger.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from sulcus_panel.core.disk import has_other_names, look
from sulcus_panel.core.errors import BadRequest, LedgerCorrupt, NotFound, UnsafePath
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.ledger.undoability import why_withheld
from sulcus_panel.core.model import (
    DiskFile,
    Entry,
    FileKind,
    FileState,
    LedgerPath,
    SeqId,
    Sha256,
    Step,
    Workspace,
)
from sulcus_panel.core.safety import check_path, plain
from sulcus_panel.core.states import same_bytes
from sulcus_panel.core.undo.chain import needed
from sulcus_panel.core.undo.model import UndoFacts, UndoRequest
from sulcus_panel.core.undo.plan import later_steps

ACTIVE = timedelta(minutes=1)
"""A session with an event within this time is still at work."""


def gather_facts(ledger: Ledger, workspace: Workspace, request: UndoRequest, now: datetime) -> UndoFacts:
    """Read the ledger and the disk for one request.

    Raises:
        BadRequest: nothing is chosen.
        NotFound: an entry is not in the ledger, or not of this workspace; it is named.
        LedgerCorrupt: a snapshot of a chosen entry does not hold what it says.
    """
    chosen = _entries(ledger, workspace, request)
    paths = tuple(dict.fromkeys(path for entry in chosen for path in entry.paths))
    timelines = {path: ledger.timeline(workspace.id, path) for path in paths}
    targets = newest_first(chosen, timelines)
    refusals = _withheld(ledger, workspace, targets) | _refusals(workspace.root, paths)
    disk: dict[LedgerPath, DiskFile] = {}
    if workspace.root is not None:
        disk = {path: look(workspace.root, path) for path in paths if path not in refusals}
    return UndoFacts(
        workspace_id=workspace.id,
        root=workspace.root,
        targets=targets,
        hunks=request.hunks,
        timelines=timelines,
        contents=_contents(ledger, targets, timelines, disk),
        disk=disk,
        readers=_readers(ledger, workspace, targets),
        active_sessions=ledger.active_sessions(workspace.id, now - ACTIVE),
        refusals=refusals,
    )


def _entries(ledger: Ledger, workspace: Workspace, request: UndoRequest) -> tuple[Entry, ...]:
    wanted = tuple(dict.fromkeys(request.seq_ids))
    if not wanted:
        raise BadRequest("Nothing was chosen to undo", field="seq_ids")
    found = {entry.seq_id: entry for entry in ledger.entries(wanted) if entry.workspace_id == workspace.id}
    missing = [f"#{seq_id}" for seq_id in wanted if seq_id not in found]
    if missing:
        raise NotFound(f"{', '.join(missing)} is not in the ledger", f"workspace {workspace.namespace}")
    return tuple(found[seq_id] for seq_id in wanted)


def newest_first(
    entries: Iterable[Entry], timelines: Mapping[LedgerPath, Sequence[Step]]
) -> tuple[Entry, ...]:
    """Order entries by time of happening, newest first; where they share a path, its timeline decides."""
    known = {entry.seq_id: entry for entry in entries}
    ranked = sorted(known.values(), key=lambda entry: (entry.record.at, entry.seq_id), reverse=True)
    sorter: TopologicalSorter[SeqId] = TopologicalSorter()
    for entry in ranked:
        sorter.add(entry.seq_id)
    for timeline in timelines.values():
        steps = [step.seq_id for step in timeline if step.seq_id in known]
        for older, newer in pairwise(steps):
            sorter.add(older, newer)
    try:
        sorter.prepare()
    except CycleError:
        return tuple(ranked)
    rank = {entry.seq_id: index for index, entry in enumerate(ranked)}
    order: list[Entry] = []
    waiting: list[SeqId] = []
    while sorter.is_active():
        waiting += sorter.get_ready()
        first = min(waiting, key=rank.__getitem__)
        waiting.remove(first)
        order.append(known[first])
        sorter.done(first)
    return tuple(order)


def _refusals(root: str | None, paths: Iterable[LedgerPath]) -> dict[LedgerPath, str]:
    refusals: dict[LedgerPath, str] = {}
    for path in paths:
        try:
            check_path(path)
        except UnsafePath as error:
            refusals[path] = f"{error.title.lower()}: {error.detail}"
            continue
        if root is not None and has_other_names(root, path):
            refusals[path] = (
                f"{plain(path, 200)} has a second name (a hard link), which would be parted from it"
            )
    return refusals


def _withheld(ledger: Ledger, workspace: Workspace, targets: Sequence[Entry]) -> dict[LedgerPath, str]:
    """Refuse what may not be kept: an undo keeps the bytes that it displaces, or could not be taken back."""
    exclude = ledger.settings(workspace.id).exclude
    refusals: dict[LedgerPath, str] = {}
    for change in (change for entry in targets for change in entry.record.changes):
        why = why_withheld(change, exclude)
        before = change.before
        gone = before.kind in {FileKind.FILE, FileKind.SYMLINK} and not before.kept
        if why and not (gone and not same_bytes(before, change.after)):  # what is gone is `not_kept` anyway
            advice = "delete the file" if change.before.kind is FileKind.ABSENT else "change the file back"
            refusals[change.path] = (
                f"its contents may not be kept ({why}), so this could not be taken back: {advice} yourself"
            )
    return refusals


def _contents(
    ledger: Ledger,
    targets: Sequence[Entry],
    timelines: Mapping[LedgerPath, Sequence[Step]],
    disk: Mapping[LedgerPath, DiskFile],
) -> dict[Sha256, bytes]:
    contents: dict[Sha256, bytes] = {}
    for entry in targets:
        for change in entry.record.changes:
            file = disk.get(change.path)
            if file is None:
                continue
            own = (change.before, change.after)
            for sha in _of(own, file.state):
                _fetch(ledger, sha, contents, strict=True)
            if file.state.sha256 == change.after.sha256:
                continue
            for sha in needed(change.after, later_steps(timelines[change.path], entry), file.state):
                _fetch(ledger, sha, contents, strict=False)
    return contents


def _of(states: Iterable[FileState], disk: FileState) -> Iterable[Sha256]:
    for state in states:
        is_content = state.kind in {FileKind.FILE, FileKind.SYMLINK}
        if is_content and state.sha256 is not None and state.sha256 != disk.sha256:
            yield state.sha256


def _fetch(ledger: Ledger, sha: Sha256, contents: dict[Sha256, bytes], *, strict: bool) -> None:
    if sha in contents:
        return
    try:
        contents[sha] = ledger.blobs.get(sha)
    except NotFound:
        return
    except LedgerCorrupt:
        # A damaged version on the way is passed over; a damaged one that would be written stops everything.
        if strict:
            raise


def _readers(
    ledger: Ledger, workspace: Workspace, targets: Sequence[Entry]
) -> dict[LedgerPath, tuple[SeqId, ...]]:
    readers: dict[LedgerPath, tuple[SeqId, ...]] = {}
    for entry in targets:
        for path in entry.paths:
            found = ledger.readers(workspace.id, path, entry.record.at)
            if found:
                readers[path] = tuple(dict.fromkeys((*readers.get(path, ()), *found)))
    return readers
