from collections import Counter
from datetime import timedelta

import pytest

from sulcus_panel.core.ledger.queries import LedgerQuery, SortKey
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import (
    ActionType,
    DriftKind,
    EntryState,
    LedgerPath,
    Origin,
    SeqId,
    Workspace,
)
from tests.support.clock import NOON
from tests.support.ledgers import change, record


@pytest.fixture
def filled(ledger: Ledger, workspace: Workspace) -> Workspace:
    """Five entries: #1 and #2 edits, #3 a command without files, #4 odd names, #5 an undo."""
    entries = [
        record("1", change("src/App.py", b"a", b"b"), at=NOON + timedelta(hours=3), intent="Größe ändern"),
        record(
            "2", change("src/zoo/b.py", b"a", b"b"), harness="codex", turn_id="turn-2", summary="100% _done_"
        ),
        record(
            "3",
            action_type=ActionType.RUN_COMMAND,
            tool_name="Bash",
            target_path=LedgerPath("."),
            command="make ALL",
            session_id="session-2",
            summary="",
        ),
        record("4", change("src/caf\udce9.py", b"a", b"b"), change("docs/x.md", b"a", b"b"), intent="größe"),
        record("5", change("src/App.py", b"b", b"a"), origin=Origin.UNDO, reverses=SeqId(1)),
    ]
    for entry in entries:
        ledger.append(workspace.id, entry)
    ledger.set_drift(workspace.id, {LedgerPath("docs/x.md"): DriftKind.MISSING})
    return workspace


def ids(ledger: Ledger, **asked: object) -> list[int]:
    return list(ledger.find_ids(LedgerQuery(**asked)))  # type: ignore[arg-type]  # each test names real fields


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("APP.PY", [5, 1]),
        ("GRÖSSE", [4, 1]),
        ("make all", [3]),
        ("bash", [3]),
        ("docs/", [4]),
        ("%", [2]),
        ("_", [2]),
        ("caf\udce9", [4]),
        ("done_edit", []),
        ("", [5, 4, 3, 2, 1]),
    ],
)
def test_text_is_found_in_path_command_summary_intent_and_tool(
    ledger: Ledger, filled: Workspace, text: str, expected: list[int]
) -> None:
    assert ids(ledger, text=text, workspace_id=filled.id) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/App.py", [5, 1]),
        ("src", [5, 4, 2, 1]),
        ("src/", [5, 4, 2, 1]),
        ("src/zoo", [2]),
        ("sr", []),
        ("src/caf\udce9.py", [4]),
        (".", [3]),
        ("docs/x.md", [4]),
    ],
)
def test_a_path_is_a_file_or_a_folder_and_all_below(
    ledger: Ledger, filled: Workspace, path: str, expected: list[int]
) -> None:
    assert ids(ledger, path=path) == expected
    assert ids(ledger, path=path, workspace_id=filled.id) == expected


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"harness": "codex"}, [2]),
        ({"session_id": "session-2"}, [3]),
        ({"turn_id": "turn-2"}, [2]),
        ({"action_type": ActionType.RUN_COMMAND}, [3]),
        ({"origin": Origin.UNDO}, [5]),
        ({"state": EntryState.UNDONE}, [1]),
        ({"state": EntryState.RECORDED}, [5, 4, 3, 2]),
        ({"states": (EntryState.UNDONE,)}, [1]),
        ({"states": (EntryState.RECORDED, EntryState.UNDONE)}, [5, 4, 3, 2, 1]),
        ({"states": (EntryState.HELD, EntryState.RECORDED), "harness": "codex"}, [2]),
        ({"drifted": True}, [4]),
        ({"drifted": False}, [5, 3, 2, 1]),
        ({"before": SeqId(3)}, [2, 1]),
        ({"after": SeqId(3)}, [5, 4]),
        ({"workspace_id": 99}, []),
        ({"path_text": "aPP.p"}, [5, 1]),
        ({"path_text": "x.md"}, [4]),
        ({"path_text": "CAF\udce9"}, [4]),
        ({"path_text": "f\udce9.p"}, [4]),
        ({"path_text": "\udce8"}, []),
        ({"path_text": "half\ud800"}, []),
        ({"text": "half\ud800"}, []),
        ({"harness": "\ud800"}, []),
        ({"session_id": "\udce9"}, []),
        ({"turn_id": "\ud800"}, []),
        ({"actor": "\ud800"}, []),
        ({"harness": "", "session_id": "", "turn_id": ""}, [5, 4, 3, 2, 1]),
        ({"text": "src", "harness": "claude-code", "before": SeqId(5)}, [4, 1]),
    ],
)
@pytest.mark.usefixtures("filled")
def test_each_filter_and_all_together(ledger: Ledger, asked: dict[str, object], expected: list[int]) -> None:
    assert ids(ledger, **asked) == expected
    assert ledger.count(LedgerQuery(**asked)) == len(expected)  # type: ignore[arg-type]  # real fields


