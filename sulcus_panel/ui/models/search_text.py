"""What a person types into the search field, and the query it means: `path:src/app is:drifted some words`.

A word `field:value` with a known field filters; everything else is searched for as one text. Values with
blanks stand in double quotes. A field that is given twice counts the last time.
"""

import re
from collections.abc import Callable
from dataclasses import replace

from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.model import ActionType, EntryState, Origin
from sulcus_panel.ui.models.scope import WAITING_STATES

WORD = re.compile(r'(?:[^\s"]|"[^"]*"?)+')
FIELDS = ("path", "harness", "session", "turn", "action", "is")

ACTION_WORDS = {
    "edit": ActionType.FILE_EDIT,
    "edited": ActionType.FILE_EDIT,
    "write": ActionType.FILE_WRITE,
    "wrote": ActionType.FILE_WRITE,
    "create": ActionType.FILE_CREATE,
    "created": ActionType.FILE_CREATE,
    "delete": ActionType.FILE_DELETE,
    "deleted": ActionType.FILE_DELETE,
    "command": ActionType.RUN_COMMAND,
    "ran": ActionType.RUN_COMMAND,
    "mcp": ActionType.MCP_MUTATION,
} | {str(action): action for action in ActionType}

STATE_WORDS = {
    "recorded": EntryState.RECORDED,
    "undone": EntryState.UNDONE,
    "partly": EntryState.PARTLY_UNDONE,
    "held": EntryState.HELD,
    "deferred": EntryState.DEFERRED,
    "failed": EntryState.FAILED,
    "attention": EntryState.ATTENTION,
}
ORIGIN_WORDS = {"agent": Origin.AGENT, "outside": Origin.OUTSIDE, "undo": Origin.UNDO}
DRIFT_WORDS = {"drifted": True, "clean": False}


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a search; a quoted value is part of its word."""
    return tuple(WORD.findall(text))


def parse_search(text: str, base: LedgerQuery) -> LedgerQuery:
    """Return `base` narrowed by what was typed."""
    query, free = base, []
    for word in words_of(text):
        narrowed = _field(word, query)
        if narrowed is None:
            free.append(word.replace('"', ""))
        else:
            query = narrowed
    return replace(query, text=" ".join(free)) if free else query


def field_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return where the names of fields that filter stand, each as start and length with the colon."""
    base = LedgerQuery()
    return tuple(
        (found.start(), found.group().index(":") + 1)
        for found in WORD.finditer(text)
        if _field(found.group(), base) is not None
    )


def has_word(text: str, word: str) -> bool:
    """Say whether the search has this very word."""
    return word in words_of(text)


def toggled(text: str, word: str) -> str:
    """Return the search without `word` if it is in, else with it in place of its field's others."""
    words = list(words_of(text))
    if word in words:
        words.remove(word)
    else:
        field = word.partition(":")[0] + ":"
        words = [each for each in words if not each.startswith(field)] + [word]
    return " ".join(words)


def _field(word: str, query: LedgerQuery) -> LedgerQuery | None:
    name, colon, value = word.partition(":")
    value = value.replace('"', "")
    if not colon or not value or name.lower() not in FIELDS:
        return None
    return _NARROW[name.lower()](query, value)


def _action(query: LedgerQuery, value: str) -> LedgerQuery | None:
    action = ACTION_WORDS.get(value.lower())
    return None if action is None else replace(query, action_type=action)


def _is(query: LedgerQuery, value: str) -> LedgerQuery | None:
    word = value.lower()
    if word in DRIFT_WORDS:
        return replace(query, drifted=DRIFT_WORDS[word])
    if word in ORIGIN_WORDS:
        return replace(query, origin=ORIGIN_WORDS[word])
    if word == "waiting":
        return replace(query, state=None, states=WAITING_STATES)
    return replace(query, state=STATE_WORDS[word]) if word in STATE_WORDS else None


_NARROW: dict[str, Callable[[LedgerQuery, str], LedgerQuery | None]] = {
    "path": lambda query, value: replace(query, path_text=value.removeprefix("./")),
    "harness": lambda query, value: replace(query, harness=value),
    "session": lambda query, value: replace(query, session_id=value),
    "turn": lambda query, value: replace(query, turn_id=value),
    "action": _action,
    "is": _is,
}
