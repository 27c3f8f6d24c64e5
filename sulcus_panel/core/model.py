"""The words of the product as frozen data (docs/architecture.md says what each means), and nothing that acts.

Paths inside a workspace are workspace-relative POSIX strings; names that are not UTF-8 carry their bytes
as surrogate escapes (os.fsdecode). Times are aware UTC datetimes. Sizes are bytes. Line numbers here count
from 0; doors that show them add 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NewType

SeqId = NewType("SeqId", int)
Sha256 = NewType("Sha256", str)
"""64 lower-case hexadecimal digits."""
LedgerPath = NewType("LedgerPath", str)
"""Workspace-relative POSIX path; an absolute one names a file outside the workspace."""
Namespace = NewType("Namespace", str)


class ActorKind(StrEnum):
    """Whoever is not the person is an agent."""

    PERSON = "person"
    AGENT = "agent"
    ASSISTANT = "assistant"
    MODULE = "module"


class ActionType(StrEnum):
    """What an entry did, in names that are fixed for clients."""

    FILE_EDIT = "file_edit"
    FILE_WRITE = "file_write"
    FILE_CREATE = "file_create"
    FILE_DELETE = "file_delete"
    RUN_COMMAND = "run_command"
    MCP_MUTATION = "mcp_mutation"


COMMANDS = frozenset({ActionType.RUN_COMMAND, ActionType.MCP_MUTATION})
"""Actions that may do more than change files, and of which only the files are taken back."""


class Origin(StrEnum):
    """Who caused an entry."""

    AGENT = "agent"
    OUTSIDE = "outside"
    UNDO = "undo"


class Provenance(StrEnum):
    """How we know: we saw the bytes, a harness's own files say so, or a caller did."""

    OBSERVED = "observed"
    IMPORTED = "imported"
    CLAIMED = "claimed"


class EntryState(StrEnum):
    """Where an entry stands today; the entry itself is never rewritten."""

    RECORDED = "recorded"
    UNDONE = "undone"
    PARTLY_UNDONE = "partly_undone"
    HELD = "held"
    DEFERRED = "deferred"
    FAILED = "failed"
    ATTENTION = "attention"


class FileKind(StrEnum):
    """One side of a change. `absent` only on a proven ENOENT; what could not be read is `unknown`."""

    ABSENT = "absent"
    FILE = "file"
    SYMLINK = "symlink"
    DIRECTORY = "directory"
    UNKNOWN = "unknown"


class Undoability(StrEnum):
    """Known for every row before anyone clicks."""

    FULLY = "fully"
    PARTLY = "partly"
    NOT = "not"


class DriftKind(StrEnum):
    """How the disk differs from what the ledger last saw at a path."""

    CHANGED = "changed"
    MISSING = "missing"
    RECREATED = "recreated"
    TYPE_CHANGED = "type_changed"
    UNREADABLE = "unreadable"


class Decision(StrEnum):
    """The person's answer to a plan. Anything that is not an explicit yes is REJECT."""

    ACCEPT = "accept"
    REJECT = "reject"
    DEFER = "defer"


@dataclass(frozen=True, slots=True)
class FileState:
    """One path at one moment.

    `sha256` and `size_bytes` describe the file's bytes (for a symlink: the link text). `mode` is the permission
    bits (stat.S_IMODE) or None where unknown. `kept` says whether the bytes are in the snapshot store; where
    they are not, or where the kind is `unknown`, `reason` says why in a few words.
    """

    kind: FileKind
    sha256: Sha256 | None = None
    size_bytes: int | None = None
    mode: int | None = None
    kept: bool = False
    reason: str = ""


ABSENT = FileState(FileKind.ABSENT)


@dataclass(frozen=True, slots=True)
class Hunk:
    """One run of changed lines: `before[before_start:+before_lines]` became `after[after_start:+after_lines]`.

    Lines end at LF only. `old` and `new` carry the exact text of both runs where no snapshot of the file
    is kept; None means "read it from the snapshot". `exact`: the place was seen as it happened, not found by
    comparing two texts, so that equal lines around it leave no other reading.
    """

    before_start: int
    before_lines: int
    after_start: int
    after_lines: int
    old: bytes | None = None
    new: bytes | None = None
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """One path's before and after inside an entry. `plus` and `minus` count lines, None where unknown."""

    path: LedgerPath
    before: FileState
    after: FileState
    hunks: tuple[Hunk, ...] = ()
    plus: int | None = None
    minus: int | None = None


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acted; set from the connection, never from the body of a request."""

    name: str
    kind: ActorKind


PERSON = Actor("you", ActorKind.PERSON)

SAVED_COPY = "save_old_copy"
"""The tool of an undo that left a file as it is, and saved what it had been before beside it."""


@dataclass(frozen=True, slots=True)
class FolderId:
    """Which directory it is: its device, its number there, and a second number that one made anew lacks.

    `serial` is 0 where the file system does not tell it.
    """

    device: int
    number: int
    serial: int


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder whose changes are recorded. `root` is absolute, or None for a namespace made over the API."""

    id: int
    namespace: Namespace
    root: str | None
    folder: FolderId | None = None
    """Which directory stood at `root` when it was registered, None where nobody looked."""


@dataclass(frozen=True, slots=True)
class GitState:
    """HEAD's object id, the branch (None when detached) and `git status` in porcelain letters by path."""

    head: str | None
    branch: str | None
    status: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class RefMove:
    """A reference of git (`refs/heads/main`) from one object's id to another, "" where there was none.

    Behind a colon, a path of the index (`:a.txt`) from one mode and id to another (`100644 1a2b…`).
    """

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class GitDelta:
    """A repository before and after an entry. `refs`: what moved, where that was looked at; symbolic ones apart."""

    before: GitState
    after: GitState
    refs: tuple[RefMove, ...] = ()


