"""What is told twice is recorded once, whichever comes first; what only the echo tells is recorded too."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sulcus_panel.core.capture.adapter import (
    CaptureEvent,
    Scene,
    ToolCall,
    ToolFinished,
    ToolKind,
    ToolStarted,
)
from sulcus_panel.core.capture.changes import file_side
from sulcus_panel.core.capture.harnesses.cursor.live import Cursor
from sulcus_panel.core.capture.pairing import Pairs
from sulcus_panel.core.capture.recording import Recording
from sulcus_panel.core.capture.spool import Sighting
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import FileKind, NewEntry

NOW = datetime.now(UTC) - timedelta(hours=1)


class Told:
    """Events about one file and one command, each taken in a transaction of its own."""

    def __init__(self, ledger: Ledger, folder: Path) -> None:
        self.ledger = ledger
        self.path = str(folder / "a.py")
        self.count = 0

    def scene(self) -> Scene:
        self.count += 1
        at = NOW + timedelta(seconds=self.count)
        return Scene(f"{self.count:03}", at, "cursor", "s", str(Path(self.path).parent))

    def seen(self, text: str) -> Sighting:
        return Sighting(self.path, file_side(text.encode()))

    def starts(self, text: str) -> ToolStarted:
        return ToolStarted(self.scene(), ToolCall("Write", ToolKind.WRITE, "c1", self.path), self.seen(text))

    def ends(self, text: str) -> ToolFinished:
        return ToolFinished(self.scene(), ToolCall("Write", ToolKind.WRITE, "c1", self.path), self.seen(text))

    def echo(self, text: str) -> ToolFinished:
        call = ToolCall("edit", ToolKind.EDIT, path=self.path)
        return ToolFinished(self.scene(), call, self.seen(text), echo=True)

    def take(self, *events: CaptureEvent) -> list[NewEntry]:
        for event in events:
            with self.ledger.write():
                pairs = Pairs(self.ledger, NOW)
                Recording(self.ledger, {"cursor": Cursor()}, pairs, self.ledger.home.root).take(event)
                pairs.keep()
        return [one.record for one in self.ledger.find(LedgerQuery(descending=False))]


@pytest.fixture
def told(ledger: Ledger, project: Path) -> Told:
    return Told(ledger, project)


def test_an_echo_before_the_end_of_its_call_is_that_call(told: Told) -> None:
    (entry,) = told.take(told.starts("one"), told.echo("two"), told.ends("two"))
    assert (entry.tool_name, entry.changes[0].before.kind) == ("Write", FileKind.FILE)


def test_an_echo_behind_the_end_of_its_call_says_nothing_new(told: Told) -> None:
    (entry,) = told.take(told.starts("one"), told.ends("two"), told.echo("two"))
    assert entry.tool_name == "Write"


def test_what_only_an_echo_tells_is_recorded(told: Told) -> None:
    first, second = told.take(told.echo("one"), told.echo("two"), told.echo("two"))
    assert (first.tool_name, second.tool_name) == ("edit", "edit")


def test_a_command_that_is_told_twice_ran_once(told: Told) -> None:
    named = ToolCall("Shell", ToolKind.COMMAND, "c2", command="make")
    bare = ToolCall("Shell", ToolKind.COMMAND, command="make")
    entries = told.take(
        ToolStarted(told.scene(), named, None),
        ToolStarted(told.scene(), bare, None),
        ToolFinished(told.scene(), bare, None, echo=True),
        ToolFinished(told.scene(), named, None, exit_code=2),
    )
    assert [one.exit_code for one in entries] == [2]


def test_a_command_that_only_an_echo_tells_ran(told: Told) -> None:
    bare = ToolCall("Shell", ToolKind.COMMAND, command="make")
    (entry,) = told.take(
        ToolStarted(told.scene(), bare, None), ToolFinished(told.scene(), bare, None, echo=True)
    )
    assert entry.command == "make"
