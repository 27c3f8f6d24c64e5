"""The same question through every door has the same answer, field by field; the same request the same effect."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from sulcus_panel.core.access import ALL_SCOPES, Caller
from sulcus_panel.core.model import Actor, ActorKind, SeqId
from sulcus_panel.service.asking import Ask
from sulcus_panel.service.operations import Operations, Selection
from tests.support.clock import FakeClock
from tests.support.doors import DOORS, Door, Json, Wanted
from tests.support.ledger_builder import LedgerBuilder

ONE = "".join(f"line {n}\n" for n in range(1, 31))
TWO = ONE.replace("line 3\n", "three\n").replace("line 20\n", "twenty\n")
CODEX = Caller(Actor("codex", ActorKind.AGENT), ALL_SCOPES)
LATER = timedelta(hours=1)
"""The agents' work is past when a door is asked, for doors go by the clock of the world."""
OWN = {"at", "uid", "recorded_at", "decided_at", "plan_digest"}
"""What two ledgers with the same history do not share."""


def history(folder: Path, began: datetime) -> LedgerBuilder:
    """Files made, changed, drifted, removed and moved in the way; a command; an undo; two holds; decisions."""
    build = LedgerBuilder.make(folder, FakeClock(began))
    build.turn("Number the lines", "turn-x")
    build.write("src/a.txt", ONE)
    build.write("src/a.txt", TWO)
    build.reads("src/a.txt")
    build.write("é b.txt", "1\n")
    build.turn("Clean up", "turn-y")
    build.command("make all", {"out.bin": b"\x00\xff", "log": "done\n"}, exit_code=2)
    build.write("c.txt", "c\n")
    build.delete("c.txt")
    build.write("d.txt", ONE)
    build.write("d.txt", TWO)
    build.write("d.txt", TWO.replace("three\n", "drei\n"))
    build.outside("é b.txt", "1\n2\n")
    with Operations.open(build.home) as operations:
        workspace = build.workspace.id
        operations.apply(operations.plan_selection(workspace, Selection((SeqId(5),), None, None, None)))
        for seq_id in (2, 9):
            assert operations.asking.ask(CODEX, workspace, Ask(Selection((SeqId(seq_id),)))).hold
        operations.set_setting(workspace, "max_entries", "200")
    return build


@pytest.fixture
def build(tmp_path: Path) -> Iterator[LedgerBuilder]:
    made = history(tmp_path, datetime.now(UTC) - LATER)
    yield made
    made.ledger.close()


Question = Callable[[Door], Json]
LOOKS: dict[str, Question] = {
    "every entry": lambda door: door.entries(),
    "a command": lambda door: door.entry(4),
    "a drifted file": lambda door: door.entry(3),
    "an undo": lambda door: door.entry(10),
    "no entry": lambda door: door.entry(999),
    "what waits": lambda door: door.holds(),
    "decisions": lambda door: door.governance(),
    "settings": lambda door: door.settings(),
    "a plan": lambda door: door.undo(Wanted((2,)), dry_run=True),
    "a plan of a part": lambda door: door.undo(Wanted((2,), hunks=(2,)), dry_run=True),
    "a plan with a conflict": lambda door: door.undo(Wanted((8,)), dry_run=True),
    "a plan of several": lambda door: door.undo(Wanted((9, 8, 9)), dry_run=True),
    "a plan of a command": lambda door: door.undo(Wanted((4,)), dry_run=True),
    "a plan over drift": lambda door: door.undo(Wanted((3,)), dry_run=True),
    "a plan of what is undone": lambda door: door.undo(Wanted((5,)), dry_run=True),
    "a plan of the newest": lambda door: door.undo(Wanted(last_n=2), dry_run=True),
    "a plan of a search": lambda door: door.undo(Wanted(query="D.TXT"), dry_run=True),
    "a plan of a turn": lambda door: door.undo(Wanted(turn_id="turn-x"), dry_run=True),
    "a plan of a redo": lambda door: door.redo(5, dry_run=True),
    "no redo": lambda door: door.redo(2, dry_run=True),
    "too many": lambda door: door.undo(Wanted(last_n=101), dry_run=True),
    "no search": lambda door: door.undo(Wanted(query=" "), dry_run=True),
    "no match": lambda door: door.undo(Wanted(query="nowhere"), dry_run=True),
    "no turn": lambda door: door.undo(Wanted(turn_id="turn-z"), dry_run=True),
    "no such part": lambda door: door.undo(Wanted((2,), hunks=(9,)), dry_run=True),
    "nothing meant": lambda door: door.undo(Wanted(), dry_run=True),
    "an unknown one": lambda door: door.undo(Wanted((2, 999)), dry_run=True),
}


