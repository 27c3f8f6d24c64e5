"""Agents that ask for undos from outside the window, each through operations of its own."""

from sulcus_panel.core.access import ALL_SCOPES, Caller
from sulcus_panel.core.holds import Hold
from sulcus_panel.core.model import Actor, ActorKind, SeqId
from sulcus_panel.service.asking import Ask
from sulcus_panel.service.operations import Operations, Selection
from tests.support.ledger_builder import LedgerBuilder


def ask_for(
    build: LedgerBuilder, *seq_ids: SeqId, name: str = "codex", hunks: tuple[int, ...] | None = None
) -> Hold:
    """Have an agent ask to take these back; the person is to decide."""
    caller = Caller(Actor(name, ActorKind.AGENT), ALL_SCOPES)
    with Operations.open(build.home) as operations:
        answer = operations.asking.ask(caller, build.workspace.id, Ask(Selection(seq_ids), hunks))
    assert answer.hold is not None
    return answer.hold
