"""The plain sentences of a plan: for a person who does not live in a terminal, and true to the letter.

Every string of a record passes through plain(), so that data cannot pose as one of our own sentences.
"""

from collections.abc import Iterable, Iterator, Sequence

from sulcus_panel.core.diff import diff_hunks, lines_in
from sulcus_panel.core.local_time import local_time
from sulcus_panel.core.model import DriftKind, Entry, FileKind, SeqId
from sulcus_panel.core.names import HARNESS_NAMES
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.beside import copies_in, will_save
from sulcus_panel.core.undo.judge import IN_THE_WAY
from sulcus_panel.core.undo.line_runs import lines_text
from sulcus_panel.core.undo.model import (
    WRITABLE,
    WRITTEN,
    Conflict,
    EntryPlan,
    Explanation,
    HunkOutcome,
    HunkPlan,
    Outcome,
    PathPlan,
    Resolution,
    Strategy,
    UndoFacts,
    Write,
)
from sulcus_panel.core.undo.take_all import GOES_TOO

REASONS = {
    "no_root": "this workspace has no folder yet",
    "before_unknown": "what was there before is not known",
    "snapshot_expired": "what was there before is no longer kept",
    "not_kept": "what was there before was never kept",
    "no_rollback_point": "it changed no file that was recorded, and there is no recorded way back",
}
"""The reasons that are stable words for programs, as a person is told them."""
DRIFT = {
    DriftKind.CHANGED: "was changed outside the agents since it was last recorded",
    DriftKind.MISSING: "was deleted outside the agents",
    DriftKind.RECREATED: "had been deleted and was made again outside the agents",
    DriftKind.TYPE_CHANGED: "is now another kind of thing (a folder or a link)",
    DriftKind.UNREADABLE: "cannot be read right now",
}
"""What comes after a path's name."""
WAYS = {
    Resolution.TAKE_ALL: "Let what stands there go too (a copy is kept)",
    Resolution.REST: "Keep what stands there, take back the rest",
    Resolution.BESIDE: "Keep the file, save the old copy beside it",
    Resolution.OTHERS: "Leave out what cannot go back, take back the others",
}
"""What a person may decide who knows better; each is shown and asked about again."""


def reason_words(reason: str) -> str:
    """Return the sentence for a stable word, or what is a sentence already; plain text either way."""
    return REASONS.get(reason) or plain(reason if " " in reason else reason.replace("_", " "), 400)


def explain(
    facts: UndoFacts, entries: Sequence[EntryPlan], writes: Sequence[Write], outcome: Outcome
) -> Explanation:
    """Return the four sentences of the first step."""
    running = [plan.effect for plan in entries if plan.effect is not None and plan.effect.delta is not None]
    if running and outcome is Outcome.UNDONE:
        from sulcus_panel.core.undo.effect_words import explain_effects  # files have no use for it

        return explain_effects(_where_from([plan.entry for plan in entries]), running)
    how_back = (
        "nothing is replaced; the copy is an entry of its own, and undoing that removes it again"
        if outcome is Outcome.COPY_SAVED
        else "the files as they are now are kept; Redo brings them back any time"
        if len(writes) > 1
        else "the file as it is now is kept; Redo brings it back any time"
    )
    return Explanation(
        where_from=_where_from([plan.entry for plan in entries]),
        how_compared=_how_compared(entries),
        what_happens=_what_happens(entries, writes, outcome, len(facts.disk)),
        how_back=how_back if writes else "nothing is changed, so there is nothing to get back",
    )


def _where_from(entries: Sequence[Entry]) -> str:
    if not entries:
        return "no entry"
    record = entries[0].record
    label = HARNESS_NAMES.get(record.harness, plain(record.harness, 60))
    moment = local_time(record.at).strftime("%H:%M")
    intents = {entry.record.intent for entry in entries}
    said = f", “{plain(record.intent, 120)}”" if len(intents) == 1 and record.intent else ""
    many = f"{len(entries)} changes, " if len(entries) > 1 else ""
    return f"{many}{label}, {moment}{said}"


