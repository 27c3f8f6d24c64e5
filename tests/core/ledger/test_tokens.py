import pytest

from sulcus_panel.core.access import Scope
from sulcus_panel.core.errors import NotFound
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Actor, ActorKind
from tests.support.clock import NOON

KEY = bytes(range(32))
SCOPES = frozenset({Scope.READ, Scope.UNDO})
MICROS = round(NOON.timestamp() * 1_000_000)


def test_a_token_is_found_by_the_hash_of_its_key_alone(ledger: Ledger) -> None:
    with ledger.write():
        made = ledger.tokens.add(KEY, Actor("claude", ActorKind.AGENT), SCOPES, MICROS)
    assert (made.actor, made.scopes, made.made_at) == (Actor("claude", ActorKind.AGENT), SCOPES, NOON)
    assert ledger.tokens.by_key(KEY) == made
    assert ledger.tokens.by_key(KEY[::-1]) is None
    assert ledger.tokens.all() == (made,)


def test_a_revoked_token_stays_revoked_and_is_not_forgotten(ledger: Ledger) -> None:
    with ledger.write():
        made = ledger.tokens.add(KEY, Actor("claude", ActorKind.AGENT), SCOPES, MICROS)
        ended = ledger.tokens.revoke(made.id, MICROS + 1_000_000)
        again = ledger.tokens.revoke(made.id, MICROS + 9_000_000)
    assert not ended.in_force
    assert again == ended
    assert ledger.tokens.by_key(KEY) == ended
    with ledger.write(), pytest.raises(NotFound, match="no token 7"):
        ledger.tokens.revoke(7, MICROS)
