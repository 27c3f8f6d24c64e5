"""Expected errors of another machine, raised here as what they were there."""

from collections.abc import Mapping
from typing import Any

from sulcus_panel import __version__
from sulcus_panel.core import errors
from sulcus_panel.core.errors import BadRequest, SulcusError
from sulcus_panel.service.panel_verbs import NotThePerson, VersionsDiffer

_KINDS: Mapping[str, type[SulcusError]] = {
    kind.code: kind
    for kind in (*vars(errors).values(), VersionsDiffer, NotThePerson)
    if isinstance(kind, type) and issubclass(kind, SulcusError)
}


class NotLetIn(SulcusError):
    """The other machine lets this window not in."""

    code = "not_let_in"


def far_error(status: int, found: Mapping[str, Any], machine: str) -> SulcusError:
    """Return what to raise for an answer that is an error."""
    code, title, detail, hint, field = (
        str(found.get(name, "")) for name in ("error", "title", "detail", "hint", "field")
    )
    if code == VersionsDiffer.code:
        return _other_version(machine, detail)
    if code in _KINDS:
        kind = _KINDS[code]
        if issubclass(kind, BadRequest):
            return kind(title, detail, hint, field=field)
        return kind(title, detail, hint)
    return _not_answered(status, title, machine) or SulcusError(title or f"{machine} failed", detail, hint)


def _other_version(machine: str, detail: str) -> SulcusError:
    return VersionsDiffer(
        f"This window and {machine} do not understand each other",
        f"Sulcus Panel is {__version__} here. {detail}",
        "Install the same version on both.",
    )


def _not_answered(status: int, title: str, machine: str) -> SulcusError | None:
    """What came from the door and not from the verb."""
    if status in {401, 403}:
        return NotLetIn(
            f"{machine} does not let this window in",
            title,
            "There: sulcus-panel token create --actor NAME --kind person --scope admin,read",
        )
    if status == 421:
        return NotLetIn(
            f"{machine} was asked by a name that is not its own",
            "The tunnel has another port at its near end than the server has.",
            "Give both ends the same port: ssh -N -L PORT:127.0.0.1:PORT MACHINE",
        )
    if status == 404 or not title:
        return VersionsDiffer(
            f"{machine} has no ledger to attach to",
            "What answers there is another program, or an older Sulcus Panel.",
            "Install the same version on both, and run `sulcus-panel serve` there.",
        )
    return None
