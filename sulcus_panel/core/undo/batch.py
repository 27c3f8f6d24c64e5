"""The virtual disk of a plan: entries are taken back on it one by one, each on the result of the one before. Pure.

Within an entry files come first, moved ones as one; then folders, innermost first, so that one which its own
files have left can go.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sulcus_panel.core.errors import BadRequest, UnsafePath
from sulcus_panel.core.model import (
    COMMANDS,
    Change,
    DiskFile,
    Entry,
    FileKind,
    FileState,
    Hunk,
    LedgerPath,
    Origin,
    SeqId,
    Sha256,
    Step,
)
from sulcus_panel.core.safety import check_path
from sulcus_panel.core.states import moves_in, part_numbers
from sulcus_panel.core.undo.beside import or_beside
from sulcus_panel.core.undo.consents import refused_in_batch
from sulcus_panel.core.undo.folder_plans import A_SWAP, is_folder, plan_folder, takes_places
from sulcus_panel.core.undo.follow import followed
from sulcus_panel.core.undo.model import (
    WRITABLE,
    EffectPlan,
    EntryPlan,
    Outcome,
    PathPlan,
    Resolution,
    UndoFacts,
)
from sulcus_panel.core.undo.once import not_taken, only_once
from sulcus_panel.core.undo.others import cannot_go, left_out
from sulcus_panel.core.undo.paths import plan_path
from sulcus_panel.core.undo.question import PathAnswer, Question, without_writes
from sulcus_panel.core.undo.shared_file import refused_if_shared

if TYPE_CHECKING:
    from sulcus_panel.core.undo.effects import Picture

SMOOTH = (Outcome.NOTHING_TO_UNDO, Outcome.ALREADY_UNDONE, Outcome.COPY_SAVED, Outcome.UNDONE)
"""Outcomes that stand in nobody's way, the weightiest last."""

WORST = (Outcome.REVIEW, Outcome.SUPERSEDED, Outcome.UNAVAILABLE, Outcome.REFUSED, Outcome.CONFLICT)
"""Outcomes that are not smooth, the weightiest last; all but the first stop a batch."""

_UNSEEN = DiskFile(FileState(kind=FileKind.UNKNOWN, reason="it was not looked at"), None)


def weigh(outcomes: Sequence[Outcome]) -> Outcome:
    """Sum up: the worst where anything is in the way, else the most that is done."""
    bad = [outcome for outcome in outcomes if outcome not in SMOOTH]
    if bad:
        return max(bad, key=lambda outcome: WORST.index(outcome) if outcome in WORST else len(WORST))
    return max(outcomes, key=SMOOTH.index, default=Outcome.NOTHING_TO_UNDO)


def later_steps(timeline: Sequence[Step], entry: Entry) -> tuple[Step, ...]:
    """Return the steps of a path that came after an entry's own (after its time, where it has none)."""
    for index, step in enumerate(timeline):
        if step.seq_id == entry.seq_id:
            return tuple(timeline[index + 1 :])
    return tuple(step for step in timeline if step.at > entry.record.at)


