"""What the undo sheet says: a plan or a result in plain sentences. No Qt; records are made plain text."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from sulcus_panel.core.model import DriftKind, Entry, FileKind, FileState, LedgerPath, Origin, SeqId
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.model import (
    Conflict,
    EntryPlan,
    HunkOutcome,
    HunkPlan,
    Outcome,
    PathPlan,
    Strategy,
    UndoPlan,
    UndoResult,
)

LONGEST_PATH = 300
SHORT_PATH = 90
MOST_NAMES = 4
NOTHING_CHOSEN = "Nothing is chosen: tick at least one part."


class Mood(StrEnum):
    """How a status is coloured; the words say it too."""

    GOOD = "good"
    CAUTION = "caution"
    BAD = "bad"
    QUIET = "quiet"


@dataclass(frozen=True, slots=True)
class Status:
    """A few words and their mood."""

    text: str
    mood: Mood


@dataclass(frozen=True, slots=True)
class Wording:
    """The words that differ between an undo, a redo, and a batch of them."""

    verb: str
    title: str
    subtitle: str
    accept: str
    keep: str = "Keep it"
    later: str = "Decide later"


def is_redo(plan: UndoPlan) -> bool:
    """True when every entry of the plan is itself an undo."""
    return bool(plan.entries) and all(item.entry.record.origin is Origin.UNDO for item in plan.entries)


def wording(plan: UndoPlan) -> Wording:
    """Return the sheet's title and the words on its buttons."""
    redo = is_redo(plan)
    verb = "Redo" if redo else "Undo"
    count = len(plan.entries)
    if count != 1:
        return Wording(verb, f"{verb} {count} changes", _files(plan), f"{verb} {count} changes")
    entry = plan.entries[0].entry
    named = entry.record.reverses if redo and entry.record.reverses is not None else entry.seq_id
    accept = "Redo this change" if redo else "Undo this change"
    return Wording(verb, f"{verb} change #{named}", _target(entry), accept)


def path_text(path: LedgerPath | str) -> str:
    """Return a path as plain text."""
    return plain(path, LONGEST_PATH)


def names(seq_ids: Iterable[SeqId]) -> str:
    """Return `#842 and #845`."""
    known = [f"#{seq_id}" for seq_id in seq_ids]
    return listed(
        known if len(known) <= MOST_NAMES + 1 else [*known[:MOST_NAMES], f"{len(known) - MOST_NAMES} more"]
    )


