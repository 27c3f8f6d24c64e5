"""The same question through every door has the same answer, field by field; the same request the same effect."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sulcus_panel.core.access import ALL_SCOPES, THE_PERSON, Caller
from sulcus_panel.core.model import Actor, ActorKind, SeqId
from sulcus_panel.service.asking import Ask
from sulcus_panel.service.operations import Operations, Selection
from tests.support.clock import FakeClock
from tests.support.door import Door, Json, Lacking, Place, Wanted
from tests.support.doors import DOORS, InProcess, Opening, Terminal
from tests.support.ledger_builder import CLAUDE, LedgerBuilder
from tests.support.wire_doors import OverHttp, OverMcp

ONE = "".join(f"line {n}\n" for n in range(1, 31))
TWO = ONE.replace("line 3\n", "three\n").replace("line 20\n", "twenty\n")
CODEX = Caller(Actor("codex", ActorKind.AGENT), ALL_SCOPES)
PERSON = THE_PERSON.actor
ACTORS = (PERSON, CLAUDE, CODEX.actor)
LATER = timedelta(hours=1)
"""The agents' work is past when a door is asked, for doors go by the clock of the world."""
OWN = {"at", "uid", "recorded_at", "decided_at", "plan_digest"}
"""What two ledgers with the same history do not share."""


def history(folder: Path, began: datetime) -> Place:
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
        keys = {
            actor: operations.tokens.make(actor.name, actor.kind, tuple(ALL_SCOPES))[0] for actor in ACTORS
        }
    build.ledger.close()
    return Place(build.home, build.workspace, keys)


Question = Callable[[Door], Json]
LOOKS: dict[str, Question] = {
    "every entry": lambda door: door.entries(),
    "a command": lambda door: door.entry(4),
    "a drifted file": lambda door: door.entry(3),
    "an undo": lambda door: door.entry(10),
    "a change's diff": lambda door: door.diff(2, "change"),
    "what happened since": lambda door: door.diff(3, "now"),
    "what an undo would do": lambda door: door.diff(2, "after"),
    "a command's diff": lambda door: door.diff(4, "change"),
    "no diff": lambda door: door.diff(999, "change"),
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


@dataclass(frozen=True)
class Lack:
    """In place of an answer: the door has no such question."""


def put(door: Door, question: Question) -> Json:
    """The door's answer."""
    try:
        return question(door)
    except Lacking:
        return Lack()


def asked(place: Place, opening: Opening, actor: Actor, questions: Mapping[str, Question]) -> dict[str, Json]:
    with opening(place, actor) as door:
        return {name: put(door, question) for name, question in questions.items()}


def test_every_door_gives_the_same_answers_and_changes_nothing(tmp_path: Path) -> None:
    place = history(tmp_path, datetime.now(UTC) - LATER)
    with ThreadPoolExecutor(len(DOORS)) as pool:
        futures = [
            pool.submit(asked, place, door, CLAUDE if door is OverMcp else PERSON, LOOKS) for door in DOORS
        ]
        first, *others = [future.result() for future in futures]
    for door, told in zip(DOORS[1:], others, strict=True):
        for name in LOOKS:
            if (door, name) in LACKED_LOOKS:
                assert told[name] == Lack()
                continue
            assert for_machines(told[name]) == for_machines(first[name]), f"{name}, through {door}"
    assert [entry["seq_id"] for entry in first["every entry"]] == list(range(10, 0, -1))
    assert [hold["seq_ids"] for hold in first["what waits"]] == [[9], [2]]
    errors = {name for name, answer in first.items() if "error" in answer}
    unknown = {"no entry", "no diff", "no match", "no turn", "an unknown one"}
    assert errors == unknown | {"no redo", "too many", "no search", "no such part", "nothing meant"}


LACKED_LOOKS = {(OverMcp, "decisions")}
LACKED_DEEDS = {(OverHttp, "a rejection")}
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


CHECKED_EARLIER = {(OverHttp, "a setting out of range"), (OverHttp, "no setting")}
"""Kinds and ranges are checked over a wire before the ledger is asked: code and field are the same there."""
PERSONS_DEEDS = {"a rejection", "a setting", "a setting out of range", "no setting"}
AGENTS_DEEDS = [name for name in DEEDS if name not in PERSONS_DEEDS]
"""What is not asked of agents: the person's decisions, and settings, which a key may change whoever has it."""
WAYS = [(deed, PERSON, (InProcess, Terminal, OverHttp)) for deed in DEEDS] + [
    (deed, CLAUDE, (InProcess, OverHttp, OverMcp)) for deed in AGENTS_DEEDS
]


@pytest.mark.parametrize(
    ("deed", "actor", "doors"), WAYS, ids=lambda value: str(getattr(value, "name", value))
)
def test_every_door_does_the_same_to_files_and_ledger(
    tmp_path: Path, deed: str, actor: Actor, doors: Sequence[Opening]
) -> None:
    began = datetime.now(UTC) - LATER
    with ThreadPoolExecutor(len(doors)) as pool:
        first, *others = pool.map(partial(done, tmp_path, began, deed, actor), doors)
    for door, result in zip(doors[1:], others, strict=True):
        if (door, deed) in LACKED_DEEDS:
            assert result is None
        elif (door, deed) in CHECKED_EARLIER:
            assert for_machines(result) == for_machines(first), f"{deed}, through {door}"
        else:
            assert result == first, f"{deed}, through {door}"


def done(folder: Path, began: datetime, deed: str, actor: Actor, door: Opening) -> Json:
    """What the deed through this door left on disk and in the ledger, and how it was answered."""
    own = folder / str(DOORS.index(door))
    own.mkdir()
    place = history(own, began)
    answer = asked(place, door, actor, {deed: DEEDS[deed]})[deed]
    if answer == Lack():
        return None
    files = {path.name: path.read_bytes() for path in place.root.rglob("*") if path.is_file()}
    with InProcess(place, PERSON) as seen:
        return files, shared([answer, seen.entries(), seen.governance()], str(place.root))


def for_machines(answer: Any) -> Any:
    """The answer without the words that are for people."""
    if isinstance(answer, dict):
        return (answer["error"], answer["field"]) if "error" in answer else answer
    return [for_machines(value) for value in answer] if isinstance(answer, list | tuple) else answer


def shared(answer: Any, root: str) -> Any:
    """The answer without what is each ledger's own."""
    if isinstance(answer, dict):
        return {key: shared(value, root) for key, value in answer.items() if key not in OWN}
    if isinstance(answer, str):
        return answer.replace(root, "ROOT")
    return [shared(value, root) for value in answer] if isinstance(answer, list) else answer
