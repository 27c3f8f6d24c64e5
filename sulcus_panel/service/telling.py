"""Telling the agent: after an undo, the sessions that worked on its files or read them learn of it once.

Here the notice is written; the hook of the session's next event passes it on (`core/capture/hook_notices.py`),
and the recorder writes down that it did. What goes into a model's context is one line, short, without contents;
names of files stand in quotes, escaped, and are called names.
"""

import json
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from sulcus_panel.core.capture.hook_notices import EVENTS
from sulcus_panel.core.capture.notices import NOTICE, Addressee, Notice, drop_old, folder_of, waiting
from sulcus_panel.core.capture.recording import TURNS
from sulcus_panel.core.capture.shell.keeping import write_whole
from sulcus_panel.core.capture.turns import decode_turns
from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.ledger.activity import KEPT
from sulcus_panel.core.ledger.notices import LiveSession
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import ActorKind, Entry, LedgerPath, SeqId
from sulcus_panel.core.safety import escaped, plain

MOST_PATHS, MOST_NUMBERS, PATH_LIMIT = 8, 20, 200
MOST_LOOKED_FOR = 1000


def tell_agents(ledger: Ledger, now: datetime) -> None:
    """Have the live sessions told of the undos that changed files of theirs; trouble here undoes nothing.

    What an undo owes them is paid once, by whichever process comes first; after a kill by the next that starts.
    """
    with suppress(SulcusError):
        for debt in ledger.notices.owed():
            with suppress(SulcusError, OSError, ValueError), ledger.write():
                if ledger.notices.settle(debt.key):
                    _tell_all(ledger, debt.undos, now)


def _tell_all(ledger: Ledger, undo_ids: Sequence[SeqId], now: datetime) -> None:
    undos = [entry for entry in ledger.entries(undo_ids) if entry.record.takes_back]
    for workspace_id in {entry.workspace_id for entry in undos}:
        own = [entry for entry in undos if entry.workspace_id == workspace_id]
        if ledger.settings(workspace_id).tell_agents:
            _tell(ledger, workspace_id, own, now)


def sentence_of(undos: Iterable[Entry]) -> str:
    """What is said of these undo entries: for a hook's context, and for every other channel to an agent."""
    return _sentence(*_facts(tuple(undos)))


def _facts(undos: Sequence[Entry]) -> tuple[tuple[SeqId, ...], tuple[SeqId, ...], tuple[LedgerPath, ...]]:
    undone = {entry.record.reverses for entry in undos if entry.record.reverses is not None}
    paths = {path for entry in undos for path in entry.paths}
    return tuple(sorted(undone)), tuple(sorted(entry.seq_id for entry in undos)), tuple(sorted(paths))


def _sentence(undone: Sequence[SeqId], undos: Sequence[SeqId], paths: Sequence[LedgerPath]) -> str:
    names = [json.dumps(plain(escaped(path), PATH_LIMIT), ensure_ascii=False) for path in paths[:MOST_PATHS]]
    more = len(paths) - len(names)
    listed = ", ".join(names) + (f" and {more} more" if more else "")
    return (
        f"Sulcus Panel: the undo of {_numbers(undone)} (recorded as {_numbers(undos)}) changed the files with"
        f" these names: {listed}; what you remember of their contents is out of date, so read them again before you"
        " use or change them."
    )


def _numbers(seq_ids: Sequence[SeqId]) -> str:
    more = len(seq_ids) - MOST_NUMBERS
    return ", ".join(f"#{seq_id}" for seq_id in seq_ids[:MOST_NUMBERS]) + (f" and {more} more" * (more > 0))


def _tell(ledger: Ledger, workspace_id: int, undos: Sequence[Entry], now: datetime) -> None:
    live = [one for one in ledger.notices.live(workspace_id, now - KEPT) if one.harness in EVENTS]
    undone, undo_ids, paths = _facts(undos)
    if not live or not paths:
        return
    drop_old(ledger, now)
    for to in _addressees(ledger, workspace_id, live, undos):
        _put(ledger, Notice(os.urandom(16).hex(), workspace_id, to, undone, undo_ids, paths), now)


