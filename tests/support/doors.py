"""The doors to one ledger, each asked in its own way; answers in the one JSON form.

A further door is a further class in DOORS: every question of test_doors.py is then put to it, too.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Self

from sulcus_panel.core.access import ALL_SCOPES, THE_PERSON, Caller
from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.model import Actor, SeqId
from sulcus_panel.service.asking import Ask
from sulcus_panel.service.configuring import configure
from sulcus_panel.service.diff_wire import entry_diff_json
from sulcus_panel.service.error_wire import error_json
from sulcus_panel.service.operations import DiffView, LedgerQuery, Operations, Selection
from sulcus_panel.service.wire import answer_json, entry_json, governance_json, hold_json, settings_json
from tests.support.door import NEWEST, Door, Json, Place, Wanted
from tests.support.terminal import sulcus
from tests.support.wire_doors import OverHttp, OverMcp


class Terminal:
    """`sulcus-panel … --json`, a process a question, y on stdin."""

    def __init__(self, place: Place, actor: Actor) -> None:
        assert actor == THE_PERSON.actor
        self._place = place

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing stays open."""

    def _ask(self, *words: str) -> Json:
        return sulcus(*words, "--json", cwd=self._place.root, home=self._place.home.root, stdin="y\n").json()

    def entries(self) -> Json:
        return self._ask("ledger", "list", "--limit", str(NEWEST))["entries"][::-1]

    def entry(self, seq_id: int) -> Json:
        return self._ask("ledger", "show", str(seq_id))

    def diff(self, seq_id: int, view: str) -> Json:
        return self._ask("ledger", "diff", str(seq_id), *([] if view == DiffView.CHANGE else [f"--{view}"]))

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

    def __init__(self, place: Place, actor: Actor) -> None:
        self._home = place.home
        self._id = place.workspace.id
        self._caller = Caller(actor, ALL_SCOPES)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing stays open."""

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

    def diff(self, seq_id: int, view: str) -> Json:
        def asked(operations: Operations) -> Json:
            entry, which = operations.entry(SeqId(seq_id)), DiffView(view)
            return entry_diff_json(entry, which, operations.diff(entry.seq_id, which))

        return self._ask(asked)

    def undo(self, wanted: Wanted, *, dry_run: bool = False) -> Json:
        seq_ids = tuple(SeqId(seq_id) for seq_id in wanted.seq_ids)
        selection = Selection(seq_ids, wanted.last_n, wanted.query, wanted.turn_id)
        hunks = tuple(number - 1 for number in wanted.hunks) or None
        return self._answer(Ask(selection, hunks, dry_run=dry_run))

    def redo(self, seq_id: int, *, dry_run: bool = False) -> Json:
        return self._answer(Ask(Selection((SeqId(seq_id),)), dry_run=dry_run, redo=True))

    def _answer(self, ask: Ask) -> Json:
        return self._ask(
            lambda operations: answer_json(
                operations.asking.ask(self._caller, self._id, ask), dry_run=ask.dry_run
            )
        )

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
        def asked(operations: Operations) -> Json:
            actor = self._caller.actor
            return settings_json(configure(operations.ledger, operations.bus, actor, self._id, {key: value}))

        return self._ask(asked)


Opening = Callable[[Place, Actor], AbstractContextManager[Door]]
DOORS: tuple[Opening, ...] = (InProcess, Terminal, OverHttp, OverMcp)
"""The terminal is the person's; on stdio nobody is the person."""
