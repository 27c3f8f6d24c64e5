"""The edit that the benchmarks record, in one place: those that compare ledgers compare the same rows."""

from collections.abc import Mapping
from datetime import UTC, datetime

from sulcus_panel.core.capture.changes import build_change, file_side
from sulcus_panel.core.model import (
    ActionType,
    Actor,
    ActorKind,
    LedgerPath,
    NewEntry,
    Origin,
    Provenance,
    Settings,
    Sha256,
)


def edit_of(path: LedgerPath, before: bytes, after: bytes) -> tuple[NewEntry, Mapping[Sha256, bytes]]:
    """An agent's edit of a file and the contents that go with it; whoever records it gives it uid and time."""
    change, contents = build_change(path, file_side(before, 0o644), file_side(after, 0o644), Settings())
    entry = NewEntry(
        uid="",
        at=datetime.now(UTC),
        harness="claude-code",
        actor=Actor("Claude Code", ActorKind.AGENT),
        origin=Origin.AGENT,
        action_type=ActionType.FILE_EDIT,
        tool_name="Edit",
        target_path=path,
        summary=f"edited {path}",
        provenance=Provenance.OBSERVED,
        session_id="s",
        turn_id="t",
        changes=(change,),
    )
    return entry, contents
