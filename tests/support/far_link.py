"""Keys and links to a ledger that is served."""

from datetime import UTC, datetime

from sulcus_panel.core.access import Scope
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.model import ActorKind
from sulcus_panel.service.link import Address, Link
from sulcus_panel.service.operations import Operations


def a_key(home: DataHome, kind: ActorKind = ActorKind.PERSON) -> str:
    with Operations.open(home) as operations:
        return operations.tokens.make("me", kind, [Scope.ADMIN, Scope.READ])[0]


def a_link(home: DataHome, port: int) -> Link:
    return Link(Address("127.0.0.1", port), a_key(home), lambda: datetime.now(UTC))
