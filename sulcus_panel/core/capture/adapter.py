"""What every harness's adapter speaks: events in our words, and the one question it is asked.

An adapter turns a harness's JSON into these events and knows nothing of files, the ledger or other harnesses.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol

from sulcus_panel.core.capture.spool import Sighting, SpoolEvent


class ToolKind(StrEnum):
    """What a tool does to the workspace, as far as we record it."""

    EDIT = "edit"
    WRITE = "write"
    NOTEBOOK = "notebook"
    DELETE = "delete"
    COMMAND = "command"
    MCP = "mcp"
    """A call of another server's tool: what it did to files only a look at them tells."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Where an event belongs. `turn` is the harness's own id of the turn; `spool_name` is unique for ever."""

    spool_name: str
    at: datetime
    harness: str
    session_id: str
    cwd: str
    turn: str = ""
    agent_id: str = ""
    caller: str = ""
    """Another product that ran this harness's hooks, as a label only."""
    transcript: str = ""
    model: str = ""
    """The model that acts, where the harness tells it with the event itself."""
    placed: str = ""
    """How the folder was found, for whoever records, where the event does not tell it: a sentence."""
    head: str | None = None
    """Where git stood, for whoever records: HEAD's id, "" before a first commit; None where nobody looked."""
    branch: str = ""


@dataclass(frozen=True, slots=True)
class TextEdit:
    """One replacement that a call asked for."""

    old: str
    new: str
    every: bool = False


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What the agent asked for. `content` is a whole file's text, where the call gave it."""

    tool: str
    kind: ToolKind
    call_id: str = ""
    path: str = ""
    content: str | None = None
    edits: tuple[TextEdit, ...] = ()
    command: str = ""
    moved_to: str = ""
    """Where the file goes under another name, as the call spells it."""
    given: str = ""
    """An MCP call's input as JSON, for the entry alone: never listed."""


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A call is about to run. `moved`: what stands where the file goes."""

    scene: Scene
    call: ToolCall
    sighting: Sighting | None
    moved: Sighting | None = None
    look: str = ""
    """The name of the look at the whole tree that was taken before it, "" where there was none."""


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """A call ran. `original` is the file's text before it, as the harness tells; `created`: it had none."""

    scene: Scene
    call: ToolCall
    sighting: Sighting | None
    original: str | None = None
    created: bool = False
    staged: bool = False
    """The harness kept the change back: nothing was written."""
    exit_code: int | None = None
    """A command's, None where it still runs or was cut off."""
    moved: Sighting | None = None
    output: str = ""
    """What a command printed, as far as the harness tells."""
    background: bool = False
    """The command still runs."""
    took: timedelta | None = None
    """How long the call ran, without the time in which a person was asked."""
    echo: bool = False
    """A second voice without an id: it counts only where the call itself says nothing."""


@dataclass(frozen=True, slots=True)
class ToolFailed:
    """A call ran and failed."""

    scene: Scene
    call: ToolCall
    sighting: Sighting | None
    error: str = ""
    exit_code: int | None = None
    moved: Sighting | None = None
    took: timedelta | None = None
    is_lost: bool = False
    """Nobody told that it ended: it may have been stopped, or refused before it began."""


@dataclass(frozen=True, slots=True)
class FileRead:
    """The agent read a file."""

    scene: Scene
    path: str


@dataclass(frozen=True, slots=True)
class PromptSubmitted:
    """The person asked for something: a turn begins."""

    scene: Scene
    prompt: str


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The agent, or the subagent named by the scene, stopped.

    `seen` is what the hook saw then of the turn's files, where a harness says "done" before it has written; the
    recorder adds it.
    """

    scene: Scene
    of_subagent: bool = False
    """One of its subagents did, and the harness did not say which."""
    seen: tuple[Sighting, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionStarted:
    """A run of the harness began or went on."""

    scene: Scene


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """A run of the harness is over."""

    scene: Scene


@dataclass(frozen=True, slots=True)
class Ignored:
    """An event that changes nothing that we record; `what` names it."""

    scene: Scene
    what: str


CaptureEvent = (
    ToolStarted
    | ToolFinished
    | ToolFailed
    | FileRead
    | PromptSubmitted
    | TurnEnded
    | SessionStarted
    | SessionEnded
    | Ignored
)


def part_id(call_id: str, part: int) -> str:
    """The id of one file's part of a call; the first keeps the call's own, so that a call on one file is itself."""
    return f"{call_id}/{part + 1}" if call_id and part else call_id


class Adapter(Protocol):
    """One harness's language."""

    harness: str
    """The name given to the hook on its command line, and kept in entries."""
    actor: str
    """The name of this harness's agents in the ledger."""

    def read(self, event: SpoolEvent) -> tuple[CaptureEvent, ...]:
        """The event in our words, at least one.

        A call on several files is one event a file, numbered by `part_id` in the order in which it names them.

        Raises:
            BadPayload: it lacks what makes it an event.
        """
