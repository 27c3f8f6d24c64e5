"""Who asks what, and what is answered: the two ends of everything that may be asked over a wire. Data only."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sulcus_panel.core.access import Caller
from sulcus_panel.service.operations import Operations

Json = Mapping[str, Any]
DRAIN_SECONDS = 3.0
"""How long another one's drain is waited for, before an answer may miss its newest rows."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A status as HTTP has it, and a body; `retry_after` in seconds, 0 for none; `allow`: the route's methods."""

    status: int
    body: Json
    retry_after: int = 0
    allow: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks what."""

    caller: Caller
    words: Any
    """Of the request's own type."""


Run = Callable[[Operations, Asked], Answered]


def run_drained(run: Run, asked: Asked, operations: Operations) -> Answered:
    """Answer from what the hooks have left until now."""
    operations.drain(wait=DRAIN_SECONDS)
    return run(operations, asked)
