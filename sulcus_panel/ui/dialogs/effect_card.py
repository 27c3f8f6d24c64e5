"""What a command did beside files, what the undo does about it, and git's words for that, one word apart."""

from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.model import EffectPlan, Outcome
from sulcus_panel.ui.dialogs.hunk_card import Card
from sulcus_panel.ui.dialogs.outcome_words import outcome_status
from sulcus_panel.ui.dialogs.plain_label import PlainLabel
from sulcus_panel.ui.dialogs.status import Mood, Status

GAP = "   "
"""Between two words of a command, so that a blank within one cannot be taken for it."""


class EffectCard(Card):
    """Left what happened, right what the undo does; below it the words that show it."""

    def __init__(self, effect: EffectPlan) -> None:
        super().__init__("effect_card")
        status = effect_status(effect)
        right = PlainLabel(status.text, tone=status.mood, wrap=True)
        self.set_head(PlainLabel(effect.happened, name="card_title", wrap=True), right)
        for words in effect.commands:
            shown = GAP.join(plain(word) for word in words)
            self.body.addWidget(PlainLabel(shown, name="result_hashes", wrap=True, selectable=True))


def effect_status(effect: EffectPlan) -> Status:
    """Say what becomes of it, or why it stays."""
    if effect.outcome is Outcome.UNDONE:
        return Status(plain(effect.undo, 600), Mood.GOOD)
    if effect.outcome is Outcome.NOT_TRIED:
        return Status(plain(effect.reason, 400), Mood.QUIET)
    return outcome_status(effect.outcome, effect.reason)
