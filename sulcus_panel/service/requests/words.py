"""The requests of HTTP and MCP as types: what is not here is refused, and OpenAPI is generated from the same."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from sulcus_panel.core.model import ActionType, EntryState

Id = Annotated[int, Meta(ge=1, le=2**63 - 1)]
Number = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Label = Annotated[str, Meta(max_length=500)]
Text = Annotated[str, Meta(max_length=200_000)]
Path = Annotated[str, Meta(max_length=4096)]
Hunks = Annotated[list[Annotated[int, Meta(ge=1, le=1_000_000)]], Meta(min_length=1, max_length=10_000)]


class Encoding(StrEnum):
    """How the contents of a record are written."""

    UTF_8 = "utf-8"
    BASE64 = "base64"


class Side(Struct, frozen=True, forbid_unknown_fields=True):
    """A file before or after an action."""

    existed: bool
    sha256: Annotated[str, Meta(max_length=200)] | None = None
    size_bytes: Number | None = None
    content: str | None = None


class DiffHunk(Struct, frozen=True, forbid_unknown_fields=True):
    """One run of lines that was replaced; `start_line` counts from 1."""

    start_line: Annotated[int, Meta(ge=1, le=2**31)]
    target_excerpt: str = ""
    replacement_excerpt: str = ""


class Why(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Audit ids that decide nothing."""

    said: Annotated[str, Meta(max_length=120)] | UnsetType = UNSET
    rule: Annotated[str, Meta(max_length=120)] | UnsetType = UNSET


class RecordBody(Struct, frozen=True, forbid_unknown_fields=True):
    """An action to be recorded."""

    namespace: Name
    action_type: ActionType
    harness: Label = ""
    session_id: Label = ""
    tool_name: Label = ""
    target_path: Path = ""
    summary: Text = ""
    pre_state: Side | None = None
    post_state: Side | None = None
    diff_hunks: Annotated[list[DiffHunk], Meta(max_length=10_000)] = []
    uid: Annotated[str, Meta(max_length=200)] | None = None
    at: Annotated[datetime, Meta(tz=True)] | None = None
    turn_id: Label | None = None
    intent: Text | None = None
    why: Why | None = None
    command: Text | None = None
    cwd: Path | None = None
    exit_code: Annotated[int, Meta(ge=-(2**31), le=2**31)] | None = None
    derived_from: Annotated[list[Path], Meta(max_length=1000)] | None = None
    input: dict[str, Any] | None = None
    inverse: dict[str, Any] | None = None
    content_encoding: Encoding = Encoding.UTF_8


class ConfigBody(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Settings to be changed; those that are not named stay."""

    namespace: Name
    enabled: bool | UnsetType = UNSET
    max_entries: Annotated[int, Meta(ge=50, le=50_000)] | UnsetType = UNSET
    max_age_days: Annotated[int, Meta(ge=1, le=3_650)] | UnsetType = UNSET
    retain_file_snapshots: bool | UnsetType = UNSET
    max_snapshot_bytes: Annotated[int, Meta(ge=4_096, le=10_485_760)] | UnsetType = UNSET
    max_store_bytes: Annotated[int, Meta(ge=1_048_576, le=2**40)] | UnsetType = UNSET
    exclude: Annotated[list[Annotated[str, Meta(max_length=500)]], Meta(max_length=200)] | UnsetType = UNSET
    always_ask: bool | UnsetType = UNSET
    llm_cli_undo_enabled: bool | UnsetType = UNSET
    llm_endpoint: Annotated[str, Meta(max_length=2_000)] | UnsetType = UNSET
    air_gap: bool | UnsetType = UNSET
    tell_agents: bool | UnsetType = UNSET


class UndoBody(Struct, frozen=True, forbid_unknown_fields=True):
    """An undo: exactly one of `seq_ids`, `last_n`, `query`, `turn_id`."""

    namespace: Name
    seq_ids: Annotated[list[Id], Meta(min_length=1, max_length=100)] | None = None
    last_n: Annotated[int, Meta(ge=1, le=100)] | None = None
    query: Annotated[str, Meta(min_length=1, max_length=1_000)] | None = None
    turn_id: Annotated[str, Meta(min_length=1, max_length=500)] | None = None
    dry_run: bool = False
    plan_digest: Annotated[str, Meta(max_length=200)] | None = None
    hunks: Hunks | None = None


class RedoBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The undo of undos."""

    namespace: Name
    seq_ids: Annotated[list[Id], Meta(min_length=1, max_length=100)]
    dry_run: bool = False
    plan_digest: Annotated[str, Meta(max_length=200)] | None = None


class Scoped(Struct, frozen=True, forbid_unknown_fields=True):
    """A question about one workspace."""

    namespace: Name


class ListQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which entries are listed, newest first; `before` and `after` are seq_ids, exclusive."""

    namespace: Name
    limit: Annotated[int, Meta(ge=1, le=500)] = 50
    before: Id | None = None
    after: Number | None = None
    query: Annotated[str, Meta(max_length=1_000)] = ""
    harness: Label | None = None
    session_id: Label | None = None
    turn_id: Label | None = None
    action_type: ActionType | None = None
    path: Path | None = None
    state: EntryState | None = None
    drifted: bool | None = None


class OneEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """One entry; where a namespace is given, of that one."""

    seq_id: Id
    namespace: Name | None = None


class View(StrEnum):
    """What a diff compares: the change itself, what happened since, what its undo would do."""

    CHANGE = "change"
    NOW = "now"
    AFTER = "after"


class DiffQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of one entry."""

    seq_id: Id
    namespace: Name | None = None
    view: View = View.CHANGE


class EventsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Whose events; of all workspaces where none is named."""

    namespace: Name | None = None


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """A question without words."""


class HoldsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """What waits for the person; with `all` also what was decided."""

    namespace: Name
    all: bool = False


class PageQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """A page of a timeline."""

    namespace: Name
    limit: Annotated[int, Meta(ge=1, le=500)] = 50
    before: Id | None = None


class ProofBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Asks whoever listens to prove that it knows a key, named by a hash of its hash, for a fresh word."""

    key: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    word: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]


class PanelBody(Struct, frozen=True, forbid_unknown_fields=True):
    """One verb of the attached window: its arguments, and the number of the types that they have."""

    forms: Annotated[str, Meta(max_length=100)] = ""
    arguments: dict[str, Any] = {}
