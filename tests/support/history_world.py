"""A real workspace beside its model: every act is done to both, and every undo is judged by the model.

What the ledger says of an undo is read from the ledger, so a killed, failed or overtaken one is judged the
same way as one that answered.
"""

import atexit
import functools
import os
import shutil
import tempfile
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Entry, EntryState, FileState, LedgerPath, Origin, SeqId
from sulcus_panel.core.undo.apply import apply_undo
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.model import Outcome, UndoPlan, UndoResult
from tests.support.bench import Bench
from tests.support.history_model import Answer, Deed, Fate, answer, is_move, lost_its_place
from tests.support.history_records import Record, deeds_of, taken_by, was_moved_away, with_its_file
from tests.support.history_states import Blob, Line, Link, State, Text, content, parsed, same_content

WRITTEN = {Outcome.UNDONE, Outcome.APPLIED_UNCONFIRMED}
NOTHING_DONE = {Outcome.ALREADY_UNDONE, Outcome.NOTHING_TO_UNDO}


@functools.cache
def _empty_ledger() -> Path:
    """A data folder with a ledger in it, made once: making one costs more than a whole undo."""
    folder = Path(tempfile.mkdtemp(prefix="empty-ledger-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    home = DataHome(folder / "data")
    Ledger.open(home).close()
    return home.root


class World:
    """The disk, the ledger, and what both must be."""

    def __init__(self, folder: Path, counts: Counter[str]) -> None:
        self.folder, self.counts = folder, counts
        shutil.copytree(_empty_ledger(), folder / "data")
        self.bench = Bench(folder)
        self.states: dict[str, State] = {}
        self.versions: dict[str, list[Text]] = {}
        self.records: dict[int, Record] = {}
        self.last: dict[str, State] = {}
        """What the ledger saw last at each path."""
        self.appended = 0
        self.ordinal: dict[int, int] = {}
        self.put_back: dict[str, int] = {}
        """The newest entry when lines of long ago last came back at a path: nobody can say how they stand."""
        self.stood: dict[str, dict[int, int]] = {}
        """By path and line, the newest entry when the line last stood there."""
        self.when: dict[str, list[int]] = {}
        """By path, the newest entry when each of its versions came about."""
        self.no_text: dict[str, int] = {}
        """The newest entry when there was last no text at a path."""
        self._given = 0

    def close(self) -> None:
        self.bench.close()
        shutil.rmtree(self.folder)

    # -- acts --------------------------------------------------------------------------------------

    def fresh(self) -> int:
        """A number that was never used."""
        self._given += 1
        return self._given

    def line(self, tail: int = 0) -> Line:
        return Line(self.fresh(), (self.fresh(), self.fresh(), self.fresh()), tail)

    def put(self, path: str, state: State) -> None:
        """Bring one path of the disk, and of the model, to a state."""
        place = self.bench.root / path
        if os.path.lexists(place):
            place.unlink()
        data = content(state)
        if isinstance(state, Link):
            os.symlink(state.target, place)
        elif data is not None:
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(data)
            place.chmod(state.mode if isinstance(state, Text | Blob) else 0o644)
        self._is(path, state)

    def _is(self, path: str, state: State, by: int | None = None) -> None:
        self.states[path] = state
        newest = int(self.bench.ledger.newest_seq()) if by is None else by
        if isinstance(state, Text):
            self.versions.setdefault(path, []).append(state)
            self.when.setdefault(path, []).append(newest)
            self.stood.setdefault(path, {}).update((line.number, newest) for line in state.lines)
        else:
            self.no_text[path] = newest

    def act(self, changes: Mapping[str, State], turn: str) -> Record | None:
        """An agent brings paths to new states, in one recorded entry."""
        changes = {path: state for path, state in changes.items() if state != self.states.get(path)}
        if not changes:
            return None
        was = {path: self.bench.look(path) for path in changes}
        befores = {path: self.states.get(path) for path in changes}
        for path, state in changes.items():
            self.put(path, state)
        seq_id = self.bench.record(
            {path: (was[path], self.bench.look(path)) for path in changes}, intent=turn
        )
        entry = self.bench.entry(seq_id)
        record = Record(
            seq_id, deeds_of(entry, {path: (befores[path], changes[path]) for path in changes}), turn
        )
        self._keep(record)
        return record

    def _keep(self, record: Record) -> None:
        self.records[record.seq_id] = record
        self.appended += 1
        self.ordinal[record.seq_id] = self.appended
        for deed in record.deeds:
            self.last[deed.path] = deed.after
        if record.reverses is not None and record.reverses in self.records:
            self.records[record.reverses].reversed_by.append(record.seq_id)

    # -- undo --------------------------------------------------------------------------------------

    def undo(
        self, seq_ids: Collection[int], hunks: Sequence[int] | None = None, fs: FileSystem | None = None
    ) -> UndoResult:
        """Plan and apply; the caller judges."""
        plan = self.bench.plan(*seq_ids, hunks=hunks)
        return self.apply(plan, fs)

    def apply(self, plan: UndoPlan, fs: FileSystem | None = None) -> UndoResult:
        """Apply, saying yes to all but a result that is not certain."""
        bench = self.bench
        bench.clock.advance(1)
        yes = [consent.key for consent in plan.consents if consent.code != "review"]
        return apply_undo(bench.ledger, bench.workspace, plan, bench.hands(fs), yes)

    def judge(
        self, seq_ids: Collection[int], hunks: Sequence[int] | None, after: int, result: UndoResult | None
    ) -> bool:
        """Judge what an undo did by the ledger's entries after `after`; True where it was carried out."""
        records = [self.records[seq_id] for seq_id in sorted(set(seq_ids), reverse=True)]
        undos = {
            entry.record.reverses: entry
            for entry in self.bench.ledger.after(SeqId(after))
            if entry.record.origin is Origin.UNDO
        }
        asked = None if hunks is None else frozenset(hunks)
        carried = bool(undos)
        wrote = any(undo.record.changes for undo in undos.values())
        if result is not None:
            assert carried or result.outcome not in WRITTEN, result
            assert not wrote or result.outcome in WRITTEN, result
        before = dict(self.states)
        fates: list[Fate] = []
        exact = True
        for record in records:
            chosen = with_its_file(record, asked)
            answers = self._answers(record, chosen)
            fates += [each.fate for each in answers]
            exact = exact and all(each.exact for each in answers) and not self._is_spent(record)
            undo = undos.pop(SeqId(record.seq_id), None)
            if undo is not None and undo.record.changes:
                self._carried_out(record, answers, undo, chosen)
                continue
            if wrote or (len(records) == 1 and (carried or _is_done(result))):
                self._passed_over(record, answers)
            if undo is not None:
                self._keep(Record(undo.seq_id, (), "", record.seq_id, asked))
            if not wrote:
                self.states.update(
                    (deed.path, each.state) for deed, each in zip(record.deeds, answers, strict=True)
                )
        assert not undos
        if wrote:
            return True
        cancelled = self.states == before
        self.states = before
        if (carried or _is_done(result)) and Fate.NEVER not in fates and exact:
            assert cancelled, f"something is left to be undone: {result}"
        if (
            result is not None
            and not carried
            and set(fates) <= {Fate.NOTHING, Fate.MUST}
            and Fate.MUST in fates
        ):
            assert cancelled, f"this must be undone: {result}"
        return False

    def _is_spent(self, record: Record) -> bool:
        """Whether it is undone, and no line stands there just as it left it: the row says the truth.

        Of what is no text nobody can say whose it is by now.
        """
        texts = all(isinstance(side, Text) for deed in record.deeds for side in (deed.before, deed.after))
        left = (deed.leaves_lines_in(self.states.get(deed.path)) for deed in record.deeds)
        return self.state(record.seq_id) is EntryState.UNDONE and not (texts and any(left))

    def _passed_over(self, record: Record, answers: Sequence[Answer]) -> None:
        """Nothing was written for it, and that was called right: nothing of it is left, or it is undone."""
        if self.state(record.seq_id) is EntryState.UNDONE:
            return
        for deed, each in zip(record.deeds, answers, strict=True):
            left = each.fate in {Fate.NOTHING, Fate.GONE} or self._came_back(record, deed)
            assert left or deed.moves_lines, (deed, each)

    def _came_back(self, record: Record, deed: Deed) -> bool:
        """Whether a deed only took lines away, and the person had put them all back since."""
        stood = self.stood.get(deed.path, {})
        removed = [line for part in deed.parts for line in part.removed]
        only = bool(removed) and not any(part.added or part.reworded for part in deed.parts)
        return only and all(stood.get(line.number, -1) >= record.seq_id for line in removed)

    def _answers(self, record: Record, chosen: frozenset[int] | None) -> list[Answer]:
        move = is_move(record.deeds)
        answers = [self._answer(record, deed, chosen) for deed in record.deeds]
        if move is None or (chosen is not None and not chosen >= record.hunks):
            return answers
        gone, come = move
        at = {deed.path: index for index, deed in enumerate(record.deeds)}
        old, new = self.states.get(gone.path), self.states.get(come.path)
        if old is None and new is not None and new.kind is (come.after and come.after.kind):
            same = new == come.after
            answers[at[gone.path]] = Answer(Fate.MUST if same else Fate.MAY, new)
            answers[at[come.path]] = Answer(Fate.MUST if same else Fate.MAY, None)
        elif not (same_content(old, gone.before) and (new is None or same_content(new, come.after))):
            # The file is not at its new place: nothing is left of the move, whatever became of it at the old one.
            left = new is None and (old is not None or self._went_back(record, gone.path, come.path))
            fate = Fate.GONE if left else Fate.NEVER
            answers[at[gone.path]] = Answer(fate, old)
        return answers

    def _went_back(self, record: Record, old: str, new: str) -> bool:
        """Whether the file that a move took to `new` left it last for `old`, by what entries did to that file."""
        at: str | None = new
        back, away = False, (0, new)
        for seq_id in sorted(seq_id for seq_id in self.records if seq_id > record.seq_id):
            later = self.records[seq_id]
            deeds = {deed.path: deed for deed in later.deeds}
            deed = deeds.get(away[1] if at is None else at)
            if deed is None or (deed.before is None) == (deed.after is None):
                continue
            if deed.after is not None:
                at = away[1] if at is None and self.root(seq_id) == self.root(away[0]) else None
            elif at is not None:
                move = is_move(later.deeds)
                to = move[1].path if move is not None and move[0].path == at else None
                back = to == old if at == new else back
                away = seq_id, at
                at = to
        return back

    def _answer(self, record: Record, deed: Deed, chosen: frozenset[int] | None) -> Answer:
        covered, sure = self._covered(record)
        local = (
            None
            if chosen is None
            else frozenset(n - deed.first for n in chosen if deed.first <= n < deed.first + deed.hunks)
        )
        undone = self.state(record.seq_id) is EntryState.UNDONE
        taken = {number - deed.first for number in covered} & set(range(deed.hunks))
        if local is None and taken and not undone:
            local = frozenset(range(deed.hunks)) - taken  # what was taken back alone is not taken back again
        if local is not None and not local:
            return Answer(Fate.NOTHING, self.states.get(deed.path))
        force = frozenset(n for n in range(len(deed.parts)) if n + deed.first not in covered)
        found = answer(deed, self.states.get(deed.path), local, frozenset() if undone else force)
        if undone and deed.after is None and found.fate is Fate.MUST:
            return Answer(Fate.GONE, self.states.get(deed.path))
        later = [self.records[seq_id] for seq_id in sorted(self.records) if seq_id > record.seq_id]
        if deed.before is None and found.fate is Fate.NOTHING and was_moved_away(deed.path, later):
            return replace(found, fate=Fate.GONE)
        came_back = record.seq_id <= max(at.get(deed.path, 0) for at in (self.no_text, self.put_back))
        many_alike = isinstance(deed.after, Text) and any(line.tail for line in deed.after.lines)
        as_it_was = local is None and same_content(self.states.get(deed.path), deed.after)
        when = self.when.get(deed.path, [])
        since = self.versions.get(deed.path, [])[bisect_left(when, record.seq_id) :]
        lost = lost_its_place(deed, since, self.states.get(deed.path))
        elsewhere = came_back or many_alike or record.reversed_by or lost
        lines = isinstance(deed.before, Text) and isinstance(deed.after, Text)
        doubtful = not sure or (undone and not lines) or (elsewhere and not as_it_was)
        if found.fate is Fate.MUST and doubtful:
            found = replace(found, fate=Fate.MAY)
        return replace(found, free=found.free or deed.path in self.put_back)

    def _covered(self, record: Record) -> tuple[frozenset[int], bool]:
        """The parts of a record that undos in force have taken back, and whether that is sure."""
        taken: set[int] = set()
        sure = True
        for seq_id in record.reversed_by:
            state = self.state(seq_id)
            if state is EntryState.RECORDED:
                undo = self.records[seq_id]
                taken |= record.hunks if undo.taken is None else undo.taken
            elif state is EntryState.PARTLY_UNDONE:
                sure = False
        return frozenset(taken), sure

    def root(self, seq_id: int) -> int:
        """The entry at the bottom of a chain of undos, redos and so on."""
        record = self.records.get(seq_id)
        return seq_id if record is None or record.reverses is None else self.root(record.reverses)

    def state(self, seq_id: int) -> EntryState:
        """Where an entry must stand by what was taken back of it."""
        record = self.records[seq_id]
        force = [undo for undo in record.reversed_by if self.state(undo) is not EntryState.UNDONE]
        if not force:
            return EntryState.RECORDED
        whole = [undo for undo in force if self.state(undo) is EntryState.RECORDED]
        taken = {part for undo in whole for part in self.records[undo].taken or ()}
        complete = any(self.records[undo].taken is None for undo in whole) or (
            bool(record.parts) and taken >= record.parts
        )
        return EntryState.UNDONE if complete else EntryState.PARTLY_UNDONE

    def _carried_out(
        self, record: Record, answers: Sequence[Answer], undo: Entry, chosen: frozenset[int] | None
    ) -> None:
        """Check an undo's own entry against the model, and let the model follow it."""
        steps = {change.path: change for change in undo.record.changes}
        passages: dict[str, tuple[State, State]] = {}
        for deed, each in zip(record.deeds, answers, strict=True):
            now = self.states.get(deed.path)
            change = steps.pop(LedgerPath(deed.path), None)
            if change is None:
                self._passed_over(replace(record, deeds=(deed,)), (each,))
                continue
            assert each.fate in {Fate.MUST, Fate.MAY}, (deed, each, now)
            was, then = self._kept(change.before), self._kept(change.after)
            assert was == now, (was, now)
            assert each.allows(then, self.versions.get(deed.path, []), now), (deed, now, each, then)
            self.counts[f"undone: {each.fate.name.lower()}"] += 1
            passages[deed.path] = was, then
            self._is(deed.path, then, undo.seq_id)
        assert not steps, steps
        taken = taken_by(record, undo.record.reversed_hunks, chosen, self._covered(record))
        self._keep(Record(undo.seq_id, deeds_of(undo, passages), "", record.seq_id, taken))

    def _kept(self, state: FileState) -> State:
        """What a side of an undo was, from the bytes that the ledger keeps of it."""
        data = None if state.sha256 is None else self.bench.ledger.blobs.get(state.sha256)
        return parsed(state.kind, data, state.mode)

    # -- checks ------------------------------------------------------------------------------------

    def check(self) -> None:
        """The disk is the model, and no row lies."""
        want = {path: state for path, state in self.states.items() if state is not None}
        seen = self.bench.picture()
        assert seen.keys() == want.keys(), set(seen) ^ set(want)
        for path, state in want.items():
            mode, data = seen[path]
            assert data == content(state), path
            assert not isinstance(state, Text | Blob) or mode & 0o7777 == state.mode, path
        rows = self.bench.ledger.entries([SeqId(seq_id) for seq_id in self.records])
        told = {row.seq_id: row.state for row in rows}
        want_states = {seq_id: self.state(seq_id) for seq_id in self.records}
        assert told == want_states, (told, want_states)

    def forget_pruned(self, ring: int, *, far: bool) -> None:
        """Retention let go of what is beyond the ring (undos stay) and, in the far future, of all."""
        beyond = sorted(self.records)
        held = self.bench.ledger.entries([SeqId(seq_id) for seq_id in beyond])
        keep = {int(entry.seq_id) for entry in held}
        gone = set(beyond) - keep
        if far:
            assert not keep
        else:
            assert all(self.ordinal[seq_id] <= self.appended - ring for seq_id in gone)
            assert all(self.records[seq_id].reverses is None for seq_id in gone)
        for seq_id in gone:
            del self.records[seq_id]
        named = {deed.path for record in self.records.values() for deed in record.deeds}
        self.last = {path: state for path, state in self.last.items() if path in named}

    def check_kept(self) -> None:
        """Every side of every entry that the ledger still has is in its store."""
        for record in self.records.values():
            for change in self.bench.entry(record.seq_id).record.changes:
                for state in (change.before, change.after):
                    self._kept(state)


def _is_done(result: UndoResult | None) -> bool:
    return result is not None and result.outcome in NOTHING_DONE
