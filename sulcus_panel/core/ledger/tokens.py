"""The tokens given out, by the hash of their key alone: who steals the ledger file has no key."""

from dataclasses import dataclass

from sulcus_panel.core.access import Scope, Token
from sulcus_panel.core.errors import NotFound
from sulcus_panel.core.ledger.database import Database, Row
from sulcus_panel.core.ledger.encoding import encode_text, from_micros
from sulcus_panel.core.model import Actor, ActorKind

_SELECT = "SELECT id, actor, actor_kind, scopes, made_at, revoked_at FROM token"


@dataclass(frozen=True, slots=True)
class TokenTable:
    """The tokens of one ledger, for one thread at a time. Writes only inside the ledger's `write()`."""

    db: Database

    def add(self, key_sha256: bytes, actor: Actor, scopes: frozenset[Scope], now: int) -> Token:
        """Keep a token by the SHA-256 of its key (32 bytes)."""
        made = self.db.insert(
            "INSERT INTO token (key_sha256, actor, actor_kind, scopes, made_at) VALUES (?, ?, ?, ?, ?)",
            (key_sha256, encode_text(actor.name, 200), actor.kind.value, " ".join(sorted(scopes)), now),
        )
        return self.by_id(made)

    def by_key(self, key_sha256: bytes) -> Token | None:
        """The token whose key has this SHA-256, revoked or not."""
        row = self.db.row(f"{_SELECT} WHERE key_sha256 = ?", (key_sha256,))
        return None if row is None else _token(row)

    def hashes_in_force(self) -> tuple[bytes, ...]:
        """The SHA-256 of every key that was not revoked."""
        rows = self.db.rows("SELECT key_sha256 FROM token WHERE revoked_at IS NULL ORDER BY id DESC")
        return tuple(bytes(row[0]) for row in rows)

    def by_id(self, token_id: int) -> Token:
        """The token with this id. Raises NotFound."""
        row = self.db.row(f"{_SELECT} WHERE id = ?", (token_id,))
        if row is None:
            raise NotFound(f"There is no token {token_id}", "", "`token list` shows them all.")
        return _token(row)

    def all(self) -> tuple[Token, ...]:
        """Every token ever given out, oldest first."""
        return tuple(_token(row) for row in self.db.rows(f"{_SELECT} ORDER BY id"))

    def revoke(self, token_id: int, now: int) -> Token:
        """End a token for good; twice keeps the first time. Raises NotFound."""
        self.db.run("UPDATE token SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?", (now, token_id))
        return self.by_id(token_id)


def _token(row: Row) -> Token:
    return Token(
        id=row[0],
        actor=Actor(row[1], ActorKind(row[2])),
        scopes=frozenset(Scope(scope) for scope in row[3].split()),
        made_at=from_micros(row[4]),
        revoked_at=None if row[5] is None else from_micros(row[5]),
    )
