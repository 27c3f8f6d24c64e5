"""The attached window's questions, answered by the ledger's own Operations: a table of verbs, nothing else.

Only for a person's token of scope admin: whoever comes here acts as the person. The door that lets them in checks
the token; `answer` checks that it is a person's.
"""

import platform
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any

import msgspec

from sulcus_panel import __version__
from sulcus_panel.core.access import Caller
from sulcus_panel.core.errors import BadRequest, NotFound
from sulcus_panel.core.model import Decision
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.model import UndoPlan, UndoResult
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.panel_codec import packed, unpacked
from sulcus_panel.service.panel_verbs import (
    Greeting,
    NotThePerson,
    ShownPlan,
    Signature,
    VersionsDiffer,
    forms,
    signatures,
)

MOST_TICKETS = 1_000


@dataclass(slots=True)
class Tickets:
    """What came of each yes, for whoever did not hear it. One that was asked for is not carried out later."""

    _known: OrderedDict[str, UndoResult | None] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def begin(self, ticket: str) -> UndoResult | None:
        """Take a ticket; what it came to where it was carried out before. Raises BadRequest: it is void."""
        with self._lock:
            if ticket not in self._known:
                return None
            done = self._known[ticket]
        if done is None:
            raise BadRequest("This undo was asked about before it came", "It was not carried out.")
        return done

    def end(self, ticket: str, result: UndoResult | None) -> None:
        """Note what it came to; None: it is void."""
        with self._lock:
            self._known[ticket] = result
            while len(self._known) > MOST_TICKETS:
                self._known.popitem(last=False)

    def settle(self, ticket: str) -> UndoResult | None:
        """Say what it came to, and make one that has not come void. Call it where applies are carried out."""
        with self._lock:
            return self._known.setdefault(ticket, None)


TICKETS = Tickets()
"""Of this process."""


def answer(operations: Operations, caller: Caller, verb: str, sent: Mapping[str, Any]) -> dict[str, Any]:
    """Carry out one verb; `sent` has `forms` and `arguments`. Raises SulcusError."""
    if not caller.is_person:
        raise NotThePerson(
            "A window is attached with a person's token",
            f"This one is {caller.actor.name}'s.",
            "On that machine: sulcus-panel token create --actor NAME --kind person --scope admin,read",
        )
    if verb == "greet":
        return {"value": packed(_greeting(operations))}
    if sent.get("forms") != forms():
        raise VersionsDiffer("The two programs do not understand each other", f"Here it is {__version__}.")
    signature = signatures().get(verb)
    if signature is None:
        raise NotFound("There is no such verb", verb[:80])
    arguments = _arguments(signature, sent.get("arguments"))
    special = _SPECIAL.get(verb)
    if special is not None:
        return {"value": packed(special(operations, **arguments))}
    group, _, name = verb.rpartition(".")
    doing: Callable[..., Any] = getattr(getattr(operations, group) if group else operations, name)
    return {"value": packed(doing(**arguments))}


def _arguments(signature: Signature, sent: object) -> dict[str, Any]:
    kinds = signature.parameters
    if not isinstance(sent, dict):
        raise BadRequest("The arguments are no object", field="arguments")
    for what, names in (("Unknown", set(sent) - set(kinds)), ("Missing", signature.required - set(sent))):
        if names:
            raise BadRequest(f"{what}: {', '.join(sorted(names))[:200]}", field=min(names))
    try:
        return {name: unpacked(kinds[name], value) for name, value in sent.items()}
    except (msgspec.ValidationError, ValueError) as error:
        raise BadRequest("The arguments do not fit", str(error)[:400], field="arguments") from error


def _greeting(operations: Operations) -> Greeting:
    return Greeting(
        __version__,
        forms(),
        plain(platform.node(), 60) or "the other machine",
        operations.workspaces(),
        operations.notices,
        operations.read_only,
    )


def _as_shown(operations: Operations, shown: ShownPlan) -> UndoPlan:
    """Return the plan of now under the digest of the one shown: where they differ, an apply finds it stale."""
    return replace(operations.plan(shown.request), digest=shown.digest)


def _apply(operations: Operations, shown: ShownPlan, consents: tuple[str, ...], ticket: str) -> UndoResult:
    known = TICKETS.begin(ticket)
    if known is not None:
        return known
    result = operations.apply(_as_shown(operations, shown), consents)
    TICKETS.end(ticket, result)
    return result


def _decline(operations: Operations, shown: ShownPlan, decision: Decision) -> None:
    operations.decline(_as_shown(operations, shown), decision)


def _settle(_operations: Operations, ticket: str) -> UndoResult | None:
    return TICKETS.settle(ticket)


_SPECIAL: Mapping[str, Callable[..., Any]] = {"apply": _apply, "decline": _decline, "settle": _settle}
