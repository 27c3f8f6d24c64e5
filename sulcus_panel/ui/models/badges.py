"""The small marks of a row: what has become of an entry, said in a word and explained in a sentence.

Texts here are plain: whatever comes from a record has gone through `plain()`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from sulcus_panel.core.model import (
    PIN,
    Change,
    CommandFacts,
    DriftKind,
    Entry,
    EntryState,
    FileKind,
    Provenance,
)
from sulcus_panel.core.safety import plain


class Tone(StrEnum):
    """How loud a badge is. Colour never says anything that the word does not."""

    OUTLINE = "outline"
    QUIET = "quiet"
    ACCENT = "accent"
    WARN = "warn"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class DriftWords:
    """What happened to the file, and what that means for whoever wants to undo."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Badge:
    """A word in a pill, and the sentence behind it."""

    text: str
    tone: Tone
    tip: str
    short: str = ""
    """A shorter word for where there is little room."""

    @property
    def brief(self) -> str:
        """The shortest that the badge can be said."""
        return self.short or self.text


DRIFT_BADGES = {
    DriftKind.CHANGED: Badge(
        "changed outside",
        Tone.WARN,
        "The file on disk was changed outside the agents since it was last recorded.",
        "changed",
    ),
    DriftKind.MISSING: Badge("missing", Tone.WARN, "The file is no longer on disk; no agent removed it."),
    DriftKind.RECREATED: Badge(
        "re-created", Tone.WARN, "The file had been deleted and stands on disk again; no agent made it."
    ),
    DriftKind.TYPE_CHANGED: Badge(
        "type changed", Tone.WARN, "A folder, link or other thing stands where the file was."
    ),
    DriftKind.UNREADABLE: Badge("unreadable", Tone.WARN, "The file on disk cannot be read right now."),
}

DRIFT_WORDS = {
    DriftKind.CHANGED: DriftWords("Changed outside the agents", "Those lines are kept when you undo."),
    DriftKind.MISSING: DriftWords("Deleted outside the agents", "The file is no longer on disk."),
    DriftKind.RECREATED: DriftWords(
        "Made again outside the agents", "It had been deleted; what stands there now is not overwritten."
    ),
    DriftKind.TYPE_CHANGED: DriftWords(
        "Not a file any more", "A folder, a link or another thing stands in its place."
    ),
    DriftKind.UNREADABLE: DriftWords(
        "Cannot be read right now", "What stands on disk is not known until it can be read."
    ),
}

STATE_BADGES = {
    EntryState.PARTLY_UNDONE: Badge(
        "partly undone", Tone.QUIET, "Some parts of this change have been taken back.", "partly"
    ),
    EntryState.HELD: Badge(
        "waiting for you", Tone.ACCENT, "An agent asked for this undo; it waits for you.", "waiting"
    ),
    EntryState.DEFERRED: Badge(
        "decide later", Tone.ACCENT, "You put off the decision about this undo.", "later"
    ),
    EntryState.FAILED: Badge("failed", Tone.DANGER, "What was recorded here did not succeed."),
    EntryState.ATTENTION: Badge("needs a look", Tone.WARN, "Something about this change needs a look."),
}


def drift_badge(entry: Entry) -> Badge | None:
    """Return the mark of the drift now known on any of the entry's paths."""
    return None if entry.drift is None else DRIFT_BADGES[entry.drift]


def state_badges(entry: Entry, undone_at: str = "") -> tuple[Badge, ...]:
    """Return the marks of a row, the most important first; `undone_at` is when it was undone, if known."""
    return tuple(_marks(entry, undone_at))


def _marks(entry: Entry, undone_at: str) -> Iterator[Badge]:
    record = entry.record
    if entry.state is EntryState.UNDONE:
        yield _undone(entry, undone_at)
    elif entry.state in STATE_BADGES:
        yield STATE_BADGES[entry.state]
    yield from _by_hand(entry)
    if record.exit_code:
        yield Badge(
            f"exit {record.exit_code}", Tone.DANGER, f"The command ended with code {record.exit_code}."
        )
    if record.ran is not None:
        yield from _of_command(record.ran)
    if len(record.changes) > 1:
        yield Badge(f"{len(record.changes)} files", Tone.OUTLINE, f"Changed {len(record.changes)} files.")
    if record.git is not None and record.git.before.branch != record.git.after.branch:
        yield Badge(
            "branch", Tone.OUTLINE, f"Switched to {plain(record.git.after.branch or 'no branch', 200)}."
        )
    if reason := _not_kept(record.changes):
        yield Badge("hash only", Tone.OUTLINE, f"The contents were not kept: {plain(reason, 200)}")
    if record.provenance is Provenance.CLAIMED:
        yield Badge("claimed", Tone.OUTLINE, "Said by the caller; nobody saw the bytes.")


def _by_hand(entry: Entry) -> Iterator[Badge]:
    """Return what rules or the person put on it."""
    if entry.looks:
        rules = ", ".join(plain(rule, 60) for rule in entry.looks[:5])
        yield Badge(
            "look first", Tone.WARN, f"You are asked to look before this is undone, by: {rules}", "look"
        )
    if PIN in entry.marks:
        yield Badge("pinned", Tone.ACCENT, "Kept, however full the ledger is.")
    for label in entry.labels:
        yield Badge(plain(label, 24), Tone.QUIET, f"A label: {plain(label, 60)}")


def _of_command(ran: CommandFacts) -> Iterator[Badge]:
    """Return the marks of what is not sure of a command, or not seen."""
    if ran.unsure:
        paths = ", ".join(plain(path, 80) for path in list(ran.unsure)[:5])
        yield Badge("unsure", Tone.WARN, f"May not be this command's work: {paths}")
    if ran.unseen:
        yield Badge("not all seen", Tone.WARN, plain("; ".join(ran.unseen), 300), "unseen")
    if ran.in_background:
        yield Badge("background", Tone.OUTLINE, "It was left to go on in the background.")
    if ran.at_once:
        yield Badge("at once", Tone.OUTLINE, plain(f"Ran together with: {'; '.join(ran.at_once)}", 300))


def _undone(entry: Entry, undone_at: str) -> Badge:
    word = "redone" if entry.record.takes_back else "undone"
    by = "" if entry.undone_by is None else f" by #{entry.undone_by}"
    when = f" {undone_at}" if undone_at else ""
    return Badge(f"{word}{when}", Tone.QUIET, f"Taken back{by}{when and ','}{when}.", word)


def _not_kept(changes: tuple[Change, ...]) -> str:
    for change in changes:
        for side in (change.before, change.after):
            if side.kind is FileKind.FILE and not side.kept and side.reason:
                return side.reason
    return ""
