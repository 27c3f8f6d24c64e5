"""Events made by hand, each recorded in a transaction of its own."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from sulcus_panel.core.capture.adapter import (
    CaptureEvent,
    Scene,
    ToolCall,
    ToolFinished,
    ToolKind,
    ToolStarted,
)
from sulcus_panel.core.capture.changes import ABSENT_SIDE, file_side
from sulcus_panel.core.capture.harnesses.claude.live import ClaudeCode
from sulcus_panel.core.capture.pairing import Pairs
from sulcus_panel.core.capture.recording import Recording
from sulcus_panel.core.capture.spool import Sighting
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import DiskFile, Entry

NOW = datetime.now(UTC) - timedelta(hours=1)


class Events:
    """One session's events in `folder`, a second apart, each taken in a transaction of its own."""

    def __init__(self, ledger: Ledger, folder: Path) -> None:
        self.ledger = ledger
        self.folder = folder
        self.caller = ""
        self.count = 0
        self.messages: list[str] = []

    def scene(self, agent: str = "") -> Scene:
        self.count += 1
        at = NOW + timedelta(seconds=self.count)
        return Scene(
            f"{self.count:03}", at, "claude-code", "s1", str(self.folder), agent_id=agent, caller=self.caller
        )

    def take(self, *events: CaptureEvent) -> None:
        with self.ledger.write():
            pairs = Pairs(self.ledger, NOW)
            recording = Recording(
                self.ledger, {"claude-code": ClaudeCode()}, pairs, self.folder.parent / "data"
            )
            for event in events:
                recording.take(event)
            pairs.keep()
        self.messages += recording.messages

    def call(self, name: str, content: str = "") -> ToolCall:
        return ToolCall("Write", ToolKind.WRITE, f"c{name}", str(self.folder / name), content=content)

    def sight(self, name: str, side: DiskFile) -> Sighting:
        return Sighting(str(self.folder / name), side)

    def starts(self, name: str, content: str, before: DiskFile = ABSENT_SIDE, agent: str = "") -> ToolStarted:
        return ToolStarted(self.scene(agent), self.call(name, content), self.sight(name, before))

    def ends(self, name: str, content: bytes) -> ToolFinished:
        return ToolFinished(self.scene(), self.call(name), self.sight(name, file_side(content)))

    def ends_with(self, name: str, asked: str, content: bytes) -> ToolFinished:
        return ToolFinished(self.scene(), self.call(name, asked), self.sight(name, file_side(content)))

    def rows(self) -> tuple[Entry, ...]:
        return self.ledger.find(LedgerQuery(limit=100, descending=False))
