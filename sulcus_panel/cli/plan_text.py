"""The four steps as text: the terminal shows the same plan as the window's sheet."""

from collections.abc import Iterator

from sulcus_panel.cli.row_text import row
from sulcus_panel.core.diff import render_unified
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.line_runs import lines_text
from sulcus_panel.core.undo.model import (
    Conflict,
    EntryResult,
    Outcome,
    PathPlan,
    Resolution,
    UndoPlan,
    UndoResult,
)
from sulcus_panel.core.undo.words import REASONS

WAYS = {
    Resolution.TAKE_ALL: "the later work goes too, a copy is kept",
    Resolution.REST: "the later work stays, what is left of the change goes",
}


def plan_text(plan: UndoPlan) -> str:
    """Explain and preview: what was done, what would happen, the difference, and what to look out for."""
    return "\n".join(_lines(plan))


def _lines(plan: UndoPlan) -> Iterator[str]:
    verb = "Redo" if plan.is_redo else "Undo"
    where = f" in {plan.entries[0].entry.namespace}" if plan.entries else ""
    yield (
        f"{verb}{where}"
        if len(plan.entries) == 1
        else f"{verb} of {len(plan.entries)} changes{where}, newest first"
    )
    for item in plan.entries:
        yield f"  {row(item.entry)}"
        if item.reason:
            yield f"      {item.outcome.replace('_', ' ')}: {plain(REASONS.get(item.reason, item.reason))}"
    yield ""
    why = plan.explanation
    yield f"  where it came from   {plain(why.where_from)}"
    yield f"  how it was compared  {plain(why.how_compared)}"
    yield f"  what will change     {plain(why.what_happens)}"
    yield f"  how to get back      {plain(why.how_back)}"
    for write in plan.writes:
        yield ""
        yield render_unified(write.path, write.disk_content, write.result_content).rstrip("\n")
    if plan.conflicts and not plan.can_apply:  # of what is decided, the warnings tell
        yield ""
        yield from (conflict_text(conflict) for conflict in plan.conflicts)
    for item in plan.entries:
        yield from (text for path in item.paths if (text := _reason(path)))
    yield from _way_through(plan)
    if plan.warnings:
        yield ""
        yield from (f"  ! {plain(warning.text)}" for warning in plan.warnings)


def _way_through(plan: UndoPlan) -> Iterator[str]:
    """Who would have to go back too, in the words that do it."""
    if plan.safe_set:
        asked = " ".join(str(seq_id) for seq_id in (*plan.safe_set, *plan.request.seq_ids))
        names = ", ".join(f"#{seq_id}" for seq_id in plan.safe_set)
        yield f"    with {names} taken back too, newest first, it goes: sulcus-panel ledger rollback {asked}"
    parts = [str(hunk + 1) for hunk in plan.request.hunks or ()]
    for choice in plan.choices:
        asked = " ".join([*map(str, plan.request.seq_ids), *(["--hunk", *parts] if parts else [])])
        yield f"    or decide, {WAYS[choice]}: sulcus-panel ledger rollback {asked} --later-work {choice}"


def _reason(path: PathPlan) -> str:
    if not path.reason or path.conflicts:
        return ""
    return f"  {plain(path.path)}: {plain(REASONS.get(path.reason, path.reason))}"


def conflict_text(conflict: Conflict) -> str:
    """Who stands on which lines."""
    who = [f"#{seq_id}" for seq_id in conflict.with_seq_ids]
    if conflict.outside:
        who.append("a change made outside the agents")
    names = " and ".join(who) or "something else"
    stands = "stand" if len(who) > 1 else "stands"
    reason = f" ({plain(conflict.reason)})" if conflict.reason else ""
    place = f", {lines_text(conflict.lines)}" if conflict.lines is not None else ""
    return f"  ✗ {plain(conflict.path)}{place}: {names} {stands} in the way{reason}"


def result_text(result: UndoResult) -> str:
    """What was done, as read back from the disk."""
    lines = []
    for item in result.results:
        lines.append(f"#{item.seq_id} {_done(item)}")
        if item.reason:
            lines.append(f"  {plain(item.reason)}")
        for path in item.paths:
            before, after = path.before_sha256, path.after_sha256
            read = "  read back from disk" if path.read_back else ""
            lines.append(f"  {plain(path.path)}  {_short(before)} → {_short(after)}{read}")
        if item.outcome is not Outcome.UNDONE:
            lines += [conflict_text(conflict) for conflict in item.conflicts]
    return "\n".join(lines)


def _done(item: EntryResult) -> str:
    if item.undo_seq_id is None:
        return item.outcome.replace("_", " ")
    if not item.paths:
        closed = f"undo is #{item.undo_seq_id}; `ledger redo {item.seq_id}` opens it again"
        return f"undone, already so: no file was written ({closed})"
    back = f"undo is #{item.undo_seq_id}; `ledger redo {item.seq_id}` brings it back"
    return f"{item.outcome.replace('_', ' ')} ({back})"


def _short(sha256: str | None) -> str:
    return sha256[:12] if sha256 else "no file"