def _how_compared(entries: Sequence[EntryPlan]) -> str:
    plans = [(plan.entry.seq_id, path) for plan in entries for path in plan.paths]
    if not plans:
        return "there is no file to compare"
    if entries[0].outcome is Outcome.COPY_SAVED:
        return f"the file now is left alone; the copy is what #{plans[0][0]} found"
    if len(plans) != 1:
        return "each file: its state after the change, the file now, its state before; newest change first"
    seq_id, path = plans[0]
    if path.strategy is Strategy.SURGICAL_REVERSE_PATCH:
        return f"state after #{seq_id}, the file now, state before #{seq_id}"
    if path.strategy is None or path.reason == GOES_TOO:
        return f"the file now with what #{seq_id} found and left"
    return f"the file now is exactly what #{seq_id} left"


def _what_happens(entries: Sequence[EntryPlan], writes: Sequence[Write], outcome: Outcome, seen: int) -> str:
    if outcome in WRITABLE:
        return _what_is_written(entries, writes, outcome, seen)
    if outcome is Outcome.ALREADY_UNDONE:
        return "nothing: the change is no longer there"
    if outcome is Outcome.NOTHING_TO_UNDO:
        return f"nothing: {_stays(entries) or 'no file was changed'}"
    conflicts = [conflict for entry in entries for path in entry.paths for conflict in path.conflicts]
    if conflicts:
        return f"nothing: {stands(conflicts[0])}"
    return f"nothing: {because(entries, outcome)}"


def _what_is_written(
    entries: Sequence[EntryPlan], writes: Sequence[Write], outcome: Outcome, seen: int
) -> str:
    if not writes:
        return "nothing changes: the steps cancel each other out"
    if any(path.stays for entry in entries for path in entry.paths):
        told = _with_some_kept(entries, writes)
    else:
        told = _single(entries, writes[0]) if len(writes) == 1 and seen == 1 else _many(entries, writes)
    return f"{told}; look at it first" if outcome is Outcome.REVIEW else told


def _stays(entries: Sequence[EntryPlan]) -> str:
    """Say why a file stays that the person decided about, "" where there is none."""
    kept = (path for entry in entries for path in entry.paths if path.stays)
    return next((f"{_name(path)} {path.reason}" for path in kept), "")


def _with_some_kept(entries: Sequence[EntryPlan], writes: Sequence[Write]) -> str:
    """Tell which files stay, some with their old copies beside them, and what becomes of the others."""
    copies = {copy.path for entry in entries for copy in copies_in(entry)}
    others = [write for write in writes if write.path not in copies]
    saved = {copy.copy_of for entry in entries for copy in copies_in(entry)}
    stays = [path for entry in entries for path in entry.paths if path.stays and path.path not in saved]
    told = [told for entry in entries if (told := will_save(entry))]
    if stays:
        told.append(
            f"{_name(stays[0])} {stays[0].reason}"
            if len(stays) == 1
            else f"{len(stays)} files stay as they are"
        )
    return "; ".join([*told, *_fates(others)])


def _name(path: PathPlan) -> str:
    return plain(path.path.rpartition("/")[2], 120)


def because(entries: Sequence[EntryPlan], outcome: Outcome) -> str:
    """Return why a plan cannot be carried out, naming the file where there are several."""
    for entry in entries:
        for path in entry.paths:
            if path.outcome is outcome:
                told = reason_words(path.reason)
                return f"{plain(path.path, 120)}: {told}" if len(entry.paths) > 1 else told
        if entry.outcome is outcome:
            return reason_words(entry.reason)
    return "it cannot be done"


def stands(conflict: Conflict) -> str:
    """Say who stands in the way, and where."""
    where = lines_text(conflict.lines) if conflict.lines is not None else plain(conflict.path, 120)
    who = numbers(conflict.with_seq_ids)
    if conflict.outside:
        who = f"{who} and a change outside the agents" if who else "a change outside the agents"
    verb = "stand" if len(conflict.with_seq_ids) + conflict.outside > 1 else "stands"
    why = f" ({conflict.reason})" if conflict.reason != IN_THE_WAY else ""  # which is what was just said
    return f"{who or 'something'} {verb} on {where}{why}"


def numbers(seq_ids: Iterable[SeqId]) -> str:
    """Name entries."""
    return ", ".join(f"#{seq_id}" for seq_id in seq_ids)


