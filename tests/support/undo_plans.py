"""Plans and results made by hand, for what shows them."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256

from sulcus_panel.core.model import (
    ABSENT,
    PERSON,
    ActionType,
    Actor,
    ActorKind,
    Change,
    DriftKind,
    Entry,
    EntryState,
    FileKind,
    FileState,
    LedgerPath,
    Namespace,
    NewEntry,
    Origin,
    Provenance,
    SeqId,
    Sha256,
    Undoability,
)
from sulcus_panel.core.undo.model import (
    Conflict,
    EntryPlan,
    EntryResult,
    Explanation,
    HunkOutcome,
    HunkPlan,
    Outcome,
    PathPlan,
    PathResult,
    Strategy,
    UndoPlan,
    UndoRequest,
    UndoResult,
    Warning,
    Write,
)

AT = datetime(2026, 11, 30, 14, 3, 22, tzinfo=UTC)
AGENT = Actor("claude-code", ActorKind.AGENT)
PATH = LedgerPath("services/billing/webhook_verifier.rb")
NOW = b"class WebhookVerifier\n  MAX_DRIFT = 300\n  SKEW = ClockSkew.new(limit: MAX_DRIFT)\n\n  # mine\nend\n"
THEN = b"class WebhookVerifier\n  MAX_DRIFT = 86_400\n\n  # mine\nend\n"


def file_state(data: bytes) -> FileState:
    return FileState(FileKind.FILE, Sha256(sha256(data).hexdigest()), len(data), 0o644, kept=True)


def entry(seq_id: int = 840, path: LedgerPath = PATH, *, reverses: int | None = None) -> Entry:
    undo = reverses is not None
    record = NewEntry(
        uid=f"uid-{seq_id}",
        at=AT,
        harness="claude-code",
        actor=PERSON if undo else AGENT,
        origin=Origin.UNDO if undo else Origin.AGENT,
        action_type=ActionType.FILE_EDIT,
        tool_name="Edit",
        target_path=path,
        summary=f"Edit {path}",
        provenance=Provenance.OBSERVED,
        session_id="s1",
        turn_id="t1",
        intent="Harden webhook verification: reject anything older than five minutes.",
        changes=(Change(path, file_state(THEN), file_state(NOW)),),
        reverses=SeqId(reverses) if reverses is not None else None,
    )
    return Entry(
        SeqId(seq_id),
        AT,
        1,
        Namespace("payments-rails"),
        record,
        EntryState.RECORDED,
        None,
        Undoability.FULLY,
        "",
        None,
    )


def clean_hunk(index: int = 0, *, chosen: bool = True) -> HunkPlan:
    return HunkPlan(
        index,
        PATH,
        chosen,
        HunkOutcome.UNDONE,
        (1, 3),
        b"  MAX_DRIFT = 300\n  SKEW = ClockSkew.new(limit: MAX_DRIFT)\n",
        b"  MAX_DRIFT = 86_400\n",
    )


def conflict(*, outside: bool = False) -> Conflict:
    return Conflict(
        PATH, (79, 82), () if outside else (SeqId(842),), outside, "later work stands on these lines"
    )


def conflict_hunk(index: int = 1, *, chosen: bool = True, outside: bool = False) -> HunkPlan:
    return HunkPlan(
        index,
        PATH,
        chosen,
        HunkOutcome.CONFLICT,
        (79, 82),
        b"    raise Stale if drift(request) > MAX_DRIFT\n",
        b"    raise Stale\n",
        conflict(outside=outside),
    )


def path_plan(*hunks: HunkPlan, outcome: Outcome = Outcome.UNDONE) -> PathPlan:
    return PathPlan(
        PATH,
        outcome,
        Strategy.SURGICAL_REVERSE_PATCH,
        file_state(NOW),
        file_state(THEN),
        NOW,
        THEN,
        hunks,
        tuple(hunk.conflict for hunk in hunks if hunk.conflict is not None and hunk.chosen),
    )


def plan_of(
    *items: EntryPlan,
    writes: tuple[Write, ...] = (),
    drift: Mapping[LedgerPath, DriftKind] | None = None,
    warnings: tuple[Warning, ...] = (),
    outcome: Outcome = Outcome.UNDONE,
) -> UndoPlan:
    return UndoPlan(
        workspace_id=1,
        request=UndoRequest(tuple(item.entry.seq_id for item in items)),
        entries=items,
        writes=writes,
        warnings=warnings,
        explanation=Explanation(
            "Claude Code, 14:03, “Harden webhook verification”",
            "the state after #840, the file as it is now, the state before #840",
            "1 line comes back, 2 lines go; 84 lines stay as they are",
            "the file as it is now is kept; Redo brings it back at any time",
        ),
        drift=drift or {},
        outcome=outcome,
        digest="d1",
    )


def write_of(path: LedgerPath = PATH, now: bytes | None = NOW, then: bytes | None = THEN) -> Write:
    states = [ABSENT if data is None else file_state(data) for data in (now, then)]
    return Write(path, states[0], states[1], now, then)


def clean_plan() -> UndoPlan:
    item = EntryPlan(entry(), Outcome.UNDONE, (path_plan(clean_hunk()),))
    return plan_of(item, writes=(write_of(),))


def redo_plan() -> UndoPlan:
    item = EntryPlan(entry(847, reverses=840), Outcome.UNDONE, (path_plan(clean_hunk()),))
    return plan_of(item, writes=(write_of(PATH, THEN, NOW),))


def drifted_plan() -> UndoPlan:
    also = Warning("read_since", "clock_skew.rb (#844) was written after reading this file.")
    hunks = (clean_hunk(), conflict_hunk(chosen=False))
    item = EntryPlan(entry(), Outcome.UNDONE, (path_plan(*hunks),))
    return plan_of(item, writes=(write_of(),), drift={PATH: DriftKind.CHANGED}, warnings=(also,))


def conflict_plan(*, outside: bool = False) -> UndoPlan:
    hunks = (clean_hunk(), conflict_hunk(outside=outside))
    item = EntryPlan(entry(), Outcome.CONFLICT, (path_plan(*hunks, outcome=Outcome.CONFLICT),))
    return plan_of(item, outcome=Outcome.CONFLICT)


def delete_plan() -> UndoPlan:
    path = replace(path_plan(), strategy=Strategy.DELETE_CREATED_FILE, result=ABSENT, result_content=None)
    return plan_of(EntryPlan(entry(), Outcome.UNDONE, (path,)), writes=(write_of(then=None),))


def turn_plan() -> UndoPlan:
    other = LedgerPath("lib/support/clock_skew.rb")
    items = (
        EntryPlan(entry(844, other), Outcome.UNDONE, (replace(path_plan(), path=other),)),
        EntryPlan(entry(840), Outcome.UNDONE, (path_plan(clean_hunk()),)),
    )
    return plan_of(*items, writes=(write_of(other, b"class ClockSkew\nend\n", None), write_of()))


def result() -> UndoResult:
    states = file_state(NOW).sha256, file_state(THEN).sha256
    done = EntryResult(
        SeqId(840),
        Outcome.UNDONE,
        Strategy.SURGICAL_REVERSE_PATCH,
        (PathResult(PATH, *states, read_back=True),),
        undo_seq_id=SeqId(847),
    )
    return UndoResult(Outcome.UNDONE, "d1", (done,))
