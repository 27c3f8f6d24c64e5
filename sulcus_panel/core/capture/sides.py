"""Before and after of one file call, from what was seen at its start and its end. Pure.

A symlink that is the same at both moments was written through: then the change is its target's. Where nothing
was seen at the start, the harness's own word counts only if it meets the bytes seen at the end.
"""

import errno
import os
from dataclasses import dataclass

from sulcus_panel.core.capture.adapter import ToolCall, ToolFailed, ToolFinished, ToolKind
from sulcus_panel.core.capture.changes import ABSENT_SIDE, file_side, unknown_side
from sulcus_panel.core.capture.edits import rebuild_before, results
from sulcus_panel.core.capture.plain_file import NOT_PLAIN
from sulcus_panel.core.capture.spool import Sighting
from sulcus_panel.core.model import DiskFile, FileKind, Provenance
from sulcus_panel.core.states import same_state

NOT_SEEN_BEFORE = "no state from before was seen"
NOT_SEEN_AFTER = "no state from after was seen"

_NO_FILE_THERE = frozenset(
    (NOT_PLAIN, "not a file name", *map(os.strerror, (errno.ELOOP, errno.ENAMETOOLONG, errno.ENOTDIR)))
)
"""Why a path shows nothing where no tool can have written a file either."""


@dataclass(frozen=True, slots=True)
class Sides:
    """One path's two sides. `link`: the text of the symlink that was written through."""

    before: DiskFile
    after: DiskFile
    link: str = ""
    provenance: Provenance = Provenance.OBSERVED


def sides_between(start: Sighting | None, end: Sighting | None) -> Sides:
    """The two sides as seen; a moment that nobody saw is unknown."""
    if start is None and end is None:
        return Sides(unknown_side(NOT_SEEN_BEFORE), unknown_side(NOT_SEEN_AFTER))
    if start is None or end is None:
        seen = end or start
        side, link = _through(seen)
        if start is None:
            return Sides(unknown_side(NOT_SEEN_BEFORE), side, link)
        return Sides(side, unknown_side(NOT_SEEN_AFTER), link)
    if start.behind is not None and end.behind is not None and same_state(start.own.state, end.own.state):
        return Sides(start.behind, end.behind, _link_text(start))
    return Sides(start.own, end.own)


def sides_of_answer(event: ToolFinished) -> Sides:
    """The sides of a call whose start nobody saw."""
    seen = sides_between(None, event.sighting)
    after = seen.after.content
    if event.created:
        return Sides(ABSENT_SIDE, seen.after, seen.link, Provenance.IMPORTED)
    if event.original is None or after is None or seen.after.state.kind is not FileKind.FILE:
        return seen
    before = rebuild_before(event.call, event.original, after)
    if before is None:
        return seen
    provenance = Provenance.OBSERVED if event.call.edits else Provenance.IMPORTED
    return Sides(file_side(before), seen.after, seen.link, provenance)


def is_change(sides: Sides, event: ToolFinished | ToolFailed) -> bool:
    """Whether to record: a proven difference, or a call that ended well on what we could not see."""
    before, after = sides.before.state, sides.after.state
    if same_state(before, after):
        return False
    if FileKind.UNKNOWN not in (before.kind, after.kind):
        return True
    return isinstance(event, ToolFinished) and _NO_FILE_THERE.isdisjoint((before.reason, after.reason))


def is_unwritten(sides: Sides, event: ToolFinished | ToolFailed) -> bool:
    """Whether a call ended well that should have changed the file, and the file is as it was."""
    before, call = sides.before.state, event.call
    if not isinstance(event, ToolFinished) or not same_state(before, sides.after.state):
        return False
    absent = before.kind is FileKind.ABSENT
    if not absent and before.kind is not FileKind.FILE:
        return False
    if call.content is None and not call.edits:  # what it does is not told
        return not (absent and call.kind is ToolKind.DELETE)
    content = b"" if absent else sides.before.content
    if content is None:
        return True
    wanted = tuple(results(call, content))
    return bool(wanted) and (absent or content not in wanted)


def is_result(call: ToolCall, before: DiskFile, now: DiskFile) -> bool:
    """Whether `now` is exactly what the call makes of `before`."""
    if call.kind is ToolKind.DELETE:
        return now.state.kind is FileKind.ABSENT
    if now.content is None or now.state.kind is not FileKind.FILE:
        return False
    if before.state.kind is FileKind.ABSENT:
        return now.content in results(call, b"")
    if before.state.kind is not FileKind.FILE or before.content is None:
        return False
    return now.content in results(call, before.content)


def _through(seen: Sighting | None) -> tuple[DiskFile, str]:
    """What a path shows to who reads it, and the link that was followed for it."""
    if seen is None:
        return unknown_side(NOT_SEEN_BEFORE), ""
    return (seen.own, "") if seen.behind is None else (seen.behind, _link_text(seen))


def _link_text(seen: Sighting) -> str:
    return os.fsdecode(seen.own.content or b"")
