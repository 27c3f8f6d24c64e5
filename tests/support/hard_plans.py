"""Plans that a person must judge: someone in the way, something to look at, folders, moves, many of everything."""

from dataclasses import replace

from sulcus_panel.core.model import (
    ABSENT,
    DriftKind,
    Entry,
    FileKind,
    FileState,
    LedgerPath,
    SeqId,
)
from sulcus_panel.core.undo.model import (
    Conflict,
    Consent,
    EntryPlan,
    EntryResult,
    HunkOutcome,
    HunkPlan,
    Outcome,
    PathPlan,
    PathResult,
    Strategy,
    UndoPlan,
    UndoResult,
    Warning,
    Write,
)
from tests.support import undo_plans
from tests.support.undo_plans import NOW, PATH, THEN, file_state

FOLDER = FileState(FileKind.DIRECTORY, mode=0o755)
WHY_REVIEW = "two places fit equally well"
WARNINGS = (
    Warning("read_by", "#844 was made after reading services/billing/webhook_verifier.rb"),
    Warning("later_kept", "#842 changed services/billing/webhook_verifier.rb later and is kept"),
    Warning("hard_link", "webhook_verifier.rb has a second name (a hard link), which changes with it"),
    Warning("session_active", "Claude Code is still at work in this session"),
)


def standing() -> tuple[Entry, ...]:
    """Who stands in the way of `blocked_plan`, newest first."""
    return (undo_plans.entry(851), undo_plans.entry(842))


def blocked_plan(*, safe: tuple[int, ...] = (851, 842)) -> UndoPlan:
    """One part goes back, on the other stand two later changes."""
    plan = undo_plans.conflict_plan()
    item = plan.entries[0]
    hunk = item.paths[0].hunks[1]
    who = Conflict(PATH, (79, 82), (SeqId(842), SeqId(851)), False, "later work stands on these lines")
    path = replace(
        item.paths[0], hunks=(item.paths[0].hunks[0], replace(hunk, conflict=who)), conflicts=(who,)
    )
    entries = (replace(item, paths=(path,)),)
    return replace(plan, entries=entries, safe_set=tuple(SeqId(each) for each in safe))


def review_hunk(index: int = 1, path: LedgerPath = PATH) -> HunkPlan:
    reason = Conflict(path, (79, 80), (), False, WHY_REVIEW)
    return HunkPlan(
        index,
        path,
        True,
        HunkOutcome.REVIEW,
        (79, 80),
        b"    raise Stale if drift(request) > MAX_DRIFT\n",
        b"    raise Stale\n",
        reason,
    )


def review_plan() -> UndoPlan:
    """Two parts, one of them not certain, and a file that tools obey."""
    path = undo_plans.path_plan(undo_plans.clean_hunk(), review_hunk(), outcome=Outcome.REVIEW)
    path = replace(path, reason=WHY_REVIEW)
    plan = undo_plans.plan_of(
        EntryPlan(undo_plans.entry(), Outcome.REVIEW, (path,), WHY_REVIEW),
        writes=(undo_plans.write_of(),),
        outcome=Outcome.REVIEW,
    )
    consents = (
        Consent("review", PATH, f"{PATH} needs a look: {WHY_REVIEW}"),
        Consent("read_only", PATH, f"{PATH} is read-only; it is written all the same"),
    )
    return replace(plan, consents=consents)


def warned_plan() -> UndoPlan:
    """A plain undo, with all that can be said beside it."""
    plan = undo_plans.drifted_plan()
    readers = tuple(Warning("read_by", f"#{seq} was made after reading {PATH}") for seq in range(860, 872))
    return replace(plan, warnings=(*WARNINGS, *readers))


def folder_plan() -> UndoPlan:
    """A command that made folders and files: two folders go, one is kept."""
    entry = undo_plans.entry(860, LedgerPath("pkg/api/routes.py"))
    states = {
        "pkg/api/routes.py": (file_state(NOW), ABSENT),
        "pkg/api": (FOLDER, ABSENT),
        "pkg": (FOLDER, ABSENT),
    }
    paths = [
        PathPlan(LedgerPath(path), Outcome.UNDONE, Strategy.DELETE_CREATED_FILE, now, then, None, None)
        for path, (now, then) in states.items()
    ]
    kept = PathPlan(
        LedgerPath("assets"),
        Outcome.NOTHING_TO_UNDO,
        None,
        FOLDER,
        FOLDER,
        None,
        None,
        reason="not empty, so it is kept",
    )
    writes = tuple(
        Write(LedgerPath(path), now, then, NOW if now.kind is FileKind.FILE else None, None)
        for path, (now, then) in states.items()
    )
    return undo_plans.plan_of(EntryPlan(entry, Outcome.UNDONE, (*paths, kept)), writes=writes)


def move_plan() -> UndoPlan:
    """A file goes back to its old name, and the folder that was made for it goes."""
    old, new = LedgerPath("lib/legacy/hmac.rb"), LedgerPath("lib/support/crypto/hmac_sha256.rb")
    folder = LedgerPath("lib/support/crypto")
    comes = PathPlan(old, Outcome.UNDONE, Strategy.PRE_IMAGE_RESTORE, ABSENT, file_state(NOW), None, NOW)
    goes = PathPlan(new, Outcome.UNDONE, Strategy.DELETE_CREATED_FILE, file_state(NOW), ABSENT, NOW, None)
    made = PathPlan(folder, Outcome.UNDONE, Strategy.DELETE_CREATED_FILE, FOLDER, ABSENT, None, None)
    writes = (
        Write(old, ABSENT, file_state(NOW), None, NOW, like=new),
        Write(new, file_state(NOW), ABSENT, NOW, None),
        Write(folder, FOLDER, ABSENT, None, None),
    )
    return undo_plans.plan_of(
        EntryPlan(undo_plans.entry(861, new), Outcome.UNDONE, (comes, goes, made)), writes=writes
    )


