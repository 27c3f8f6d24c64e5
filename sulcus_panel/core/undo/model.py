"""What an undo is asked, what it is planned from, what it would do: frozen data, shared by every door.

Nothing here touches the disk or the ledger. Hunks are numbered from 0 over all changes of an entry, in order, and
behind them the changes without any; doors add 1. Line ranges are half-open and count from 0 in the file as it is
on disk now.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from sulcus_panel.core.commands.now import GitNow
from sulcus_panel.core.model import (
    DiskFile,
    DriftKind,
    Entry,
    FileKind,
    FileState,
    GitDelta,
    LedgerPath,
    SeqId,
    Sha256,
    Step,
)


class Strategy(StrEnum):
    """How a change is taken back, in names that are fixed for clients."""

    DELETE_CREATED_FILE = "delete_created_file"
    SURGICAL_REVERSE_PATCH = "surgical_reverse_patch"
    PRE_IMAGE_RESTORE = "pre_image_restore"
    COMPENSATING_CLI = "compensating_cli"
    """References of git that a command moved go back, each only from where the command had left it."""


class Outcome(StrEnum):
    """What an undo of an entry, or of one of its paths, would come or came to."""

    UNDONE = "undone"
    COPY_SAVED = "copy_saved"
    """The file stays as it is; what it was before is saved beside it. Nothing is taken back."""
    PARTLY_UNDONE = "partly_undone"
    ALREADY_UNDONE = "already_undone"
    NOTHING_TO_UNDO = "nothing_to_undo"
    SUPERSEDED = "superseded"
    REVIEW = "review"
    CONFLICT = "conflict"
    REFUSED = "refused"
    UNAVAILABLE = "unavailable"
    HELD = "held"
    FAILED = "failed"
    APPLIED_UNCONFIRMED = "applied_unconfirmed"
    NOT_TRIED = "not_tried"


WRITABLE = frozenset({Outcome.UNDONE, Outcome.COPY_SAVED, Outcome.REVIEW})
"""Outcomes that have a result to write; a `review` needs the person's own yes to it."""

STUCK = frozenset({Outcome.CONFLICT, Outcome.SUPERSEDED})
"""Outcomes in which later work stands in the way."""


class HunkOutcome(StrEnum):
    """What becomes of one hunk."""

    UNDONE = "undone"
    ALREADY_UNDONE = "already_undone"
    SUPERSEDED = "superseded"
    MOVED = "moved"
    REVIEW = "review"
    CONFLICT = "conflict"


WRITTEN = frozenset({HunkOutcome.UNDONE, HunkOutcome.MOVED, HunkOutcome.REVIEW})
"""Outcomes of a hunk with a result to write or to show."""


class Resolution(StrEnum):
    """What a person decides about later work that stands in the way of one change."""

    KEEP = "keep"
    """Nothing happens to either: a conflict."""
    TAKE_ALL = "take_all"
    """The later work on these lines, or the file that has changed since, goes too; a copy of it is kept."""
    REST = "rest"
    """The later work stays, and what is left untouched of an addition goes."""
    BESIDE = "beside"
    """The file that has changed since stays as it is; its old copy is saved as a new file beside it."""
    OTHERS = "others"
    """Of several files, those that cannot go back stay as they are, and the others go back."""


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """Which entries, and which of their hunks (None: all). Order and duplicates do not matter."""

    seq_ids: tuple[SeqId, ...]
    hunks: tuple[int, ...] | None = None
    """Only with a single entry."""
    resolution: Resolution = Resolution.KEEP
    """Anything else only with a single entry."""


