"""What few entries have, as one JSON column: git, sources, a hint, reversed hunks, a command's facts, the model.

A key is absent where there is nothing to say, so that nothing is ever guessed on the way out.
"""

import dataclasses
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from sulcus_panel.core.model import (
    CommandFacts,
    GitDelta,
    GitState,
    LedgerPath,
    NewEntry,
    RefMove,
    RollbackHint,
)


class RareFields(NamedTuple):
    """The fields of NewEntry of the same names."""

    git: GitDelta | None = None
    derived_from: tuple[LedgerPath, ...] = ()
    rollback_hint: RollbackHint | None = None
    reversed_hunks: tuple[int, ...] | None = None
    why: Mapping[str, str] | None = None
    notes: tuple[str, ...] = ()
    input: str = ""
    ran: CommandFacts | None = None
    model: str = ""


def encode_rare(entry: NewEntry) -> str | None:
    """The column's text, None where the entry has none of these."""
    more: dict[str, object] = {}
    if entry.derived_from:
        more["derived_from"] = list(entry.derived_from)
    if entry.git is not None:
        more["git"] = _git(entry.git)
    if entry.rollback_hint is not None:
        more["rollback_hint"] = {"kind": entry.rollback_hint.kind, "ref": entry.rollback_hint.ref}
    if entry.reversed_hunks is not None:
        more["reversed_hunks"] = list(entry.reversed_hunks)
    if entry.why is not None:
        more["why"] = dict(entry.why)
    if entry.notes:
        more["notes"] = list(entry.notes)
    if entry.input:
        more["input"] = entry.input
    if entry.model:
        more["model"] = entry.model
    if entry.ran is not None:
        more["ran"] = {key: value for key, value in dataclasses.asdict(entry.ran).items() if value}
    return json.dumps(more) if more else None


def decode_rare(stored: str | None) -> RareFields:
    """The fields from the column's text."""
    if not stored:
        return RareFields()
    more = json.loads(stored)
    git, hint, hunks = more.get("git"), more.get("rollback_hint"), more.get("reversed_hunks")
    return RareFields(
        git=_delta(git) if git else None,
        derived_from=tuple(more.get("derived_from", ())),
        rollback_hint=RollbackHint(**hint) if hint else None,
        reversed_hunks=None if hunks is None else tuple(hunks),
        why=more.get("why"),
        notes=tuple(more.get("notes", ())),
        input=more.get("input", ""),
        ran=_ran(more["ran"]) if "ran" in more else None,
        model=more.get("model", ""),
    )


def _ran(stored: Mapping[str, Any]) -> CommandFacts:
    lists = {key: tuple(stored.get(key, ())) for key in ("at_once", "unseen")}
    return CommandFacts(**{**stored, **lists})


def _git(delta: GitDelta) -> dict[str, object]:
    sides: dict[str, object] = {"before": _side(delta.before), "after": _side(delta.after)}
    refs = [[move.name, move.before, move.after] for move in delta.refs]
    return sides | ({"refs": refs} if refs else {})


def _delta(stored: Mapping[str, Any]) -> GitDelta:
    refs = tuple(RefMove(*move) for move in stored.get("refs", ()))
    return GitDelta(GitState(**stored["before"]), GitState(**stored["after"]), refs)


def _side(state: GitState) -> dict[str, object]:
    return {"head": state.head, "branch": state.branch, "status": dict(state.status)}
