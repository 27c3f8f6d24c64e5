from dataclasses import replace

from sulcus_panel.core.model import (
    ActionType,
    CommandFacts,
    GitDelta,
    GitState,
    LedgerPath,
    NewEntry,
    RefMove,
)
from sulcus_panel.ui.models.command_facts import command_facts
from tests.support.entries import make_entry


def said(record: NewEntry) -> dict[str, tuple[str, ...]]:
    return {name: lines for name, lines in command_facts(record) if lines}


def ran(command: str = "make") -> NewEntry:
    return make_entry(1, action=ActionType.RUN_COMMAND, command=command).record


def test_what_is_not_sure_is_said_by_path_with_its_reason() -> None:
    facts = CommandFacts(unsure={LedgerPath("a\n.py"): "the person may have saved it"})
    assert said(replace(ran(), ran=facts)) == {"Unsure": ("a\\n.py: the person may have saved it",)}


def test_all_that_is_known_of_a_command_is_said_in_plain_lines() -> None:
    facts = CommandFacts("one\n\n\x1b[1mtwo", True, ("npm run dev",), {}, ("node_modules: too many files",))
    assert said(replace(ran(), ran=facts)) == {
        "Not seen": ("node_modules: too many files",),
        "Ran beside": ("npm run dev",),
        "Background": ("it was left to go on",),
        "Printed": ("one", "\\x1b[1mtwo"),
    }


def test_where_git_moved_is_said_and_where_it_stayed_is_not() -> None:
    before, after = GitState("a" * 40, "main", {}), GitState("b" * 40, "topic", {})
    assert said(replace(ran(), git=GitDelta(before, after))) == {"Git": ("main → topic",)}
    assert said(replace(ran(), git=GitDelta(before, before))) == {}
    made = GitDelta(before, before, (RefMove("refs/tags/v1", "", "a" * 40),))
    assert said(replace(ran(), git=made)) == {"References": ("refs/tags/v1: nothing → aaaaaaaaa",)}


def test_what_was_sent_to_another_servers_tool_is_said() -> None:
    call = replace(make_entry(1, action=ActionType.MCP_MUTATION).record, input='{"id": 17}')
    assert said(call) == {"Input": ('{"id": 17}',)}


def test_an_edit_has_nothing_of_this() -> None:
    assert said(make_entry(1).record) == {}
