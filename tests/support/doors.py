"""The doors to one ledger, each asked in its own way, all as the person; answers in the one JSON form.

A further door is a further class in DOORS: every question of test_doors.py is then put to it, too.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from sulcus_panel.core.access import THE_PERSON
from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.model import SeqId, Workspace
from sulcus_panel.service.asking import Ask
from sulcus_panel.service.error_wire import error_json
from sulcus_panel.service.operations import LedgerQuery, Operations, Selection
from sulcus_panel.service.wire import (
    entry_json,
    governance_json,
    hold_json,
    plan_json,
    result_json,
    settings_json,
)
from tests.support.terminal import sulcus

Json = Any
NEWEST = 100


@dataclass(frozen=True)
class Wanted:
    """What is to be undone; hunks count from 1, as in every door that people see."""

    seq_ids: tuple[int, ...] = ()
    last_n: int | None = None
    query: str | None = None
    turn_id: str | None = None
    hunks: tuple[int, ...] = ()


class Door(Protocol):
    """What can be asked through any door; lists are newest first, an error is its JSON."""

    def entries(self) -> Json: ...
    def entry(self, seq_id: int) -> Json: ...
    def undo(self, wanted: Wanted, *, dry_run: bool = False) -> Json: ...
    def redo(self, seq_id: int, *, dry_run: bool = False) -> Json: ...
    def holds(self) -> Json: ...
    def reject(self, hold_id: int) -> Json: ...
    def governance(self) -> Json: ...
    def settings(self) -> Json: ...
    def configure(self, key: str, value: str) -> Json: ...


class Terminal:
    """`sulcus-panel … --json`, a process a question, y on stdin."""

    def __init__(self, home: DataHome, workspace: Workspace) -> None:
        self._home = home.root
        self._root = Path(workspace.root or "")

    def _ask(self, *words: str) -> Json:
        return sulcus(*words, "--json", cwd=self._root, home=self._home, stdin="y\n").json()

    def entries(self) -> Json:
        return self._ask("ledger", "list", "--limit", str(NEWEST))["entries"][::-1]

    def entry(self, seq_id: int) -> Json:
        return self._ask("ledger", "show", str(seq_id))

    def undo(self, wanted: Wanted, *, dry_run: bool = False) -> Json:
        words = [str(seq_id) for seq_id in wanted.seq_ids]
        words += [] if wanted.last_n is None else ["--last", str(wanted.last_n)]
        words += [] if wanted.query is None else ["--query", wanted.query]
        words += [] if wanted.turn_id is None else ["--turn", wanted.turn_id]
        words += ["--hunk", *map(str, wanted.hunks)] if wanted.hunks else []
        return self._ask("ledger", "rollback", *words, *(["--dry-run"] if dry_run else []))

    def redo(self, seq_id: int, *, dry_run: bool = False) -> Json:
        return self._ask("ledger", "redo", str(seq_id), *(["--dry-run"] if dry_run else []))

    def holds(self) -> Json:
        return self._ask("holds", "list")["holds"][::-1]

    def reject(self, hold_id: int) -> Json:
        return self._ask("holds", "reject", str(hold_id))

    def governance(self) -> Json:
        return self._ask("ledger", "list", "--kind", "governance", "--limit", str(NEWEST))["governance"][::-1]

    def settings(self) -> Json:
        return self._ask("config", "show")["config"]

    def configure(self, key: str, value: str) -> Json:
        answer = self._ask("config", "set", key, value)
        return answer.get("config", answer)


class InProcess:
    """Operations itself, as a server and the window use it."""

    def __init__(self, home: DataHome, workspace: Workspace) -> None:
        self._home = home
        self._id = workspace.id

    def _ask(self, question: Callable[[Operations], Json]) -> Json:
        with Operations.open(self._home) as operations:
            operations.drain()
            operations.refresh_drift(self._id)
            try:
                return question(operations)
            except SulcusError as error:
                return error_json(error)

    def entries(self) -> Json:
        query = LedgerQuery(workspace_id=self._id, limit=NEWEST)
        return self._ask(lambda operations: [entry_json(each) for each in operations.find(query)])

    def entry(self, seq_id: int) -> Json:
        return self._ask(lambda operations: entry_json(operations.entry(SeqId(seq_id))))

    def undo(self, wanted: Wanted, *, dry_run: bool = False) -> Json:
        seq_ids = tuple(SeqId(seq_id) for seq_id in wanted.seq_ids)
        selection = Selection(seq_ids, wanted.last_n, wanted.query, wanted.turn_id)
        hunks = tuple(number - 1 for number in wanted.hunks) or None
        return self._answer(Ask(selection, hunks, dry_run=dry_run))

    def redo(self, seq_id: int, *, dry_run: bool = False) -> Json:
        return self._answer(Ask(Selection((SeqId(seq_id),)), dry_run=dry_run, redo=True))

    def _answer(self, ask: Ask) -> Json:
        def asked(operations: Operations) -> Json:
            answer = operations.asking.ask(THE_PERSON, self._id, ask)
            if answer.result is not None:
                return result_json(answer.result, answer.plan)
            return plan_json(answer.plan) | ({"dry_run": True} if ask.dry_run else {})

        return self._ask(asked)

    def holds(self) -> Json:
        return self._ask(lambda operations: [hold_json(each) for each in operations.holds.find(self._id)])

    def reject(self, hold_id: int) -> Json:
        return self._ask(lambda operations: hold_json(operations.holds.reject(hold_id)))

    def governance(self) -> Json:
        return self._ask(
            lambda operations: [
                governance_json(each) for each in operations.governance(self._id, limit=NEWEST)
            ]
        )

    def settings(self) -> Json:
        return self._ask(lambda operations: settings_json(operations.settings(self._id)))

    def configure(self, key: str, value: str) -> Json:
        return self._ask(lambda operations: settings_json(operations.set_setting(self._id, key, value)))


DOORS: tuple[Callable[[DataHome, Workspace], Door], ...] = (InProcess, Terminal)
