"""When each harness's hooks fired last, kept at every drain: a hook that went quiet looks like an agent at rest."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from sulcus_panel.core.capture.order import Waiting
from sulcus_panel.core.ledger.store import Ledger

FIRED = "fired"


def note_fired(ledger: Ledger, batch: Iterable[Waiting]) -> None:
    """Remember the newest event of each hook in this batch, whoever's it was. Only inside `write()`."""
    newest: dict[str, datetime] = {}
    for waiting in batch:
        scene = waiting.scene
        for harness in {waiting.via or scene.harness, scene.caller or scene.harness}:
            newest[harness] = max(scene.at, newest.get(harness, scene.at))
    known = last_fired(ledger)
    for harness, at in newest.items():
        if harness not in known or at > known[harness]:
            ledger.put_pending(f"{FIRED}:{harness}", FIRED, at, b"")


def last_fired(ledger: Ledger) -> Mapping[str, datetime]:
    """By harness, when a hook of it, or one that it ran of another's, fired last."""
    return {kept.key.removeprefix(f"{FIRED}:"): kept.at for kept in ledger.pending(FIRED)}