def test_every_door_gives_the_same_answers_and_changes_nothing(build: LedgerBuilder) -> None:
    doors = [door(build.home, build.workspace) for door in DOORS]
    first = {name: question(doors[0]) for name, question in LOOKS.items()}
    for door in doors[1:]:
        for name, question in LOOKS.items():
            told = question(door)
            assert meant(told) == meant(first[name]), f"{name}, through {type(door).__name__}"
    assert [entry["seq_id"] for entry in first["every entry"]] == list(range(10, 0, -1))
    assert [hold["seq_ids"] for hold in first["what waits"]] == [[9], [2]]
    errors = {name for name, answer in first.items() if "error" in answer}
    refused = {"no entry", "no redo", "too many", "no search", "no match", "no turn", "no such part"}
    assert errors == refused | {"nothing meant", "an unknown one"}


def meant(answer: Json) -> Json:
    """An answer; of an error what machines read, for a number is looked for in all folders on a terminal."""
    return (answer["error"], answer["field"]) if "error" in answer else answer


DEEDS: dict[str, Question] = {
    "an undo": lambda door: [door.undo(Wanted((2,))), door.holds()],
    "a part": lambda door: [door.undo(Wanted((2,), hunks=(1,))), door.entry(2)],
    "a conflict": lambda door: door.undo(Wanted((8,))),
    "several": lambda door: door.undo(Wanted((8, 9))),
    "an undo, twice, and its redo": lambda door: [
        door.undo(Wanted((2,))),
        door.undo(Wanted((2,))),
        door.redo(2),
        door.redo(2),
    ],
    "a turn": lambda door: door.undo(Wanted(turn_id="turn-x")),
    "a rejection": lambda door: [door.reject(1), door.reject(1), door.reject(77), door.entry(2)],
    "a setting": lambda door: [door.configure("max_entries", "75"), door.settings()],
    "a setting out of range": lambda door: [door.configure("max_entries", "7"), door.settings()],
    "no setting": lambda door: door.configure("no_such", "7"),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_every_door_does_the_same_to_files_and_ledger(tmp_path: Path, deed: str) -> None:
    results, began = [], datetime.now(UTC) - LATER
    for number, door in enumerate(DOORS):
        folder = tmp_path / str(number)
        folder.mkdir()
        build = history(folder, began)
        answer = DEEDS[deed](door(build.home, build.workspace))
        files = {path.name: path.read_bytes() for path in build.root.rglob("*") if path.is_file()}
        seen = DOORS[0](build.home, build.workspace)
        told = shared([answer, seen.entries(), seen.governance()], str(build.root))
        results.append((files, told))
        build.ledger.close()
    for result in results[1:]:
        assert result == results[0]


def shared(answer: Any, root: str) -> Any:
    """The answer without what is each ledger's own."""
    if isinstance(answer, dict):
        return {key: shared(value, root) for key, value in answer.items() if key not in OWN}
    if isinstance(answer, str):
        return answer.replace(root, "ROOT")
    return [shared(value, root) for value in answer] if isinstance(answer, list) else answer
