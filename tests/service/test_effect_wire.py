"""Effects as JSON: in a plan what would be, in a result what came of it; absent where there is nothing to say."""

from sulcus_panel.core.model import GitDelta, GitState, SeqId
from sulcus_panel.core.undo.model import EffectPlan, EntryResult, Outcome, Strategy
from sulcus_panel.service.effect_wire import effect_json

STATE = GitState("a" * 40, "main", {})
EFFECT = EffectPlan(
    SeqId(1), "was", "will", Outcome.UNDONE, "", (("git", "tag"),), "/w/.git", GitDelta(STATE, STATE)
)


def test_nothing_is_said_where_nothing_is_known() -> None:
    assert effect_json(None) == {}


def test_a_plan_tells_what_happened_what_would_be_and_words_one_by_one() -> None:
    assert effect_json(EFFECT) == {
        "strategy": "compensating_cli",
        "effects": [
            {
                "happened": "was",
                "undo": "will",
                "outcome": "undone",
                "reason": "",
                "commands": [["git", "tag"]],
            }
        ],
    }


def test_a_result_tells_what_came_of_what_was_tried_and_leaves_the_rest_as_planned() -> None:
    failed = EntryResult(SeqId(1), Outcome.FAILED, Strategy.COMPENSATING_CLI, (), (), "locked")
    (told,) = effect_json(EFFECT, failed)["effects"]
    assert (told["outcome"], told["reason"]) == ("failed", "locked")
    stays = EffectPlan(SeqId(1), "was", "nothing", Outcome.NOT_TRIED, "alone")
    (told,) = effect_json(stays, EntryResult(SeqId(1), Outcome.UNDONE, None, ()))["effects"]
    assert (told["outcome"], told["reason"]) == ("not_tried", "alone")
