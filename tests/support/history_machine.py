"""Agents, a person, undos, kills and retention in any order, as hypothesis draws them, on a real disk."""

import errno
import os
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from sulcus_panel.core.drift import measure_drift
from sulcus_panel.core.model import DriftKind, EntryState, LedgerPath
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.model import Outcome
from sulcus_panel.core.undo.recover import recover
from tests.support.bench import Bench
from tests.support.history_records import Record
from tests.support.history_states import Blob, Line, Link, State, Text, same_content
from tests.support.history_world import World

PATHS = ("a.txt", "b.txt", "d/c.txt")
MODES = (0o644, 0o600, 0o755)
EDITS = ("replace", "delete", "insert", "word", "word", "insert", "move", "clear", "rewrite")
RING = 50
"""The fewest entries that a workspace can be told to keep."""

PATH = st.sampled_from(PATHS)
SPOT = st.integers(0, 15)
EDIT = st.tuples(st.sampled_from(EDITS), SPOT, st.integers(0, 2))
PICK = st.integers(0, 30)


def quick_place() -> str | None:
    """A place in memory where there is one: thousands of histories wait for a disk, and it is not the question."""
    memory = "/dev/shm"
    return memory if tempfile.tempdir is None and os.access(memory, os.W_OK) else None


class PowerLoss(BaseException):
    """Nothing of the undo runs after this."""


class Stopping(FileSystem):
    """Ends, or fails, the call with a number; counts them."""

    def __init__(self, at: int, error: BaseException | None = None) -> None:
        self.left, self.error = at, error

    def reach(self, call: str) -> None:
        del call
        self.left -= 1
        if self.left == 0 and self.error is not None:
            raise self.error


