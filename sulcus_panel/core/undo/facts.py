"""Gather everything a plan rests on: entries, every known version of their paths, the disk's bytes now.

Only contents that the plan will read are fetched; each is verified by its hash on its way out of the ledger.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from sulcus_panel.core.commands.now import GitNow
from sulcus_panel.core.disk import has_other_names, look, names_in
from sulcus_panel.core.errors import BadRequest, LedgerCorrupt, NotFound
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.ledger.undoability import why_withheld
from sulcus_panel.core.model import (
    ABSENT,
    DiskFile,
    Entry,
    EntryState,
    FileKind,
    FileState,
    LedgerPath,
    Origin,
    SeqId,
    Sha256,
    Step,
    Workspace,
)
from sulcus_panel.core.states import moves_in, same_bytes
from sulcus_panel.core.undo.batch import later_steps
from sulcus_panel.core.undo.bounds import out_of_bounds
from sulcus_panel.core.undo.chain import needed
from sulcus_panel.core.undo.copy_places import copy_places
from sulcus_panel.core.undo.follow import Moved, followed, leaves
from sulcus_panel.core.undo.model import Resolution, UndoFacts, UndoRequest

ACTIVE = timedelta(minutes=1)
"""A session with an event within this time is still at work."""


def gather_facts(ledger: Ledger, workspace: Workspace, request: UndoRequest, now: datetime) -> UndoFacts:
    """Read the ledger and the disk for one request.

    Raises:
        BadRequest: nothing is chosen.
        NotFound: an entry is not in the ledger, or not of this workspace; it is named.
        LedgerCorrupt: a snapshot of a chosen entry does not hold what it says.
    """
    with ledger.database.one_look():
        return _gathered(ledger, workspace, request, now)


def _gathered(ledger: Ledger, workspace: Workspace, request: UndoRequest, now: datetime) -> UndoFacts:
    chosen = _entries(ledger, workspace, request)
    paths = tuple(dict.fromkeys(path for entry in chosen for path in entry.paths))
    timelines = {path: ledger.timeline(workspace.id, path) for path in paths}
    moved = _moved(ledger, workspace.id, chosen, timelines)
    targets = newest_first(chosen, timelines)
    refusals = _withheld(ledger, workspace, targets) | out_of_bounds(ledger, workspace, paths)
    disk: dict[LedgerPath, DiskFile] = {}
    if workspace.root is not None:
        disk = {path: look(workspace.root, path) for path in paths if path not in refusals}
        disk.update(dict.fromkeys(_other_spellings(workspace.root, disk), DiskFile(ABSENT, None)))
    copies = _copies(ledger, workspace, request, targets, disk)
    disk.update(copies.values())
    return UndoFacts(
        workspace_id=workspace.id,
        root=workspace.root,
        targets=targets,
        hunks=request.hunks,
        resolution=request.resolution,
        timelines=timelines,
        contents=_contents(ledger, targets, timelines, moved, disk),
        disk=disk,
        readers=_readers(ledger, workspace, targets),
        active_sessions=ledger.active_sessions(workspace.id, now - ACTIVE),
        refusals=refusals,
        listings=_listings(workspace.root, targets, disk),
        moved=moved,
        cancelled=_cancelled(ledger, targets, timelines),
        taken={
            entry.seq_id: _taken(ledger, entry, timelines)
            for entry in targets
            if entry.state is EntryState.PARTLY_UNDONE
        },
        copies={path: place for path, (place, _) in copies.items()},
        linked=frozenset(path for path in disk if has_other_names(workspace.root or "", path)),
        git=_git(workspace.root, targets),
    )


def _git(root: str | None, targets: Sequence[Entry]) -> Mapping[SeqId, GitNow]:
    """Ask git about targets that changed no file: most have, and are spared the imports."""
    if all(entry.record.changes for entry in targets):
        return {}
    from sulcus_panel.core.undo.git_now import git_now

    return git_now(root, targets)


def _copies(
    ledger: Ledger,
    workspace: Workspace,
    request: UndoRequest,
    targets: Sequence[Entry],
    disk: Mapping[LedgerPath, DiskFile],
) -> dict[LedgerPath, tuple[LedgerPath, DiskFile]]:
    """Find where old copies would go that the person wants beside the files, and see that they may stand there."""
    if request.resolution is not Resolution.BESIDE or workspace.root is None or len(targets) != 1:
        return {}
    exclude = ledger.settings(workspace.id).exclude
    found = copy_places(workspace.root, targets[0], disk, exclude)
    barred = out_of_bounds(ledger, workspace, [place for place, _ in found.values()])
    return {path: copy for path, copy in found.items() if copy[0] not in barred}


def _other_spellings(root: str, disk: Mapping[LedgerPath, DiskFile]) -> list[LedgerPath]:
    """Find the paths that are on disk under another path's name only: there, case does not count."""
    alike: dict[str, list[LedgerPath]] = {}
    for path, file in disk.items():
        if file.state.kind is not FileKind.ABSENT:
            alike.setdefault(unicodedata.normalize("NFC", path).casefold(), []).append(path)
    several = [path for paths in alike.values() if len(paths) > 1 for path in paths]
    names = {folder: names_in(root, folder) for folder in {_parent(path) for path in several}}
    return not_by_these_names(several, names)


