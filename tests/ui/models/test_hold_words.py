"""What waits for the person is said in words that need no terminal, whoever asks."""

from datetime import UTC, datetime

import pytest

from sulcus_panel.core.holds import Hold, HoldRequest, HoldState
from sulcus_panel.core.model import PERSON, Actor, ActorKind, Namespace, SeqId
from sulcus_panel.ui.models.hold_words import question, reason

AT = datetime(2026, 11, 30, 14, 3, tzinfo=UTC)


def hold(actor: Actor, *seq_ids: int, hunks: tuple[int, ...] | None = None, redo: bool = False) -> Hold:
    request = HoldRequest(tuple(SeqId(seq_id) for seq_id in seq_ids), hunks, redo)
    return Hold(1, AT, 1, Namespace("work"), actor, request, "#842 is the work of codex", HoldState.WAITING)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (hold(Actor("codex", ActorKind.AGENT), 842), "codex asks to undo #842"),
        (hold(Actor("codex", ActorKind.AGENT), 1, 2), "codex asks to undo #1 and #2"),
        (hold(Actor("a", ActorKind.AGENT), *range(1, 9)), "a asks to undo #1, #2 and 6 more"),
        (hold(Actor("a", ActorKind.AGENT), 3, hunks=(0, 2)), "a asks to undo 2 parts of #3"),
        (hold(Actor("a", ActorKind.AGENT), 3, redo=True), "a asks to bring back what was undone: #3"),
        (hold(Actor(" ", ActorKind.AGENT), 3), "Somebody without a name asks to undo #3"),
        (hold(PERSON, 3), "Somebody with your own key asks to undo #3"),
    ],
)
def test_who_asks_for_what_is_one_sentence(asked: Hold, words: str) -> None:
    assert question(asked) == words
    assert reason(asked) == "It waits for you because #842 is the work of codex."


def test_a_hostile_name_is_plain() -> None:
    asked = question(hold(Actor("<b>x\u202e\n" + "y" * 500, ActorKind.AGENT), 1))
    assert asked.isprintable()
    assert len(asked) < 120
