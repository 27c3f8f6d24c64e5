"""A file system that ends, fails or lets somebody in at one call; and a ledger that ends at one statement."""

import os
from collections.abc import Callable

from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.undo.fs import FileSystem

_CHANGING = ("BEGIN", "INSERT", "UPDATE", "DELETE", "COMMIT", "SAVEPOINT", "RELEASE")
"""Statements between which the ledger's file is another."""


class Counting(FileSystem):
    """Counts its calls, and the changing statements of the ledger that it listens to."""

    def __init__(self, act: Callable[[int, str], None] | None = None) -> None:
        self.calls = self.statements = 0
        self.act = act

    def reach(self, call: str) -> None:
        self.calls += 1
        self._at(call)

    def listen(self, ledger: Ledger) -> None:
        """Count what this ledger's connection runs too."""
        ledger._db.connection.set_trace_callback(self._heard)

    def _heard(self, sql: str) -> None:
        if sql.lstrip().upper().startswith(_CHANGING):
            self.statements += 1
            self._at(sql)

    def _at(self, what: str) -> None:
        if self.act is not None:
            self.act(self.points, what)

    @property
    def points(self) -> int:
        """How many calls and statements there were."""
        return self.calls + self.statements


def killed_at(point: int) -> Counting:
    """Ends the process at one call or statement, as a power button would."""

    def end(now: int, what: str) -> None:
        del what
        if now == point:
            os._exit(137)

    return Counting(end)


def failing_at(first: int, code: int, *, last: int) -> Counting:
    """Fails the calls from `first` to `last` with an error number."""

    def fail(now: int, what: str) -> None:
        del what
        if first <= now <= last:
            raise OSError(code, os.strerror(code))

    return Counting(fail)


class Meddling(Counting):
    """Lets somebody else act right before the first of one kind of call."""

    def __init__(self, call: str, meddle: Callable[[], object]) -> None:
        super().__init__()
        self.call, self.meddle, self.met = call, meddle, False

    def reach(self, call: str) -> None:
        super().reach(call)
        if call == self.call and not self.met:
            self.met = True
            self.meddle()
