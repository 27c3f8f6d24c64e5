"""Keys for those who come over HTTP or MCP: made and revoked by the person, known to nobody but their holders."""

import secrets
from collections.abc import Callable, Collection
from datetime import datetime

from sulcus_panel.core.access import Caller, Scope, Token
from sulcus_panel.core.errors import BadRequest
from sulcus_panel.core.ledger.encoding import to_micros
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Actor, ActorKind
from sulcus_panel.core.safety import plain
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.key_proof import hashed, proof_of

PREFIX = "sulcus_"
KEY_BYTES = 32
NAME_LIMIT = 200


class Tokens:
    """The tokens of one ledger; `actor` is who makes and revokes them."""

    def __init__(self, ledger: Ledger, bus: ChangeBus, clock: Callable[[], datetime], actor: Actor) -> None:
        self._ledger = ledger
        self._bus = bus
        self._clock = clock
        self._actor = actor

    def make(self, name: str, kind: ActorKind, scopes: Collection[Scope]) -> tuple[str, Token]:
        """Give out a new key, which is shown this once, and its token. Raises BadRequest naming the field."""
        name = name.strip()
        if not name or len(name) > NAME_LIMIT or not name.isprintable():
            raise BadRequest(
                f"A token needs a name of 1 to {NAME_LIMIT} characters", "It says who acts.", field="actor"
            )
        if not scopes:
            raise BadRequest("A token needs a scope", "One of: " + ", ".join(Scope), field="scope")
        key = PREFIX + secrets.token_urlsafe(KEY_BYTES)
        with self._ledger.write(durable=True):
            token = self._ledger.tokens.add(
                hashed(key), Actor(name, kind), frozenset(scopes), to_micros(self._clock())
            )
            self._tell("token.made", token)
        return key, token

    def caller(self, key: str) -> Caller | None:
        """Say who holds this key; None where nobody does, or where it was revoked."""
        token = self._ledger.tokens.by_key(hashed(key))
        return Caller(token.actor, token.scopes) if token is not None and token.in_force else None

    def proof(self, named: str, word: str) -> str | None:
        """Prove to whoever holds a key in force that it is known here; see key_proof.py."""
        return proof_of(named, word, self._ledger.tokens.hashes_in_force())

    def all(self) -> tuple[Token, ...]:
        """Every token ever given out, oldest first."""
        return self._ledger.tokens.all()

    def revoke(self, token_id: int) -> Token:
        """End a token for good; twice is no error. Raises NotFound."""
        with self._ledger.write(durable=True):
            was = self._ledger.tokens.by_id(token_id)
            token = self._ledger.tokens.revoke(token_id, to_micros(self._clock()))
            if was.in_force:
                self._tell("token.revoked", token)
        return token

    def _tell(self, kind: str, token: Token) -> None:
        scopes = ", ".join(sorted(token.scopes))
        summary = f"Token {token.id} of {plain(token.actor.name)} ({token.actor.kind}): {scopes}"
        self._ledger.record_governance(None, self._actor, kind, summary)
        self._bus.publish(Changes(governance=True))
