"""Settings are changed together or not at all, and governance tells who did it."""

import pytest

from sulcus_panel.core.errors import BadRequest
from sulcus_panel.core.model import Actor, ActorKind
from sulcus_panel.service.configuring import configure, configure_named
from sulcus_panel.service.operations import Operations
from tests.support.ledger_builder import LedgerBuilder

ADMIN = Actor("admin", ActorKind.AGENT)


def test_what_is_named_is_set_together_and_told_by_name(operations: Operations, build: LedgerBuilder) -> None:
    values = {"max_entries": 500, "enabled": False}
    settings = configure(operations.ledger, operations.bus, ADMIN, build.workspace.id, values)
    assert (settings.max_entries, settings.enabled) == (500, False)
    told = operations.governance(build.workspace.id, kind_prefix="config.")
    assert [(record.actor, record.summary) for record in told] == [
        (ADMIN, "enabled = False"),
        (ADMIN, "max_entries = 500"),
    ]


def test_one_value_out_of_range_leaves_all_as_they_were_and_makes_nothing(
    operations: Operations, build: LedgerBuilder
) -> None:
    before = operations.settings(build.workspace.id)
    with pytest.raises(BadRequest, match="from 50 to 50000"):
        configure(
            operations.ledger, operations.bus, ADMIN, build.workspace.id, {"enabled": False, "max_entries": 9}
        )
    with pytest.raises(BadRequest, match="from 50 to 50000"):
        configure_named(operations.ledger, operations.bus, ADMIN, "new", {"max_entries": 9})
    assert operations.ledger.workspace_named("new") is None
    assert operations.settings(build.workspace.id) == before
    assert operations.governance(build.workspace.id, kind_prefix="config.") == ()
