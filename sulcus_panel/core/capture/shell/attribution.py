"""Whose work a change is that came about while a command ran: the command's, somebody else's, or not sure. Pure.

What changed before the command began to run (a harness asks for permission between the two) is not its work. Of the
rest the command is taken at its word where it names the path; a doubt is told, never decided.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from sulcus_panel.core.capture.shell.report import PathReport
from sulcus_panel.core.capture.shell.targets import targets_of

SLACK = timedelta(milliseconds=250)
"""A harness's own count of a command's time is that much off, at most."""
LATE = "it was changed after the command had ended"
NOT_NAMED = "the command says what it writes, and does not name it"
LOST = "the command never reported its end, and may not have begun"
REACH = timedelta(hours=1)
"""What changed longer after a call without an end is hardly its work."""
SOON = timedelta(seconds=5)
"""What a call without an end changed within this time is hardly somebody else's."""
ALONE = timedelta(seconds=1)
"""A change with no other so near to it was made by itself."""
BY_ITSELF = "the command does not name it, and it was changed by itself"
EARLY = "the command names it, and it was changed before the command is said to have begun"
_WORD = re.compile(r"[^\s'\"`;|&()<>=,:]+")


class Whose(Enum):
    """The answer for one path."""

    COMMAND = "command"
    OUTSIDE = "outside"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Window:
    """When a command ran, as far as is known. `began` is after `since` where the harness told how long it took."""

    command: str
    since: datetime
    began: datetime
    at: datetime
    others: Sequence[str] = ()
    """Commands that ran at the same time."""
    backgrounds: Collection[str] = ()
    """Paths that a command changed which may still run in the background."""
    edited: Collection[str] = ()
    """Paths that an editor has open."""
    standing: Collection[str] = ()
    """Paths of somebody's work that was there before, and that git did not write meanwhile."""
    saved: Collection[str] = ()
    """Paths that somebody else saved shortly before."""
    runs_on: bool = False
    """It went on in the background when it was looked at."""
    is_lost: bool = False
    """Nobody told that it ended, or that it ever ran: anybody may have changed things up to `at`."""


def whose(paths: Sequence[PathReport], window: Window) -> dict[str, tuple[Whose, str]]:
    """For each path whose work it is, and of what is not sure why."""
    words = frozenset(_WORD.findall(window.command))
    targets = targets_of(window.command)
    all_it_writes = targets.paths if targets.is_all else None
    standing = (path for path in paths if path.path in window.standing and path.after is not None)
    times = sorted(changed for path in standing if (changed := _changed(path)))
    new = frozenset(path.path for path in paths if path.before is None)
    return {
        path.path: _judge_early(path, words)
        if _came_before(path, window, new)
        else _judge(path, window, _Words(words, all_it_writes), times)
        for path in paths
    }


@dataclass(frozen=True, slots=True)
class _Words:
    """What a command names, and all that it writes where its own words tell."""

    named: Collection[str]
    all_it_writes: Sequence[str] | None


def within_reach(paths: Sequence[PathReport], window: Window) -> tuple[PathReport, ...]:
    """All of them, but for what changed long after a call of which no end is known."""
    last = (window.since + REACH).timestamp()
    return tuple(path for path in paths if not window.is_lost or _changed(path) <= last)


def _judge_early(path: PathReport, words: Collection[str]) -> tuple[Whose, str]:
    """Of what came before the command began; a hook that started late makes all of it seem to."""
    return (Whose.UNSURE, EARLY) if _is_named(path.path, words) else (Whose.OUTSIDE, "")


def _judge(path: PathReport, window: Window, words: _Words, times: Sequence[float]) -> tuple[Whose, str]:
    changed = _changed(path)
    is_named = _is_named(path.path, words.named)
    if window.is_lost and not (is_named and _is_soon(changed, window)):
        return Whose.UNSURE, LOST
    if not window.runs_on and path.is_regular and changed > window.at.timestamp():
        return Whose.UNSURE, LATE
    if is_named:
        return Whose.COMMAND, ""
    doubt = _doubt(path.path, window)
    if not doubt and words.all_it_writes is not None and not _is_written(path.path, words.all_it_writes):
        doubt = NOT_NAMED
    if not doubt and path.path in window.standing and _is_alone(changed, times):
        doubt = BY_ITSELF  # as a save by the person would be, for which a moment is time enough
    return (Whose.UNSURE, doubt) if doubt else (Whose.COMMAND, "")


def _is_soon(changed: float, window: Window) -> bool:
    """Whether it came so soon after the call that nobody else had the time."""
    return 0 < changed - window.since.timestamp() < SOON.total_seconds()


def _doubt(path: str, window: Window) -> str:
    """Who else may have changed it, "" where nobody is known."""
    if window.others:
        return f"another command ran at the same time: {window.others[0]}"
    if path in window.edited:
        return "an editor has it open"
    if path in window.saved:
        return "somebody else saved it shortly before"
    return "a command in the background writes to it too" if path in window.backgrounds else ""


def _came_before(path: PathReport, window: Window, new: Collection[str]) -> bool:
    """Whether a file changed after the first look and before the command began.

    An older time, or one of a file whose folder is new here, tells nothing: a folder moves with all that is in it.
    """
    parts = path.path.split("/")
    if not path.is_regular or any("/".join(parts[:depth]) in new for depth in range(1, len(parts))):
        return False
    return window.since.timestamp() < _changed(path) < (window.began - SLACK).timestamp()


def _changed(path: PathReport) -> float:
    """When the path last changed, in seconds; 0 where it is gone or a folder, which do not tell."""
    return path.after.ctime_ns / 1e9 if path.after is not None and path.after.ctime_ns else 0.0


def _is_named(path: str, words: Collection[str]) -> bool:
    parts = path.split("/")
    names = {"/".join(parts[:depth]) for depth in range(1, len(parts) + 1)} | {parts[-1]}
    return any(word.removeprefix("./").rstrip("/") in names or word.endswith("/" + path) for word in words)


def _is_written(path: str, targets: Sequence[str]) -> bool:
    """Whether a command that names these files may have written a path: one of them, or below or above one."""
    if _is_named(path, targets):
        return True
    return any(
        ("/" + target.removeprefix("./")).rstrip("/").find("/" + path + "/") >= 0 for target in targets
    )


def _is_alone(changed: float, times: Sequence[float]) -> bool:
    near = sum(abs(time - changed) < ALONE.total_seconds() for time in times)
    return bool(changed) and near <= 1