def listed(words: list[str]) -> str:
    """Return `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


_HUNK_WORDS = {
    HunkOutcome.UNDONE: Status("goes back cleanly", Mood.GOOD),
    HunkOutcome.MOVED: Status("the lines stand elsewhere now; goes back there", Mood.CAUTION),
    HunkOutcome.ALREADY_UNDONE: Status("already as it was before", Mood.QUIET),
    HunkOutcome.SUPERSEDED: Status("later work has replaced these lines", Mood.QUIET),
    HunkOutcome.REVIEW: Status("not certain, so it stays", Mood.CAUTION),
}


def hunk_status(hunk: HunkPlan, *, redo: bool = False) -> Status:
    """Say what becomes of one hunk, naming who stands in the way."""
    if hunk.conflict is not None:
        return Status(conflict_words(hunk.conflict), Mood.BAD if hunk.chosen else Mood.QUIET)
    if not hunk.chosen:
        return Status("stays as it is", Mood.QUIET)
    if redo and hunk.outcome is HunkOutcome.UNDONE:
        return Status("comes back cleanly", Mood.GOOD)
    return _HUNK_WORDS.get(hunk.outcome) or Status("stands in conflict", Mood.BAD)


def hunk_title(hunk: HunkPlan) -> str:
    """Return `Line 42`, `Lines 42–43`, or where nothing stands now, `Before line 42`."""
    if hunk.disk_lines is None:
        return f"Part {hunk.index + 1}"
    start, end = hunk.disk_lines
    if end <= start:
        return f"Before line {start + 1}"
    return f"Line {start + 1}" if end == start + 1 else f"Lines {start + 1}–{end}"


def conflict_words(conflict: Conflict) -> str:
    """Name who stands on the lines: `#842 stands on these lines`."""
    where, was = ("this file", "was") if conflict.lines is None else ("these lines", "were")
    who = names(conflict.with_seq_ids)
    if who and conflict.outside:
        return f"{who} and a change outside the agents stand on {where}"
    if who:
        return f"{who} {'stands' if len(conflict.with_seq_ids) == 1 else 'stand'} on {where}"
    if conflict.outside:
        return f"{where[0].upper()}{where[1:]} {was} changed outside the agents"
    return plain(conflict.reason, 400) or "Later work stands here"


_STRATEGIES = {
    Strategy.DELETE_CREATED_FILE: "the file that this change created is deleted",
    Strategy.SURGICAL_REVERSE_PATCH: "only these lines are taken out; all later work stays",
    Strategy.PRE_IMAGE_RESTORE: "nothing came after, so the file goes back to exactly what it was",
}
_OUTCOMES = {
    Outcome.UNDONE: Status("goes back cleanly", Mood.GOOD),
    Outcome.PARTLY_UNDONE: Status("goes back in part", Mood.CAUTION),
    Outcome.ALREADY_UNDONE: Status("already as it was before", Mood.QUIET),
    Outcome.NOTHING_TO_UNDO: Status("nothing to take back", Mood.QUIET),
    Outcome.SUPERSEDED: Status("later work has replaced it", Mood.QUIET),
    Outcome.REVIEW: Status("not certain, so nothing is written", Mood.CAUTION),
    Outcome.CONFLICT: Status("later work stands in the way", Mood.BAD),
    Outcome.REFUSED: Status("this path may not be written", Mood.BAD),
    Outcome.UNAVAILABLE: Status("cannot be undone", Mood.BAD),
    Outcome.HELD: Status("waits for your decision", Mood.CAUTION),
    Outcome.FAILED: Status("not done", Mood.BAD),
    Outcome.APPLIED_UNCONFIRMED: Status("written, but not confirmed on disk", Mood.BAD),
    Outcome.NOT_TRIED: Status("not tried", Mood.QUIET),
}
_REASONS = {
    "snapshot_expired": "the earlier contents are no longer kept",
    "not_kept": "its contents were not kept",
    "before_unknown": "what stood there before was never seen",
    "after_unknown": "what the change left was never seen",
}


def outcome_status(outcome: Outcome, reason: str = "") -> Status:
    """Say an outcome; a known reason is said in words, another as it is."""
    status = _OUTCOMES[outcome]
    if not reason or status.mood is Mood.GOOD:
        return status
    if outcome is Outcome.CONFLICT:
        return Status(reason_words(reason), status.mood)
    return Status(f"{status.text}: {reason_words(reason)}", status.mood)


def reason_words(reason: str) -> str:
    """Return a sentence for one of api.md's words, or the given sentence made plain."""
    return _REASONS.get(reason) or plain(reason.replace("_", " ") if " " not in reason else reason, 400)


def strategy_words(path: PathPlan) -> str:
    """Say how one path goes back, or why it does not."""
    if path.strategy is not None and path.outcome in (Outcome.UNDONE, Outcome.PARTLY_UNDONE):
        return _STRATEGIES[path.strategy]
    return outcome_status(path.outcome, path.reason).text


def state_words(state: FileState) -> str:
    """Describe one file state: `1,842 bytes (9f4c1a8e)`, `a link of 12 bytes (9f4c1a8e)`, `no file`."""
    if state.kind is FileKind.ABSENT:
        return "no file"
    if state.kind is FileKind.UNKNOWN:
        return f"not known ({plain(state.reason, 120)})" if state.reason else "not known"
    size = "" if state.size_bytes is None else f"{state.size_bytes:,} bytes"
    mark = f" ({state.sha256[:8]})" if state.sha256 else ""
    noun = {FileKind.SYMLINK: "a link", FileKind.DIRECTORY: "a folder"}.get(state.kind, "")
    if noun and size:
        return f"{noun} of {size}{mark}"
    return f"{noun or size or 'a file'}{mark}"


