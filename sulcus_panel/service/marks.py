"""What the person puts on entries by hand: a pin that retention heeds, words, and that he has looked."""

from collections.abc import Collection, Sequence

from sulcus_panel.core.errors import BadRequest, NotFound
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import LABEL, LOOK, PIN, Actor, Entry, SeqId
from sulcus_panel.core.safety import plain
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes

LONGEST_LABEL = 60


class Marks:
    """The marks of one ledger's entries; `actor` is who puts and takes them."""

    def __init__(self, ledger: Ledger, bus: ChangeBus, actor: Actor) -> None:
        self._ledger = ledger
        self._bus = bus
        self._actor = actor

    def pin(self, seq_ids: Sequence[SeqId], *, pinned: bool) -> None:
        """Keep entries however full the ledger is, or no longer. Raises NotFound."""
        kind, said = (
            ("mark.pinned", "Kept for good") if pinned else ("mark.unpinned", "No longer kept for good")
        )
        self._put(seq_ids, {PIN} if pinned else set(), set() if pinned else {PIN}, (kind, said))

    def label(
        self, seq_ids: Sequence[SeqId], add: Collection[str] = (), remove: Collection[str] = ()
    ) -> None:
        """Give entries words, and take others away. Raises NotFound, BadRequest for a word that is none."""
        words = [word.strip() for word in add]
        for word in words:
            if not 1 <= len(word) <= LONGEST_LABEL or not word.isprintable():
                raise BadRequest(f"A label is a word of 1 to {LONGEST_LABEL} characters", field="label")
        told = [f"+{plain(word)}" for word in words] + [f"-{plain(word)}" for word in remove]
        kind = "mark.labelled" if words else "mark.unlabelled"
        self._put(
            seq_ids,
            {LABEL + word for word in words},
            {LABEL + word for word in remove},
            (kind, f"Labels {', '.join(told)}"),
        )

    def looked(self, seq_ids: Sequence[SeqId]) -> None:
        """Say that the person has looked: what rules asked for is done. Raises NotFound."""
        looks = {LOOK + rule for entry in self._entries(seq_ids) for rule in entry.looks}
        self._put(seq_ids, set(), looks, ("mark.looked", "Looked at"))

    def _entries(self, seq_ids: Sequence[SeqId]) -> tuple[Entry, ...]:
        entries = self._ledger.entries(seq_ids)
        if lost := set(seq_ids) - {entry.seq_id for entry in entries}:
            raise NotFound(f"#{min(lost)} is no longer kept")
        return entries

    def _put(self, seq_ids: Sequence[SeqId], add: set[str], remove: set[str], told: tuple[str, str]) -> None:
        """Put and take marks, and tell it of those entries for which that is news."""
        with self._ledger.write():
            changed: dict[int, list[SeqId]] = {}
            for entry in self._entries(seq_ids):
                now = set(entry.marks)
                if (now | add) - (remove - add) != now:
                    changed.setdefault(entry.workspace_id, []).append(entry.seq_id)
            touched = [seq_id for each in changed.values() for seq_id in each]
            for mark in sorted(remove - add):
                self._ledger.rules.unmark(touched, mark)
            for mark in sorted(add):
                self._ledger.rules.mark(touched, mark)
            kind, said = told
            for workspace_id, each in changed.items():
                numbers = ", ".join(f"#{seq_id}" for seq_id in each)
                self._ledger.record_governance(workspace_id, self._actor, kind, f"{said}: {numbers}", each)
        for workspace_id, each in changed.items():
            self._bus.publish(Changes(workspace_id=workspace_id, touched=tuple(each), governance=True))
