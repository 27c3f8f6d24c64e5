"""What a harness's own files say of a past run, as frozen records: JSON goes no further than its reader."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sulcus_panel.core.capture.adapter import ToolCall
from sulcus_panel.core.capture.edits import Unknown
from sulcus_panel.core.capture.patch_text import Chunk


@dataclass(frozen=True, slots=True)
class Stamp:
    """Where and when a record stands. `order` rises over all files read, so that equal times keep order."""

    at: datetime
    order: int
    session: str
    """The harness's session id; for a subagent the parent's."""
    agent: str
    """The subagent's id, empty for the main conversation."""
    cwd: str
    prompt_id: str
    model: str = ""
    """Which model acted, where the record tells."""

    @property
    def moment(self) -> tuple[datetime, int]:
        """The key that sorts records by time of happening."""
        return self.at, self.order


@dataclass(frozen=True, slots=True)
class Prompt:
    """One request. `text` is empty where the harness itself spoke (a background task ended, …)."""

    stamp: Stamp
    text: str
    number: int
    """Counted from 1 within its session (or its subagent)."""


@dataclass(frozen=True, slots=True)
class PatchHunk:
    """One hunk of a harness's diff, its lines with their signs, its starts counted from 1.

    A display diff is only good for checking, its tabs have become spaces. An exact one tells a last line without
    an end by a line that begins with a backslash, as `diff` does.
    """

    old_start: int
    new_start: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sides:
    """A file's own bytes before and after a call, as the run's own history keeps them; None: there was no file."""

    before: bytes | Unknown | None
    after: bytes | Unknown | None
    worked_back: bool = False
    """They follow from how the file was left."""


@dataclass(frozen=True, slots=True)
class FileCall:
    """A file tool that succeeded: the call as it was applied, and what else its result tells.

    A call on several files is one of these a file, their ids numbered by `part_id`; one that moves a file says
    where to in `applied.moved_to`, one that deletes it has the kind DELETE and may tell the `original`.
    """

    stamp: Stamp
    applied: ToolCall
    original: str | None
    """The text before, where the harness kept it; None means either no file or too large."""
    created: bool
    """The harness says that it made a new file (it also says so of an empty one)."""
    patch: tuple[PatchHunk, ...]
    is_exact: bool = False
    """The patch is the change itself, tabs and all, and not only its display; so are the other texts."""
    chunks: tuple[Chunk, ...] = ()
    """What a patch without line numbers asked for, where nothing more exact is told."""
    adds: bool = False
    """The call makes a new file; one that stood in its way was overwritten without a word."""
    sides: Sides | None = None
    """Both sides, where they need not be worked out from the call."""


@dataclass(frozen=True, slots=True)
class CommandCall:
    """A shell command that ran, or a call of another server's tool that succeeded (kind MCP).

    `exit_code` is None where the transcript does not tell.
    """

    stamp: Stamp
    applied: ToolCall
    exit_code: int | None


@dataclass(frozen=True, slots=True)
class ReadCall:
    """A file that was read; `content` only where the whole of it stands in the transcript."""

    stamp: Stamp
    path: str
    content: str | None


Call = FileCall | CommandCall | ReadCall


@dataclass(frozen=True, slots=True)
class Backup:
    """A file as the harness's own file-history knew it at `at`; `blob` None means that it did not exist."""

    at: datetime
    sessions: tuple[str, ...]
    """The session it belongs to, then those that were resumed or forked from it: any may hold the blob."""
    path: str
    """Absolute, or relative to where the session ran."""
    blob: str | None


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """One session or subagent as its transcripts show it. `cwds` in order of appearance."""

    session_id: str
    parent: str | None
    transcript: str
    first: datetime
    last: datetime
    cwds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Transcript:
    """Everything read from the files of one import, each record once, sorted by time of happening."""

    calls: tuple[Call, ...]
    prompts: tuple[Prompt, ...]
    backups: tuple[Backup, ...]
    sessions: tuple[SessionFacts, ...]
    problems: tuple[str, ...]

    @classmethod
    def in_order(
        cls,
        calls: Iterable[Call],
        prompts: Iterable[Prompt],
        sessions: Iterable[SessionFacts],
        problems: Iterable[str],
        backups: tuple[Backup, ...] = (),
    ) -> "Transcript":
        """What was read in whichever order."""
        return cls(
            tuple(sorted(calls, key=lambda call: call.stamp.moment)),
            tuple(sorted(prompts, key=lambda prompt: prompt.stamp.moment)),
            backups,
            tuple(sessions),
            tuple(problems),
        )
