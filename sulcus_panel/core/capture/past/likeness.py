"""Calls that have no id in common, recognised by what they did: session and command, or session, path and hashes.

A hook may be given no id, a transcript may hold none (its reader makes one up) or not tell a file's text. What is
unknown on one side is no difference, but only once all that agree exactly have found each other.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import timedelta

from sulcus_panel.core.ledger.encoding import encode_text
from sulcus_panel.core.model import Change, FileKind, FileState, NewEntry, Provenance

MADE_UP = "@"
"""How an id begins that a reader of transcripts has made up from a call's place."""
SAME_MOMENT = timedelta(minutes=5)
"""By so much may a hook's time of a call differ from its transcript's."""

_Key = tuple[str, str]


@dataclass(slots=True)
class Likenesses:
    """The ledger's entries that may be taken for a call of a transcript, each for one."""

    nameless: dict[_Key, list[NewEntry]] = field(default_factory=lambda: defaultdict(list))
    named: dict[_Key, list[NewEntry]] = field(default_factory=lambda: defaultdict(list))

    def add(self, entry: NewEntry) -> None:
        """Take in one entry of the ledger; an imported one has the id that a transcript gives."""
        if entry.uid.startswith(f"{entry.harness}:spool:"):
            self.nameless[_key(entry)].append(entry)
        elif entry.provenance is Provenance.OBSERVED:
            self.named[_key(entry)].append(entry)

    def take(self, entry: NewEntry, *, loosely: bool, session: str | None = None) -> bool:
        """Whether there is one, of the entry's own or this session, that is this call; it answers for no other."""
        own, deed = _key(entry)
        key = (own if session is None else session), deed
        places = [self.nameless.get(key, [])]
        if _is_made_up(entry):
            places.append(self.named.get(key, []))
        is_same = _is_like if loosely else _is_exactly
        for kept in places:
            found = next((one for one in kept if is_same(entry, one)), None)
            if found is not None:
                kept.remove(found)
                return True
        return False


def _key(entry: NewEntry) -> _Key:
    """The ledger spells a command that is no text in its own way."""
    return entry.session_id, entry.target_path if entry.command is None else encode_text(entry.command)


def _is_made_up(entry: NewEntry) -> bool:
    return entry.uid.split(":", 2)[-1].startswith(MADE_UP)


def _is_exactly(entry: NewEntry, kept: NewEntry) -> bool:
    """The same bytes; of the file before, the hook may have seen nothing."""
    return entry.command is not None or (
        len(entry.changes) == len(kept.changes)
        and all(
            one.path == other.path
            and (_same(one.before, other.before) or other.before.kind is FileKind.UNKNOWN)
            and _same(one.after, other.after)
            for one, other in zip(entry.changes, kept.changes, strict=True)
        )
    )


def _is_like(entry: NewEntry, kept: NewEntry) -> bool:
    """Nothing speaks against it: not what is known of the file, and not the time, where the transcript has one."""
    is_near = _is_made_up(entry) or abs(entry.at - kept.at) <= SAME_MOMENT
    is_same = len(entry.changes) == len(kept.changes) and all(map(_may_be, entry.changes, kept.changes))
    return is_near and is_same


def _may_be(one: Change, other: Change) -> bool:
    sides = ((one.before, other.before), (one.after, other.after))
    return one.path == other.path and all(
        FileKind.UNKNOWN in (mine.kind, its.kind) or _same(mine, its) for mine, its in sides
    )


def _same(one: FileState, other: FileState) -> bool:
    return (one.sha256 or one.kind.value) == (other.sha256 or other.kind.value)