@dataclass(slots=True, eq=False, repr=False)
class Batch:
    """What each path would be by now, what is known of bytes, what was done so far."""

    facts: UndoFacts
    files: dict[LedgerPath, DiskFile]
    contents: dict[Sha256, bytes]
    done: dict[LedgerPath, list[Step]] = field(default_factory=dict)
    hunks: dict[tuple[SeqId, LedgerPath], tuple[Hunk, ...]] = field(default_factory=dict)
    came_from: dict[LedgerPath, LedgerPath] = field(default_factory=dict)
    """Where on disk the file is that a move brings back to a path."""
    inside: dict[LedgerPath, list[LedgerPath]] = field(default_factory=dict)
    """The paths below each folder."""
    git: "Picture | None" = None
    """The repositories as they would be by now, where commands are among these."""
    copies: list[PathPlan] = field(default_factory=list)
    """The old copies that are saved beside files of the one entry of which the person decided so."""

    @classmethod
    def of(cls, facts: UndoFacts) -> "Batch":
        """Begin with the disk as it is."""
        batch = cls(facts, dict(facts.disk), dict(facts.contents))
        for path, file in facts.disk.items():
            batch._learn(file)
            for end in (at for at, char in enumerate(path) if char == "/"):
                batch.inside.setdefault(LedgerPath(path[:end]), []).append(path)
        return batch

    def _learn(self, file: DiskFile) -> None:
        if file.content is not None and file.state.sha256 is not None:
            self.contents[file.state.sha256] = file.content

    def plan_entry(self, entry: Entry) -> EntryPlan:
        """Decide one entry and build on it what can be done. Raises BadRequest for hunks that do not exist."""
        changes = entry.record.changes
        if not changes:
            return self._picture().plan_entry(entry)
        plans, count = self._files(entry)
        count += sum(not change.hunks for change in changes)
        if self.facts.hunks is not None and any(not 0 <= index < count for index in self.facts.hunks):
            raise BadRequest("No such hunk", f"#{entry.seq_id} has {count}, counted from 1", field="hunks")
        folders = [at for at, change in enumerate(changes) if is_folder(change)]
        for at in sorted(folders, key=lambda at: changes[at].path, reverse=True):
            ask = self._question(entry, at, 0)
            plans[at] = self._settle(entry, self._folder(entry, ask))
        in_order = (*(self._numbered(entry, at, plans[at]) for at in range(len(changes))), *self.copies)
        effect = self._picture().effect_of(entry) if entry.record.action_type in COMMANDS else None
        return _summed(entry, in_order, effect)

    def without_swaps(self, entries: Sequence[EntryPlan]) -> tuple[EntryPlan, ...]:
        """Refuse what would leave a file where a folder is on disk, or the reverse; between, either may stand.

        The step that says so is the last one that writes the path.
        """
        swapped = {
            path
            for path, file in self.facts.disk.items()
            if path in self.done and takes_places(file.state, self.files[path].state)
        }
        told: list[EntryPlan] = []
        for plan in reversed(entries):
            here = {path.path for path in plan.paths if path.outcome in WRITABLE and path.path in swapped}
            paths = tuple(
                path.left_alone(Outcome.REFUSED, A_SWAP) if path.path in here else path for path in plan.paths
            )
            told.append(_summed(plan.entry, paths, plan.effect) if here else plan)
            swapped -= here
        return tuple(reversed(told))

    def _picture(self) -> "Picture":
        if self.git is None:
            from sulcus_panel.core.undo.effects import Picture  # edits of files have no use for it

            self.git = Picture(self.facts)
        return self.git

    def _files(self, entry: Entry) -> tuple[dict[int, PathPlan], int]:
        """Decide the files by their positions, and count the hunks of all."""
        changes = entry.record.changes
        partner = {at: pair for pair in moves_in(changes) for at in pair}
        plans: dict[int, PathPlan] = {}
        asked: dict[int, Question] = {}
        first = 0
        for at, change in enumerate(changes):
            if is_folder(change):
                continue
            asked[at] = ask = self._question(entry, at, first)
            first += len(change.hunks)
            if at not in partner:
                plans[at] = self._settle(entry, self._beside(entry, ask, self._once(entry, ask)))
                first += max(0, len(plans[at].hunks) - len(change.hunks))
            elif all(each in asked for each in partner[at]):
                old, new = partner[at]
                plans[old], plans[new] = self._move(entry, asked[old], asked[new])
        return plans, first

    def _question(self, entry: Entry, at: int, first: int) -> Question:
        change = entry.record.changes[at]
        steps = (
            *later_steps(self.facts.timelines.get(change.path, ()), entry),
            *self.done.get(change.path, ()),
        )
        place = self._place_after(steps, change.path)
        return Question(
            change=as_done(change) if entry.record.origin is Origin.UNDO else change,
            first_hunk=first,
            chosen=self._chosen(entry, first, change.hunks) if change.hunks else self._whole(entry, at),
            refusal=self._refusal(change.path),
            file=self.files.get(change.path, _UNSEEN),
            steps=followed(change.path, steps, self.facts.moved, self._steps_at),
            contents=self.contents,
            resolution=self.facts.resolution,
            moved_to=place,
            kin=[one for one in (entry.seq_id, entry.record.reverses) if one is not None],
            elsewhere=place is not None and self._stands(place),
        )

    def _place_after(self, steps: Sequence[Step], path: LedgerPath) -> LedgerPath | None:
        """Return where the last of the steps took the file from its path."""
        gone = steps[-1] if steps and steps[-1].after.kind is FileKind.ABSENT else None
        return None if gone is None else self.facts.moved.get((gone.seq_id, path))

    def _stands(self, place: LedgerPath) -> bool:
        """Say whether a file that was moved here is still here, or where it was moved from here."""
        seen: set[LedgerPath] = set()
        at: LedgerPath | None = place
        while at is not None and at not in seen:
            seen.add(at)
            steps = self._steps_at(at)
            if steps and steps[-1].after.kind is not FileKind.ABSENT:
                return True
            at = self._place_after(steps, at)
        return False

    def _steps_at(self, path: LedgerPath) -> tuple[Step, ...]:
        return (*self.facts.timelines.get(path, ()), *self.done.get(path, ()))

    def _chosen(self, entry: Entry, first: int, hunks: Sequence[Hunk]) -> frozenset[int] | None:
        """Return which hunks of a change are asked for, None for all; what was taken back alone before is not."""
        taken = _local(self.facts.taken.get(entry.seq_id), first, len(hunks))
        chosen = _local(self.facts.hunks, first, len(hunks))
        if chosen is None:
            return frozenset(range(len(hunks))) - taken if taken else None
        return not_taken(chosen, hunks, taken) if taken else chosen

    def _whole(self, entry: Entry, at: int) -> frozenset[int] | None:
        """Return what is asked of a change without hunks: all (None), or nothing."""
        number = _number(entry, at)
        if self.facts.hunks is None:
            left_out = number in self.facts.taken.get(entry.seq_id, frozenset())
        else:
            left_out = number not in self.facts.hunks
        return frozenset() if left_out else None

    def _numbered(self, entry: Entry, at: int, plan: PathPlan) -> PathPlan:
        """Tell the plan of a change without hunks by which number it is chosen, and whether it is."""
        if entry.record.changes[at].hunks:
            return plan
        return replace(plan, part=_number(entry, at), chosen=self._whole(entry, at) is None)

    def _refusal(self, path: LedgerPath) -> str:
        try:
            check_path(path)
        except UnsafePath as error:
            return f"{error.title.lower()}: {error.detail}"
        return self.facts.refusals.get(path, "")

    @property
    def _leaves_out(self) -> bool:
        return self.facts.resolution is Resolution.OTHERS

    def _once(self, entry: Entry, ask: Question) -> PathAnswer:
        taken_back = {target.seq_id for target in self.facts.targets}
        return only_once(
            entry, ask, self._file(ask), taken_back, self.facts.taken.get(entry.seq_id, frozenset())
        )

    def _file(self, ask: Question) -> PathAnswer:
        return plan_path(ask) if self.facts.root is not None else _no_root(ask)

    def _beside(self, entry: Entry, ask: Question, answer: PathAnswer) -> PathAnswer:
        """Let a file stay that is in conflict, and plan its old copy, where the person so decided."""
        place = self.facts.copies.get(ask.change.path)
        if place is None:
            return answer
        kept, copy = or_beside(ask, answer, place, self.files[place])
        if copy is not None:
            self.copies.append(self._settle(entry, copy))
        return kept

    def _move(self, entry: Entry, old: Question, new: Question) -> tuple[PathPlan, PathPlan]:
        if self.facts.root is None:
            return _no_root(old).plan, _no_root(new).plan
        from sulcus_panel.core.undo.moves import MovedFile, plan_move  # here, for few entries move a file

        came, went = plan_move(MovedFile(old, new))
        if self._leaves_out and (cannot_go(came.plan) or cannot_go(went.plan)):  # half a move is none
            return left_out(came.plan), left_out(went.plan)
        if came.plan.outcome in WRITABLE and went.plan.outcome in WRITABLE:
            place = new.change.path
            self.came_from[old.change.path] = self.came_from.get(place, place)
        return self._settle(entry, came), self._settle(entry, went)

    def _folder(self, entry: Entry, ask: Question) -> PathAnswer:
        if self.facts.root is None:
            return _no_root(ask)
        names = self._names_in(ask.change.path)
        return plan_folder(ask, None if names is None else names | self._to_come(entry, ask.change.path))

    def _to_come(self, entry: Entry, folder: LedgerPath) -> set[str]:
        """Name what older entries of the batch bring back into a folder which they do not make again themselves."""
        older = self.facts.targets[self.facts.targets.index(entry) + 1 :]
        changes = [change for target in older for change in target.record.changes]
        if any(change.path == folder and change.before.kind is FileKind.DIRECTORY for change in changes):
            return set()
        return {
            change.path.removeprefix(f"{folder}/")
            for change in changes
            if change.path.startswith(f"{folder}/") and change.before.kind is not FileKind.ABSENT
        }

    def _names_in(self, folder: LedgerPath) -> set[str] | None:
        """Return what is in a folder by now: as on disk, less what the batch removes, plus what it makes."""
        file = self.facts.disk.get(folder, _UNSEEN)
        listed = self.facts.listings.get(folder) if file.state.kind is not FileKind.ABSENT else ()
        if listed is None:
            return None
        names = set(listed)
        for path in self.inside.get(folder, ()):
            name, slash, _ = path.removeprefix(f"{folder}/").partition("/")
            if self.files[path].state.kind is not FileKind.ABSENT:
                names.add(name)
            elif not slash:
                names.discard(name)
        return names

    def _settle(self, entry: Entry, answer: PathAnswer) -> PathPlan:
        """Let the rest of the batch build on this step."""
        plan = refused_in_batch(self.facts, refused_if_shared(self.facts, entry, answer.plan))
        if plan.outcome not in WRITABLE:
            return left_out(plan) if self._leaves_out and cannot_go(plan) else plan
        result = DiskFile(plan.result, plan.result_content)
        self.files[plan.path] = result
        self._learn(result)
        self.hunks[entry.seq_id, plan.path] = answer.hunks
        at, number = entry.record.at, entry.seq_id
        step = Step(number, Origin.UNDO, at, plan.disk, plan.result, answer.hunks, reverses=number)
        self.done.setdefault(plan.path, []).append(step)
        return plan


def _summed(entry: Entry, paths: tuple[PathPlan, ...], effect: EffectPlan | None) -> EntryPlan:
    outcome = weigh([plan.outcome for plan in paths])
    reason = next((plan.reason for plan in paths if plan.outcome is outcome), "")
    return EntryPlan(entry, outcome, paths, reason if outcome not in SMOOTH else "", effect)


def as_done(change: Change) -> Change:
    """Return an undo's own change: its hunks are what was done, whether or not its record says so."""
    return replace(change, hunks=tuple(replace(hunk, exact=True) for hunk in change.hunks))


def _number(entry: Entry, at: int) -> int:
    return part_numbers([len(change.hunks) for change in entry.record.changes])[at].start


def _no_root(ask: Question) -> PathAnswer:
    return without_writes(ask, Outcome.UNAVAILABLE, "no_root")


def _local(chosen: Iterable[int] | None, first: int, count: int) -> frozenset[int] | None:
    """Return which hunks of one change are chosen, None for all (also where a change has no hunks)."""
    if chosen is None:
        return None
    return frozenset(index - first for index in chosen if first <= index < first + count)