@dataclass(frozen=True, slots=True)
class UndoFacts:
    """Everything a plan rests on.

    `targets` newest first. `timelines` holds, for every path of a target, all known steps of that path in order
    of happening (time, repaired by the chain of hashes). `contents` holds verified bytes by hash. `readers` are
    later entries whose session had read the path. `active_sessions` had an event within the last minute.
    """

    workspace_id: int
    root: str | None
    targets: tuple[Entry, ...]
    hunks: tuple[int, ...] | None
    timelines: Mapping[LedgerPath, tuple[Step, ...]]
    contents: Mapping[Sha256, bytes]
    disk: Mapping[LedgerPath, DiskFile]
    readers: Mapping[LedgerPath, tuple[SeqId, ...]]
    active_sessions: frozenset[str]
    refusals: Mapping[LedgerPath, str]
    """Paths that may not be written at all (outside the root, protected, a symlinked parent …), and why."""
    listings: Mapping[LedgerPath, tuple[str, ...]] = field(default_factory=dict)
    """The names in every folder on disk that a target made, so that only an empty one goes."""
    moved: Mapping[tuple[SeqId, LedgerPath], LedgerPath] = field(default_factory=dict)
    """Where an entry took a file that was at a path of a target."""
    taken: Mapping[SeqId, frozenset[int]] = field(default_factory=dict)
    """Which hunks of a target an undo of parts, still in force, has taken back; counted like `hunks`."""
    cancelled: frozenset[SeqId] = frozenset()
    """Later entries that are undone, with their undos: of these nothing stands in the files."""
    resolution: Resolution = Resolution.KEEP
    copies: Mapping[LedgerPath, LedgerPath] = field(default_factory=dict)
    """Where the old copy of a target's file would go, if the person so decided; what stands there is in `disk`."""
    linked: frozenset[LedgerPath] = frozenset()
    """Paths whose file has more than one name (hard links): written in place, so that the names stay one file."""
    git: Mapping[SeqId, GitNow] = field(default_factory=dict)
    """What git says now of the references that a target had moved and that could go back."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Who stands on the lines that were to be taken back. `lines` is None for a conflict over the whole file."""

    path: LedgerPath
    lines: tuple[int, int] | None
    with_seq_ids: tuple[SeqId, ...]
    outside: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Warning:
    """Something the person should know before deciding. `code` is stable, `text` is one plain sentence."""

    code: str
    text: str
    path: LedgerPath | None = None
    seq_ids: tuple[SeqId, ...] = ()


@dataclass(frozen=True, slots=True)
class Consent:
    """One thing of a plan that needs the person's own yes, apart from the yes to the whole.

    `code` is stable: `review` (a result that is not certain), `config` (a file that tools obey), `read_only`,
    `link_outside` (a link that leads out of the workspace comes back), `unsure` (may be somebody else's work),
    `effect` (more than files goes back; the path names the entry).
    """

    code: str
    path: LedgerPath
    text: str

    @property
    def key(self) -> str:
        """What a caller of apply names it by."""
        return f"{self.code}:{self.path}"


@dataclass(frozen=True, slots=True)
class HunkPlan:
    """One hunk: what stands on disk now (`removes`), what would stand there (`restores`), where, and why not."""

    index: int
    path: LedgerPath
    chosen: bool
    outcome: HunkOutcome
    disk_lines: tuple[int, int] | None
    removes: bytes
    restores: bytes
    conflict: Conflict | None = None


