"""What agents did while their hooks were silent, found in the files that harnesses write, and recorded once.

Hooks see more, so they come first: the spool is drained, and a call waits a minute for its hook. Only calls since
the last look are looked for, with an hour before it, and none from a time when recording was off. A weak file may
name its session otherwise than hooks do, and knows no times: it is believed only where no hook at all fired lately.
"""

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from sulcus_panel.core.capture.fired import last_fired
from sulcus_panel.core.capture.heard import heard_calls
from sulcus_panel.core.capture.past.entries import Importing
from sulcus_panel.core.capture.past.importer import Growth, TwiceTold
from sulcus_panel.core.capture.past.into_ledger import ImportedEntry
from sulcus_panel.core.capture.past.unreported import Span, is_told, unreported, with_its_echo
from sulcus_panel.core.capture.recorder import RECORDER
from sulcus_panel.core.capture.registry import ADAPTERS, TWICE_TOLD, WEAKLY_TOLD
from sulcus_panel.core.capture.silence import Silence, note_silence
from sulcus_panel.core.ledger.locks import holding
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import NewEntry, Origin, Workspace
from sulcus_panel.core.names import HARNESS_NAMES
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.operations import Operations, utc_now
from sulcus_panel.service.past_runs import record_run

GRACE = timedelta(seconds=60)
"""So long a call waits for its hook."""
LOOK_BACK = timedelta(hours=1)
MARK_EVERY = timedelta(minutes=10)
LOOKED = "looked"
"""The kind of a pending piece that says until when a workspace was looked at."""
SWITCHED = "enabled = "
LOCK = "silence"


@dataclass(frozen=True, slots=True)
class _Watched:
    importer: TwiceTold
    home: Path
    growth: Growth