def not_by_these_names(
    paths: Sequence[LedgerPath], names: Mapping[LedgerPath, Sequence[str] | None]
) -> list[LedgerPath]:
    """Return the paths whose own name is not among those in their folder; one that has no list says nothing."""
    return [
        path
        for path in paths
        if (listed := names[_parent(path)]) is not None and path.rpartition("/")[2] not in listed
    ]


def _parent(path: LedgerPath) -> LedgerPath:
    return LedgerPath(path.rpartition("/")[0] or ".")


def _listings(
    root: str | None, targets: Sequence[Entry], disk: Mapping[LedgerPath, DiskFile]
) -> dict[LedgerPath, tuple[str, ...]]:
    """List every folder that a target made and that is on disk, so that only an empty one goes.

    One that cannot be listed is left out, and so is not known to be empty.
    """
    made = {
        change.path
        for entry in targets
        for change in entry.record.changes
        if change.after.kind is FileKind.DIRECTORY and change.before.kind is not FileKind.DIRECTORY
    }
    listed = {
        path: names_in(root, path)
        for path, file in disk.items()
        if root is not None and path in made and file.state.kind is FileKind.DIRECTORY
    }
    return {path: names for path, names in listed.items() if names is not None}


def _moved(
    ledger: Ledger,
    workspace_id: int,
    targets: Sequence[Entry],
    timelines: dict[LedgerPath, tuple[Step, ...]],
) -> dict[tuple[SeqId, LedgerPath], LedgerPath]:
    """Look up where files went that an entry took from a path after a target had changed it, and from there on.

    What was done to a file at those places stands in it, too: their timelines are added.
    """
    left = {
        step.seq_id: None
        for entry in targets
        for path in entry.paths
        for step in later_steps(timelines[path], entry)
        if step.after.kind is FileKind.ABSENT
    }
    moved: dict[tuple[SeqId, LedgerPath], LedgerPath] = {}
    known = set(left)
    while left:
        places: dict[LedgerPath, None] = {}
        for entry in ledger.entries(tuple(left)):
            changes = entry.record.changes
            for old, new in moves_in(changes):
                moved[entry.seq_id, changes[old].path] = changes[new].path
                places[changes[new].path] = None
        fresh = [place for place in places if place not in timelines]
        timelines.update((place, ledger.timeline(workspace_id, place)) for place in fresh)
        ends = (timelines[place][-1] for place in fresh if timelines[place])
        left = {step.seq_id: None for step in ends if leaves(step) and step.seq_id not in known}
        known.update(left)
    return moved


def _taken(ledger: Ledger, entry: Entry, timelines: Mapping[LedgerPath, Sequence[Step]]) -> frozenset[int]:
    """Return the hunks of an entry that undos of parts have taken back, as far as these are in force."""
    steps = [step for path in entry.paths for step in timelines[path]]
    undos = ledger.entries(tuple(dict.fromkeys(step.seq_id for step in steps if step.origin is Origin.UNDO)))
    taken_back = {EntryState.UNDONE, EntryState.PARTLY_UNDONE}
    return frozenset(
        hunk
        for undo in undos
        if undo.record.reverses == entry.seq_id and undo.state not in taken_back
        for hunk in undo.record.reversed_hunks or ()
    )


def _cancelled(
    ledger: Ledger, targets: Sequence[Entry], timelines: Mapping[LedgerPath, Sequence[Step]]
) -> frozenset[SeqId]:
    """Find the later entries that were undone since, and what undid them."""
    later: dict[SeqId, None] = {}
    for entry in targets:
        for path in entry.paths:
            steps = later_steps(timelines[path], entry)
            if any(step.origin is Origin.UNDO for step in steps):
                later.update((step.seq_id, None) for step in steps)
    undone = [entry for entry in ledger.entries(tuple(later)) if entry.state is EntryState.UNDONE]
    pairs = [(entry.seq_id, entry.undone_by) for entry in undone if entry.undone_by in later]
    return frozenset(seq_id for pair in pairs for seq_id in pair)


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
    if len(known) == 1:
        return tuple(known.values())
    from graphlib import CycleError, TopologicalSorter  # here, for most undos are of one entry

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
    moved: Moved,
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
            steps = later_steps(timelines[change.path], entry)
            steps = followed(change.path, steps, moved, lambda place: timelines.get(place, ()))
            for sha in needed(change.after, steps, file.state):
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
