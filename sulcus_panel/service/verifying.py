"""Is what is recorded still what was recorded: every row and snapshot, and what can be put right of it.

A repair loses no byte that can be read: damaged snapshots are looked for on the disk, else set aside as they are.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sulcus_panel.core.disk import look
from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.ledger import checking, marks, mending
from sulcus_panel.core.ledger.encoding import to_micros
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import EntryState, SeqId, Sha256

UNDO_TAKES = timedelta(hours=1)
"""An undo that is open for longer has not ended."""
MOST_NAMED = 20


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong; `done` says what a repair did about it, and `mended` that nothing is left of it."""

    code: str
    text: str
    done: str = ""
    mended: bool = False


@dataclass(slots=True)
class Verified:
    """How much was looked at, and what is wrong."""

    counts: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """True where nothing is wrong any more."""
        return all(problem.mended for problem in self.problems)


class Verifying:
    """Looks through one ledger; with `repair`, puts right what can be."""

    def __init__(self, ledger: Ledger, clock: Callable[[], datetime], *, repair: bool) -> None:
        self._ledger = ledger
        self._db = ledger.database
        self._clock = clock
        self._repair = repair
        self._found = Verified()

    def run(self) -> Verified:
        """Look at everything; what one part cannot read does not keep the others from being read.

        Raises:
            SulcusError: the ledger is older than this program, and could not be brought up to date.
        """
        if not self._db.has_table("event"):
            raise SulcusError(
                "A ledger of an older version cannot be verified while it is only read",
                hint="Make its folder writable: then it is brought up to date first.",
            )
        if self._ledger.notice:
            self._tell("opening", self._ledger.notice)
        for part in (self._file, self._tables, self._snapshots, self._changes, self._marks, self._undos):
            try:
                part()
            except SulcusError as error:
                self._tell(error.code, str(error))
        return self._found

    def _tell(self, code: str, text: str, done: str = "", *, mended: bool = False) -> None:
        self._found.problems.append(Problem(code, text, done, mended))

    def _file(self) -> None:
        """SQLite's own check; indexes that contradict their tables are built anew."""
        told = checking.integrity(self._db)
        left: Sequence[str] = told
        if told and self._repair:
            with self._ledger.write(durable=True):
                tried = mending.reindex(self._db)
            left = checking.integrity(self._db) if tried else told
        for text in told:
            gone = text not in left
            self._tell("database", text, "the indexes were built anew" if gone else "", mended=gone)

    def _tables(self) -> None:
        with self._db.reading():
            tables = tuple(checking.read_tables(self._db))
        for table in tables:
            self._found.counts[table.name] = table.rows
            if table.unreadable:
                text = (
                    f"{len(table.unreadable)} rows of {table.name} cannot be read: {_named(table.unreadable)}"
                )
                self._tell("unreadable_row", text)

    def _snapshots(self) -> None:
        read = deltas = size = 0
        damaged = []
        with self._db.reading():
            for one in checking.read_snapshots(self._db):
                read, deltas, size = read + 1, deltas + one.is_delta, size + one.size_bytes
                if not one.sound:
                    damaged.append(one.sha256)
        self._found.counts |= {"snapshot": read, "delta": deltas, "snapshot_bytes": size}
        found = self._mend_snapshots(damaged) if damaged and self._repair else None
        for sha in damaged:
            text, done = f"snapshot {sha.hex()} does not hold what it says", ""
            if found is not None:
                done = "its bytes were found in a file and are kept again"
                if sha not in found:
                    done = (
                        "what is stored of it lies in the data folder, in damaged/; its entries say not kept"
                    )
            self._tell("damaged_snapshot", text, done, mended=found is not None and sha in found)

    def _mend_snapshots(self, damaged: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Let go of the damaged ones, and keep anew what stands on the disk with the same hash."""
        found = {sha: data for sha in damaged if (data := self._on_disk(sha)) is not None}
        with self._ledger.write(durable=True):
            doomed = [sha for sha in damaged if not checking.is_sound(self._db, sha)]
            try:
                mending.set_aside(self._db, self._ledger.home, doomed)
            except OSError as error:
                raise SulcusError(
                    "What is damaged cannot be set aside", error.strerror or str(error)
                ) from error
            for data in found.values():
                self._ledger.blobs.put(data)
        return found

    def _on_disk(self, sha: bytes) -> bytes | None:
        for root, path in mending.places(self._db, sha):
            there = look(root, path)
            if there.content is not None and there.state.sha256 == Sha256(sha.hex()):
                return there.content
        return None

    def _changes(self) -> None:
        with self._ledger.write(durable=True) if self._repair else self._db.reading():
            self._found.counts["no_longer_kept"] = checking.lost_sides(self._db)
            wrong, strayed = checking.wrong_sizes(self._db), checking.strayed(self._db)
            if strayed and self._repair:
                mending.return_to_entries(self._db)
        self._tell_entries("wrong_size", wrong, "tell another size than the bytes of their hash have")
        text, done = "have changes under another workspace or time", "they stand under their entries again"
        self._tell_entries("strayed_change", strayed, text, done)

    def _marks(self) -> None:
        with self._ledger.write(durable=True) if self._repair else self._db.reading():
            wrong, held = marks.misjudged(self._db), checking.held_by_nobody(self._db)
            for seq_id in wrong if self._repair else ():
                marks.settle_reversals(self._db, seq_id, to_micros(self._clock()))
            for seq_id in held if self._repair else ():
                self._ledger.set_state(seq_id, EntryState.RECORDED)
        text, done = "are marked as other than their undos make them", "their marks were derived anew"
        self._tell_entries("wrong_mark", wrong, text, done)
        text, done = "are marked as held, and nothing waits", "the mark was taken away"
        self._tell_entries("held_by_nobody", held, text, done)

    def _undos(self) -> None:
        with self._db.reading():
            unsettled = checking.unsettled_undos(self._db, to_micros(self._clock() - UNDO_TAKES))
            unpaired = checking.unpaired_rewinds(self._db)
        for op_id in unsettled:
            self._tell("unsettled_undo", f"undo {op_id} did not end: look at the files that it named")
        for op_id in unpaired:
            self._tell("unpaired_rewind", f"how undo {op_id} ended was not told exactly once")

    def _tell_entries(self, code: str, seq_ids: Sequence[SeqId], text: str, done: str = "") -> None:
        """Say what is wrong with these; where a repair has an answer, it was given."""
        if seq_ids:
            mended = bool(done) and self._repair
            said = f"{len(seq_ids)} entries {text}: {_named([f'#{seq_id}' for seq_id in seq_ids])}"
            self._tell(code, said, done if mended else "", mended=mended)


def _named(names: Sequence[object]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(map(str, names[:MOST_NAMED])) + more
