import pytest

from sulcus_panel.core.access import ALL_SCOPES, THE_PERSON, Caller
from sulcus_panel.core.model import Actor, ActorKind


@pytest.mark.parametrize("kind", [kind for kind in ActorKind if kind is not ActorKind.PERSON])
def test_whoever_is_not_the_person_is_not_the_person_whatever_the_name(kind: ActorKind) -> None:
    assert not Caller(Actor(THE_PERSON.actor.name, kind), ALL_SCOPES).is_person


def test_who_sits_at_the_window_is_the_person_and_may_do_all() -> None:
    assert THE_PERSON.is_person
    assert THE_PERSON.scopes == ALL_SCOPES
