"""Do the hooks of each harness fire: when each did last, what was found that none told of, and what to do.

The one source for the window, the terminal and whoever asks later: sentences included.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from sulcus_panel.core.capture.fired import last_fired
from sulcus_panel.core.capture.silence import Silence, standing_silences
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.local_time import local_time
from sulcus_panel.core.names import HARNESS_NAMES
from sulcus_panel.service.hooks import HARNESSES, Hooks, HooksStatus, found_here

ANEW = "They are installed, but a run that was under way does not read them: start {name} anew."
INSTALL = "Run “sulcus-panel hooks install {harness}” in a terminal, then start {name} anew."


class HasLedger(Protocol):
    """Who can be asked what the ledger knows; Operations can, and asks here itself."""

    @property
    def ledger(self) -> Ledger:
        """The ledger."""
        ...


@dataclass(frozen=True, slots=True)
class HooksHeard:
    """When each harness's hooks fired last, and which sessions were silent and still are."""

    fired: Mapping[str, datetime]
    silent: tuple[Silence, ...] = ()


@dataclass(frozen=True, slots=True)
class HookHealth:
    """One harness. `fired` is None where none has in the last 30 days: older times are let go of."""

    harness: str
    status: HooksStatus
    fired: datetime | None = None
    missed: int = 0
    """Calls that only its transcript told of, as long as the hooks are not heard again."""
    since: datetime | None = None
    """The last hook before these; None where none had fired, or where others did meanwhile."""

    @property
    def name(self) -> str:
        """The product's name."""
        return HARNESS_NAMES.get(self.harness, self.harness)

    def warning(self, now: datetime) -> str:
        """What was found that no hook told of; empty where there is nothing to warn of."""
        if not self.missed:
            return ""
        those = "1 change was" if self.missed == 1 else f"{self.missed:,} changes were"
        since = f" since {_clock_time(self.since, now)}" if self.since is not None else ""
        return f"{those} found in its transcript that no hook reported{since}, and recorded from it."

    @property
    def advice(self) -> str:
        """What brings silent hooks back."""
        status = self.status
        if status.problem:
            return ". ".join((status.problem, *status.notes))
        if status.current or status.elsewhere:
            return " ".join((ANEW.format(name=self.name), *status.notes))
        return INSTALL.format(harness=self.harness, name=self.name)


def hooks_heard(operations: HasLedger, now: datetime, workspace_id: int | None = None) -> HooksHeard:
    """What the ledger knows of it; the silences of one workspace, or of all."""
    fired = last_fired(operations.ledger)
    standing = standing_silences(operations.ledger, fired, now)
    silent = tuple(one for one in standing if workspace_id in (None, one.workspace_id))
    return HooksHeard(fired, silent)


def hook_health(home: DataHome, heard: HooksHeard) -> tuple[HookHealth, ...]:
    """Every harness that is used here, has our hooks, or whose hooks fired or fell silent."""
    found = found_here()
    states = {harness: Hooks(home, harness).status() for harness in HARNESSES}
    silent = {one.harness for one in heard.silent}
    return tuple(
        _health(harness, state, heard)
        for harness, state in states.items()
        if harness in found or state.installed or state.problem or harness in heard.fired or harness in silent
    )


def _health(harness: str, state: HooksStatus, heard: HooksHeard) -> HookHealth:
    own = [one for one in heard.silent if one.harness == harness]
    known = [one.heard for one in own if one.heard is not None]
    since = min(known) if len(known) == len(own) and known else None
    return HookHealth(harness, state, heard.fired.get(harness), sum(one.calls for one in own), since)


def _clock_time(at: datetime, now: datetime) -> str:
    local, today = local_time(at), now.astimezone()
    return f"{local:%H:%M}" if local.date() == today.date() else f"{local:%Y-%m-%d %H:%M}"
