"""Changing settings of a workspace: all of them or none, and what was changed stands on governance."""

from collections.abc import Mapping

from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Actor, Settings, Workspace
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.hook_rules import tell_hooks

Values = Mapping[str, str | int | bool]


def configure(ledger: Ledger, bus: ChangeBus, actor: Actor, workspace_id: int, values: Values) -> Settings:
    """Set these values; the settings then in force. Raises BadRequest naming field and range: nothing changed."""
    with ledger.write():
        settings = _set(ledger, actor, workspace_id, values)
    _tell(ledger, bus, workspace_id)
    return settings


def configure_named(
    ledger: Ledger, bus: ChangeBus, actor: Actor, namespace: str, values: Values
) -> tuple[Workspace, Settings]:
    """Do the same for the workspace of this name, which is made where there is none."""
    with ledger.write():
        workspace = ledger.add_workspace(None, namespace, actor=actor)
        settings = _set(ledger, actor, workspace.id, values)
    _tell(ledger, bus, workspace.id)
    return workspace, settings


def _set(ledger: Ledger, actor: Actor, workspace_id: int, values: Values) -> Settings:
    for key, value in values.items():
        ledger.set_setting(workspace_id, key, value)
        ledger.record_governance(workspace_id, actor, "config.set", f"{key} = {value}")
    if values:
        ledger.prune()
    settings = ledger.settings(workspace_id)
    if "tell_agents" in values and not settings.tell_agents:
        from sulcus_panel.core.capture.notices import withdraw_all  # here, for few ever switch it

        withdraw_all(ledger, workspace_id)
    return settings


def _tell(ledger: Ledger, bus: ChangeBus, workspace_id: int) -> None:
    """Say it once it is committed: the hooks' file would else tell of settings that never came to be."""
    tell_hooks(ledger, ledger.home)
    bus.publish(Changes(workspace_id=workspace_id, touched=None, settings=True, governance=True))
