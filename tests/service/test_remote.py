"""The verbs over a real connection answer as Operations does, also for names that are no UTF-8."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from sulcus_panel.core.errors import NotFound, StalePlan
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.model import ActorKind, Decision, EntryState, SeqId
from sulcus_panel.core.undo.model import Outcome, UndoRequest
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.file_diffs import DiffView
from sulcus_panel.service.interface import Verbs
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.panel_verbs import NotThePerson, VersionsDiffer
from sulcus_panel.service.remote import RemoteOperations
from sulcus_panel.service.selection import Selection
from tests.support.far_link import a_key, a_link
from tests.support.far_machine import far_machine
from tests.support.ledger_builder import LedgerBuilder

ODD = os.fsdecode(b"src/caf\xe9\xff.txt")


@pytest.fixture
def both(build: LedgerBuilder) -> Iterator[tuple[RemoteOperations, Operations]]:
    build.session()
    build.turn("Make it odd")
    with (
        far_machine(build.home) as (_, port),
        RemoteOperations(a_link(build.home, port), ChangeBus()) as far,
        Operations.open(build.home) as near,
    ):
        yield far, near


def test_every_question_has_the_same_answer_as_on_the_spot(
    build: LedgerBuilder, both: tuple[RemoteOperations, Operations]
) -> None:
    far, near = both
    build.write(ODD, "one\n")
    entry = build.write(ODD, "one\ntwo\n")
    build.write(ODD, "one\ntwo\nthree\n")
    workspace_id = build.workspace.id
    query = LedgerQuery(workspace_id=workspace_id, path_text="caf")
    now = datetime.now(UTC)
    request = UndoRequest((entry.seq_id,))

    def answers(verbs: Verbs) -> tuple[object, ...]:
        return (
            verbs.workspaces(),
            verbs.find(query),
            verbs.find_ids(query),
            verbs.entries((entry.seq_id,)),
            verbs.entry(entry.seq_id),
            verbs.count(query),
            verbs.facets(query),
            verbs.runs(workspace_id),
            verbs.governance(None, limit=3),
            verbs.later(entry.seq_id),
            verbs.readers(entry.seq_id),
            *(verbs.diff(entry.seq_id, view) for view in DiffView),
            verbs.settings(workspace_id),
            verbs.store_size(),
            verbs.hook_health(now, workspace_id),
            verbs.plan(request),
            verbs.plan_selection(workspace_id, Selection(last_n=2)),
            verbs.refresh_drift(workspace_id),
            verbs.holds.find(workspace_id),
        )

    assert answers(far) == answers(near)
    assert far.entry(entry.seq_id).record.target_path == ODD


def test_an_undo_over_the_link_is_an_undo_there_and_a_redo_takes_it_back(
    build: LedgerBuilder, both: tuple[RemoteOperations, Operations]
) -> None:
    far, near = both
    build.write(ODD, "one\n")
    entry = build.write(ODD, "two\n")
    result = far.apply(far.plan(UndoRequest((entry.seq_id,))))
    assert result.outcome is Outcome.UNDONE
    assert (build.root / ODD).read_text() == "one\n"
    assert near.entry(entry.seq_id).state is EntryState.UNDONE
    assert far.apply(far.plan_redo((entry.seq_id,))).outcome is Outcome.UNDONE
    assert (build.root / ODD).read_text() == "two\n"


def test_errors_there_are_the_same_errors_here(
    build: LedgerBuilder, both: tuple[RemoteOperations, Operations]
) -> None:
    far, _ = both
    with pytest.raises(NotFound):
        far.entry(SeqId(99))
    entry = build.write("a", "2\n")
    plan = far.plan(UndoRequest((entry.seq_id,)))
    (build.root / "a").write_text("2\n3\n")
    with pytest.raises(StalePlan):
        far.apply(plan)
    assert (build.root / "a").read_text() == "2\n3\n"


def test_a_no_and_a_later_are_noted_there(
    build: LedgerBuilder, both: tuple[RemoteOperations, Operations]
) -> None:
    far, near = both
    entry = build.write("a", "1\n")
    far.decline(far.plan(UndoRequest((entry.seq_id,))), Decision.DEFER)
    assert near.entry(entry.seq_id).state is EntryState.DEFERRED


def test_many_entries_are_asked_for_in_parts(
    build: LedgerBuilder, both: tuple[RemoteOperations, Operations]
) -> None:
    far, near = both
    ids = tuple(build.write("a", f"{number}\n").seq_id for number in range(520))
    assert far.entries(ids) == near.entries(ids)


def test_what_was_written_is_told_on_the_bus(build: LedgerBuilder) -> None:
    told: list[Changes] = []
    bus = ChangeBus()
    bus.subscribe(told.append)
    with far_machine(build.home) as (_, port), RemoteOperations(a_link(build.home, port), bus) as far:
        far.set_setting(build.workspace.id, "max_entries", 77)
        assert far.settings(build.workspace.id).max_entries == 77
    assert [changes.workspace_id for changes in told] == [build.workspace.id]


def test_a_token_that_is_not_a_persons_is_told_so(build: LedgerBuilder) -> None:
    with far_machine(build.home) as (_, port):
        link = a_link(build.home, port)
        link.key = a_key(build.home, ActorKind.AGENT)
        with RemoteOperations(link, ChangeBus()) as far, pytest.raises(NotThePerson):
            far.greet()


def test_another_version_there_is_said_in_a_sentence(
    build: LedgerBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with far_machine(build.home) as (_, port), RemoteOperations(a_link(build.home, port), ChangeBus()) as far:
        monkeypatch.setattr("sulcus_panel.service.remote.forms", lambda: "another")
        with pytest.raises(VersionsDiffer) as differ:
            far.greet()
    assert "do not understand each other" in differ.value.title
    assert differ.value.hint == "Install the same version on both."
