"""After a killed process: bring every open undo to all-before or all-after, and tell the person.

All paths after: the undo is complete and gets recorded. Otherwise those that were written go back. Bytes that
are neither are somebody else's; they stay, and the entry asks for attention. Doing it twice does no harm.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from sulcus_panel.core.disk import Unreachable, is_out_of_sight, look_at
from sulcus_panel.core.errors import LedgerBusy, LedgerCorrupt, NotFound, SulcusError
from sulcus_panel.core.ledger.folder_ids import is_away, is_moved_to
from sulcus_panel.core.ledger.journal import JournalWrite, UndoJournal, states_named
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import EntryState, FileKind, FileState, SeqId, Sha256
from sulcus_panel.core.safety import plain
from sulcus_panel.core.states import same_state
from sulcus_panel.core.undo.back import is_after, put_all_back
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.lock import undo_lock
from sulcus_panel.core.undo.model import Write
from sulcus_panel.core.undo.spare import Place, is_clean, is_ours, look_for, place_of, straighten, sweep
from sulcus_panel.core.undo.task import Task
from sulcus_panel.core.undo.trash import trash_of


def recover(ledger: Ledger, fs: FileSystem | None = None) -> tuple[str, ...]:
    """Settle every open undo; returns one sentence for each, nothing where an undo is under way right now."""
    if not ledger.open_undos():
        return ()
    with undo_lock(ledger, 0) as held:
        if not held:
            return ()
        return recover_locked(ledger, fs or FileSystem())


def recover_locked(ledger: Ledger, fs: FileSystem) -> tuple[str, ...]:
    """Settle every open undo; the caller holds the lock."""
    return tuple(_settle(ledger, journal, fs) for journal in ledger.open_undos())


def refuse_overlap(
    ledger: Ledger, workspace_id: int, writes: Sequence[Write], seq_ids: Collection[SeqId]
) -> None:
    """Refuse an undo of what one that is not settled yet may still put back, or record.

    Raises LedgerBusy: the disk does not let that one end.
    """
    for journal in ledger.open_undos():
        if journal.workspace_id != workspace_id or _is_recorded(ledger, journal):
            continue
        share = any(_meet(one.path, other.path) for one in journal.writes for other in writes)
        if share or set(seq_ids) & set(_reversed(journal)):
            raise LedgerBusy(
                f"The {_what(journal)} was interrupted and comes first",
                f"The disk does not let {_listed(_not_back(journal))} go back yet.",
                "Make sure that this can be read and written, and try again.",
            )


def _is_recorded(ledger: Ledger, journal: UndoJournal) -> bool:
    return all(ledger.entry_by_uid(entry.uid) is not None for entry in journal.entries)


def _not_back(journal: UndoJournal) -> list[str]:
    """Name what is not as it was before; where all is, what lies beside it cannot be removed."""
    paths: list[str] = [
        write.path
        for write in journal.writes
        if not same_state(look_for(journal.root, _task(write, {})).state, write.before)
    ]
    return paths or [write.temp_name for write in journal.writes]


def _meet(one: str, other: str) -> bool:
    """Say whether two paths are one, or one is below the other."""
    return f"{one}/".startswith(f"{other}/") or f"{other}/".startswith(f"{one}/")


def _settle(ledger: Ledger, journal: UndoJournal, fs: FileSystem) -> str:
    root = _root_now(ledger, journal)
    if root is None:
        return (
            f"The {_what(journal)} was interrupted, and the folder {plain(journal.root, 200)} is not"
            " there now; it is settled when that folder is back."
        )
    journal = replace(journal, root=root)
    if any(entry.git is not None and entry.git.refs for entry in journal.entries):
        from sulcus_panel.core.undo.effect_journal import settle_effects  # seldom, and slow to import

        return settle_effects(ledger, journal)
    contents = _contents(ledger, journal)
    tasks = [_task(write, contents) for write in journal.writes]
    if _is_recorded(ledger, journal):
        _let_wait(ledger, journal, tasks, fs)
        return _tidied(ledger, journal, tasks, fs)
    for task in tasks:
        _return_displaced(journal.root, task, fs)
    if all(same_state(look_for(journal.root, task).state, task.after) for task in tasks):
        return _complete(ledger, journal, contents, tasks, fs)
    trash = trash_of(ledger.home, journal.workspace_id, journal.entries[0].at)
    failed = put_all_back(journal.root, tasks, fs, trash=trash)
    return _not_all_back(ledger, journal, failed) if failed else _taken_back(ledger, journal, tasks)


def _not_all_back(ledger: Ledger, journal: UndoJournal, failed: Sequence[Task]) -> str:
    stuck = [task for task in failed if _may_go_back(journal.root, task)]
    if stuck:
        return _waiting(journal, stuck)
    lost = [task for task in failed if is_after(task, look_for(journal.root, task))]
    if lost:
        return _damaged(ledger, journal, _named(lost))
    return _attention(ledger, journal, _named(failed))


def _root_now(ledger: Ledger, journal: UndoJournal) -> str | None:
    """Return where the folder of a journal is: at its place, or moved to where another workspace is; else None."""
    workspace = ledger.workspace(journal.workspace_id)
    if not is_away(workspace):
        return journal.root
    moved = [other for other in ledger.workspaces() if other.root and is_moved_to(workspace, other.root)]
    return moved[0].root if moved else None


def _task(write: JournalWrite, contents: Mapping[Sha256, bytes]) -> Task:
    return Task(
        path=write.path,
        before=write.before,
        after=write.after,
        content=_of(contents, write.after),
        temp=write.temp_name,
        in_place=write.in_place,
        displaced=_of(contents, write.before),
    )


def _may_go_back(root: str, task: Task) -> bool:
    """Say whether another start may bring a path back: it holds what we wrote, or cannot be seen today."""
    now = look_for(root, task)
    if is_out_of_sight(now.state):
        return True
    return is_after(task, now) and (task.displaced is not None or not _needs_bytes(root, task))


def _needs_bytes(root: str, task: Task) -> bool:
    """Say whether a path goes back by its old bytes, and not by the file that lies beside it."""
    if task.before.kind not in {FileKind.FILE, FileKind.SYMLINK} or task.only_mode:
        return False
    try:
        with place_of(root, task) as place:
            return not same_state(look_at(place.folder, place.spare).state, task.before)
    except Unreachable:
        return True


def _contents(ledger: Ledger, journal: UndoJournal) -> dict[Sha256, bytes]:
    """Fetch what the journal kept: displaced, resulting and intermediate bytes."""
    contents: dict[Sha256, bytes] = {}
    for state in states_named(journal):
        if state.sha256 is not None and state.sha256 not in contents:
            try:
                contents[state.sha256] = ledger.blobs.get(state.sha256)
            except (NotFound, LedgerCorrupt):
                continue  # the file itself, beside its path, may do as well
    return contents


def _of(contents: Mapping[Sha256, bytes], state: FileState) -> bytes | None:
    return contents.get(state.sha256) if state.sha256 is not None else None


def _return_displaced(root: str, task: Task, fs: FileSystem) -> None:
    """Put what a stranger wrote right before the switch back in its place: the kill came before we saw it."""
    if not task.displaces:
        return
    with suppress(Unreachable, OSError), place_of(root, task) as place:
        straighten(place, fs)
        found = look_at(place.folder, place.spare)
        if found.state.kind is FileKind.ABSENT or is_ours(found, task):
            return
        if same_state(look_at(place.folder, place.name).state, task.after):
            _return(task, place, fs)


def _return(task: Task, place: Place, fs: FileSystem) -> None:
    if task.after.kind is FileKind.ABSENT:
        fs.place(place.folder, place.spare, place.name)
    elif not fs.exchange(place.folder, place.spare, place.name):
        fs.replace(place.folder, place.spare, place.name)


def _let_wait(ledger: Ledger, journal: UndoJournal, tasks: Sequence[Task], fs: FileSystem) -> None:
    """Give displaced files their day in the trash, as any undo does: a program may still write to one."""
    trash = trash_of(ledger.home, journal.workspace_id, journal.entries[0].at)
    for task in tasks:
        if not task.displaces:
            continue
        with suppress(Unreachable, OSError), place_of(journal.root, task) as place:
            if same_state(look_at(place.folder, place.spare).state, task.before):
                trash.take(fs, place, task.before)


def _tidied(ledger: Ledger, journal: UndoJournal, tasks: Sequence[Task], fs: FileSystem) -> str:
    kept = [name for task in tasks for name in sweep(journal.root, task, fs)]
    told = f"The {_what(journal)} had left spare files behind"
    if not all(is_clean(journal.root, task) for task in tasks):
        return f"{told}, and they cannot be removed yet."
    ledger.finish_undo(journal.op_id)
    names = ", ".join(plain(name, 200) for name in kept)
    return f"{told}; what others wrote is kept as {names}." if kept else f"{told}; they are removed."


def _complete(
    ledger: Ledger,
    journal: UndoJournal,
    contents: Mapping[Sha256, bytes],
    tasks: Sequence[Task],
    fs: FileSystem,
) -> str:
    _let_wait(ledger, journal, tasks, fs)
    for task in tasks:
        sweep(journal.root, task, fs)
    with ledger.write(durable=True):
        for entry in journal.entries:
            ledger.append(journal.workspace_id, entry, contents=contents)
        _govern(ledger, journal, "undo.applied", "completed at the next start")
        ledger.complete_undo(journal)
        if all(is_clean(journal.root, task) for task in tasks):
            ledger.finish_undo(journal.op_id)
    return f"The {_what(journal)} was interrupted after its last write; it is complete and recorded."


def _taken_back(ledger: Ledger, journal: UndoJournal, tasks: Sequence[Task]) -> str:
    told = f"The {_what(journal)} was interrupted; every file is as it was before it"
    if not all(is_clean(journal.root, task) for task in tasks):
        return f"{told}, but a spare file beside {_named(tasks)} cannot be removed yet."
    with ledger.write(durable=True):
        _govern(ledger, journal, "undo.failed", "interrupted; everything is as it was")
        ledger.finish_undo(journal.op_id)
    return f"{told}."


def _waiting(journal: UndoJournal, stuck: Sequence[Task]) -> str:
    """The disk does not let us: the journal stays open, and nothing is told of it in the ledger yet."""
    return (
        f"The {_what(journal)} was interrupted, and the disk does not let {_named(stuck)} go back yet;"
        " this is tried again at every start."
    )


def _damaged(ledger: Ledger, journal: UndoJournal, paths: str) -> str:
    _mark_all(ledger, journal, f"interrupted; what it displaced is damaged in the ledger: {paths}")
    return (
        f"The {_what(journal)} was interrupted, and {paths} cannot go back, for the ledger's copy of what stood"
        " there is damaged; it holds what the undo wrote. Please look at it."
    )


def _attention(ledger: Ledger, journal: UndoJournal, paths: str) -> str:
    _mark_all(ledger, journal, f"interrupted; changed by somebody else meanwhile: {paths}")
    return (
        f"The {_what(journal)} was interrupted, and somebody else has changed {paths} since;"
        " that was left alone. Please look at it."
    )


def _named(tasks: Sequence[Task]) -> str:
    return _listed([task.path for task in tasks])


def _listed(paths: Sequence[str]) -> str:
    return ", ".join(plain(path, 120) for path in paths)


def _mark_all(ledger: Ledger, journal: UndoJournal, summary: str) -> None:
    """Have the person look at every entry of an undo that ends half-way."""
    with ledger.write(durable=True):
        for seq_id in _reversed(journal):
            _mark(ledger, seq_id)
        _govern(ledger, journal, "undo.failed", summary)
        ledger.finish_undo(journal.op_id)


def _mark(ledger: Ledger, seq_id: SeqId) -> None:
    try:
        ledger.set_state(seq_id, EntryState.ATTENTION)
    except SulcusError:
        return


def _govern(ledger: Ledger, journal: UndoJournal, kind: str, summary: str) -> None:
    actor = journal.entries[0].actor
    detail = {"plan_digest": journal.plan_digest, "op_id": journal.op_id}
    ledger.record_governance(journal.workspace_id, actor, kind, summary, _reversed(journal), detail)


def _reversed(journal: UndoJournal) -> tuple[SeqId, ...]:
    return tuple(entry.reverses for entry in journal.entries if entry.reverses is not None)


def _what(journal: UndoJournal) -> str:
    """Name what was under way; an old copy that was being saved reverses no entry."""
    numbers = ", ".join(f"#{seq_id}" for seq_id in _reversed(journal))
    if numbers:
        return f"undo of {numbers}"
    return f"saving of {', '.join(plain(write.path, 200) for write in journal.writes)}"
