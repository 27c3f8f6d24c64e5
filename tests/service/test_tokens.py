import pytest

from sulcus_panel.core.access import Caller, Scope
from sulcus_panel.core.errors import BadRequest, NotFound
from sulcus_panel.core.model import Actor, ActorKind
from sulcus_panel.service.operations import Operations


def test_a_key_says_who_comes_until_it_is_revoked(operations: Operations) -> None:
    key, token = operations.tokens.make("claude", ActorKind.AGENT, [Scope.READ, Scope.UNDO])
    assert operations.tokens.caller(key) == Caller(
        Actor("claude", ActorKind.AGENT), frozenset({Scope.READ, Scope.UNDO})
    )
    assert operations.tokens.caller(key[:-1]) is None
    assert operations.tokens.caller("") is None
    assert operations.tokens.caller("\udcff") is None
    operations.tokens.revoke(token.id)
    assert operations.tokens.caller(key) is None
    assert [one.in_force for one in operations.tokens.all()] == [False]


def test_making_and_revoking_are_on_governance_without_the_key(operations: Operations) -> None:
    key, token = operations.tokens.make("bot", ActorKind.MODULE, [Scope.RECORD])
    operations.tokens.revoke(token.id)
    operations.tokens.revoke(token.id)
    told = operations.governance(None, kind_prefix="token.")
    assert [one.kind for one in told] == ["token.revoked", "token.made"]
    assert key not in str(told)


def test_the_key_is_nowhere_in_the_ledger_file(operations: Operations) -> None:
    key, _ = operations.tokens.make("bot", ActorKind.MODULE, [Scope.RECORD])
    operations.ledger.checkpoint()
    assert key.encode() not in operations.home.database.read_bytes()


@pytest.mark.parametrize("name", ["", "   ", "a\nb", "\x1b[31m", "x" * 201])
def test_a_token_needs_a_name_that_can_be_shown(operations: Operations, name: str) -> None:
    with pytest.raises(BadRequest, match="name") as refused:
        operations.tokens.make(name, ActorKind.AGENT, [Scope.READ])
    assert refused.value.field == "actor"
    assert operations.tokens.all() == ()


def test_a_token_needs_a_scope_and_an_unknown_one_cannot_be_revoked(operations: Operations) -> None:
    with pytest.raises(BadRequest, match="scope"):
        operations.tokens.make("bot", ActorKind.AGENT, [])
    with pytest.raises(NotFound, match="no token 9"):
        operations.tokens.revoke(9)
