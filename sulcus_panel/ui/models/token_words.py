"""Keys that were given out, in plain words: who holds one, and what it is good for. No Qt."""

from datetime import datetime

from sulcus_panel.core.access import Scope, Token
from sulcus_panel.core.model import ActorKind
from sulcus_panel.core.safety import plain
from sulcus_panel.ui.models.text_rows import TextRow
from sulcus_panel.ui.models.wording import day_and_time, listed

KINDS = {
    ActorKind.AGENT: "a coding agent",
    ActorKind.ASSISTANT: "an assistant",
    ActorKind.MODULE: "a program or script",
    ActorKind.PERSON: "you, from another place",
}
SCOPES = {
    Scope.READ: "read the ledger",
    Scope.RECORD: "record changes",
    Scope.UNDO: "undo its own clean changes; all else waits for you",
    Scope.ADMIN: "change settings",
}
SHORT = {Scope.READ: "read", Scope.RECORD: "record", Scope.UNDO: "undo", Scope.ADMIN: "settings"}
AS_YOU = "Whoever holds this key acts as you: his undos do not wait."


def token_row(token: Token, now: datetime) -> TextRow:
    """Return the row of a key."""
    may = listed([words for scope, words in SHORT.items() if scope in token.scopes])
    ended = token.revoked_at
    state = "in force" if ended is None else f"revoked {day_and_time(ended, now)}"
    name = plain(token.actor.name, 200)
    return TextRow(token.id, (name, KINDS[token.actor.kind], may, day_and_time(token.made_at, now), state))
