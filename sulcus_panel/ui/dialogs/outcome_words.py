"""What an outcome, a strategy and a state of the disk are called. No Qt; records are made plain text."""

from sulcus_panel.core.model import FileKind, FileState
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.model import Outcome, PathPlan, Strategy, UndoResult
from sulcus_panel.core.undo.words import reason_words
from sulcus_panel.ui.dialogs.status import Mood, Status

_STRATEGIES = {
    Strategy.DELETE_CREATED_FILE: "the file that this change created is deleted",
    Strategy.SURGICAL_REVERSE_PATCH: "only these lines are taken out; all later work stays",
    Strategy.PRE_IMAGE_RESTORE: "nothing came after, so the file goes back to exactly what it was",
}
_OUTCOMES = {
    Outcome.UNDONE: Status("goes back cleanly", Mood.GOOD),
    Outcome.COPY_SAVED: Status("saved as a new file", Mood.GOOD),
    Outcome.PARTLY_UNDONE: Status("goes back in part", Mood.CAUTION),
    Outcome.ALREADY_UNDONE: Status("already as it was before", Mood.QUIET),
    Outcome.NOTHING_TO_UNDO: Status("nothing to take back", Mood.QUIET),
    Outcome.SUPERSEDED: Status("later work has replaced it", Mood.QUIET),
    Outcome.REVIEW: Status("to be looked at", Mood.CAUTION),
    Outcome.CONFLICT: Status("later work stands in the way", Mood.BAD),
    Outcome.REFUSED: Status("this path may not be written", Mood.BAD),
    Outcome.UNAVAILABLE: Status("cannot be undone", Mood.BAD),
    Outcome.HELD: Status("waits for your decision", Mood.CAUTION),
    Outcome.FAILED: Status("not done", Mood.BAD),
    Outcome.APPLIED_UNCONFIRMED: Status("written, but not confirmed on disk", Mood.BAD),
    Outcome.NOT_TRIED: Status("not tried", Mood.QUIET),
}
LOST = "link_broken"
ANSWER_LOST = Status("the answer was lost: whether it was carried out is not known", Mood.BAD)
_WRITTEN_OF = (Outcome.UNDONE, Outcome.PARTLY_UNDONE)


def outcome_status(outcome: Outcome, reason: str = "") -> Status:
    """Say an outcome; a known reason is said in words, another as it is."""
    if outcome is Outcome.APPLIED_UNCONFIRMED and reason == LOST:
        return ANSWER_LOST
    status = _OUTCOMES[outcome]
    if not reason or status.mood is Mood.GOOD:
        return status
    if outcome is Outcome.CONFLICT:
        return Status(reason_words(reason), status.mood)
    return Status(f"{status.text}: {reason_words(reason)}", status.mood)


def path_status(path: PathPlan) -> Status:
    """Say how one path goes back, or why it does not."""
    if path.reason and (path.outcome is Outcome.NOTHING_TO_UNDO or path.copy_of is not None):
        return Status(reason_words(path.reason), Mood.QUIET)
    if FileKind.DIRECTORY in {path.disk.kind, path.result.kind} and path.outcome in _WRITTEN_OF:
        return Status(_folder_words(path.result), Mood.QUIET)
    if path.strategy is not None and path.outcome in _WRITTEN_OF:
        return Status(_STRATEGIES[path.strategy], Mood.QUIET)
    return outcome_status(path.outcome, path.reason)


def _folder_words(result: FileState) -> str:
    if result.kind is FileKind.DIRECTORY:
        return "the folder comes back"
    return "the folder is empty by then and goes"


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


def change_words(disk: FileState, result: FileState) -> str:
    """Say what a path is and what it becomes; nothing, beside a folder, is no folder."""
    if disk.kind is FileKind.ABSENT and result.kind is FileKind.DIRECTORY:
        return "no folder → a folder"
    if disk.kind is FileKind.DIRECTORY and result.kind is FileKind.ABSENT:
        return "a folder → no folder"
    if disk.sha256 == result.sha256 and disk.mode != result.mode and None not in {disk.mode, result.mode}:
        return f"permissions {disk.mode:04o} → {result.mode:04o}"
    return f"{state_words(disk)} → {state_words(result)}"


def wrote(result: UndoResult) -> bool:
    """True where a file was written or a reference moved; closing what is gone already takes neither."""
    return any(
        each.paths or (each.strategy is Strategy.COMPENSATING_CLI and each.undo_seq_id is not None)
        for each in result.results
    )


def result_title(result: UndoResult, *, redo: bool) -> Status:
    """Say how it ended: what stands on disk now, first."""
    done = "Redone" if redo else "Undone"
    if result.outcome is Outcome.UNDONE and wrote(result):
        stays = any(each.reason for each in result.results)
        return Status(f"{done}{' in part' if stays else ''}, and verified on disk", Mood.GOOD)
    if result.outcome is Outcome.COPY_SAVED:
        said = "; ".join(plain(each.reason, 400) for each in result.results if each.reason) or "saved"
        return Status(f"{said[0].upper()}{said[1:]}, and verified on disk", Mood.GOOD)
    if result.outcome is Outcome.PARTLY_UNDONE:
        failed = any(each.outcome is Outcome.FAILED for each in result.results)
        how = "; what failed and what came before it in time is not" if failed else ", and verified on disk"
        return Status(f"{done} in part{how}", Mood.BAD if failed else Mood.GOOD)
    status = outcome_status(result.outcome)
    if not wrote(result) and any(each.undo_seq_id is not None for each in result.results):
        return Status(f"Marked as {'not undone' if redo else 'undone'}; no file was written", Mood.GOOD)
    if result.outcome in _NOT_WRITTEN:
        return Status(f"Nothing was written: {_NOT_WRITTEN[result.outcome]}", status.mood)
    return Status(f"{status.text[0].upper()}{status.text[1:]}", status.mood)


_NOT_WRITTEN = {
    Outcome.ALREADY_UNDONE: "it already is as it was before",
    Outcome.NOTHING_TO_UNDO: "there was nothing to take back",
    Outcome.SUPERSEDED: "later work has replaced it",
    Outcome.REVIEW: "it is to be looked at first",
    Outcome.CONFLICT: "later work stands in the way",
    Outcome.REFUSED: "a path may not be written",
    Outcome.UNAVAILABLE: "it cannot be undone",
    Outcome.HELD: "it waits for your own yes",
    Outcome.NOT_TRIED: "it was not tried",
}
