"""What becomes of a command's effects beside files: decided from what was observed and what git says now. Pure.

Entries of one batch are taken back on one picture of the repository, newest first, as files are on one disk.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from sulcus_panel.core.commands.inverse import (
    HEADS,
    Inverse,
    NoInverse,
    inverse_of,
    is_rename,
    is_staged,
    named,
)
from sulcus_panel.core.commands.now import GitNow
from sulcus_panel.core.credentials import redacted
from sulcus_panel.core.model import COMMANDS, Entry, GitDelta, GitState, RefMove
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.effect_words import SHORT, commands, happened, will_be
from sulcus_panel.core.undo.model import EffectPlan, EntryPlan, Outcome, UndoFacts

ALONE = "take it back on its own: files and references do not go back in one step"
NOT_LOOKED_AT = "the repository was not looked at"
NOTHING = "nothing"


@dataclass(slots=True)
class Picture:
    """The repositories as they would be by now."""

    facts: UndoFacts
    refs: dict[tuple[str, str], str] = field(default_factory=dict)
    """By git folder and name; "" where there is none."""
    heads: dict[str, str | None] = field(default_factory=dict)

    def plan_entry(self, entry: Entry) -> EntryPlan:
        """Decide an entry without files: what it moved, or that there is nothing to take back."""
        with_files = any(target.record.changes for target in self.facts.targets)
        effect = self.effect_of(entry)
        if effect is not None and with_files:
            return EntryPlan(entry, Outcome.NOTHING_TO_UNDO, (), effect=left_alone(effect))
        if effect is not None:
            reason = effect.reason if effect.outcome is not Outcome.UNDONE else ""
            return EntryPlan(entry, effect.outcome, (), reason, effect)
        if entry.record.action_type in COMMANDS and not with_files and not self.facts.git:
            return EntryPlan(entry, Outcome.UNAVAILABLE, (), "no_rollback_point")
        return EntryPlan(entry, Outcome.NOTHING_TO_UNDO, ())

    def effect_of(self, entry: Entry) -> EffectPlan | None:
        """Decide what an entry did beside files; None where that is nothing that is known."""
        inverse = inverse_of(entry.record)
        if inverse is None:
            return None
        if isinstance(inverse, NoInverse):
            told = plain(redacted(entry.record.command or entry.record.summary), 120)
            return EffectPlan(entry.seq_id, told, NOTHING, Outcome.UNAVAILABLE, inverse.why)
        now = self.facts.git.get(entry.seq_id, GitNow(problem=NOT_LOOKED_AT))
        return self._decided(entry, inverse, now)

    def _decided(self, entry: Entry, inverse: Inverse, now: GitNow) -> EffectPlan:
        was = happened(inverse)
        branch = self.heads.get(now.git, now.branch)
        stays = ""
        if inverse.head is not None and inverse.head[0] != branch:
            stays = plain(branch, 120) if branch else "no branch"
            inverse = replace(inverse, head=None)
        outcome, why = self._in_the_way(inverse, now, branch)
        if outcome is not Outcome.UNDONE:
            return EffectPlan(entry.seq_id, was, NOTHING, outcome, why)
        told = will_be(inverse, stays)
        delta = self._move(inverse, now, branch)
        return EffectPlan(entry.seq_id, was, told, Outcome.UNDONE, "", commands(inverse), now.git, delta)

    def _at(self, now: GitNow, name: str) -> str:
        return self.refs.get((now.git, name), now.refs.get(name, ""))

    def _in_the_way(self, inverse: Inverse, now: GitNow, branch: str | None) -> tuple[Outcome, str]:
        """Return UNDONE where all is as the command left it, else what it is instead, and why."""
        if now.problem:
            return Outcome.UNAVAILABLE, now.problem
        if all(self._at(now, move.name) == move.after for move in inverse.moves) and inverse.head is None:
            return Outcome.ALREADY_UNDONE, ""
        for move in inverse.moves:
            if (at := self._at(now, move.name)) != move.before:
                return Outcome.CONFLICT, _moved_since(move, at)
            if move.after.rpartition(" ")[2] in now.missing:
                gone = f"what {named(move.name)} was, is no longer in the repository"
                return Outcome.UNAVAILABLE, gone
        why = next(self._conflicts(inverse, now, branch), "")
        return (Outcome.CONFLICT, why) if why else (Outcome.UNDONE, "")

    def _conflicts(self, inverse: Inverse, now: GitNow, branch: str | None) -> Iterator[str]:
        """Yield what keeps references from moving that are where they were left."""
        if inverse.head is not None and not is_rename(inverse.moves):
            goes, comes = (
                self._after(inverse, now, f"{HEADS}{name}", move=side)
                for name, side in ((inverse.head[0], False), (inverse.head[1], True))
            )
            if not goes or goes != comes:
                yield f"branch {plain(inverse.head[1], 120)} has moved on, and files would change: switch yourself"
        head = branch if inverse.head is None else inverse.head[1]
        for move in inverse.moves:
            if move.after or not move.name.startswith(HEADS):
                continue
            if head is not None and move.name == HEADS + head:
                yield f"{named(move.name)} is checked out"
            if where := now.elsewhere.get(move.name):
                yield f"{named(move.name)} is checked out in {plain(where, 120)}"
        if inverse.commit:
            yield from _of_commit(inverse, now)
        if inverse.at is not None and inverse.at != self._id_of(now, branch):
            yield "HEAD stands on another commit by now, so the index means something else"

    def _after(self, inverse: Inverse, now: GitNow, name: str, *, move: bool) -> str:
        """Return where a reference is, or will be once all has moved."""
        moved = {one.name: one.after for one in inverse.moves} if move else {}
        return moved.get(name, self._at(now, name))

    def _move(self, inverse: Inverse, now: GitNow, branch: str | None) -> GitDelta:
        """Let the rest of the batch build on this; return what it does to the repository."""
        head = branch if inverse.head is None else inverse.head[1]
        before = GitState(self._id_of(now, branch), branch, {})
        self.refs.update(((now.git, move.name), move.after) for move in inverse.moves)
        self.heads[now.git] = head
        return GitDelta(before, GitState(self._id_of(now, head), head, {}), inverse.moves)

    def _id_of(self, now: GitNow, branch: str | None) -> str | None:
        return (now.head if branch is None else self._at(now, HEADS + branch)) or None


def _moved_since(move: RefMove, at: str) -> str:
    if is_staged(move):
        return f"{named(move.name)} has changed since"
    if not at:
        return f"{named(move.name)} is not there any more"
    if not move.before:
        return f"there is another {named(move.name)} now, at {at[:SHORT]}"
    return f"{named(move.name)} has moved since, to {at[:SHORT]}"


def _of_commit(inverse: Inverse, now: GitNow) -> Iterator[str]:
    """Yield why a commit may not leave its branch."""
    commit, (move,) = inverse.commit, inverse.moves
    if where := now.pushed.get(commit):
        yield f"{commit[:SHORT]} was pushed ({plain(where, 120)} has it): `git revert` takes it back for everybody"
    parents = now.parents.get(commit)
    expected = now.parents.get(inverse.replaces) if inverse.replaces else (move.after,)
    if parents is None or parents != expected:
        yield f"{commit[:SHORT]} is not one commit on top of {move.after[:SHORT]}"


def left_alone(effect: EffectPlan) -> EffectPlan:
    """Return the effect in a batch of files, where it is only told of."""
    if effect.outcome is not Outcome.UNDONE:
        return effect
    return replace(effect, undo=NOTHING, outcome=Outcome.NOT_TRIED, reason=ALONE, commands=(), delta=None)