_DRIFTS = {
    DriftKind.CHANGED: "was changed outside the agents since it was last recorded",
    DriftKind.MISSING: "was deleted outside the agents",
    DriftKind.RECREATED: "had been deleted and was made again outside the agents",
    DriftKind.TYPE_CHANGED: "is now another kind of thing (a folder or a link)",
    DriftKind.UNREADABLE: "cannot be read right now",
}


def drift_words(path: LedgerPath, kind: DriftKind, plan: UndoPlan) -> str:
    """Say that a path has drifted, and what that means for this plan."""
    said = f"{path_text(path)} {_DRIFTS[kind]}."
    if kind is DriftKind.CHANGED and plan.can_apply:
        said += " What was changed there is not part of this and stays."
    return said


def consequences(plan: UndoPlan) -> tuple[str, ...]:
    """Return what must be ticked by name before a yes; empty for a plain single undo."""
    named = []
    deleted = [write.path for write in plan.writes if write.result.kind is FileKind.ABSENT]
    if deleted:
        named.append(f"{listed([_short(path) for path in deleted[:5]])}{_more(deleted)} will be deleted")
    if plan.drift:
        drifted = listed([_short(path) for path in list(plan.drift)[:5]]) + _more(list(plan.drift))
        verb = "was" if len(plan.drift) == 1 else "were"
        named.append(f"I know that {drifted} {verb} changed outside the agents")
    if len(plan.entries) > 1:
        named.append(f"All {len(plan.entries)} changes in {_files(plan)} go together, or none does")
    return tuple(named)


def why_not(plan: UndoPlan) -> str:
    """Return the reason why the plan cannot be accepted, or an empty string."""
    if plan.can_apply:
        return ""
    conflicts = plan.conflicts
    if conflicts:
        first = conflicts[0]
        more = f" (and {len(conflicts) - 1} more)" if len(conflicts) > 1 else ""
        said = f"Not possible: {conflict_words(first)}{more}."
        parts = sum(hunk.chosen for item in plan.entries for path in item.paths for hunk in path.hunks)
        return f"{said} Untick them to take back the rest." if len(plan.entries) == 1 and parts > 1 else said
    for item in plan.entries:
        reason = item.reason or next((path.reason for path in item.paths if path.reason), "")
        if item.outcome is not Outcome.UNDONE:
            return f"#{item.entry.seq_id}: {outcome_status(item.outcome, reason).text}."
    return "There is nothing to write: no part is chosen, or the disk already is as it would be."


def entry_line(item: EntryPlan) -> str:
    """Return one row of a batch: `#846  webhook.py`."""
    return f"#{item.entry.seq_id}  {_target(item.entry)}"


def result_title(result: UndoResult, *, redo: bool) -> Status:
    """Say how it ended."""
    done = "Redone" if redo else "Undone"
    if result.outcome is Outcome.UNDONE:
        return Status(f"{done}, and verified on disk", Mood.GOOD)
    if result.outcome is Outcome.PARTLY_UNDONE:
        return Status(f"{done} in part, and verified on disk", Mood.GOOD)
    status = outcome_status(result.outcome)
    return Status(f"{status.text[0].upper()}{status.text[1:]}", status.mood)


def _files(plan: UndoPlan) -> str:
    paths = {path.path for item in plan.entries for path in item.paths}
    return "1 file" if len(paths) == 1 else f"{len(paths)} files"


def _target(entry: Entry) -> str:
    record = entry.record
    if record.command and not record.target_path:
        return plain(record.command, 120)
    return path_text(record.target_path or record.summary)


def _short(path: LedgerPath) -> str:
    text = path_text(path)
    half = SHORT_PATH // 2
    return text if len(text) <= SHORT_PATH else f"{text[: half - 1]}…{text[-half:]}"


def _more(items: list[LedgerPath]) -> str:
    return f" and {len(items) - 5} more" if len(items) > 5 else ""