@pytest.mark.parametrize("path", ["half\ud800", "half\ud800/", "src/\udfff/x"])
@pytest.mark.usefixtures("filled")
def test_a_path_that_no_file_can_have_is_found_nowhere(ledger: Ledger, path: str) -> None:
    assert ids(ledger, path=path) == []
    assert ledger.count(LedgerQuery(path=path)) == 0


@pytest.mark.parametrize("sought", ["ÉTÉ", "Été", "É", "été"])
def test_a_part_of_a_path_is_found_as_it_is_written_whatever_the_script(
    ledger: Ledger, workspace: Workspace, sought: str
) -> None:
    ledger.append(workspace.id, record("1", change("docs/Été/ÉTÉ été.md", b"a", b"b")))
    assert ids(ledger, path_text=sought) == [1]


@pytest.mark.parametrize("sort", list(SortKey))
def test_every_order_gives_every_entry_and_its_mirror(
    ledger: Ledger, filled: Workspace, sort: SortKey
) -> None:
    down = ids(ledger, sort=sort, workspace_id=filled.id)
    assert sorted(down) == [1, 2, 3, 4, 5]
    assert ids(ledger, sort=sort, workspace_id=filled.id, descending=False) == down[::-1]


@pytest.mark.usefixtures("filled")
def test_orders_follow_their_column_then_the_id(ledger: Ledger) -> None:
    assert ids(ledger, sort=SortKey.TIME) == [1, 5, 4, 3, 2]
    assert ids(ledger, sort=SortKey.TARGET, descending=False, before=SeqId(4)) == [3, 1, 2]
    assert ids(ledger, sort=SortKey.STATE) == [1, 5, 4, 3, 2]
    assert ids(ledger, sort=SortKey.DRIFT) == [4, 5, 3, 2, 1]


def test_find_keeps_to_its_limit_and_find_ids_gives_all(ledger: Ledger, filled: Workspace) -> None:
    query = LedgerQuery(workspace_id=filled.id, limit=2)
    assert [entry.seq_id for entry in ledger.find(query)] == [5, 4]
    assert len(ledger.find_ids(query)) == 5
    assert list(ledger.find_ids(query, limit=3)) == [5, 4, 3]
    later = LedgerQuery(after=SeqId(2), descending=False)
    assert list(ledger.find_ids(later, limit=2)) == [3, 4]
    assert ledger.find(LedgerQuery(limit=0)) == ()


def test_facets_count_what_the_query_finds(ledger: Ledger, filled: Workspace) -> None:
    facets = ledger.facets(LedgerQuery(workspace_id=filled.id, before=SeqId(5)))
    assert facets.total == 4
    assert facets.harness == {"claude-code": 3, "codex": 1}
    assert facets.action_type == {ActionType.FILE_EDIT: 3, ActionType.RUN_COMMAND: 1}
    assert facets.state == {EntryState.UNDONE: 1, EntryState.RECORDED: 3}
    assert facets.drifted == 1


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"text": "src"},
        {"drifted": True},
        {"state": EntryState.RECORDED},
        {"states": (EntryState.UNDONE, EntryState.HELD)},
        {"path": "src", "harness": "claude-code"},
    ],
)
@pytest.mark.usefixtures("filled")
def test_facets_agree_with_a_count_of_the_entries_themselves(
    ledger: Ledger, asked: dict[str, object]
) -> None:
    ledger.set_state(SeqId(2), EntryState.HELD)
    ledger.set_state(SeqId(3), EntryState.HELD)
    ledger.set_state(SeqId(3), EntryState.RECORDED)
    query = LedgerQuery(**asked)  # type: ignore[arg-type]  # each case names real fields
    found = ledger.entries([SeqId(seq_id) for seq_id in ledger.find_ids(query)])
    facets = ledger.facets(query)
    assert facets.total == len(found)
    assert facets.state == Counter(entry.state for entry in found)
    assert facets.harness == Counter(entry.record.harness for entry in found)
    assert facets.action_type == Counter(entry.record.action_type for entry in found)
    assert facets.drifted == sum(entry.drift is not None for entry in found)


@pytest.mark.parametrize("field", ["harness", "session_id", "turn_id"])
@pytest.mark.usefixtures("filled")
def test_an_id_of_odd_bytes_is_asked_for_like_any_other(ledger: Ledger, field: str) -> None:
    assert ids(ledger, **{field: "\udcff"}) == []
