"""The Recorder empties the spool into the ledger: every event once, in order, or set aside and told.

One process at a time drains. A batch of events, what is still open afterwards and the names of its spool
files are one transaction; the files go after its commit. A process killed in between leaves files whose names
the ledger knows as done, so nothing is recorded twice and nothing is lost.
"""

import errno
import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from sulcus_panel.core.capture.adapter import Adapter, TurnEnded
from sulcus_panel.core.capture.callers import Copies, read_as_caller
from sulcus_panel.core.capture.draining import SILENT_FOR, STARTED, TOLD, DrainReport
from sulcus_panel.core.capture.fired import note_fired
from sulcus_panel.core.capture.heard import note_heard
from sulcus_panel.core.capture.notices import drop_old, note_told
from sulcus_panel.core.capture.order import Waiting, in_order
from sulcus_panel.core.capture.pairing import Pairs
from sulcus_panel.core.capture.place import locate, name_in, resolve
from sulcus_panel.core.capture.recording import Recording
from sulcus_panel.core.capture.registry import ADAPTERS
from sulcus_panel.core.capture.shell.tidying import forget, tidy
from sulcus_panel.core.capture.spool import bad_event, parse_spool
from sulcus_panel.core.capture.spool_folder import KEPT_BAD, TORN, Spool
from sulcus_panel.core.capture.started_calls import decode_started, encode_started, without_contents
from sulcus_panel.core.capture.unended import is_silent, look_now
from sulcus_panel.core.errors import BadPayload, BadRequest, LedgerFull, SulcusError, UnsafePath
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.locks import holding
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Actor, ActorKind, LedgerPath, SeqId, Workspace
from sulcus_panel.core.safety import plain

IN_FLIGHT_FOR = timedelta(minutes=10)
BATCH_EVENTS = 64
PIECE_EVENTS = 8
"""As many are recorded between two rests: some 5 ms of work."""
BATCH_BYTES = 32 * 2**20
DONE = "drained"
RECORDER = Actor("Sulcus Panel", ActorKind.MODULE)
SWEEP_EVERY = timedelta(hours=1)

_OF_THE_EVENT = (BadPayload, BadRequest, UnsafePath, ValueError, OverflowError, RecursionError, OSError)
"""What one event can bring about: it alone is set aside, the others are recorded."""
_OF_THE_SYSTEM = frozenset(
    getattr(errno, name, -1) for name in ("ENOSPC", "EDQUOT", "EROFS", "EIO", "EMFILE", "ENFILE", "ENOMEM")
)
"""Errors that the next event would meet as well: the events stay in the spool."""


