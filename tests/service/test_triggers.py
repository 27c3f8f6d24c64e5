"""Rules over a real ledger: what they see, what they do, and that each event is seen once."""

from dataclasses import replace

import pytest

from sulcus_panel.core.access import ALL_SCOPES, Caller
from sulcus_panel.core.errors import BadRequest, NotFound
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import DriftKind, LedgerPath, SeqId
from sulcus_panel.core.triggers import Rule, TriggerAction, TriggerFilter
from sulcus_panel.core.undo.model import Outcome, UndoRequest
from sulcus_panel.service.asking import Ask
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.operations import Operations, Selection
from sulcus_panel.service.wire import entry_json
from tests.support.ledger_builder import CLAUDE, LedgerBuilder

WRITES = Rule("Watch", "entry.recorded", TriggerAction.NOTIFY, TriggerFilter(path="*.txt"))


def test_a_rule_sees_what_happens_from_then_on_and_each_event_once(
    operations: Operations, build: LedgerBuilder
) -> None:
    heard: list[Changes] = []
    operations.bus.subscribe(heard.append)
    build.write("before.txt", "1\n")
    made = operations.triggers.add(build.workspace.id, WRITES)
    build.write("a.txt", "1\n")
    build.write("a.md", "1\n")
    assert operations.triggers.run() == 1
    assert operations.triggers.run() == 0
    with Operations.open(build.home, clock=build.clock) as other:
        assert other.triggers.run() == 0
    [fired] = operations.triggers.firings(made.id)
    assert fired.told == "entry.recorded #2 a.txt"
    assert [change.notice for change in heard if change.notice] == ["Watch: entry.recorded #2 a.txt"]


def test_without_rules_nothing_is_written_and_the_first_one_sees_only_what_comes(
    operations: Operations, build: LedgerBuilder
) -> None:
    made = operations.triggers.add(None, WRITES)
    operations.triggers.drop(made.id)
    build.write("a.txt", "1\n")
    with Operations.open(build.home, clock=build.clock) as other:
        version = other.ledger.data_version()
        assert operations.triggers.run() == 0
        assert other.ledger.data_version() == version
    operations.triggers.add(None, WRITES)
    assert operations.triggers.run() == 0
    build.write("b.txt", "1\n")
    assert operations.triggers.run() == 1


def test_a_rule_of_one_workspace_does_not_see_another(operations: Operations, build: LedgerBuilder) -> None:
    elsewhere = operations.ledger.add_workspace(None, "elsewhere")
    operations.triggers.add(elsewhere.id, WRITES)
    operations.triggers.add(None, WRITES)
    build.write("a.txt", "1\n")
    assert operations.triggers.run() == 1


def test_rests_and_most_fires_hold_within_one_look(operations: Operations, build: LedgerBuilder) -> None:
    operations.triggers.add(None, replace(WRITES, max_fires=2))
    operations.triggers.add(None, replace(WRITES, cooldown_seconds=3600))
    for number in range(4):
        build.write(f"{number}.txt", "1\n")
    assert operations.triggers.run() == 3


def test_a_pinned_entry_outlives_the_ring_and_a_label_shows(
    operations: Operations, build: LedgerBuilder
) -> None:
    operations.triggers.add(None, Rule("Keep", "entry.recorded", TriggerAction.PIN, TriggerFilter(path="k*")))
    operations.triggers.add(
        None, Rule("Name", "entry.recorded", TriggerAction.LABEL, TriggerFilter(path="k*"), label="db")
    )
    kept = build.write("keep.txt", "1\n").seq_id
    operations.triggers.run()
    operations.set_setting(build.workspace.id, "max_entries", 50)
    for number in range(130):
        build.write("a.txt", f"{number}\n")
    body = entry_json(operations.entry(kept))
    assert (body["pinned"], body["labels"]) == (True, ["db"])
    with pytest.raises(NotFound):
        operations.entry(SeqId(kept + 1))


def test_a_hold_asks_the_person_to_look_and_lets_no_agent_undo(
    operations: Operations, build: LedgerBuilder
) -> None:
    build.outside("a.txt", "one\ntwo\n")
    operations.triggers.add(None, Rule("Look!", "drift.detected", TriggerAction.HOLD))
    seq_id = build.write("a.txt", "one\n2\n").seq_id
    operations.ledger.set_drift(build.workspace.id, {LedgerPath("a.txt"): DriftKind.CHANGED})
    assert operations.triggers.run() == 1
    caller = Caller(CLAUDE, ALL_SCOPES)
    answer = operations.asking.ask(caller, build.workspace.id, Ask(Selection((seq_id,))))
    assert answer.outcome is Outcome.HELD
    assert answer.hold is not None
    assert "Look!" in answer.hold.reason
    plan = operations.plan(UndoRequest((seq_id,)))
    assert "look_first" in [warning.code for warning in plan.warnings]
    assert operations.apply(plan).outcome is Outcome.UNDONE


