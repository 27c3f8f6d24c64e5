"""Others at the same files: a program that writes without asking, one that swaps folders for links, other panels.

Each is a process of its own; what they did is counted, and what became of it is looked for everywhere that it
could have been kept.
"""

import os
import stat
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from sulcus_panel.core.capture.changes import ABSENT_SIDE, file_side
from sulcus_panel.core.disk import look
from sulcus_panel.core.errors import StalePlan, SulcusError
from sulcus_panel.core.model import EntryState, LedgerPath, SeqId, Sha256
from sulcus_panel.core.undo.back import put_all_back
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.model import Outcome
from sulcus_panel.core.undo.task import Task
from sulcus_panel.core.undo.write import Writer
from tests.support.bench import L10, Bench, edited
from tests.support.children import exit_code, forked
from tests.support.clock import FakeClock, counting_ids

STYLES = ("append", "truncate", "rename")
TRIES_A_FILE = 20
LINES = b"".join(b"line %d\n" % n for n in range(1, 60))


class ForeignWriter:
    """A process that writes one line of its own to a file whenever it is told to, in three ways in turn."""

    def __init__(self, root: Path, gap: float) -> None:
        orders, self._orders = os.pipe()
        self._answers, answers = os.pipe()
        self.child = forked(lambda: self._serve(orders, answers, root, gap))
        os.close(orders)
        os.close(answers)

    def _serve(self, orders: int, answers: int, root: Path, gap: float) -> None:
        os.close(self._orders)
        _write_on_demand(orders, answers, root, gap)

    def tell(self, name: str, number: int) -> None:
        """Have it write; it waits for its gap first."""
        os.write(self._orders, b"%s %d\n" % (name.encode(), number))

    def wait(self) -> None:
        """Until it has written."""
        assert os.read(self._answers, 1) == b"."

    def close(self) -> None:
        os.close(self._orders)
        os.waitpid(self.child, 0)
        os.close(self._answers)


def _write_on_demand(orders: int, answers: int, root: Path, gap: float) -> None:
    while order := _line(orders):
        name, number = order.split()
        _spin(gap)
        _write_once(root / name.decode(), int(number))
        os.write(answers, b".")


def _line(source: int) -> bytes:
    text = b""
    while not text.endswith(b"\n"):
        one = os.read(source, 1)
        if not one:
            return b""
        text += one
    return text


