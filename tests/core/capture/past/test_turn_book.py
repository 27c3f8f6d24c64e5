from datetime import UTC, datetime, timedelta

from sulcus_panel.core.capture.past.records import Prompt, Stamp
from sulcus_panel.core.capture.past.turn_book import TurnBook

START = datetime(2026, 5, 4, tzinfo=UTC)


def stamp(second: int, prompt_id: str = "", *, agent: str = "", session: str = "s") -> Stamp:
    return Stamp(START + timedelta(seconds=second), second, session, agent, "/w", prompt_id)


def test_turns_are_counted_from_one_where_the_harness_gives_no_id() -> None:
    book = TurnBook([Prompt(stamp(1), "first", 1), Prompt(stamp(5), "second", 2)])
    turns = [book.turn(stamp(second)) for second in (2, 6)]
    assert [(turn.turn_id, turn.intent) for turn in turns] == [("s#1", "first"), ("s#2", "second")]


def test_the_harness_id_names_the_turn_and_the_latest_prompt_with_it_is_the_intent() -> None:
    book = TurnBook([Prompt(stamp(1, "p"), "first", 1), Prompt(stamp(5, "p"), "/command", 2)])
    assert (book.turn(stamp(2, "p")).turn_id, book.turn(stamp(2, "p")).intent) == ("p", "first")
    assert book.turn(stamp(6, "p")).intent == "/command"


def test_a_subagent_works_in_the_turn_of_the_person() -> None:
    prompts = [Prompt(stamp(1), "do it", 1), Prompt(stamp(2, agent="a"), "look for it", 1)]
    assert TurnBook(prompts).turn(stamp(3, agent="a")).intent == "do it"
    alone = TurnBook(prompts[1:]).turn(stamp(3, agent="a"))
    assert (alone.turn_id, alone.intent) == ("a#1", "look for it")


def test_what_the_harness_says_itself_is_no_new_intent() -> None:
    book = TurnBook([Prompt(stamp(1), "do it", 1), Prompt(stamp(4, "n"), "", 2)])
    turn = book.turn(stamp(5, "n"))
    assert (turn.turn_id, turn.intent) == ("n", "do it")


def test_before_any_prompt_the_turn_has_no_intent() -> None:
    turn = TurnBook([]).turn(stamp(1))
    assert (turn.turn_id, turn.intent) == ("s#0", "")
