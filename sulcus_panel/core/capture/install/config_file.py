"""Writing a planned edit of somebody else's config file: what was shown, beside and renamed, mode kept."""

import os
import stat
from dataclasses import replace
from pathlib import Path

from sulcus_panel.core.capture.install.hook_home import ConfigEdit, HooksPlan
from sulcus_panel.core.capture.plain_file import open_plain
from sulcus_panel.core.errors import ApplyFailed, StalePlan


def apply_plan(plan: HooksPlan) -> None:
    """Write all of a plan's edits, or none: where one fails those before it are taken back.

    Raises:
        StalePlan, ApplyFailed: as for apply_edit.
    """
    done: list[ConfigEdit] = []
    for edit in plan.edits:
        try:
            apply_edit(edit)
        except (StalePlan, ApplyFailed):
            for one in reversed(done):
                apply_edit(replace(one, before=one.after, after=one.before, backup_path=None))
            raise
        done.append(edit)


def apply_edit(edit: ConfigEdit) -> None:
    """Back up and write, or remove a file that only we had made. A link to the file stays a link.

    Raises:
        StalePlan: the file is no longer what the edit was shown for; nothing was written.
        ApplyFailed: it cannot be written; it is as it was.
    """
    if not edit.changes:
        return
    try:
        target = Path(os.path.realpath(edit.path))
        if _bytes_of(target) != edit.before:
            raise StalePlan("The settings file has changed meanwhile", str(edit.path), "Try again.")
        if edit.after is None:
            target.unlink()
            return
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        mode = edit.mode or 0o600
        if edit.before is not None:
            mode = stat.S_IMODE(target.stat().st_mode)
        if edit.backup_path is not None and edit.before is not None:
            _replace(Path(os.path.realpath(edit.backup_path)), edit.before, mode)
        _replace(target, edit.after, mode)
    except OSError as error:
        raise ApplyFailed("The settings file cannot be written", f"{edit.path}: {error.strerror}") from error


def _bytes_of(path: Path) -> bytes | None:
    try:
        with open_plain(path) as file:
            return file.read()
    except FileNotFoundError:
        return None


def _replace(path: Path, data: bytes, mode: int) -> None:
    beside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(beside, mode)
        os.replace(beside, path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