def test_what_a_rule_would_have_done_is_found_in_what_happened(
    operations: Operations, build: LedgerBuilder
) -> None:
    for number in range(4):
        build.write(f"{number}.txt", "1\n")
    found = operations.triggers.dry_run(None, replace(WRITES, max_fires=3))
    assert [event.body["seq_id"] for event in found] == [3, 2, 1]
    assert operations.triggers.all() == ()


def test_a_rule_moves_to_another_workspace_to_all_and_stays_where_nothing_is_said(
    operations: Operations, build: LedgerBuilder
) -> None:
    other = operations.ledger.add_workspace(None, "other")
    made = operations.triggers.add(other.id, WRITES)
    build.write("a.txt", "1\n")
    assert operations.triggers.run() == 0
    moved = operations.triggers.change(made.id, WRITES, moves=True, workspace_id=build.workspace.id)
    assert (moved.workspace_id, moved.namespace) == (build.workspace.id, build.workspace.namespace)
    build.write("b.txt", "1\n")
    assert operations.triggers.run() == 1
    assert operations.triggers.switch(made.id, enabled=True).workspace_id == build.workspace.id
    with pytest.raises(NotFound, match="no such workspace"):
        operations.triggers.change(made.id, replace(WRITES, name="Lost"), moves=True, workspace_id=99)
    assert operations.triggers.get(made.id).rule == WRITES
    everywhere = operations.triggers.change(made.id, WRITES, moves=True)
    assert (everywhere.workspace_id, everywhere.fires) == (None, 1)
    kinds = [one.kind for one in operations.governance(None, kind_prefix="trigger.")]
    assert kinds == ["trigger.changed"] * 3 + ["trigger.made"]


def test_a_rule_is_changed_switched_off_and_dropped_on_governance(
    operations: Operations, build: LedgerBuilder
) -> None:
    made = operations.triggers.add(None, WRITES)
    operations.triggers.switch(made.id, enabled=False)
    build.write("a.txt", "1\n")
    assert operations.triggers.run() == 0
    operations.triggers.drop(made.id)
    kinds = [one.kind for one in operations.governance(None, kind_prefix="trigger.")]
    assert kinds == ["trigger.dropped", "trigger.changed", "trigger.made"]
    with pytest.raises(NotFound, match="no trigger 1"):
        operations.triggers.drop(made.id)


@pytest.mark.parametrize(
    ("rule", "field"),
    [
        (replace(WRITES, name=" "), "name"),
        (replace(WRITES, event="governance.recorded"), "event"),
        (replace(WRITES, event="*"), "event"),
        (replace(WRITES, action=TriggerAction.LABEL), "label"),
        (replace(WRITES, action=TriggerAction.WEBHOOK, url="file:///etc/passwd"), "url"),
        (replace(WRITES, action=TriggerAction.WEBHOOK, url="http://me:secret@host/"), "url"),
        *(
            (replace(WRITES, action=TriggerAction.WEBHOOK, url=url), "url")
            for url in (
                "http://[::1",
                "http://\u2100.com/",
                f"http://{'a' * 70}.com/",
                "http://.../",
                "http://xn--zz--/",
                "http://127.0.0.1:65536/",
                "http://127.0.0.1:0/",
                "http://127.0.0.1:x/",
                "https:///hook",
            )
        ),
        (replace(WRITES, action=TriggerAction.WEBHOOK, url="http://h/", secret="\udcff"), "secret"),
        (replace(WRITES, cooldown_seconds=-1), "cooldown_seconds"),
        (replace(WRITES, max_fires=0), "max_fires"),
        (replace(WRITES, filter=TriggerFilter(path="x" * 501)), "filter"),
    ],
)
def test_a_rule_that_cannot_be_meant_is_refused_by_name(
    operations: Operations, rule: Rule, field: str
) -> None:
    with pytest.raises(BadRequest) as refused:
        operations.triggers.add(None, rule)
    assert refused.value.field == field
    assert operations.triggers.all() == ()


def test_rules_that_have_not_looked_for_long_begin_where_they_were_made(
    build: LedgerBuilder, operations: Operations
) -> None:
    operations.triggers.add(None, WRITES)
    with Ledger.open(build.home, clock=build.clock) as later:
        assert later.rules.position == operations.ledger.events.newest - 1, (
            "its own making is seen, and means nothing"
        )
