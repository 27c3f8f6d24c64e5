"""What of a plan needs the person's own yes, apart from the yes to the whole. Pure.

A yes is to one path and one reason, in a sentence that says what would happen; nobody else can give it.
"""

import posixpath
from collections.abc import Iterator, Sequence

from sulcus_panel.core.model import FileKind, LedgerPath
from sulcus_panel.core.protected import changes_scripts, is_config
from sulcus_panel.core.safety import names_a_drive, plain
from sulcus_panel.core.states import same_bytes
from sulcus_panel.core.undo.line_runs import lines_text
from sulcus_panel.core.undo.model import (
    WRITABLE,
    Consent,
    EntryPlan,
    HunkOutcome,
    Outcome,
    PathPlan,
    UndoFacts,
    Write,
)

ALONE = "a tool's configuration: take it back on its own"
"""Why a batch is refused: in a heap, nobody looks at what a tool is about to be told."""
FEW = 3
MOST_ASKED = 5
"""More files that are not sure for one reason are one question; which they are stands on their lines."""
OWNER_MAY_WRITE = 0o200


def consents_of(entries: Sequence[EntryPlan], writes: Sequence[Write]) -> tuple[Consent, ...]:
    """Return what must be agreed to one by one before `writes` may be written: reviews first, each once."""
    written = {write.path for write in writes}
    return (*_reviews(entries, written), *_unsure(entries, written), *_about(writes), *_effects(entries))


def refused_in_batch(facts: UndoFacts, plan: PathPlan) -> PathPlan:
    """Return the plan, or its refusal where the path may not be taken back together with other entries."""
    if len(facts.targets) < 2 or plan.outcome not in WRITABLE:
        return plan
    write = Write(plan.path, plan.disk, plan.result, plan.disk_content, plan.result_content)
    if not _why_config(write):
        return plan
    return plan.left_alone(Outcome.REFUSED, f"{plain(plan.path, 200)} is {ALONE}")


def _reviews(entries: Sequence[EntryPlan], written: set[LedgerPath]) -> Iterator[Consent]:
    doubts: dict[LedgerPath, list[str]] = {}
    for path in (path for entry in entries for path in entry.paths):
        if path.outcome is Outcome.REVIEW and path.path in written:
            doubts.setdefault(path.path, []).extend(_doubts(path))
    for name, told in doubts.items():
        yield Consent("review", name, f"{plain(name, 200)} needs a look: {'; '.join(dict.fromkeys(told))}")


def _unsure(entries: Sequence[EntryPlan], written: set[LedgerPath]) -> Iterator[Consent]:
    """What may be somebody else's work goes back only if the person says so: a save of theirs is easily lost."""
    for plan in entries:
        unsure = plan.entry.record.ran.unsure if plan.entry.record.ran is not None else {}
        reasons: dict[str, list[LedgerPath]] = {}
        for path in plan.paths:
            if path.path in unsure and path.outcome in WRITABLE and path.path in written:
                reasons.setdefault(unsure[path.path], []).append(path.path)
        for why, paths in reasons.items():
            each = [paths] if len(paths) > MOST_ASKED else [[path] for path in paths]
            for some in each:
                text = f"{_listed(some)} may not be the work of #{plan.entry.seq_id}: {plain(why, 200)}"
                yield Consent("unsure", some[0], text)


def _listed(paths: Sequence[LedgerPath]) -> str:
    more = f" and {len(paths) - FEW} more" if len(paths) > FEW else ""
    return ", ".join(plain(path, 200) for path in paths[:FEW]) + more


def _doubts(path: PathPlan) -> Iterator[str]:
    """Say what is not certain, part by part; where no part says it, of the file."""
    unsure = [hunk for hunk in path.hunks if hunk.chosen and hunk.outcome is HunkOutcome.REVIEW]
    said = [hunk.conflict.reason for hunk in unsure if hunk.conflict is not None]
    if path.reason not in said:
        yield path.reason or "this result is not certain"
    for reason in dict.fromkeys(said):
        lines = [
            lines_text(hunk.disk_lines)
            for hunk in unsure
            if hunk.conflict is not None and hunk.conflict.reason == reason and hunk.disk_lines is not None
        ]
        more = f" and {len(lines) - FEW} more" if len(lines) > FEW else ""
        yield f"{reason} ({', '.join(lines[:FEW])}{more})" if lines else reason


def _about(writes: Sequence[Write]) -> Iterator[Consent]:
    for write in writes:
        shown = plain(write.path, 200)
        if why := _why_config(write):
            yield Consent("config", write.path, f"{shown} {why}")
        if _is_read_only(write):
            told = f"{shown} is protected against changes; it would be {_fate(write)}"
            yield Consent("read_only", write.path, told)
        if target := _leads_out(write):
            told = f"{shown} comes back as a link to {plain(target, 200)}, which lies outside this workspace"
            yield Consent("link_outside", write.path, told)


def _effects(entries: Sequence[EntryPlan]) -> Iterator[Consent]:
    """What is more than a file's contents goes back only if the person says so, one by one."""
    for effect in (plan.effect for plan in entries if plan.outcome is Outcome.UNDONE):
        if effect is not None and effect.delta is not None:
            yield Consent("effect", LedgerPath(f"#{effect.seq_id}"), f"#{effect.seq_id}: {effect.undo}")


def _fate(write: Write) -> str:
    if write.result.kind is FileKind.ABSENT:
        return "deleted all the same"
    stays = not (write.result.mode or 0) & OWNER_MAY_WRITE
    return f"changed all the same, and {'stay' if stays else 'no longer be'} protected"


def _why_config(write: Write) -> str:
    if {write.disk.kind, write.result.kind} <= {FileKind.DIRECTORY, FileKind.ABSENT}:
        return ""
    if is_config(write.path):
        return "is obeyed by a tool without asking you: look at what it will say before you agree"
    if changes_scripts(write.path, write.disk_content, write.result_content):
        return "names commands that are run for you, and these change: look at them before you agree"
    return ""


def _is_read_only(write: Write) -> bool:
    """Say whether the file is protected by its owner; a change of that alone is what was asked for."""
    is_protected = write.disk.kind is FileKind.FILE and not (write.disk.mode or 0) & OWNER_MAY_WRITE
    return is_protected and write.disk.mode is not None and not same_bytes(write.disk, write.result)


def _leads_out(write: Write) -> str:
    """Return the text of a link that comes and leaves the workspace, by its letters alone; "" for others."""
    if write.result.kind is not FileKind.SYMLINK or same_bytes(write.disk, write.result):
        return ""
    text = (write.result_content or b"").decode("utf-8", "surrogateescape")
    there = posixpath.normpath(posixpath.join(posixpath.dirname(write.path), text.replace("\\", "/")))
    is_absolute = there.startswith("/") or names_a_drive(text)
    return text if is_absolute or there.split("/", 1)[0] == ".." else ""
