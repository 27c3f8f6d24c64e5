"""The order in which events happened, also where the clock was set back between them.

Spool files sort by the clock. Beside it each tells how long the machine had been up: within one session the two
can only disagree where the clock was set back, or where the machine was started anew.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cmp_to_key
from itertools import pairwise

from sulcus_panel.core.capture.adapter import CaptureEvent, Scene
from sulcus_panel.core.capture.spool import Looked


@dataclass(frozen=True, slots=True)
class Waiting:
    """One event of the spool, told in at least one of ours. `uptime` is None where the hook did not tell it."""

    name: str
    events: tuple[CaptureEvent, ...]
    uptime: timedelta | None = None
    via: str = ""
    """Whose hook told it, where that is another's than the scene's."""
    looked: Looked | None = None
    lost: tuple[Looked, ...] = ()
    """What became of calls that began before it and will not end any more."""
    told: str = ""
    """The notice that its hook passed on to the agent."""

    @property
    def scene(self) -> Scene:
        """Where and when it was."""
        return self.events[0].scene


def in_order(batch: Sequence[Waiting]) -> list[Waiting]:
    """These events, each session's in order; what belongs to different sessions keeps its places."""
    result = list(batch)
    places: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, one in enumerate(batch):
        if one.uptime is not None:
            places[one.scene.harness, one.scene.session_id].append(place)
    for own in places.values():
        events = [batch[place] for place in own]
        if any(_compare(*pair) > 0 for pair in pairwise(events)):
            for place, one in zip(own, sorted(events, key=cmp_to_key(_compare)), strict=True):
                result[place] = one
    return result


def _compare(one: Waiting, other: Waiting) -> int:
    """Below 0 where `one` came first, above where it came last; by the clock unless that was set back."""
    if one.uptime is None or other.uptime is None or one.uptime == other.uptime:
        return 0
    by_clock = (one.scene.at > other.scene.at) - (one.scene.at < other.scene.at)
    by_uptime = 1 if one.uptime > other.uptime else -1
    if by_clock == -by_uptime:
        late, early = (one, other.scene.at) if by_clock > 0 else (other, one.scene.at)
        started_anew = late.uptime is not None and late.scene.at - late.uptime > early
        return by_clock if started_anew else by_uptime
    return by_uptime