@dataclass(frozen=True, slots=True)
class PathPlan:
    """One path of one entry: from `disk` (as it will be when this step is reached) to `result`.

    The two contents are the bytes of those states, None where the state has none.
    """

    path: LedgerPath
    outcome: Outcome
    strategy: Strategy | None
    disk: FileState
    result: FileState
    disk_content: bytes | None
    result_content: bytes | None
    hunks: tuple[HunkPlan, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    reason: str = ""
    """Why not, as a word fixed for clients (`snapshot_expired`, `not_kept`, `before_unknown`, …) or a sentence."""
    stays: bool = False
    """The person decided that it stays as it is although the change is not taken back."""
    copy_of: LedgerPath | None = None
    """The file whose old copy is saved at this path."""
    part: int | None = None
    """The number by which a change without hunks is chosen alone."""
    chosen: bool = True
    """Whether a change without hunks is; of the others their hunks say it."""

    def left_alone(self, outcome: Outcome, reason: str) -> "PathPlan":
        """Return the plan of the same path that writes nothing after all, and why."""
        kept = replace(self, result=self.disk, result_content=self.disk_content, strategy=None)
        return replace(kept, outcome=outcome, reason=reason)

    def staying(self, reason: str) -> "PathPlan":
        """Return the plan of the same path where the person decided that it stays as it is: nothing stands open."""
        hunks = tuple(replace(one, outcome=HunkOutcome.SUPERSEDED, conflict=None) for one in self.hunks)
        left = self.left_alone(Outcome.NOTHING_TO_UNDO, reason)
        return replace(left, hunks=hunks, conflicts=(), stays=True)


@dataclass(frozen=True, slots=True)
class EffectPlan:
    """What a command did that is no file's contents, and what becomes of it: sentences, and what shows it as words.

    `delta` is what the undo does to the repository of the git folder `git`, None where it does nothing.
    """

    seq_id: SeqId
    happened: str
    undo: str
    outcome: Outcome
    reason: str = ""
    commands: tuple[tuple[str, ...], ...] = ()
    """Git's own commands that would do the same, each word apart; shown, never run."""
    git: str = ""
    delta: GitDelta | None = None


@dataclass(frozen=True, slots=True)
class EntryPlan:
    """One entry of the batch and what would become of it."""

    entry: Entry
    outcome: Outcome
    paths: tuple[PathPlan, ...]
    reason: str = ""
    effect: EffectPlan | None = None


@dataclass(frozen=True, slots=True)
class Write:
    """One path to be written, once for the whole batch: from the disk as it is now to the final result."""

    path: LedgerPath
    disk: FileState
    result: FileState
    disk_content: bytes | None
    result_content: bytes | None
    in_place: bool = False
    """The file has other names, so its own bytes are changed instead of another file put in its place."""
    like: LedgerPath | None = None
    """Where a file that comes back takes its owner and attributes from: the other end of a move."""

    @property
    def is_folder(self) -> bool:
        """True where a folder is made, removed, or gets other permissions."""
        return FileKind.DIRECTORY in {self.disk.kind, self.result.kind}


@dataclass(frozen=True, slots=True)
class Explanation:
    """The four plain sentences of the first step."""

    where_from: str
    how_compared: str
    what_happens: str
    how_back: str


@dataclass(frozen=True, slots=True)
class UndoPlan:
    """The answer to "what would this undo do?". `digest` covers everything it rests on and everything it does."""

    workspace_id: int
    request: UndoRequest
    entries: tuple[EntryPlan, ...]
    writes: tuple[Write, ...]
    warnings: tuple[Warning, ...]
    explanation: Explanation
    drift: Mapping[LedgerPath, DriftKind]
    outcome: Outcome
    digest: str
    consents: tuple[Consent, ...] = ()
    """What the person must say yes to one by one before it can be applied."""
    safe_set: tuple[SeqId, ...] = ()
    """Entries that stand in the way and that, taken back together with these, leave no conflict; newest first."""
    choices: tuple[Resolution, ...] = ()
    """What a person may decide about the later work in the way, beside leaving it all as it is."""

    @property
    def can_apply(self) -> bool:
        """True when something would be written or moved, and nothing but the person's yes is missing."""
        return bool(self.writes or self.running) and self.outcome in WRITABLE

    @property
    def effects(self) -> tuple[EffectPlan, ...]:
        """What is known beside files, newest entry first."""
        return tuple(entry.effect for entry in self.entries if entry.effect is not None)

    @property
    def running(self) -> tuple[EffectPlan, ...]:
        """The effects that would be taken back, in the order in which it is done."""
        return tuple(one for one in self.effects if one.outcome is Outcome.UNDONE and one.delta is not None)

    @property
    def is_redo(self) -> bool:
        """True where every entry to be taken back is itself an undo."""
        return bool(self.entries) and all(item.entry.record.takes_back for item in self.entries)

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Every conflict of the batch, newest entry first."""
        return tuple(c for entry in self.entries for path in entry.paths for c in path.conflicts)


@dataclass(frozen=True, slots=True)
class PathResult:
    """What one step of an apply did to a path, None for no file.

    With `read_back`, `after_sha256` is what the disk held once everything was written. Without, it is what the
    step led to: a state between two steps of a batch, which no disk ever held, or one that could not be read.
    """

    path: LedgerPath
    before_sha256: Sha256 | None
    after_sha256: Sha256 | None
    read_back: bool = False


@dataclass(frozen=True, slots=True)
class EntryResult:
    """What became of one entry. `undo_seq_id` names the undo's own entry."""

    seq_id: SeqId
    outcome: Outcome
    strategy: Strategy | None
    paths: tuple[PathResult, ...]
    conflicts: tuple[Conflict, ...] = ()
    reason: str = ""
    undo_seq_id: SeqId | None = None


@dataclass(frozen=True, slots=True)
class UndoResult:
    """What became of the batch."""

    outcome: Outcome
    plan_digest: str
    results: tuple[EntryResult, ...]
    warnings: tuple[Warning, ...] = ()
