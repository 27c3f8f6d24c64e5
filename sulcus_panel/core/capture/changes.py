"""Two sides of one path -> the `Change` that is recorded and the bytes that go with it.

Every recorder (hook, importer, scan) passes through here, and what the ledger cannot know is decided here:
withheld names, binary files, links, and which hunks carry text. Whether bytes are kept at all, and how many, is
the ledger's to decide when it appends, by the settings of that moment; what it would refuse by those given here
is not carried that far. Pure: nothing here reads the disk or the ledger.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sulcus_panel.core.credentials import holds_a_key
from sulcus_panel.core.diff import carry_texts, count_lines, diff_hunks, is_binary, split_lines
from sulcus_panel.core.diff.one_reading import with_certainty
from sulcus_panel.core.model import (
    ABSENT,
    Change,
    DiskFile,
    FileKind,
    FileState,
    Hunk,
    LedgerPath,
    Settings,
    Sha256,
)
from sulcus_panel.core.safety import MAY_HOLD_A_SECRET, content_withheld, names_a_drive

OUTSIDE_WORKSPACE = "outside the workspace"

ABSENT_SIDE = DiskFile(ABSENT, None)


def file_side(data: bytes, mode: int | None = None) -> DiskFile:
    """A regular file with these bytes; `mode` is stat.S_IMODE, None where unknown."""
    return DiskFile(FileState(FileKind.FILE, _sha256(data), len(data), mode), data)


def symlink_side(text: bytes, mode: int | None = None) -> DiskFile:
    """A symbolic link whose text is `text`."""
    return DiskFile(FileState(FileKind.SYMLINK, _sha256(text), len(text), mode), text)


def unknown_side(reason: str) -> DiskFile:
    """A side that could not be seen; `reason` says why in a few words."""
    return DiskFile(FileState(FileKind.UNKNOWN, reason=reason), None)


def build_change(
    path: LedgerPath,
    before: DiskFile,
    after: DiskFile,
    settings: Settings,
    *,
    names: Sequence[LedgerPath] = (),
    told: tuple[Hunk, ...] | None = None,
) -> tuple[Change, Mapping[Sha256, bytes]]:
    """The change from `before` to `after`, and the contents to be kept with it by hash.

    `names` are other names under which the file was reached (links), judged like its own. `told` are the
    hunks as the call itself tells them (see exact.told_hunks); else the two texts are compared.
    Withheld paths (core.safety, the workspace's `exclude`, anything outside the workspace) and files that hold
    a key keep hashes and sizes only; with snapshots off, hunk positions too. Where a side is over
    `max_snapshot_bytes` its bytes are dropped and the hunks carry their text, up to that many bytes in all.
    Binary files and links have no hunks. A side that is withheld or was not read says why in its state's
    `reason`; of the others the ledger does.
    """
    withheld = why_withheld(path, names, settings) or _holds_a_key(before, after)
    if withheld is not None:
        return Change(path, _not_kept(before.state, withheld), _not_kept(after.state, withheld)), {}
    hunks = _hunks(before, after, told)
    plus, minus = _counts(hunks, before, after) if hunks is not None else (None, None)
    if not settings.retain_file_snapshots:
        return Change(path, before.state, after.state, hunks or (), plus, minus), {}
    contents: dict[Sha256, bytes] = {}
    kept_before = _kept(before, settings.max_snapshot_bytes, contents)
    kept_after = _kept(after, settings.max_snapshot_bytes, contents)
    if hunks and _is_missing(kept_before, kept_after):
        hunks = _with_text(hunks, before.content or b"", after.content or b"", settings.max_snapshot_bytes)
    return Change(path, kept_before, kept_after, hunks or (), plus, minus), contents


def why_withheld(path: LedgerPath, names: Sequence[LedgerPath], settings: Settings) -> str | None:
    """Why no contents of this file may be kept, None where they may; one of its names is enough."""
    if is_outside(path):
        return OUTSIDE_WORKSPACE
    judged = (content_withheld(name, settings.exclude) for name in dict.fromkeys((path, *names)))
    return next((why for why in judged if why), None)


def _holds_a_key(*sides: DiskFile) -> str | None:
    found = any(side.content is not None and holds_a_key(side.content) for side in sides)
    return MAY_HOLD_A_SECRET if found else None


def is_outside(path: LedgerPath) -> bool:
    """True for a path that is absolute here or on Windows: it names a file outside the workspace."""
    return path.startswith(("/", "\\")) or names_a_drive(path)


def _sha256(data: bytes) -> Sha256:
    return Sha256(hashlib.sha256(data).hexdigest())


def _not_kept(state: FileState, reason: str) -> FileState:
    has_bytes = state.kind in (FileKind.FILE, FileKind.SYMLINK)
    return replace(state, kept=False, reason=reason) if has_bytes else state


def _kept(side: DiskFile, cap: int, contents: dict[Sha256, bytes]) -> FileState:
    state = side.state
    if state.kind not in (FileKind.FILE, FileKind.SYMLINK):
        return state
    if state.sha256 is None or side.content is None:
        return _not_kept(state, state.reason or "contents were not read")
    if len(side.content) > cap:
        return state
    contents[state.sha256] = side.content
    return FileState(state.kind, state.sha256, state.size_bytes, state.mode, kept=True)


def _is_missing(*states: FileState) -> bool:
    return any(state.kind is FileKind.FILE and not state.kept for state in states)


def _hunks(before: DiskFile, after: DiskFile, told: tuple[Hunk, ...] | None) -> tuple[Hunk, ...] | None:
    """The line hunks between two texts (absent counts as empty), None where no lines can be counted."""
    old, new = _text(before), _text(after)
    if old is None or new is None:
        return None
    if told is not None:
        return told
    return with_certainty(diff_hunks(old, new), split_lines(old), split_lines(new))


def _counts(hunks: tuple[Hunk, ...], before: DiskFile, after: DiskFile) -> tuple[int, int]:
    """Count the lines that were added and removed: a hunk may hold some that stayed."""
    plus = minus = 0
    for hunk in carry_texts(hunks, before.content or b"", after.content or b""):
        if (
            hunk.before_lines + hunk.after_lines <= 2 and hunk.old != hunk.new
        ):  # no line of it can have stayed
            more, less = hunk.after_lines, hunk.before_lines
        else:
            more, less = count_lines(diff_hunks(hunk.old or b"", hunk.new or b""))
        plus, minus = plus + more, minus + less
    return plus, minus


def _text(side: DiskFile) -> bytes | None:
    if side.state.kind is FileKind.ABSENT:
        return b""
    if side.state.kind is not FileKind.FILE or side.content is None or is_binary(side.content):
        return None
    return side.content


def _with_text(hunks: tuple[Hunk, ...], old: bytes, new: bytes, budget: int) -> tuple[Hunk, ...]:
    result = []
    for bare, full in zip(hunks, carry_texts(hunks, old, new), strict=True):
        budget -= len(full.old or b"") + len(full.new or b"")
        result.append(full if budget >= 0 else bare)
    return tuple(result)