class SilenceLook:
    """One workspace. It remembers what was read, so that a later look opens only what has grown."""

    def __init__(
        self,
        workspace: Workspace,
        environment: Mapping[str, str] = os.environ,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._workspace = workspace
        self._environment = environment
        self._clock = clock
        self._since: datetime | None = None
        self._off_until: datetime | None = None
        """What happened up to then, while recording was off, is not looked for."""
        self._watched: dict[str, _Watched] = {}

    def look(self, operations: Operations) -> int:
        """Record what no hook told of; how many entries. Raises what writing to the ledger does."""
        workspace, now = self._workspace, self._clock()
        if operations.read_only or workspace.root is None or not operations.settings(workspace.id).enabled:
            self._since, self._off_until = None, now
            return 0
        if operations.drain().busy:
            return 0
        with holding(operations.home, LOCK, 0) as held:  # who else looks now finds the same
            return self._look(operations, now) if held else 0

    def _look(self, operations: Operations, now: datetime) -> int:
        ledger = operations.ledger
        since = max(self._since or self._begin(ledger, now), self._kept_since(ledger, now))
        span = Span(since, now - GRACE)
        heard = heard_calls(ledger)
        filled = 0
        for harness, watched in self._watched.items():
            paths = watched.growth.suspects(lambda uid: is_told(ledger, uid, heard), span.ripe)
            filled += sum(self._fill(operations, harness, path, span) for path in paths)
            watched.growth.settle(paths)
        self._mark(ledger, now)
        return filled

    def _begin(self, ledger: Ledger, now: datetime) -> datetime:
        """Begin an hour before the last look, but not before recording was switched on."""
        marks = [kept.at for kept in ledger.pending(LOOKED) if kept.key == self._key]
        since = min(max(marks, default=now), now) - LOOK_BACK
        switched = ledger.governance(self._workspace.id, kind_prefix="config.set", limit=1_000)
        on = next((one.at for one in switched if one.summary.startswith(SWITCHED)), since)
        self._since = since = max(since, on, self._off_until or since)
        root = self._workspace.root or ""
        for harness, importer in TWICE_TOLD.items():
            home = importer.home(self._environment)
            self._watched[harness] = _Watched(importer, home, importer.growth(home, root, since))
        return since

    def _kept_since(self, ledger: Ledger, now: datetime) -> datetime:
        """Since when nothing was let go of again: what was is in a transcript, too, and is no gap."""
        own = LedgerQuery(workspace_id=self._workspace.id, descending=False, limit=1)
        settings = ledger.settings(self._workspace.id)
        since = now - timedelta(days=settings.max_age_days)
        if ledger.count(own) < settings.max_entries:
            return since
        return max(since, *(entry.record.at for entry in ledger.find(own)))

    def _fill(self, operations: Operations, harness: str, path: Path, span: Span) -> int:
        """Record the calls of one file that no hook told of."""
        workspace, watched = self._workspace, self._watched[harness]
        settings = operations.settings(workspace.id)
        importing = Importing(ADAPTERS[harness], workspace.root or "", workspace.root, settings)
        run = watched.importer.read([path], importing, watched.home)
        missing = unreported(operations.ledger, workspace, run.entries, span)
        if not missing or self._is_heard(operations.ledger, harness, missing):
            return 0
        missing = tuple(with_its_echo(operations.ledger, workspace, one) for one in missing)
        missing = tuple(_with_its_doubt(harness, one) for one in missing)
        names = {one.entry.session_id for one in missing}
        sessions = tuple(one for one in run.sessions if one.session_id in names)
        report = record_run(
            operations, workspace, replace(run, entries=missing, sessions=sessions), live_since=span.since
        )
        calls = [one.entry for one in missing if one.entry.origin is Origin.AGENT]
        found = [call for call in calls if operations.ledger.entry_by_uid(call.uid) is not None]
        if report.recorded and found:
            self._tell(operations, harness, found)
        return report.recorded

    def _is_heard(self, ledger: Ledger, harness: str, missing: Sequence[ImportedEntry]) -> bool:
        """Whether hooks of a harness whose files are weak have fired of late: then these may be told of already."""
        fired = last_fired(ledger).get(harness)
        first = min(one.entry.at for one in missing)
        return harness in WEAKLY_TOLD and fired is not None and fired >= first - LOOK_BACK

    def _tell(self, operations: Operations, harness: str, calls: Sequence[NewEntry]) -> None:
        ledger = operations.ledger
        fired = last_fired(ledger).get(harness)
        first, newest = min(call.at for call in calls), max(call.at for call in calls)
        with ledger.write():
            for session, count in Counter(call.session_id for call in calls).items():
                last = max(call.at for call in calls if call.session_id == session)
                before = fired if fired is not None and fired <= first else None
                alone = fired is not None and fired > newest
                note_silence(
                    ledger, Silence(self._workspace.id, harness, session, last, count, before, alone)
                )
            those = "1 change was" if len(calls) == 1 else f"{len(calls)} changes were"
            name = HARNESS_NAMES.get(harness, harness)
            summary = f"{name}: {those} found in its transcript that no hook reported"
            ledger.record_governance(self._workspace.id, RECORDER, "capture.filled", summary)
        operations.bus.publish(Changes(workspace_id=self._workspace.id, governance=True, hooks=True))

    def _mark(self, ledger: Ledger, now: datetime) -> None:
        """Keep until when was looked; seldom, for whoever follows the ledger looks again after every write."""
        marks = [kept.at for kept in ledger.pending(LOOKED) if kept.key == self._key]
        if not marks or not timedelta(0) <= now - max(marks) < MARK_EVERY:
            ledger.put_pending(self._key, LOOKED, now, b"")

    @property
    def _key(self) -> str:
        return f"{LOOKED}:{self._workspace.id}"


def _with_its_doubt(harness: str, one: ImportedEntry) -> ImportedEntry:
    """The call, with a note where the file that tells of it is weak."""
    if harness not in WEAKLY_TOLD or one.entry.origin is not Origin.AGENT:
        return one
    return replace(one, entry=replace(one.entry, notes=(*one.entry.notes, WEAKLY_TOLD[harness])))
