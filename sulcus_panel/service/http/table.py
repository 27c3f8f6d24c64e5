"""What a door is: its route, who may use it, what it understands, which threads work for it. The rest follows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from msgspec import Struct

from sulcus_panel.core.access import Scope
from sulcus_panel.service.requests.asked import Run

API = "/api/v1"
AGENT = f"{API}/agent"
READ = frozenset({Scope.READ})
UNDO = frozenset({Scope.UNDO})
UNDO_OR_LOOK = UNDO | READ
"""A dry run is free for all who may read."""


class Way(Enum):
    """Who does the work: the readers, the one who undoes, the one who records, or nobody."""

    READS = auto()
    WRITES = auto()
    RECORDS = auto()
    EVENTS = auto()
    HERE = auto()


@dataclass(frozen=True, slots=True)
class Door:
    """One route by one method. `scopes` is empty where no token is needed; of several, one is enough."""

    method: str
    path: str
    summary: str
    words: type[Struct]
    way: Way
    scopes: frozenset[Scope] = READ
    run: Run | None = None
    real_scopes: frozenset[Scope] = frozenset()
    """Of these one is needed besides, unless it is a dry run."""
    statuses: tuple[int, ...] = (200,)
    """Of answers that are no errors."""
    errors: tuple[int, ...] = (400, 404)
    """Besides those of every door."""
    answer: Mapping[str, str] = field(default_factory=dict)
    """What an answer has at the least: its fields and their JSON types."""

    @property
    def has_body(self) -> bool:
        """True where the words come in the body, else in path and query."""
        return self.method == "POST"
