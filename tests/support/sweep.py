"""One undo, broken at every point that it passes: then it is all before or all after, and every row says so."""

import errno
import os
import shutil
import stat
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sulcus_panel.core.errors import StalePlan
from sulcus_panel.core.events import EventKind
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.model import EntryState, SeqId, Sha256
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.model import Outcome, Resolution, UndoResult
from sulcus_panel.core.undo.recover import recover
from tests.support.bench import Bench, digest
from tests.support.broken_calls import Counting, failing_at, killed_at
from tests.support.children import in_a_child
from tests.support.clock import FakeClock, counting_ids
from tests.support.undo_scenarios import Scenario

CODES = (errno.ENOSPC, errno.EIO)
FOR_GOOD = 1 << 30
DONE = {Outcome.UNDONE, Outcome.COPY_SAVED}

Sight = tuple[int, bytes, tuple[str, ...]]
Picture = dict[str, Sight]
"""Mode, bytes and other names of everything below a root, folders too."""


def picture(root: Path) -> Picture:
    """What stands below a root."""
    seen: Picture = {}
    names: dict[int, list[str]] = {}
    for folder, folders, files in os.walk(root):
        for name in (*folders, *files):
            place = os.path.join(folder, name)
            status = os.lstat(place)
            path = os.path.relpath(place, root)
            seen[path] = status.st_mode, _bytes(place, status.st_mode), ()
            if stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
                names.setdefault(status.st_ino, []).append(path)
    for group in names.values():
        for path in group:
            seen[path] = *seen[path][:2], tuple(sorted(group))
    return seen


def _bytes(place: str, mode: int) -> bytes:
    if stat.S_ISLNK(mode):
        return os.fsencode(os.readlink(place))
    return Path(place).read_bytes() if stat.S_ISREG(mode) else b""


def copied(source: Path, target: Path) -> None:
    """Make `target` hold what `source` holds, links and second names as they are.

    A workspace's root stays the directory that it is, for another one in its place would be noticed.
    """
    for name in ("data", "project"):
        place = target / name
        place.mkdir(parents=True, exist_ok=True)
        for child in place.iterdir():
            shutil.rmtree(child) if child.is_dir() and not child.is_symlink() else child.unlink()
        shutil.copytree(
            source / name, place, symlinks=True, dirs_exist_ok=True, copy_function=_with_second_names()
        )


def _with_second_names() -> Callable[[str, str], str]:
    seen: dict[int, str] = {}

    def copy(one: str, other: str) -> str:
        status = os.lstat(one)
        if status.st_nlink > 1 and status.st_ino in seen:
            os.link(seen[status.st_ino], other)
        else:
            shutil.copy2(one, other, follow_symlinks=False)
            seen[status.st_ino] = other
        return other

    return copy


@dataclass(frozen=True, slots=True)
class Sighting:
    """The disk and every row at one moment."""

    disk: Picture
    rows: dict[SeqId, EntryState]


class Stage:
    """A scenario prepared once and set up anew, at the same place, for every point at which it is broken."""

    def __init__(self, folder: Path, scenario: Scenario) -> None:
        self.place, self._kept = folder / "work", folder / "kept"
        self.place.mkdir(parents=True)
        self.clock = FakeClock()
        bench = Bench(self.place, self.clock)
        self.seq_ids = scenario(bench)
        self.before = sighting(bench)
        self.rewinds = len(ends_of_rewinds(bench))
        bench.close()
        self.keep()
        with self.fresh() as bench:
            counting = Counting()
            counting.listen(bench.ledger)
            assert undone(bench, self.seq_ids, counting).outcome in DONE
            self.calls, self.points = counting.calls, counting.points
            self.after = Sighting(picture(bench.root), self._old(rows(bench)))

    def keep(self) -> None:
        """Take what stands at the place now as the beginning of every later try."""
        copied(self.place, self._kept)

    @contextmanager
    def fresh(self) -> Iterator[Bench]:
        """The scenario, as if nothing had been tried yet."""
        self.reset()
        bench = self.opened()
        try:
            yield bench
        finally:
            bench.close()

    def reset(self) -> None:
        copied(self._kept, self.place)

    def opened(self, who: str = "parent") -> Bench:
        """The place as it stands."""
        bench = Bench(self.place, FakeClock(self.clock.now))
        bench.clock.advance(60)
        bench.ids = counting_ids(who)
        return bench

    def _old(self, found: dict[SeqId, EntryState]) -> dict[SeqId, EntryState]:
        return {seq_id: state for seq_id, state in found.items() if seq_id in self.before.rows}

    def killed(self, act: Callable[[Bench, FileSystem], object], point: int) -> None:
        """Do this in a process that ends at a point."""

        def act_there() -> None:
            own = self.opened(f"child-{point}")
            fs = killed_at(point)
            fs.listen(own.ledger)
            act(own, fs)

        assert in_a_child(act_there) == 137

    def check(self, bench: Bench, where: str) -> bool:
        """All before or all after, nothing lost, nothing left; True where it is all after."""
        now = Sighting(picture(bench.root), self._old(rows(bench)))
        assert now in (self.before, self.after), (where, now)
        assert not bench.ledger.open_undos(), where
        done = now == self.after
        told = ends_of_rewinds(bench)[self.rewinds :]
        end = EventKind.REWIND_COMPLETED if done else EventKind.REWIND_FAILED
        assert told in ([], [end], [EventKind.REWIND_FAILED, end]), (where, told)
        assert told or not done, (where, "an undo that was carried out is told")
        if done:
            for path, (mode, data, _) in self.before.disk.items():
                if not stat.S_ISDIR(mode) and self.after.disk.get(path, (0, b"", ()))[1] != data:
                    assert bench.ledger.blobs.get(Sha256(digest(data))) == data, (where, path)
        return done


