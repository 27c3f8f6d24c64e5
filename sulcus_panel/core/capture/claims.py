"""What a caller says it did, as an entry: hashes are checked, contents that do not have theirs are dropped. Pure.

A claim may be true, and nobody saw it. Whether somebody can vouch for it is decided where the ledger and the disk
can be asked (service/claims.py).
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sulcus_panel.core.capture.changes import ABSENT_SIDE, build_change, file_side, unknown_side
from sulcus_panel.core.diff import split_lines
from sulcus_panel.core.diff.alignments import Edit, holds, hunks_of
from sulcus_panel.core.model import (
    ActionType,
    Change,
    DiskFile,
    FileKind,
    FileState,
    Hunk,
    LedgerPath,
    Settings,
    Sha256,
)

NOT_SAID = "the caller did not say"
MALFORMED = "the caller gave no sound hash"
MISMATCH = "the content that the caller gave does not have its hash"
_SHA = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class ClaimedSide:
    """A file before or after, as the caller tells it."""

    existed: bool
    sha256: str | None = None
    size_bytes: int | None = None
    content: bytes | None = None


@dataclass(frozen=True, slots=True)
class ClaimedHunk:
    """One run of lines that was replaced; `start_line` counts from 1, in the text before."""

    start_line: int
    target: bytes
    replacement: bytes


@dataclass(frozen=True, slots=True)
class Claim:
    """Everything that a caller may say of one action."""

    action_type: ActionType
    harness: str
    session_id: str = ""
    tool_name: str = ""
    target_path: str = ""
    summary: str = ""
    before: ClaimedSide | None = None
    after: ClaimedSide | None = None
    hunks: tuple[ClaimedHunk, ...] = ()
    uid: str = ""
    at: datetime | None = None
    turn_id: str = ""
    intent: str = ""
    why: Mapping[str, str] | None = None
    command: str | None = None
    cwd: str | None = None
    exit_code: int | None = None
    derived_from: tuple[str, ...] = ()
    input: str = ""


@dataclass(frozen=True, slots=True)
class ClaimedChange:
    """The change of a claim, its contents by hash, and whether all that was said of the bytes fits together."""

    change: Change
    contents: Mapping[Sha256, bytes]
    is_sound: bool
    before: DiskFile
    after: DiskFile


def claimed_change(path: LedgerPath, claim: Claim, settings: Settings) -> ClaimedChange | None:
    """Return the change of the one file that the claim is about; None where it is about none."""
    if claim.before is None and claim.after is None and not claim.hunks:
        return None
    before, before_is_sound = _side(claim.before)
    after, after_is_sound = _side(claim.after)
    told = _told(claim.hunks, before, after)
    change, contents = build_change(path, before, after, settings, told=told)
    if not change.hunks and claim.hunks and _lacks_bytes(before, after):
        change = _with_claimed_hunks(change, claim.hunks, settings)
    return ClaimedChange(change, contents, before_is_sound and after_is_sound, before, after)


def _side(said: ClaimedSide | None) -> tuple[DiskFile, bool]:
    """Return one side, and whether its hash, size and content fit together."""
    if said is None:
        return unknown_side(NOT_SAID), False
    if not said.existed:
        return ABSENT_SIDE, said.content is None and said.sha256 is None and not said.size_bytes
    if said.sha256 is not None and not _SHA.fullmatch(said.sha256):
        return unknown_side(MALFORMED), False
    return _hashed_side(said) if said.content is None else _side_with_bytes(said, file_side(said.content))


def _hashed_side(said: ClaimedSide) -> tuple[DiskFile, bool]:
    if said.sha256 is None:
        return unknown_side(NOT_SAID), False
    return DiskFile(FileState(FileKind.FILE, Sha256(said.sha256), said.size_bytes), None), True


def _side_with_bytes(said: ClaimedSide, side: DiskFile) -> tuple[DiskFile, bool]:
    state = side.state
    if said.sha256 in {None, state.sha256} and said.size_bytes in {None, state.size_bytes}:
        return side, True
    if said.sha256 is None:
        return unknown_side(MISMATCH), False
    told = FileState(FileKind.FILE, Sha256(said.sha256), said.size_bytes, reason=MISMATCH)
    return DiskFile(told, None), False


def _lacks_bytes(*sides: DiskFile) -> bool:
    return any(side.content is None and side.state.kind is not FileKind.ABSENT for side in sides)


def _told(hunks: Sequence[ClaimedHunk], before: DiskFile, after: DiskFile) -> tuple[Hunk, ...] | None:
    """Return the claimed hunks as exact ones, where they lead from the one text to the other; else None."""
    if not hunks or before.content is None or after.content is None:
        return None
    old, new = split_lines(before.content), split_lines(after.content)
    edits = []
    for a0, removed, b0, added in _places(hunks):
        edit = Edit(a0, a0 + len(removed), b0, b0 + len(added), exact=True)
        if not _stands(removed, old, a0) or not _stands(added, new, b0):
            return None
        edits.append(edit)
    return hunks_of(edits) if holds(edits, old, new) else None


def _places(hunks: Sequence[ClaimedHunk]) -> list[tuple[int, list[bytes], int, list[bytes]]]:
    """Return each hunk's place and lines in the text before and the text after, from the top."""
    places, growth = [], 0
    for hunk in sorted(hunks, key=lambda one: one.start_line):
        removed, added = split_lines(_whole(hunk.target)), split_lines(_whole(hunk.replacement))
        at = hunk.start_line - 1
        places.append((at, removed, at + growth, added))
        growth += len(added) - len(removed)
    return places


def _stands(lines: Sequence[bytes], text: Sequence[bytes], at: int) -> bool:
    """Whether these lines are the text's own at a place; its last one may lack its end."""
    there = text[at : at + len(lines)]
    return [line.rstrip(b"\n") for line in there] == [line.rstrip(b"\n") for line in lines]


def _whole(excerpt: bytes) -> bytes:
    """An excerpt is of whole lines, whether its last one's end was said or not."""
    return excerpt if not excerpt or excerpt.endswith(b"\n") else excerpt + b"\n"


def _with_claimed_hunks(change: Change, hunks: Sequence[ClaimedHunk], settings: Settings) -> Change:
    """Keep the claimed text of the hunks: it is all there is to find the change by. Up to the snapshots' size."""
    places = _places(hunks)
    keep = settings.retain_file_snapshots
    size = sum(len(line) for _, removed, _, added in places for line in (*removed, *added))
    keep = keep and size <= settings.max_snapshot_bytes
    kept = tuple(
        Hunk(
            a0,
            len(removed),
            b0,
            len(added),
            b"".join(removed) if keep else None,
            b"".join(added) if keep else None,
            exact=False,
        )
        for a0, removed, b0, added in places
    )
    return replace(
        change,
        hunks=kept,
        plus=sum(hunk.after_lines for hunk in kept),
        minus=sum(hunk.before_lines for hunk in kept),
    )


def claim_uid(claim: Claim, fresh: str) -> str:
    """The caller's own id of it, else a fresh one."""
    return claim.uid or fresh


def summary_of(claim: Claim) -> str:
    """What the caller says of it, else the plainest true words."""
    if claim.summary.strip():
        return claim.summary.strip()
    if claim.command is not None:
        return f"ran {claim.command}"
    return f"{claim.tool_name or claim.action_type} {claim.target_path}".strip()


def git_blob(data: bytes) -> str:
    """The id under which git keeps these bytes."""
    return hashlib.sha1(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest()