class Recorder:
    """Empties one data home's spool into its ledger."""

    def __init__(
        self,
        ledger: Ledger,
        home: DataHome,
        clock: Callable[[], datetime],
        adapters: Mapping[str, Adapter] = ADAPTERS,
    ) -> None:
        self._ledger = ledger
        self._home = home
        self._clock = clock
        self._adapters = adapters
        self._spool = Spool(home.spool)
        self._complaints: list[SulcusError] = []
        self._swept: datetime | None = None

    def drain(self, *, wait: float = 0.0, rest: Callable[[], bool] | None = None) -> DrainReport:
        """Record what hooks have left. Where another process drains, waits up to `wait` seconds for it.

        `rest` is called after every few events: it may take its time, for those who share the processor, and
        says whether to go on; what is not recorded then stays in the spool.

        Raises:
            LedgerBusy, LedgerFull, LedgerCorrupt: the events stay in the spool.
            UnsafePath: the spool is no folder of ours.
        """
        self._home.ensure()
        try:
            with holding(self._home, "drain", wait) as held:
                return self._drain(rest) if held else DrainReport(dropped=self._spool.dropped(), busy=True)
        except OSError as error:
            raise LedgerFull(
                "The spool cannot be read or written",
                f"{error.filename or self._home.spool}: {error.strerror or error}",
                "Make room on the disk, or check its permissions.",
            ) from error

    def in_flight(self, workspace: Workspace) -> frozenset[LedgerPath]:
        """Paths of calls that have started and not ended: what is written there is the agent's, not drift."""
        paths: set[LedgerPath] = set()
        for kept in self._ledger.pending(STARTED):
            if self._clock() - kept.at > IN_FLIGHT_FOR:
                continue
            started = decode_started(kept.payload)
            if started is not None and started.call.path:
                path, cwd = started.call.path, started.scene.cwd
                paths.add(name_in(workspace, locate(path, cwd)))
                paths.add(name_in(workspace, resolve(locate(path, cwd))))
        return frozenset(paths)

    def forget(self, workspace: Workspace, path: LedgerPath) -> None:
        """Keep no contents of this file in calls that have not ended, nor in baselines."""
        if workspace.root is not None:
            forget(self._home.root, os.path.join(workspace.root, path))
        for kept in self._ledger.pending(STARTED):
            started = decode_started(kept.payload)
            if started is None or not started.call.path:
                continue
            located = locate(started.call.path, started.scene.cwd)
            if path in (name_in(workspace, located), name_in(workspace, resolve(located))):
                payload = encode_started(without_contents(started))
                self._ledger.put_pending(kept.key, STARTED, kept.at, payload)

    def _drain(self, rest: Callable[[], bool] | None) -> DrainReport:
        self._complaints = []
        recorded: list[SeqId] = []
        messages: list[str] = []
        now = self._clock()
        goes_on = True
        for name in self._spool.rescue_torn(now):
            self._complaints.append(bad_event(name, TORN))
        if self._spool.names():
            self._finish_last()
            while goes_on and (batch := self._next_batch()):
                for piece in _pieces(batch, len(batch) if rest is None else PIECE_EVENTS):
                    recording = self._record(piece, now)
                    if recording is not None:
                        recorded += recording.recorded
                        messages += recording.messages
                    goes_on = rest is None or rest()
                    if not goes_on:
                        break
        if goes_on:
            recorded += self._give_up(now)
        self._sweep(now)
        messages += [str(complaint) for complaint in self._complaints]
        dropped = self._spool.dropped()
        gaps = self._tell(dropped)
        if gaps:
            messages.append(f"{gaps} events could not be recorded: there was no room for them")
        return DrainReport(
            tuple(recorded), len(self._complaints), dropped, gaps, tuple(messages), more=not goes_on
        )

    def _give_up(self, now: datetime) -> list[SeqId]:
        """Record commands that began long ago, in sessions of which nothing was heard since."""
        before = now - SILENT_FOR
        if not any(kept.at < before for kept in self._ledger.pending(STARTED)):
            return []
        with self._ledger.write():
            pairs = Pairs(self._ledger, now)
            recording = Recording(self._ledger, self._adapters, pairs, self._home.root)
            for started in pairs.close_silent(lambda started: is_silent(self._ledger, started, before)):
                recording.take_silent(started, now, look_now(self._home.root, started))
        return list(recording.recorded)

    def _next_batch(self) -> list[Waiting]:
        """The next events in order; what cannot be read is set aside on the way."""
        batch: list[Waiting] = []
        size = 0
        for name in self._spool.names():
            if len(batch) >= BATCH_EVENTS or size >= BATCH_BYTES:
                break
            try:
                data = self._spool.read(name)
                batch.append(self._read(name, data))
                size += len(data)
            except FileNotFoundError:
                continue  # somebody took it away meanwhile
            except _OF_THE_EVENT as error:
                self._set_aside(name, error)
        return in_order(batch)

    def _read(self, name: str, data: bytes) -> Waiting:
        event = parse_spool(name, data)
        events, via = read_as_caller(self._adapters, event)
        seen = () if event.sighting is None else (event.sighting, *event.others)
        events = tuple(replace(one, seen=seen) if isinstance(one, TurnEnded) else one for one in events)
        if event.stands is not None:
            head, branch = event.stands
            events = tuple(replace(one, scene=replace(one.scene, head=head, branch=branch)) for one in events)
        return Waiting(name, events, event.uptime, via, event.looked, event.lost, event.told)

    def _record(self, batch: list[Waiting], now: datetime) -> Recording | None:
        """One transaction. An event that the ledger refuses is set aside and the others are tried again."""
        while batch:
            current = batch[0].name
            try:
                with self._ledger.write():
                    pairs = Pairs(self._ledger, now)
                    recording = Recording(self._ledger, self._adapters, pairs, self._home.root)
                    copies = Copies(self._ledger, now).names(batch)
                    for waiting in batch:
                        current = waiting.name
                        if current not in copies:
                            self._take(recording, waiting)
                    pairs.keep()
                    note_fired(self._ledger, batch)
                    note_told(self._ledger, batch)
                    names = json.dumps([waiting.name for waiting in batch]).encode("ascii")
                    self._ledger.put_pending(DONE, DONE, now, names)
            except _OF_THE_EVENT as error:
                self._set_aside(current, error)
                batch = [waiting for waiting in batch if waiting.name != current]
            else:
                for waiting in batch:
                    self._spool.remove(waiting.name)
                return recording
        return None

    def _take(self, recording: Recording, waiting: Waiting) -> None:
        """Record what one hook told, and remember what it told in vain."""
        for number, event in enumerate(waiting.events):
            before = len(recording.recorded)
            recording.take(event, waiting.looked, waiting.lost)
            if len(recording.recorded) == before:
                note_heard(self._ledger, event, number)

    def _finish_last(self) -> None:
        """Remove the files of a batch that was committed by a process that then died."""
        for done in self._ledger.pending(DONE):
            for name in json.loads(done.payload):
                self._spool.remove(name)

    def _set_aside(self, name: str, error: Exception) -> None:
        """Set one event aside for what it brought about, unless the next one would bring it about too."""
        if isinstance(error, OSError) and error.errno in _OF_THE_SYSTEM:
            raise error
        complaint = _complaint(name, error)
        self._spool.set_aside(name, complaint.detail.removeprefix(f"{plain(name, 200)}: "))
        self._complaints.append(complaint)

    def _sweep(self, now: datetime) -> None:
        """Let go of what was set aside long ago; looked after seldom, for a drain is frequent."""
        if self._swept is not None and now - self._swept < SWEEP_EVERY:
            return
        self._swept = now
        if not self._spool.names():
            tidy(self._home.root, now)
            drop_old(self._ledger, now)
        if gone := self._spool.expire(now):
            summary = f"{gone} events set aside more than {KEPT_BAD.days} days ago were deleted"
            with self._ledger.write():
                self._ledger.record_governance(None, RECORDER, "capture.expired", summary)

    def _tell(self, dropped: int) -> int:
        """Put drops and events set aside on the governance timeline, once; returns how many drops are new."""
        told = sum(int(kept.payload) for kept in self._ledger.pending(TOLD))
        new = max(dropped - told, 0)
        if not new and dropped == told and not self._complaints:
            return 0
        with self._ledger.write():
            self._ledger.put_pending(TOLD, TOLD, self._clock(), str(dropped).encode("ascii"))
            if new:
                summary = f"{new} events could not be recorded: there was no room for them"
                self._ledger.record_governance(None, RECORDER, "capture.dropped", summary)
            for complaint in self._complaints:
                self._ledger.record_governance(None, RECORDER, "capture.set_aside", str(complaint))
        return new


def _pieces(batch: list[Waiting], size: int) -> Iterator[list[Waiting]]:
    return (batch[start : start + size] for start in range(0, len(batch), size))


def _complaint(name: str, error: Exception) -> BadPayload:
    """The message for an event that brought this error about."""
    if isinstance(error, BadPayload):
        return error
    if isinstance(error, SulcusError):
        return bad_event(name, str(error))
    why = (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__
    return bad_event(name, f"it cannot be recorded ({why})")
