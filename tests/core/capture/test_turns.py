"""Turns of a session, by the harness's ids or counted."""

from sulcus_panel.core.capture.turns import MAX_INTENT, MAX_TURNS, SessionTurns, decode_turns


def test_prompts_are_counted_where_the_harness_gives_no_id() -> None:
    turns = SessionTurns("s")
    assert turns.turn("").turn_id == "s#0"
    assert turns.begin("", "a").begin("", "b").turn("").turn_id == "s#2"


def test_a_prompt_without_id_takes_the_id_of_its_first_call() -> None:
    turns = SessionTurns("s").begin("", "why")
    turn = turns.turn("p1")
    assert (turn.turn_id, turn.intent) == ("p1", "why")
    assert [one.turn_id for one in turns.note(turn).turns] == ["p1"]


def test_an_unknown_id_is_a_turn_without_intent() -> None:
    assert SessionTurns("s").begin("p1", "why").turn("p2").intent == ""


def test_the_store_gives_back_what_was_kept_and_forgets_old_turns() -> None:
    turns = SessionTurns("s")
    for number in range(MAX_TURNS + 5):
        turns = turns.begin("", "x" * (MAX_INTENT + 9) + str(number)).add_read("", f"/r{number}")
    assert decode_turns("s", turns.encode()) == turns
    assert len(turns.turns) == MAX_TURNS
    assert len(turns.turns[-1].intent) == MAX_INTENT
    assert turns.turn("").reads == (f"/r{MAX_TURNS + 4}",)
    assert decode_turns("s", None) == SessionTurns("s")