def parts_plan(count: int) -> UndoPlan:
    """One file with many parts; every fiftieth stands in conflict with #842."""
    hunks = tuple(
        replace(
            undo_plans.conflict_hunk(index) if index % 50 == 7 else undo_plans.clean_hunk(index),
            disk_lines=(index * 20, index * 20 + 2),
        )
        for index in range(count)
    )
    plan = undo_plans.conflict_plan()
    path = undo_plans.path_plan(*hunks, outcome=Outcome.CONFLICT)
    return replace(plan, entries=(replace(plan.entries[0], paths=(path,)),), safe_set=(SeqId(842),))


def twelve_plan() -> UndoPlan:
    """A batch of twelve, one of which may not be written."""
    items = []
    for number in range(12):
        path = LedgerPath(f"services/billing/{'.envrc' if number == 7 else f'part_{number:02}.rb'}")
        entry = undo_plans.entry(860 - number, path)
        plan = replace(undo_plans.path_plan(undo_plans.clean_hunk()), path=path)
        if number == 7:
            reason = "a protected path: services/billing/.envrc is read by the shell"
            plan = replace(plan, outcome=Outcome.REFUSED, strategy=None, hunks=(), reason=reason)
            items.append(EntryPlan(entry, Outcome.REFUSED, (plan,), reason))
        else:
            why = "another change of the batch is in the way"
            items.append(EntryPlan(entry, Outcome.NOT_TRIED, (plan,), why))
    return undo_plans.plan_of(*items, outcome=Outcome.REFUSED)


def batch_review_plan() -> UndoPlan:
    """A batch in which one file is not certain."""
    other = LedgerPath("lib/support/clock_skew.rb")
    seen = replace(undo_plans.path_plan(review_hunk(0, other), outcome=Outcome.REVIEW), path=other)
    items = (
        EntryPlan(undo_plans.entry(844, other), Outcome.REVIEW, (seen,), WHY_REVIEW),
        EntryPlan(undo_plans.entry(840), Outcome.UNDONE, (undo_plans.path_plan(undo_plans.clean_hunk()),)),
    )
    writes = (undo_plans.write_of(other), undo_plans.write_of())
    plan = undo_plans.plan_of(*items, writes=writes, outcome=Outcome.REVIEW)
    return replace(plan, consents=(Consent("review", other, f"{other} needs a look: {WHY_REVIEW}"),))


def binary_plan() -> UndoPlan:
    """A picture goes back: no parts, no text."""
    path = LedgerPath("assets/logo.png")
    now, then = b"\x89PNG\x00now", b"\x89PNG\x00then"
    plan = PathPlan(
        path, Outcome.UNDONE, Strategy.PRE_IMAGE_RESTORE, file_state(now), file_state(then), now, then
    )
    item = EntryPlan(undo_plans.entry(870, path), Outcome.UNDONE, (plan,))
    return undo_plans.plan_of(item, writes=(undo_plans.write_of(path, now, then),))


def drifted_long_plan() -> UndoPlan:
    """A path as long as they come, changed outside."""
    path = LedgerPath("apps/storefront/src/components/checkout/" + "very-long-folder-name/" * 12 + "Card.tsx")
    plan = undo_plans.clean_plan()
    item = plan.entries[0]
    long = replace(undo_plans.clean_hunk(), removes=b"x = " + b"'abc', " * 400 + b"\n")
    paths = (replace(item.paths[0], path=path, hunks=(long,)),)
    return replace(
        plan,
        entries=(
            replace(undo_plans.clean_plan().entries[0], entry=undo_plans.entry(840, path), paths=paths),
        ),
        writes=(undo_plans.write_of(path),),
        drift={path: DriftKind.CHANGED},
    )


def gone_plan() -> UndoPlan:
    """The change is no longer in the file: nothing would be written."""
    plan = undo_plans.clean_plan()
    item = plan.entries[0]
    path = item.paths[0]
    gone = Outcome.ALREADY_UNDONE
    hunks = tuple(replace(hunk, outcome=HunkOutcome.ALREADY_UNDONE) for hunk in path.hunks)
    same = replace(path, outcome=gone, result=path.disk, result_content=path.disk_content, hunks=hunks)
    return replace(plan, entries=(replace(item, outcome=gone, paths=(same,)),), writes=(), outcome=gone)


def result_of(outcome: Outcome, reason: str = "", *, warnings: tuple[Warning, ...] = ()) -> UndoResult:
    """What applying `undo_plans.clean_plan` came to."""
    done = outcome in {Outcome.UNDONE, Outcome.APPLIED_UNCONFIRMED}
    states = file_state(NOW).sha256, file_state(THEN).sha256
    paths = (PathResult(PATH, *states, read_back=outcome is Outcome.UNDONE),) if done else ()
    undo = SeqId(872) if outcome is Outcome.UNDONE else None
    entry = EntryResult(SeqId(840), outcome, None, paths, reason=reason, undo_seq_id=undo)
    return UndoResult(outcome, "d1", (entry,), warnings)


def folder_result() -> UndoResult:
    """What applying `folder_plan` came to."""
    (item,) = folder_plan().entries
    paths = tuple(
        PathResult(path.path, path.disk.sha256, path.result.sha256, read_back=True)
        for path in item.paths
        if path.outcome is Outcome.UNDONE
    )
    entry = EntryResult(SeqId(860), Outcome.UNDONE, None, paths, undo_seq_id=SeqId(872))
    return UndoResult(Outcome.UNDONE, "d1", (entry,))
