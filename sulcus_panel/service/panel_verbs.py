"""The verbs as they travel, read from the interface itself; a number over all their types tells versions apart.

A plan does not travel back: whoever says yes names what was asked and the digest of what was shown, and the
ledger's own side plans it again. So nothing is written from what came over a link.
"""

import dataclasses
import hashlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, Protocol, get_args, get_type_hints

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.model import Decision, Workspace
from sulcus_panel.core.undo.model import UndoRequest, UndoResult
from sulcus_panel.service.interface import HoldVerbs, MarkVerbs, TokenVerbs, TriggerVerbs, Verbs
from sulcus_panel.service.panel_codec import Ids

PANEL = "/api/v1/panel"
PROOF = f"{PANEL}/proof"
EVENTS = "/api/v1/agent/events"
CHANGES = frozenset(
    {
        "apply",
        "decline",
        "set_setting",
        "holds.reject",
        "triggers.add",
        "triggers.change",
        "triggers.switch",
        "triggers.drop",
        "tokens.make",
        "tokens.revoke",
        "marks.pin",
        "marks.label",
        "marks.looked",
    }
)
"""Of these it matters whether they were carried out, where the answer is lost."""
WRITES = CHANGES | {"settle", "drain", "refresh_drift"}
"""What is done by the one thread that writes."""
AT_HAND = frozenset(
    {"close", "holds", "triggers", "tokens", "marks", "notices", "read_only", "apply", "decline"}
)
"""Of the interface: what is no question, or travels in another form."""


class VersionsDiffer(SulcusError):
    """The window and the ledger's machine run programs that do not understand each other."""

    code = "versions_differ"


class NotThePerson(SulcusError):
    """A token of somebody else asks for the person's own window."""

    code = "person_only"


@dataclass(frozen=True, slots=True)
class Greeting:
    """Who answers: its version, the number of its types, and what a window shows first."""

    version: str
    forms: str
    machine: str
    workspaces: tuple[Workspace, ...]
    notices: tuple[str, ...]
    read_only: bool


@dataclass(frozen=True, slots=True)
class ShownPlan:
    """A plan that a person has seen."""

    request: UndoRequest
    digest: str


class OnTheWire(Protocol):
    """The verbs that have another form there."""

    def apply(self, shown: ShownPlan, consents: tuple[str, ...], ticket: str) -> UndoResult:
        """Carry out this very plan, once for this ticket."""
        ...

    def settle(self, ticket: str) -> UndoResult | None:
        """What came of a ticket; None where nothing did by this server, and nothing will."""
        ...

    def decline(self, shown: ShownPlan, decision: Decision) -> None:
        """Say no, or later."""
        ...


@dataclass(frozen=True, slots=True)
class Signature:
    """What a verb takes, by name, and what it gives."""

    parameters: Mapping[str, Any]
    required: frozenset[str]
    result: Any

    @classmethod
    def of(cls, verb: Callable[..., object]) -> "Signature":
        """Read it from the hints."""
        hints = get_type_hints(verb, localns={"array": Ids})
        result = hints.pop("return")
        told = inspect.signature(verb).parameters
        required = frozenset(name for name in hints if told[name].default is inspect.Parameter.empty)
        return cls(hints, required, result)


PREFIXES: Mapping[type, str] = {
    Verbs: "",
    HoldVerbs: "holds.",
    TriggerVerbs: "triggers.",
    TokenVerbs: "tokens.",
    MarkVerbs: "marks.",
    OnTheWire: "",
}


@cache
def signatures() -> Mapping[str, Signature]:
    """Every verb that may be asked for by its name on the wire, but for `greet`."""
    found: dict[str, Signature] = {}
    for group, prefix in PREFIXES.items():
        for name, verb in vars(group).items():
            if callable(verb) and name[0] != "_" and (group is OnTheWire or name not in AT_HAND):
                found[prefix + name] = Signature.of(verb)
    return found


@cache
def forms() -> str:
    """A number over the shapes of all that travels: two programs that have the same one understand each other."""
    seen: dict[str, str] = {}
    for name, signature in sorted(signatures().items()):
        kinds = (*signature.parameters.items(), ("return", signature.result))
        seen[name] = "; ".join(f"{key}: {_named(kind)}" for key, kind in kinds)
        for _, kind in kinds:
            _look_into(kind, seen)
    text = "\n".join(f"{name} = {shape}" for name, shape in sorted(seen.items()))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _named(kind: Any) -> str:
    arguments = get_args(kind)
    name = getattr(kind, "__name__", str(kind))
    return f"{name}[{', '.join(map(_named, arguments))}]" if arguments else name


def _look_into(kind: Any, seen: dict[str, str]) -> None:
    for argument in get_args(kind):
        _look_into(argument, seen)
    if not isinstance(kind, type) or kind.__name__ in seen:
        return
    if issubclass(kind, Enum):
        seen[kind.__name__] = ", ".join(str(one.value) for one in kind)
    elif dataclasses.is_dataclass(kind):
        hints = get_type_hints(kind)
        fields = [(one.name, hints[one.name]) for one in dataclasses.fields(kind)]
        seen[kind.__name__] = "; ".join(f"{name}: {_named(each)}" for name, each in fields)
        for _, each in fields:
            _look_into(each, seen)