def _single(entries: Sequence[EntryPlan], write: Write) -> str:
    """Tell the one file's fate in lines where lines are what changes."""
    name = plain(write.path.rsplit("/", 1)[-1], 120)
    if any(path.reason == GOES_TOO for entry in entries for path in entry.paths):
        return _as_decided(name, write)
    if write.result.kind is FileKind.ABSENT:
        return f"{name} is deleted; it is exactly what the change created"
    if write.disk.kind is FileKind.ABSENT:
        return f"{name} comes back"
    if write.result.kind is FileKind.SYMLINK or write.disk.kind is FileKind.SYMLINK:
        return f"{name} becomes again the link or file that it was"
    if write.result.sha256 == write.disk.sha256:
        return f"permissions go back to {write.result.mode or 0:04o}; the contents stay as they are"
    paths = [path for entry in entries for path in entry.paths if path.outcome in WRITABLE]
    counted = _counts(paths[0], write) if len(paths) == 1 else ""
    mode = ""
    if write.result.mode != write.disk.mode and write.result.mode is not None:
        mode = f"; permissions go back to {write.result.mode:04o}"
    return (counted or f"{name} goes back to what it was, later changes kept") + mode


def _as_decided(name: str, write: Write) -> str:
    """Tell what becomes of a file of which nothing that came since is kept."""
    if write.result.kind is FileKind.ABSENT:
        return f"{name} is deleted, with all that has become of it since"
    if write.disk.kind is FileKind.ABSENT:
        return f"{name} comes back as it was before"
    return f"{name} becomes what it was before; what has become of it since goes too"


def _counts(path: PathPlan, write: Write) -> str:
    back = gone = come = 0
    for hunk in path.hunks:
        if hunk.chosen and hunk.outcome in WRITTEN:
            removed, restored = _changing(hunk)
            back += min(removed, restored)
            gone += max(0, removed - restored)
            come += max(0, restored - removed)
    told = [
        f"{_n(back)} {'goes' if back == 1 else 'go'} back" if back else "",
        f"{_n(gone)} {'goes' if gone == 1 else 'go'}" if gone else "",
        f"{_n(come)} {'comes' if come == 1 else 'come'} back" if come else "",
    ]
    if not any(told) or write.disk_content is None:
        return ""
    stay = lines_in(write.disk_content) - back - gone
    kept = f"; {_n(stay)} {'stays as it is' if stay == 1 else 'stay as they are'}" if stay > 0 else ""
    return ", ".join(part for part in told if part) + kept


def _changing(hunk: HunkPlan) -> tuple[int, int]:
    """Count the lines that go and that come; a decided part may hold later work, which does neither."""
    if hunk.outcome is not HunkOutcome.REVIEW:
        return lines_in(hunk.removes), lines_in(hunk.restores)
    runs = diff_hunks(hunk.removes, hunk.restores)
    return sum(run.before_lines for run in runs), sum(run.after_lines for run in runs)


def _n(count: int, noun: str = "line") -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _many(entries: Sequence[EntryPlan], writes: Sequence[Write]) -> str:
    count = len(entries)
    taken = f"{count} changes are taken back, newest first: " if count > 1 else ""
    return taken + "; ".join(_fates(writes))


def _fates(writes: Sequence[Write]) -> Iterator[str]:
    """Count what becomes of the files, a moved one as one, and of the folders."""
    moved = {write.like for write in writes if write.like is not None}
    if moved:
        place = _verb(len(moved), "it was", "they were")
        yield f"{_n(len(moved), 'file')} {_verb(len(moved), 'moves', 'move')} back to where {place}"
    others = [write for write in writes if write.like is None and write.path not in moved]
    folders = [write for write in others if write.is_folder]
    files = [write for write in others if write not in folders]
    for some, noun in ((files, "file"), (folders, "folder")):
        gone = sum(write.result.kind is FileKind.ABSENT for write in some)
        come = sum(write.disk.kind is FileKind.ABSENT for write in some)
        back = len(some) - gone - come
        kept = ", later changes kept" if noun == "file" else ""
        if back:
            yield f"{_n(back, noun)} {_verb(back, 'goes', 'go')} back{kept}"
        if gone:
            yield f"{_n(gone, noun)} {_verb(gone, 'is', 'are')} deleted"
        if come:
            yield f"{_n(come, noun)} {_verb(come, 'comes', 'come')} back"


def _verb(count: int, one: str, more: str) -> str:
    return one if count == 1 else more
