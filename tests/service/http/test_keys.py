"""A right key is known for a blink, a wrong one never."""

from sulcus_panel.core.access import ALL_SCOPES, Caller
from sulcus_panel.core.model import Actor, ActorKind
from sulcus_panel.service.http.keys import FRESH_SECONDS, MOST, Keys

BOT = Caller(Actor("bot", ActorKind.AGENT), ALL_SCOPES)


def test_a_right_key_is_asked_for_once_in_a_blink_and_a_wrong_one_each_time() -> None:
    asked: list[str] = []
    now = [0.0]
    right = {"key"}

    def ask(key: str) -> Caller | None:
        asked.append(key)
        return BOT if key in right else None

    keys = Keys(ask, lambda: now[0])
    assert [keys.caller("key"), keys.caller("key"), keys.caller("no"), keys.caller("no")] == [
        BOT,
        BOT,
        None,
        None,
    ]
    assert asked == ["key", "no", "no"]
    right.clear()
    now[0] = FRESH_SECONDS
    assert keys.caller("key") is None


def test_no_more_keys_are_remembered_than_there_are_in_use() -> None:
    keys = Keys(lambda _key: BOT, lambda: 0.0)
    for number in range(3 * MOST):
        keys.caller(str(number))
    assert len(keys._known) <= MOST
