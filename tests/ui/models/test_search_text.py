import pytest

from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.model import ActionType, EntryState, Origin
from sulcus_panel.ui.models.search_text import field_spans, has_word, parse_search, toggled

BASE = LedgerQuery(workspace_id=7)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", BASE),
        ("two words", LedgerQuery(workspace_id=7, text="two words")),
        ("path:src/app", LedgerQuery(workspace_id=7, path_text="src/app")),
        ('path:"my files/a b" x', LedgerQuery(workspace_id=7, path_text="my files/a b", text="x")),
        ("is:drifted", LedgerQuery(workspace_id=7, drifted=True)),
        ("is:undone", LedgerQuery(workspace_id=7, state=EntryState.UNDONE)),
        ("is:outside", LedgerQuery(workspace_id=7, origin=Origin.OUTSIDE)),
        ("ACTION:edit", LedgerQuery(workspace_id=7, action_type=ActionType.FILE_EDIT)),
        ("action:file_delete", LedgerQuery(workspace_id=7, action_type=ActionType.FILE_DELETE)),
        ("harness:codex session:s1 turn:t1", LedgerQuery(7, harness="codex", session_id="s1", turn_id="t1")),
    ],
)
def test_fields_filter_and_words_are_searched_for(text: str, expected: LedgerQuery) -> None:
    assert parse_search(text, BASE) == expected


@pytest.mark.parametrize(
    "text", ["is:nonsense", "path:", "http://x", "action:fly", "unknown:field", '"', "::"]
)
def test_what_is_no_field_is_searched_for_as_it_stands(text: str) -> None:
    assert parse_search(text, BASE).text == text.replace('"', "")


def test_toggling_a_word_twice_gives_the_search_back() -> None:
    assert toggled(toggled("needle", "is:drifted"), "is:drifted") == "needle"


def test_a_toggled_word_replaces_its_fields_other_value() -> None:
    text = toggled("action:edit needle", "action:create")
    assert text == "needle action:create"
    assert has_word(text, "action:create")


def test_only_names_of_fields_that_filter_are_marked() -> None:
    assert field_spans('path:"a b" is:nonsense x is:drifted') == ((0, 5), (25, 3))
