"""A person decides over a whole file in conflict: it stays, and its old copy is saved beside it. Pure.

Nothing that stands on the disk is touched, so this needs no second yes. It takes nothing back either: the entry
stays as it is recorded, and the copy is an entry of its own, by which it goes again.
"""

import unicodedata
from dataclasses import replace

from sulcus_panel.core.diff import diff_hunks, is_binary
from sulcus_panel.core.model import DiskFile, FileKind, FileState, LedgerPath, SeqId
from sulcus_panel.core.safety import MAX_NAME_BYTES, plain
from sulcus_panel.core.states import SPECIAL_BITS, same_bytes, same_state
from sulcus_panel.core.undo.model import (
    STUCK,
    EntryPlan,
    Outcome,
    PathPlan,
    Resolution,
    Strategy,
)
from sulcus_panel.core.undo.question import DEFAULT_MODE, PathAnswer, Question, bytes_of_side, is_partial

LONGEST_SUFFIX = 32
"""In bytes; what is longer tells nobody what kind of file it is."""


def copy_name(name: str, seq_id: SeqId, number: int = 1) -> str:
    """Return `logo (before #842).png` for `logo.png`, with a number from the second on.

    A name that would be too long for a file system, which counts bytes, loses the end of its stem.
    """
    stem, suffix = _split(name)
    mark = f" (before #{seq_id}){suffix}" if number == 1 else f" (before #{seq_id}) {number}{suffix}"
    room = MAX_NAME_BYTES - len(_bytes(mark))
    raw = _bytes(stem)
    return f"{stem if len(raw) <= room else raw[:room].decode('utf-8', 'ignore')}{mark}"


def _split(name: str) -> tuple[str, str]:
    stem, dot, end = name.rpartition(".")
    if not stem.strip(".") or not end or len(_bytes(end)) > LONGEST_SUFFIX:
        return name, ""
    if stem.endswith(".tar") and stem != ".tar":
        return stem.removesuffix(".tar"), f".tar.{end}"
    return stem, dot + end


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def alike(name: str) -> str:
    """Return a name as a disk may read it that tells neither capitals nor spellings of a letter apart."""
    return unicodedata.normalize("NFKC", name).casefold()


def copied(before: FileState) -> FileState:
    """Return what the copy of a file's old state is to be: the same bytes, with its permissions."""
    mode = DEFAULT_MODE if before.mode is None else before.mode & ~SPECIAL_BITS
    return FileState(FileKind.FILE, before.sha256, before.size_bytes, mode)


def or_beside(
    ask: Question, answer: PathAnswer, place: LedgerPath, there: DiskFile
) -> tuple[PathAnswer, PathAnswer | None]:
    """Return the answer, or where a whole file is in conflict, that it stays, and the plan of its old copy.

    `place` is where the copy goes, `there` what stands at it. No copy is made where it stands there already.
    """
    content = bytes_of_side(ask, ask.change.before)
    if not _is_in_conflict(ask, answer) or content is None or ask.change.before.kind is not FileKind.FILE:
        return answer, None
    result = replace(copied(ask.change.before), size_bytes=len(content))
    name = plain(place.rpartition("/")[2], 200)
    if same_state(there.state, result):
        stays = answer.plan.staying(f"stays as it is; its old copy is beside it already, as {name}")
        return PathAnswer(stays), None
    if there.state.kind is not FileKind.ABSENT:
        return answer, None
    hunks = () if is_binary(content) else diff_hunks(b"", content)
    plan = PathPlan(
        place,
        Outcome.COPY_SAVED,
        Strategy.PRE_IMAGE_RESTORE,
        there.state,
        result,
        None,
        content,
        reason=f"the old copy of {plain(ask.change.path, 200)}",
        copy_of=ask.change.path,
    )
    stays = answer.plan.staying(f"stays as it is; its old copy is saved as {name}")
    return PathAnswer(stays), PathAnswer(plan, hunks)


def _is_in_conflict(ask: Question, answer: PathAnswer) -> bool:
    """Say whether the file as a whole is; one that is gone has nothing beside which to put a copy."""
    over_all = any(conflict.lines is None for conflict in answer.plan.conflicts)
    stuck = ask.resolution is Resolution.BESIDE and answer.plan.outcome in STUCK and over_all
    stands = ask.file.state.kind not in {FileKind.ABSENT, FileKind.UNKNOWN}
    return stuck and stands and not is_partial(ask) and not same_bytes(ask.file.state, ask.change.before)


def copies_in(entry: EntryPlan) -> tuple[PathPlan, ...]:
    """Return the old copies that a plan saves."""
    return tuple(path for path in entry.paths if path.copy_of is not None)


def will_save(entry: EntryPlan) -> str:
    """Say which files stay and where their old copies are to be, "" where there are none."""
    return "; ".join(
        f"{_name(copy.copy_of or copy.path)} stays as it is, its old copy is saved as {_name(copy.path)}"
        for copy in copies_in(entry)
    )


def have_kept(entry: EntryPlan) -> str:
    """Say which files stayed as the person decided, and where their old copies are, "" where there are none."""
    copies = {copy.copy_of: copy.path for copy in copies_in(entry)}
    return "; ".join(
        f"kept {_name(path.path)}, saved the old copy as {_name(copies[path.path])}"
        if path.path in copies
        else f"{_name(path.path)} {path.reason}"
        for path in entry.paths
        if path.stays
    )


def _name(path: LedgerPath) -> str:
    return plain(path.rpartition("/")[2], 200)
