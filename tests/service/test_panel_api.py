"""The table of verbs: the person alone, known verbs alone, arguments that fit, one yes carried out once."""

from collections.abc import Iterator
from typing import Any

import pytest

from sulcus_panel.core.access import ALL_SCOPES, THE_PERSON, Caller
from sulcus_panel.core.errors import BadRequest, NotFound, StalePlan
from sulcus_panel.core.model import Actor, ActorKind, Entry
from sulcus_panel.core.undo.model import Outcome, UndoPlan, UndoRequest
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.panel_api import answer
from sulcus_panel.service.panel_codec import packed, unpacked
from sulcus_panel.service.panel_verbs import (
    CHANGES,
    WRITES,
    Greeting,
    NotThePerson,
    VersionsDiffer,
    forms,
    signatures,
)
from tests.support.ledger_builder import LedgerBuilder


@pytest.fixture
def operations(build: LedgerBuilder) -> Iterator[Operations]:
    with Operations.open(build.home, clock=build.clock) as operations:
        yield operations


def asked(operations: Operations, verb: str, **arguments: Any) -> Any:
    sent = {"forms": forms(), "arguments": {name: packed(value) for name, value in arguments.items()}}
    return answer(operations, THE_PERSON, verb, sent)["value"]


def planned(build: LedgerBuilder, operations: Operations) -> tuple[Entry, UndoPlan, dict[str, Any]]:
    build.write("a.txt", "one\n")
    entry = build.write("a.txt", "two\n")
    plan = operations.plan(UndoRequest((entry.seq_id,)))
    return entry, plan, {"request": packed(plan.request), "digest": plan.digest}


def test_every_verb_is_one_of_operations_own_and_those_that_write_are_known() -> None:
    verbs = set(signatures())
    assert CHANGES <= WRITES <= verbs
    assert "plan" in verbs
    assert not {"register", "forget", "tokens.caller", "close", "home", "ledger"} & verbs


def test_a_greeting_says_who_answers_even_to_another_version(operations: Operations) -> None:
    greeting: Greeting = unpacked(Greeting, answer(operations, THE_PERSON, "greet", {})["value"])
    assert greeting.forms == forms()
    assert greeting.workspaces == operations.workspaces()


def test_nobody_but_the_person_is_answered(operations: Operations) -> None:
    for kind in (ActorKind.AGENT, ActorKind.ASSISTANT, ActorKind.MODULE):
        with pytest.raises(NotThePerson):
            answer(operations, Caller(Actor("bot", kind), ALL_SCOPES), "greet", {})


def test_another_version_is_refused_before_anything_is_read(operations: Operations) -> None:
    with pytest.raises(VersionsDiffer, match="do not understand"):
        answer(operations, THE_PERSON, "workspaces", {"forms": "another", "arguments": {}})


def test_what_is_no_verb_is_not_found(operations: Operations) -> None:
    inner = ("holds", "holds.add", "plan.request", "tokens.caller", "triggers.run")
    for verb in ("", "close", "ledger", "__class__", *inner):
        with pytest.raises(NotFound):
            asked(operations, verb)


def test_arguments_that_do_not_fit_are_refused_by_name(operations: Operations) -> None:
    for arguments, field in (({"seq_id": 1, "x": 2}, "x"), ({}, "seq_id"), ({"seq_id": "one"}, "arguments")):
        with pytest.raises(BadRequest) as refused:
            answer(operations, THE_PERSON, "entry", {"forms": forms(), "arguments": arguments})
        assert refused.value.field == field
    with pytest.raises(BadRequest):
        answer(operations, THE_PERSON, "entry", {"forms": forms(), "arguments": [1]})


def test_a_yes_is_carried_out_once_and_its_result_is_told_again(
    build: LedgerBuilder, operations: Operations
) -> None:
    _, _, shown = planned(build, operations)
    first = asked(operations, "apply", shown=shown, consents=[], ticket="once")
    assert first["outcome"] == Outcome.UNDONE
    assert (build.root / "a.txt").read_text() == "one\n"
    assert asked(operations, "apply", shown=shown, consents=[], ticket="once") == first
    assert asked(operations, "settle", ticket="once") == first


def test_a_yes_that_was_asked_about_before_it_came_is_void(
    build: LedgerBuilder, operations: Operations
) -> None:
    _, _, shown = planned(build, operations)
    assert asked(operations, "settle", ticket="late") is None
    with pytest.raises(BadRequest, match="asked about before it came"):
        asked(operations, "apply", shown=shown, consents=[], ticket="late")
    assert (build.root / "a.txt").read_text() == "two\n"


def test_a_plan_of_what_has_changed_since_is_stale(build: LedgerBuilder, operations: Operations) -> None:
    _, _, shown = planned(build, operations)
    (build.root / "a.txt").write_text("two\nmore\n")
    with pytest.raises(StalePlan):
        asked(operations, "apply", shown=shown, consents=[], ticket="stale")
    assert (build.root / "a.txt").read_text() == "two\nmore\n"