def rows(bench: Bench) -> dict[SeqId, EntryState]:
    found = bench.ledger.find(LedgerQuery(workspace_id=bench.workspace.id, limit=1000))
    return {entry.seq_id: entry.state for entry in found}


def ends_of_rewinds(bench: Bench) -> list[EventKind]:
    """How the undos ended by what the events say, each of them begun and ended once."""
    began: list[object] = []
    ended: dict[object, EventKind] = {}
    for event in bench.ledger.events.after(0, limit=100_000):
        if event.kind is EventKind.REWIND_STARTED:
            began.append(event.body["op_id"])
        elif event.kind in {EventKind.REWIND_COMPLETED, EventKind.REWIND_FAILED}:
            assert event.body["op_id"] in began
            assert event.body["op_id"] not in ended, "ended twice"
            ended[event.body["op_id"]] = event.kind
    assert list(ended) == began, "begun and never ended"
    return list(ended.values())


def sighting(bench: Bench) -> Sighting:
    return Sighting(picture(bench.root), rows(bench))


def undone(bench: Bench, seq_ids: tuple[SeqId, ...], fs: FileSystem | None = None) -> UndoResult:
    """Undo with every yes that the plan asks for, or save the old copy beside a file that has moved on."""
    plan = bench.plan(*seq_ids)
    if plan.outcome is Outcome.CONFLICT:
        plan = bench.plan(*seq_ids, how=Resolution.BESIDE)
    return bench.apply(plan, fs)


def sweep_kills(stage: Stage, counts: Counter[str], *, every: int = 1) -> None:
    """Kill the undo at every point, start again, look; then undo once more."""
    for point in range(1, stage.points + 1, every):
        stage.reset()
        stage.killed(lambda bench, fs: undone(bench, stage.seq_ids, fs), point)
        bench = stage.opened()
        assert len(recover(bench.ledger)) <= 1
        done = stage.check(bench, f"killed at {point}")
        assert recover(bench.ledger) == ()
        again = undone(bench, stage.seq_ids)
        assert (again.outcome in DONE) == (not done), (point, again)
        assert picture(bench.root) == stage.after.disk
        bench.close()
        counts["kills"] += 1
        counts["kills: all after" if done else "kills: all before"] += 1


def sweep_kills_of_recovery(stage: Stage, counts: Counter[str], *, every: int = 1) -> None:
    """Kill the undo, then kill the recovery at every point of its own, then recover."""
    for point in range(1, stage.points + 1, every):
        stage.reset()
        stage.killed(lambda bench, fs: undone(bench, stage.seq_ids, fs), point)
        left = stage.place.with_name("left")
        copied(stage.place, left)
        bench = stage.opened()
        counting = Counting()
        counting.listen(bench.ledger)
        recover(bench.ledger, counting)
        done = stage.check(bench, f"killed at {point}")
        bench.close()
        for second in range(1, counting.points + 1):
            copied(left, stage.place)
            stage.killed(lambda own, fs: recover(own.ledger, fs), second)
            bench = stage.opened()
            recover(bench.ledger)
            assert stage.check(bench, f"killed at {point}, recovery at {second}") == done
            bench.close()
            counts["kills of a recovery"] += 1


def sweep_failures(stage: Stage, counts: Counter[str]) -> None:
    """Fail every call, once and for good, with either error; then look, with a disk that works again."""
    for code in CODES:
        for call in range(1, stage.calls + 1):
            for last in (call, FOR_GOOD):
                _failed(stage, counts, call, failing_at(call, code, last=last))


def sweep_double_failures(stage: Stage, counts: Counter[str]) -> None:
    """Fail every pair of calls."""
    for first in range(1, stage.calls + 1):
        for second in range(first + 1, stage.calls + 12):

            def fail(now: int, what: str, pair: tuple[int, int] = (first, second)) -> None:
                del what
                if now in pair:
                    raise OSError(errno.EIO, os.strerror(errno.EIO))

            _failed(stage, counts, first, Counting(fail))


def _failed(stage: Stage, counts: Counter[str], call: int, fs: Counting) -> None:
    with stage.fresh() as bench:
        outcome = Outcome.FAILED
        try:
            outcome = undone(bench, stage.seq_ids, fs).outcome
        except StalePlan:
            raise AssertionError(f"nobody else wrote at {call}") from None
        claims = outcome in {*DONE, Outcome.APPLIED_UNCONFIRMED}
        recover(bench.ledger)
        done = stage.check(bench, f"failed at {call}")
        assert done or not claims, (call, outcome)
        again = undone(bench, stage.seq_ids)
        assert (again.outcome in DONE) == (not done), (call, again)
        assert picture(bench.root) == stage.after.disk
        counts["failed calls"] += 1
        counts["failed calls: all after" if done else "failed calls: all before"] += 1