class Histories(RuleBasedStateMachine):
    """The rules. `counts` outlives a machine: what was tried and how often."""

    counts: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.world = World(Path(tempfile.mkdtemp(prefix="histories-", dir=quick_place())), self.counts)
        self.tail = 0

    def teardown(self) -> None:
        self.counts["histories"] += 1
        self.world.close()

    @initialize(
        sizes=st.lists(st.integers(0, 12), min_size=3, max_size=3), tail=st.sampled_from((0, 0, 1, 2))
    )
    def begin(self, sizes: list[int], tail: int) -> None:
        self.tail = tail
        (self.world.bench.root / "d").mkdir()
        for path, size in zip(PATHS, sizes, strict=True):
            self.world.put(path, Text(tuple(self.world.line(tail) for _ in range(size)), 0o644))

    # -- agents and the person ---------------------------------------------------------------------

    @rule(path=PATH, edits=st.lists(EDIT, min_size=1, max_size=3), turn=st.integers(0, 2))
    def an_agent_edits(self, path: str, edits: list[tuple[str, int, int]], turn: int) -> None:
        self._act({path: self._edited(path, edits)}, turn)

    @rule(one=EDIT, other=EDIT, turn=st.integers(0, 2))
    def an_agent_edits_two_files_at_once(
        self, one: tuple[str, int, int], other: tuple[str, int, int], turn: int
    ) -> None:
        self._act({PATHS[0]: self._edited(PATHS[0], [one]), PATHS[2]: self._edited(PATHS[2], [other])}, turn)

    @rule(
        path=PATH, what=st.sampled_from(("text", "blob", "link", "empty", "gone", "gone", "mode")), pick=PICK
    )
    def an_agent_puts_something_else(self, path: str, what: str, pick: int) -> None:
        self._act({path: self._another(path, what, pick)}, pick % 3)

    @rule(old=PATH, new=PATH)
    def an_agent_renames(self, old: str, new: str) -> None:
        states = self.world.states
        if states.get(old) is not None and states.get(new) is None:
            self._act({new: states[old], old: None}, 0)

    @rule(path=PATH, edits=st.lists(EDIT, min_size=1, max_size=2))
    def the_person_edits(self, path: str, edits: list[tuple[str, int, int]]) -> None:
        self.counts["acts of the person"] += 1
        self.world.put(path, self._edited(path, edits))

    @rule(path=PATH, what=st.sampled_from(("text", "gone", "mode", "old", "old")), pick=PICK)
    def the_person_puts_something_else(self, path: str, what: str, pick: int) -> None:
        self.counts["acts of the person"] += 1
        if what == "old":
            self.world.put_back[path] = int(self.world.bench.ledger.newest_seq())
        self.world.put(path, self._another(path, what, pick))

    def _act(self, changes: dict[str, State], turn: int) -> None:
        if self.world.act(changes, f"turn {turn}") is not None:
            self.counts["acts of agents"] += 1

    def _another(self, path: str, what: str, pick: int) -> State:
        world, now = self.world, self.world.states.get(path)
        mode = now.mode if isinstance(now, Text | Blob) else 0o644
        versions = world.versions.get(path) or [Text((), mode)]
        other: dict[str, Callable[[], State]] = {
            "text": lambda: now or Text(tuple(world.line(self.tail) for _ in range(pick % 6)), mode),
            "empty": lambda: Text((), mode),
            "blob": lambda: Blob(world.fresh(), mode),
            "link": lambda: Link(("b.txt", "nowhere", "d")[pick % 3]),
            "old": lambda: versions[pick % len(versions)],
            "mode": lambda: replace(now, mode=MODES[pick % 3]) if isinstance(now, Text | Blob) else now,
            "gone": lambda: None,
        }
        return other[what]()

    def _edited(self, path: str, edits: list[tuple[str, int, int]]) -> State:
        now = self.world.states.get(path)
        if not isinstance(now, Text):
            return now
        lines = list(now.lines)
        for how, spot, size in edits:
            self._edit(lines, how, spot, size)
        return Text(tuple(lines), now.mode)

    def _edit(self, lines: list[Line], how: str, spot: int, size: int) -> None:
        world, at = self.world, spot % (len(lines) + 1)
        end = min(len(lines), at + 1 + size // 2)
        fresh = [world.line(self.tail) for _ in range(1 + size // 2)]
        if how == "insert" or (how == "rewrite" and not lines):
            lines[at:at] = fresh
        elif how == "replace":
            lines[at:end] = fresh
        elif how == "delete":
            del lines[at:end]
        elif how == "word" and at < len(lines):
            lines[at] = lines[at].with_word(size, world.fresh())
        elif how == "move" and at < len(lines) and size == 2:
            lines.insert((at * 7 + 3) % len(lines), lines.pop(at))
        elif how == "clear" and size == 2:
            lines.clear()
        elif how == "rewrite" and size == 2:
            lines[:] = [world.line(self.tail) for _ in range(len(lines))]

    # -- undo --------------------------------------------------------------------------------------

    def _picked(self, pick: int) -> Record | None:
        """One entry, the newest for 0."""
        found = sorted(self.world.records, reverse=True)
        return self.world.records[found[pick % len(found)]] if found else None

    @rule(pick=PICK)
    def undo_of_one(self, pick: int) -> None:
        record = self._picked(pick)
        if record is not None:
            self._undo([record.seq_id])

    @rule(pick=PICK, which=st.sets(st.integers(0, 4), min_size=1))
    def undo_of_chosen_hunks(self, pick: int, which: set[int]) -> None:
        record = self._picked(pick)
        if record is not None and record.can_choose and which & record.hunks:
            self.counts["undos of hunks"] += 1
            self._undo([record.seq_id], sorted(which & record.hunks))

    @rule(picks=st.sets(PICK, min_size=2, max_size=4))
    def undo_of_a_batch(self, picks: set[int]) -> None:
        found = [record for record in map(self._picked, sorted(picks)) if record is not None]
        # Not an entry together with undos of it: test_once.py has those that are decided.
        records = list({self.world.root(record.seq_id): record for record in found}.values())
        if records:
            self.counts["undos of batches"] += 1
            self._undo([record.seq_id for record in records])

    @rule(turn=st.integers(0, 2))
    def undo_of_a_turn(self, turn: int) -> None:
        records = [r.seq_id for r in self.world.records.values() if r.turn == f"turn {turn}"]
        if records:
            self.counts["undos of turns"] += 1
            self._undo(records[-6:])

    @rule(pick=PICK)
    def redo(self, pick: int) -> None:
        undos = [record for record in self.world.records.values() if record.reverses is not None]
        force = [one.seq_id for one in undos if self.world.state(one.seq_id) is EntryState.RECORDED]
        if force:
            self.counts["redos"] += 1
            self._undo([sorted(force, reverse=True)[pick % len(force)]])

    @rule(pick=PICK, call=st.integers(1, 14))
    def undo_is_killed(self, pick: int, call: int) -> None:
        record = self._picked(pick)
        if record is not None:
            self._stopped([record.seq_id], Stopping(call, PowerLoss()))

    @rule(pick=PICK, call=st.integers(1, 14), code=st.sampled_from((errno.ENOSPC, errno.EIO)))
    def undo_fails_once(self, pick: int, call: int, code: int) -> None:
        record = self._picked(pick)
        if record is not None:
            self._stopped([record.seq_id], Stopping(call, OSError(code, os.strerror(code))))

    def _undo(self, seq_ids: list[int], hunks: list[int] | None = None) -> None:
        world = self.world
        newest = world.bench.ledger.newest_seq()
        result = world.undo(seq_ids, hunks)
        done = world.judge(seq_ids, hunks, newest, result)
        self.counts["undos asked"] += 1
        self.counts["undos done" if done else f"undos not done: {result.outcome}"] += 1

    def _stopped(self, seq_ids: list[int], fs: Stopping) -> None:
        world = self.world
        newest = world.bench.ledger.newest_seq()
        result = None
        try:
            result = world.undo(seq_ids, fs=fs)
        except PowerLoss:
            self.counts["undos killed"] += 1
        if result is not None and fs.left <= 0:
            self.counts["undos failed once"] += 1
        recover(world.bench.ledger)
        assert not world.bench.ledger.open_undos()
        hit = fs.left <= 0 or result is None
        done = world.judge(seq_ids, None, newest, None if hit else result)
        self.counts["undos asked"] += 1
        if result is not None and hit:
            assert done == (result.outcome in {Outcome.UNDONE, Outcome.APPLIED_UNCONFIRMED}) or done

    # -- upkeep ------------------------------------------------------------------------------------

    @rule()
    def the_ledger_is_opened_again(self) -> None:
        bench = self.world.bench
        bench.ledger.close()
        bench.ledger = Bench(bench.root.parent, bench.clock).ledger

    @rule(far=st.booleans())
    def retention(self, far: bool) -> None:
        world, ledger = self.world, self.world.bench.ledger
        world.bench.clock.advance(days=91 if far and world.appended > RING else 0.1)
        ledger.set_setting(world.bench.workspace.id, "max_entries", RING)
        ledger.prune()
        self.counts["prunes"] += 1
        world.forget_pruned(RING, far=far and world.appended > RING)
        world.check_kept()

    @rule()
    def a_look_for_drift(self) -> None:
        world, bench = self.world, self.world.bench
        self.counts["looks for drift"] += 1
        known = bench.ledger.last_known(bench.workspace.id)
        found = measure_drift(str(bench.root), known, {})
        wanted = {LedgerPath(path): _drift(last, world.states.get(path)) for path, last in world.last.items()}
        assert dict(found) == wanted
        bench.ledger.set_drift(bench.workspace.id, found)

    @invariant()
    def the_disk_and_every_row_are_what_the_model_says(self) -> None:
        self.counts["steps"] += 1
        self.world.check()


def _drift(last: State, now: State) -> DriftKind | None:
    modes = {state.mode for state in (last, now) if isinstance(state, Text | Blob)}
    if same_content(last, now) and len(modes) < 2:
        return None
    if now is None:
        return DriftKind.MISSING
    if last is None:
        return DriftKind.RECREATED
    return DriftKind.CHANGED if last.kind is now.kind else DriftKind.TYPE_CHANGED
