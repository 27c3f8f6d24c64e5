"""Who comes through a door, and what they may ask: tokens, scopes, callers. Data only.

Whoever is not the person is an agent; an actor's name and kind come from the token, never from the request.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sulcus_panel.core.model import PERSON, Actor, ActorKind


class Scope(StrEnum):
    """What a token is good for. None includes another."""

    RECORD = "record"
    READ = "read"
    UNDO = "undo"
    ADMIN = "admin"


ALL_SCOPES = frozenset(Scope)


@dataclass(frozen=True, slots=True)
class Token:
    """A key that was given out; the key itself is known to nobody but its holder."""

    id: int
    actor: Actor
    scopes: frozenset[Scope]
    made_at: datetime
    revoked_at: datetime | None = None

    @property
    def in_force(self) -> bool:
        """True until it is revoked."""
        return self.revoked_at is None


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, through whichever door."""

    actor: Actor
    scopes: frozenset[Scope]

    @property
    def is_person(self) -> bool:
        """True of the person alone: no name, or any other kind, is not the person."""
        return self.actor.kind is ActorKind.PERSON


THE_PERSON = Caller(PERSON, ALL_SCOPES)
"""Who sits at the window or the terminal."""
