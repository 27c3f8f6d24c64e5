"""What every door to one ledger can be asked, and what some of them lack."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.model import Actor, Workspace

Json = Any
NEWEST = 100
LACKS: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("OverHttp", "reject"): "a hold is decided where its plan is shown: the window, the terminal",
        ("OverMcp", "reject"): "a hold is decided where its plan is shown: the window, the terminal",
        ("OverMcp", "governance"): "its five tools are of entries alone",
        ("OverMcp", "configure"): "settings need admin, which no client has on stdio",
    }
)
"""What a door has not got, by docs/api.md and docs/mcp.md, and why."""


class Lacking(Exception):
    """This door cannot be asked that."""


def lacking(door: object, question: str, *words: object) -> Lacking:
    """What to raise for a question that the door lacks: a KeyError where that is not agreed."""
    return Lacking(question, words, LACKS[type(door).__name__, question])


@dataclass(frozen=True)
class Place:
    """A ledger, its workspace, and a key to it by the name of each who may come."""

    home: DataHome
    workspace: Workspace
    keys: Mapping[Actor, str]

    @property
    def root(self) -> Path:
        return Path(self.workspace.root or "")


@dataclass(frozen=True)
class Wanted:
    """What is to be undone; hunks count from 1, as in every door that people see."""

    seq_ids: tuple[int, ...] = ()
    last_n: int | None = None
    query: str | None = None
    turn_id: str | None = None
    hunks: tuple[int, ...] = ()

    def words(self) -> dict[str, Json]:
        """As a body over a wire has it: what is not meant is left out."""
        found: dict[str, Json] = {
            "seq_ids": list(self.seq_ids) or None,
            "last_n": self.last_n,
            "query": self.query,
            "turn_id": self.turn_id,
            "hunks": list(self.hunks) or None,
        }
        return {name: value for name, value in found.items() if value is not None}


class Door(AbstractContextManager["Door"], Protocol):
    """What can be asked through any door; lists are newest first, an error is its JSON."""

    def entries(self) -> Json: ...
    def entry(self, seq_id: int) -> Json: ...
    def diff(self, seq_id: int, view: str) -> Json: ...
    def undo(self, wanted: Wanted, *, dry_run: bool = False) -> Json: ...
    def redo(self, seq_id: int, *, dry_run: bool = False) -> Json: ...
    def holds(self) -> Json: ...
    def reject(self, hold_id: int) -> Json: ...
    def governance(self) -> Json: ...
    def settings(self) -> Json: ...
    def configure(self, key: str, value: str) -> Json: ...
