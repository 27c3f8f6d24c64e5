"""After a killed process: bring every open undo to all-before or all-after, and tell the person.

All paths after: the undo is complete and gets recorded. Otherwise those that were written go back. Bytes that
are neither are somebody else's; they stay, and the entry asks for attention. Doing it twice does no harm.
"""

import os
from collections.abc import Mapping

from sulcus_panel.core.disk import Unreachable, look, look_at, parent_of
from sulcus_panel.core.errors import NotFound, SulcusError
from sulcus_panel.core.ledger.journal import JournalWrite, UndoJournal
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import EntryState, FileKind, SeqId, Sha256
from sulcus_panel.core.safety import plain
from sulcus_panel.core.states import same_state
from sulcus_panel.core.undo.fs import FileSystem, Folder
from sulcus_panel.core.undo.lock import undo_lock
from sulcus_panel.core.undo.write import Task, backwards, conflict_name, is_ours, put_back


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


def _settle(ledger: Ledger, journal: UndoJournal, fs: FileSystem) -> str:
    contents = _contents(ledger, journal)
    tasks = [
        Task(write.path, write.before, write.after, _of(contents, write), write.temp_name)
        for write in journal.writes
    ]
    for task in tasks:
        _clear_spare(journal.root, task, fs)
    if all(ledger.entry_by_uid(entry.uid) is not None for entry in journal.entries):
        ledger.finish_undo(journal.op_id)
        return f"The undo of {_numbers(journal)} had left spare files behind; they are removed."
    if all(same_state(look(journal.root, task.path).state, task.after) for task in tasks):
        return _complete(ledger, journal, contents)
    back = [put_back(journal.root, backwards(task, contents), fs) for task in tasks]
    if all(back):
        return _taken_back(ledger, journal)
    strange = [task.path for task, done in zip(tasks, back, strict=True) if not done]
    return _attention(ledger, journal, ", ".join(plain(path, 120) for path in strange))


def _contents(ledger: Ledger, journal: UndoJournal) -> dict[Sha256, bytes]:
    """Fetch what the journal kept: displaced, resulting and intermediate bytes."""
    states = [state for write in journal.writes for state in (write.before, write.after)]
    states += [
        state
        for entry in journal.entries
        for change in entry.changes
        for state in (change.before, change.after)
    ]
    contents: dict[Sha256, bytes] = {}
    for state in states:
        if state.sha256 is not None and state.sha256 not in contents:
            try:
                contents[state.sha256] = ledger.blobs.get(state.sha256)
            except NotFound:
                continue
    return contents


def _of(contents: Mapping[Sha256, bytes], write: JournalWrite) -> bytes | None:
    return contents.get(write.after.sha256) if write.after.sha256 is not None else None


def _clear_spare(root: str, task: Task, fs: FileSystem) -> None:
    """Remove the spare file beside a target where it is ours; a stranger's is put back in place or kept."""
    try:
        with parent_of(root, task.path) as (folder, name):
            temp = task.temp if folder is not None else os.path.join(os.path.dirname(name), task.temp)
            _clear(task, (folder, name, temp), fs)
    except (Unreachable, OSError):
        return


def _clear(task: Task, place: tuple[Folder, str, str], fs: FileSystem) -> None:
    folder, name, temp = place
    found = look_at(folder, temp)
    if is_ours(found, task.before, task.after, task.content):
        fs.unlink(folder, temp)
        return
    if found.state.kind is FileKind.ABSENT:
        return
    if same_state(look_at(folder, name).state, task.after) and fs.exchange(folder, temp, name):
        fs.unlink(folder, temp)
        return
    fs.place(folder, temp, conflict_name(name, temp))


def _complete(ledger: Ledger, journal: UndoJournal, contents: Mapping[Sha256, bytes]) -> str:
    with ledger.write(durable=True):
        for entry in journal.entries:
            ledger.append(journal.workspace_id, entry, contents=contents)
        _govern(ledger, journal, "undo.applied", "completed at the next start")
        ledger.finish_undo(journal.op_id)
    return (
        f"The undo of {_numbers(journal)} was interrupted after its last write; it is complete and recorded."
    )


def _taken_back(ledger: Ledger, journal: UndoJournal) -> str:
    with ledger.write(durable=True):
        _govern(ledger, journal, "undo.failed", "interrupted; everything is as it was")
        ledger.finish_undo(journal.op_id)
    return f"The undo of {_numbers(journal)} was interrupted; every file is as it was before it."


def _attention(ledger: Ledger, journal: UndoJournal, paths: str) -> str:
    with ledger.write(durable=True):
        for seq_id in _reversed(journal):
            _mark(ledger, seq_id)
        _govern(ledger, journal, "undo.failed", f"interrupted; changed by somebody else meanwhile: {paths}")
        ledger.finish_undo(journal.op_id)
    return (
        f"The undo of {_numbers(journal)} was interrupted, and somebody else has changed {paths} since;"
        " that was left alone. Please look at it."
    )


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


def _numbers(journal: UndoJournal) -> str:
    return ", ".join(f"#{seq_id}" for seq_id in _reversed(journal))