def _spin(seconds: float) -> None:
    """Wait exactly, which no sleep does."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        continue


def _write_once(place: Path, number: int) -> None:
    mine = mark(number)
    style = STYLES[number % len(STYLES)]
    with suppress(FileNotFoundError):
        if style == "append":
            with place.open("ab") as file:
                file.write(mine)
        elif style == "truncate":
            place.write_bytes(LINES + mine)
        else:
            beside = place.with_name("beside")
            beside.write_bytes(LINES + mine)
            beside.rename(place)


def mark(number: int) -> bytes:
    """The line that the writer writes in this try."""
    return b"the writer was here: %d;\n" % number


def race_a_writer(folder: Path, tries: int, gap: float, counts: Counter[str]) -> None:
    """Undo and redo while the writer writes, once a try; its line must be somewhere afterwards."""
    bench = Bench(folder, FakeClock())
    writer = ForeignWriter(bench.root, gap)
    target, name = SeqId(0), ""
    try:
        for number in range(tries):
            if number % TRIES_A_FILE == 0:
                name = f"f{number}.txt"
                bench.put(name, LINES)
                target = bench.agent(edited(LINES, _9="nine"), name)
            target = _race_once(bench, writer, (name, target, number), counts)
    finally:
        writer.close()
        bench.close()


def _race_once(
    bench: Bench, writer: ForeignWriter, what: tuple[str, SeqId, int], counts: Counter[str]
) -> SeqId:
    name, target, number = what
    after = bench.ledger.blobs.get(_after(bench, target))
    bench.put(name, after)
    plan = bench.plan(target)
    assert plan.can_apply, plan.outcome
    writer.tell(name, number)
    undo = None
    try:
        result = bench.apply(plan)
        assert result.outcome in {Outcome.UNDONE, Outcome.APPLIED_UNCONFIRMED}, result
        undo = result.results[0].undo_seq_id
        told = result.outcome.value
    except StalePlan:
        told = "stale"
    writer.wait()
    counts[f"writer: {told}"] += 1
    counts["writer: tries"] += 1
    kept = _where(bench, name, mark(number))
    assert kept, f"a write of try {number} is lost ({STYLES[number % 3]}, {told})"
    counts[f"writer: found {kept}"] += 1
    assert not bench.ledger.open_undos()
    assert not [other for other in os.listdir(bench.root) if other.endswith(".tmp")]
    for other in os.listdir(bench.root):
        if ".sulcus-conflict-" in other:
            (bench.root / other).unlink()
    state = bench.entry(target).state
    assert state is (EntryState.RECORDED if undo is None else EntryState.UNDONE), (told, state)
    return target if undo is None else undo


def _after(bench: Bench, seq_id: SeqId) -> Sha256:
    digest = bench.entry(seq_id).record.changes[0].after.sha256
    assert digest is not None
    return digest


def _where(bench: Bench, name: str, line: bytes) -> str:
    """Where this line is kept: on disk, in a file kept beside, or with the displaced files; "" where nowhere."""
    if line in (bench.read(name) or b""):
        return "on disk"
    beside = [other for other in os.listdir(bench.root) if other.startswith(f"{name}.sulcus-conflict-")]
    if any(line in (bench.read(other) or b"") for other in beside):
        return "kept beside"
    trash = bench.home.trash
    if trash.is_dir() and any(line in file.read_bytes() for file in trash.iterdir()):
        return "with the displaced files"
    return ""


@contextmanager
def swapping(folder: Path, outside: Path) -> Iterator[None]:
    """Another process swaps a folder for a link to outside and back, as fast as it can."""
    moved = folder.with_name("moved")

    def swap() -> None:
        while True:
            with suppress(OSError):
                os.rename(folder, moved)
                os.symlink(outside, folder)
            with suppress(OSError):
                os.unlink(folder)
                os.rename(moved, folder)

    child = forked(swap)
    try:
        yield
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
        if folder.is_symlink():
            folder.unlink()
        if moved.exists():
            moved.rename(folder)


def race_a_swapper(folder: Path, tries: int, counts: Counter[str]) -> None:
    """Write below a folder that turns into a link and back; nothing outside may ever be touched."""
    root, outside = folder / "project", folder / "outside"
    (root / "sub").mkdir(parents=True)
    outside.mkdir()
    (root / "sub/f").write_bytes(L10)
    for name in ("f", "g", "new"):
        (outside / name).write_bytes(L10)
    untouched = _sights(outside)
    one, other = L10, edited(L10, _2="two")
    with swapping(root / "sub", outside):
        for number in range(tries):
            told = _write_below(root, number, one, other)
            counts[f"swapped folder: {told}"] += 1
            counts["swapped folder: tries"] += 1
            if number % 64 == 0:
                assert _sights(outside) == untouched, number
    assert _sights(outside) == untouched


def _sights(folder: Path) -> dict[str, tuple[object, ...]]:
    seen: dict[str, tuple[object, ...]] = {}
    for name in sorted(os.listdir(folder)):
        status = os.lstat(folder / name)
        data = (folder / name).read_bytes() if stat.S_ISREG(status.st_mode) else b""
        seen[name] = status.st_mode, status.st_ino, status.st_nlink, status.st_mtime_ns, data
    return seen


def _write_below(root: Path, number: int, one: bytes, other: bytes) -> str:
    """One edit, creation or deletion in turn, as an undo carries it out; what came of it."""
    path = LedgerPath("sub/f" if number % 3 == 0 else "sub/new")
    now = look(str(root), path)
    if now.content is None and path == "sub/f":
        return "not reached"
    data = None if now.content is not None and path != "sub/f" else (other if now.content == one else one)
    task = _task(root, path, data, number)
    fs = FileSystem()
    writer = Writer(str(root), fs)
    try:
        writer.check(task)
        writer.prepare(task)
        writer.switch(task)
        writer.finish([task])
        writer.sync([task])
    except (SulcusError, OSError):
        writer.close()
        put_all_back(str(root), [task], fs, lambda each: each.path in writer.touched)
        return "refused"
    finally:
        writer.close()
    return "written"


def _task(root: Path, path: LedgerPath, data: bytes | None, number: int) -> Task:
    before = look(str(root), path)
    after = ABSENT_SIDE if data is None else file_side(data, 0o644)
    return Task(path, before.state, after.state, data, f".sulcus-race-{number}.tmp", displaced=before.content)


def race_doors(folder: Path, records: int, doors: int, counts: Counter[str]) -> None:
    """Several processes undo the same records at once, each in an order of its own; all learn the truth."""
    bench = Bench(folder, FakeClock())
    seq_ids: list[SeqId] = []
    for number in range(records):
        bench.put(f"f{number}", L10)
        seq_ids.append(bench.agent(edited(L10, _2="two"), f"f{number}"))
    bench.close()
    gate, opened = os.pipe()
    reports = [folder / f"door-{door}" for door in range(doors)]
    children = [forked(partial(_door, folder, seq_ids, door, gate, reports[door])) for door in range(doors)]
    os.write(opened, b"." * doors)
    for child in children:
        assert exit_code(child) == 0
    os.close(gate)
    os.close(opened)
    told = [report.read_text().split() for report in reports]
    for words in told:
        counts.update(f"doors: {word}" for word in words)
    counts["doors: records"] += records
    _check_doors(folder, seq_ids, told)


def _door(folder: Path, seq_ids: Sequence[SeqId], door: int, gate: int, report: Path) -> None:
    bench = Bench(folder, FakeClock())
    bench.ids = counting_ids(f"door-{door}")
    step = (1, 7, 11, 13)[door % 4]
    os.read(gate, 1)
    words = []
    for at in range(len(seq_ids)):
        seq_id = seq_ids[at * step % len(seq_ids)]
        plan = bench.plan(seq_id)
        try:
            words.append(bench.apply(plan).outcome.value)
        except StalePlan:
            words.append("stale")
            assert bench.plan(seq_id).outcome is Outcome.ALREADY_UNDONE
        assert bench.entry(seq_id).state is EntryState.UNDONE
    bench.close()
    report.write_text(" ".join(words))


def _check_doors(folder: Path, seq_ids: Sequence[SeqId], told: Sequence[Sequence[str]]) -> None:
    bench = Bench(folder, FakeClock())
    assert sum(words.count("undone") for words in told) == len(seq_ids)
    assert {word for words in told for word in words} <= {"undone", "stale", "already_undone"}
    undos = [
        entry for entry in bench.ledger.after(SeqId(0), limit=100_000) if entry.record.reverses is not None
    ]
    assert sorted(undo.record.reverses or 0 for undo in undos) == sorted(seq_ids)
    assert all(bench.read(f"f{number}") == L10 for number in range(len(seq_ids)))
    bench.close()