def _addressees(
    ledger: Ledger, workspace_id: int, live: Sequence[LiveSession], undos: Sequence[Entry]
) -> frozenset[Addressee]:
    """Who worked on these files or read them, without the one that asked for the undo itself.

    Of a subagent's work its session learns, too. Where several sessions bear the asker's name, all are told.
    """
    paths = _facts(undos)[2][:MOST_LOOKED_FOR]
    changers = ledger.notices.changers(workspace_id, paths)
    involved = {(harness, session) for harness, session, _ in changers}
    root = ledger.workspace(workspace_id).root
    if root is not None:
        involved |= _readers(ledger, {os.path.join(root, path) for path in paths})
    askers = {entry.record.actor.name for entry in undos if entry.record.actor.kind is not ActorKind.PERSON}
    own = {(one.harness, one.session_id) for one in live} & {
        (harness, session) for harness, session, actor in changers if actor in askers
    }
    if len(own) == 1:
        involved -= own
    found: set[Addressee] = set()
    for one in live:
        if (one.harness, one.session_id) in involved:
            found.add(Addressee(one.harness, one.parent or one.session_id))
            if one.parent is not None:
                found.add(Addressee(one.harness, one.parent, one.session_id))
    return frozenset(found)


def _readers(ledger: Ledger, places: set[str]) -> set[tuple[str, str]]:
    """The sessions that read one of these files, by harness and id."""
    found: set[tuple[str, str]] = set()
    for kept in ledger.pending(TURNS):
        harness, _, session = kept.key.removeprefix(f"{TURNS}:").partition(":")
        turns = decode_turns(session, kept.payload).turns
        if any(not places.isdisjoint(turn.reads) for turn in turns):
            found.add((harness, session))
    return found


def _put(ledger: Ledger, notice: Notice, now: datetime) -> None:
    """Let it wait for its addressee's next event, together with what waits there already."""
    folder = folder_of(ledger)
    with suppress(FileExistsError):
        os.mkdir(folder, 0o700)
    with ledger.write():
        old = _taken_back(ledger, folder / notice.to.file_name)
        if old is not None:
            ledger.drop_pending(old.key)
            if old.workspace_id != notice.workspace_id:
                old, notice = _with_roots(ledger, old), _with_roots(ledger, notice)
            notice = replace(
                notice,
                undone=tuple(sorted({*old.undone, *notice.undone})),
                undos=tuple(sorted({*old.undos, *notice.undos})),
                paths=tuple(sorted({*old.paths, *notice.paths})),
            )
        ledger.put_pending(notice.key, NOTICE, now, notice.encode())
    text = json.dumps(_sentence(notice.undone, notice.undos, notice.paths))
    try:
        write_whole(str(folder), notice.to.file_name, f"{notice.uid}\n{text}\n".encode("ascii"))
    except OSError:
        ledger.drop_pending(notice.key)


def _with_roots(ledger: Ledger, notice: Notice) -> Notice:
    """The same with absolute paths, for names of several workspaces are the same too easily."""
    if notice.workspace_id is None:
        return notice
    root = ledger.workspace(notice.workspace_id).root or ""
    paths = tuple(LedgerPath(os.path.join(root, path)) for path in notice.paths)
    return replace(notice, workspace_id=None, paths=paths)


def _taken_back(ledger: Ledger, path: Path) -> Notice | None:
    """The notice that waited there, taken as a hook would take it: whoever renames it has it."""
    claimed = f"{path}.{os.getpid()}-{os.urandom(4).hex()}"
    try:
        os.rename(path, claimed)
        with open(claimed, "rb") as file:
            uid = file.readline().strip().decode("ascii")
        os.unlink(claimed)
    except (OSError, ValueError):
        return None
    return next((notice for notice, _ in waiting(ledger) if notice.uid == uid), None)
