"""The verbs of Operations that belong together, on the ledger of another machine: each answers as its namesake."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from sulcus_panel.core.access import Scope, Token
from sulcus_panel.core.events import Event
from sulcus_panel.core.holds import Hold
from sulcus_panel.core.ledger.rules import Delivery
from sulcus_panel.core.model import ActorKind, SeqId
from sulcus_panel.core.triggers import Firing, Rule, Trigger
from sulcus_panel.core.undo.model import UndoRequest
from sulcus_panel.service.interface import HoldVerbs, MarkVerbs, TokenVerbs, TriggerVerbs

P = ParamSpec("P")
T = TypeVar("T")


class Far(Protocol):
    """Asks one verb of the interface."""

    def __call__(self, verb: Callable[Concatenate[Any, P], T], *args: P.args, **named: P.kwargs) -> T:
        """Return its answer."""
        ...


class _Group:
    def __init__(self, far: Far, tell: Callable[[int | None], None]) -> None:
        self._far = far
        self._tell = tell


class RemoteHolds(_Group):
    """See service/holds.py."""

    def find(self, workspace_id: int | None, *, waiting_only: bool = True) -> tuple[Hold, ...]:
        """See Holds."""
        return self._far(HoldVerbs.find, workspace_id, waiting_only=waiting_only)

    def get(self, hold_id: int) -> Hold:
        """See Holds."""
        return self._far(HoldVerbs.get, hold_id)

    def request(self, hold_id: int) -> UndoRequest:
        """See Holds."""
        return self._far(HoldVerbs.request, hold_id)

    def reject(self, hold_id: int) -> Hold:
        """See Holds."""
        hold = self._far(HoldVerbs.reject, hold_id)
        self._tell(hold.workspace_id)
        return hold


class RemoteTriggers(_Group):
    """See service/triggers.py."""

    def all(self) -> tuple[Trigger, ...]:
        """See Triggers."""
        return self._far(TriggerVerbs.all)

    def firings(
        self, trigger_id: int | None = None, *, limit: int = 50, before: int | None = None
    ) -> tuple[Firing, ...]:
        """See Triggers."""
        return self._far(TriggerVerbs.firings, trigger_id, limit=limit, before=before)

    def dead(self, *, limit: int = 50) -> tuple[Delivery, ...]:
        """See Triggers."""
        return self._far(TriggerVerbs.dead, limit=limit)

    def add(self, workspace_id: int | None, rule: Rule) -> Trigger:
        """See Triggers."""
        return self._told(self._far(TriggerVerbs.add, workspace_id, rule))

    def change(
        self, trigger_id: int, rule: Rule, *, moves: bool = False, workspace_id: int | None = None
    ) -> Trigger:
        """See Triggers."""
        changed = self._far(TriggerVerbs.change, trigger_id, rule, moves=moves, workspace_id=workspace_id)
        return self._told(changed)

    def switch(self, trigger_id: int, *, enabled: bool) -> Trigger:
        """See Triggers."""
        return self._told(self._far(TriggerVerbs.switch, trigger_id, enabled=enabled))

    def drop(self, trigger_id: int) -> None:
        """See Triggers."""
        self._far(TriggerVerbs.drop, trigger_id)
        self._tell(None)

    def dry_run(self, workspace_id: int | None, rule: Rule, *, limit: int = 50) -> tuple[Event, ...]:
        """See Triggers."""
        return self._far(TriggerVerbs.dry_run, workspace_id, rule, limit=limit)

    def _told(self, trigger: Trigger) -> Trigger:
        self._tell(trigger.workspace_id)
        return trigger


class RemoteMarks(_Group):
    """See service/marks.py."""

    def pin(self, seq_ids: Sequence[SeqId], *, pinned: bool) -> None:
        """See Marks."""
        self._far(MarkVerbs.pin, tuple(seq_ids), pinned=pinned)
        self._tell(None)

    def label(
        self, seq_ids: Sequence[SeqId], add: Collection[str] = (), remove: Collection[str] = ()
    ) -> None:
        """See Marks."""
        self._far(MarkVerbs.label, tuple(seq_ids), tuple(add), tuple(remove))
        self._tell(None)

    def looked(self, seq_ids: Sequence[SeqId]) -> None:
        """See Marks."""
        self._far(MarkVerbs.looked, tuple(seq_ids))
        self._tell(None)


class RemoteTokens(_Group):
    """See service/tokens.py."""

    def make(self, name: str, kind: ActorKind, scopes: Collection[Scope]) -> tuple[str, Token]:
        """See Tokens."""
        made = self._far(TokenVerbs.make, name, kind, sorted(scopes))
        self._tell(None)
        return made

    def all(self) -> tuple[Token, ...]:
        """See Tokens."""
        return self._far(TokenVerbs.all)

    def revoke(self, token_id: int) -> Token:
        """See Tokens."""
        token = self._far(TokenVerbs.revoke, token_id)
        self._tell(None)
        return token
