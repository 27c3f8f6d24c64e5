"""What a command did beside files, and what becomes of it, as JSON: the same for terminal, HTTP and MCP."""

from typing import Any

from sulcus_panel.core.safety import escaped
from sulcus_panel.core.undo.model import EffectPlan, EntryResult, Strategy

Json = dict[str, Any]


def effect_json(effect: EffectPlan | None, result: EntryResult | None = None) -> Json:
    """The key `effects` with one item, of a plan or of what came of it, and the strategy where it goes back.

    Nothing where there is nothing to say.

    `commands` show what the undo does, each word apart; it is not done by running them.
    """
    if effect is None:
        return {}
    ran = effect.delta is not None and result is not None
    body: Json = {
        "happened": escaped(effect.happened),
        "undo": escaped(effect.undo),
        "outcome": result.outcome if ran and result is not None else effect.outcome,
        "reason": escaped(result.reason if ran and result is not None else effect.reason),
        "commands": [[escaped(word) for word in words] for words in effect.commands],
    }
    strategy = {} if effect.delta is None else {"strategy": Strategy.COMPENSATING_CLI}
    return {**strategy, "effects": [body]}