@dataclass(frozen=True, slots=True)
class CommandFacts:
    """What else is known of a command, in words to be shown.

    `unsure` says by path why a change may be somebody else's; `at_once` names the commands that ran at the same
    time; `unseen` says what could not be looked at, so that the list of changes may lack something.
    """

    output: str = ""
    """Its first and last lines, without what may be a secret."""
    in_background: bool = False
    """It was left to go on when this was recorded."""
    at_once: tuple[str, ...] = ()
    unsure: Mapping[str, str] = field(default_factory=dict)
    unseen: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RollbackHint:
    """Where the means of going back are kept: a snapshot, git, or a sentence for a person."""

    kind: str
    ref: str


@dataclass(frozen=True, slots=True)
class NewEntry:
    """What a recorder hands to the ledger. `uid` makes recording idempotent."""

    uid: str
    at: datetime
    harness: str
    actor: Actor
    origin: Origin
    action_type: ActionType
    tool_name: str
    target_path: LedgerPath
    summary: str
    provenance: Provenance
    session_id: str = ""
    turn_id: str = ""
    intent: str = ""
    changes: tuple[Change, ...] = ()
    command: str | None = None
    cwd: str | None = None
    exit_code: int | None = None
    git: GitDelta | None = None
    derived_from: tuple[LedgerPath, ...] = ()
    rollback_hint: RollbackHint | None = None
    reverses: SeqId | None = None
    reversed_hunks: tuple[int, ...] | None = None
    """Which hunks (counted from 0 over all changes) an undo took back; None means all."""
    why: Mapping[str, str] | None = None
    notes: tuple[str, ...] = ()
    """What is to be known of how it was recorded, a sentence each: what is unsure, who else wrote meanwhile."""
    input: str = ""
    """An MCP call's input as JSON; never listed."""
    ran: CommandFacts | None = None
    model: str = ""
    """The model that acted, as its harness calls it; empty where it does not tell."""

    @property
    def takes_back(self) -> bool:
        """True of an undo, but for one that only saved an old copy beside a file: that has nothing to redo."""
        return self.origin is Origin.UNDO and self.tool_name != SAVED_COPY


PIN, LOOK, LABEL = "pin", "look:", "label:"
"""Marks on entries: one that is kept whatever retention asks for; the other two with a word after them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One recorded action as it stands in the ledger: the record, and what has become of it since."""

    seq_id: SeqId
    recorded_at: datetime
    workspace_id: int
    namespace: Namespace
    record: NewEntry
    state: EntryState
    undone_by: SeqId | None
    """The undo entry now in force, None where there is none."""
    undoability: Undoability
    undo_reason: str
    drift: DriftKind | None
    """The drift now known on any of its paths."""
    marks: tuple[str, ...] = ()
    """What rules or the person put on it: `pin`, `look:RULE`, `label:WORD`."""

    @property
    def looks(self) -> tuple[str, ...]:
        """The rules by which the person is asked to look before it is undone."""
        return tuple(mark.removeprefix(LOOK) for mark in self.marks if mark.startswith(LOOK))

    @property
    def labels(self) -> tuple[str, ...]:
        """The words it bears."""
        return tuple(mark.removeprefix(LABEL) for mark in self.marks if mark.startswith(LABEL))

    @property
    def paths(self) -> tuple[LedgerPath, ...]:
        """Every path the entry changed, in order."""
        return tuple(change.path for change in self.record.changes)

    @property
    def rollback_hint(self) -> RollbackHint | None:
        """Where the way back is kept: as recorded, else the snapshot from before; None where there is none."""
        if self.record.rollback_hint is not None:
            return self.record.rollback_hint
        for change in self.record.changes:
            if change.before.kind is FileKind.ABSENT:
                return RollbackHint("snapshot", "absent")
            if change.before.kept and change.before.sha256 is not None:
                return RollbackHint("snapshot", change.before.sha256)
        return None


@dataclass(frozen=True, slots=True)
class GovernanceRecord:
    """One row of the second timeline: rare, high-impact events and every undo decision."""

    id: int
    at: datetime
    namespace: Namespace | None
    actor: Actor
    kind: str
    """`undo.accepted`, `undo.rejected`, `undo.deferred`, `undo.applied`, `undo.failed`, `config.set`,
    `hooks.install`, `hooks.uninstall`, `import`, `workspace.added`, …"""
    summary: str
    seq_ids: tuple[SeqId, ...] = ()
    detail: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Settings:
    """A workspace's settings. Ranges: ledger/settings.py; what each does: the table in README.md."""

    enabled: bool = True
    max_entries: int = 1000
    max_age_days: int = 90
    retain_file_snapshots: bool = True
    max_snapshot_bytes: int = 262_144
    max_store_bytes: int = 1_073_741_824
    exclude: tuple[str, ...] = ()
    always_ask: bool = True
    llm_cli_undo_enabled: bool = False
    llm_endpoint: str = ""
    air_gap: bool = False
    tell_agents: bool = True


@dataclass(frozen=True, slots=True)
class Step:
    """One entry's passage over one path, as the timeline of that path knows it."""

    seq_id: SeqId
    origin: Origin
    at: datetime
    before: FileState
    after: FileState
    hunks: tuple[Hunk, ...]
    reverses: SeqId | None = None


@dataclass(frozen=True, slots=True)
class DiskFile:
    """One path on disk, read once: its state, and its bytes (a symlink's text) where it is not too large."""

    state: FileState
    content: bytes | None
