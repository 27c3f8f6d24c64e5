"""The four steps as text: the terminal shows the same plan as the window's sheet."""

from collections.abc import Iterator

from sulcus_panel.cli.row_text import row
from sulcus_panel.core.diff import render_unified
from sulcus_panel.core.model import SeqId
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.judge import IN_THE_WAY
from sulcus_panel.core.undo.line_runs import lines_text
from sulcus_panel.core.undo.model import (
    Conflict,
    EntryResult,
    HunkPlan,
    Outcome,
    PathPlan,
    Strategy,
    UndoPlan,
    UndoResult,
)
from sulcus_panel.core.undo.words import WAYS, reason_words

MOST_PARTS = 50
NARROW = 3
"""A label that takes more than a third of the line gets one of its own."""


def plan_text(plan: UndoPlan, width: int | None = None) -> str:
    """Explain and preview: what was done, what would happen, the difference, and what to look out for.

    Sentences are folded at `width` characters; lines of files and words to be typed are left as they are.
    """
    return "\n".join(_lines(plan, width))


def _lines(plan: UndoPlan, width: int | None) -> Iterator[str]:
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
            yield f"      {item.outcome.replace('_', ' ')}: {reason_words(item.reason)}"
    yield ""
    why = plan.explanation
    yield folded("  where it came from   ", plain(why.where_from), width)
    yield folded("  how it was compared  ", plain(why.how_compared), width)
    yield folded("  what will change     ", plain(why.what_happens), width)
    yield folded("  how to get back      ", plain(why.how_back), width)
    if plan.effects:
        from sulcus_panel.core.undo.effect_words import lines  # files have no use for it

        yield ""
        for effect in plan.effects:
            yield from (f"  {line}" for line in lines(effect))
    for write in plan.writes:
        yield ""
        yield render_unified(write.path, write.disk_content, write.result_content).rstrip("\n")
    yield from _parts(plan)
    if plan.conflicts and not plan.can_apply:  # of what is decided, the warnings tell
        yield ""
        yield from (conflict_text(conflict) for conflict in plan.conflicts)
    for item in plan.entries:
        yield from (text for path in item.paths if (text := _reason(path)))
    yield from _way_through(plan)
    if plan.warnings:
        yield ""
        yield from (folded("  ! ", plain(warning.text), width) for warning in plan.warnings)
    if plan.consents:
        yield ""
        own = "  needs a yes of its own: "
        yield from (folded(own, plain(consent.text), width) for consent in plan.consents)


def folded(label: str, text: str, width: int | None) -> str:
    """Put a sentence behind its label, on lines of no more than `width` characters where it is known."""
    if width is None or len(label) + len(text) <= width:
        return f"{label}{text}"
    from textwrap import wrap  # here, for what is no screen is as wide as a sentence

    if len(label) * NARROW > width:
        return "\n".join([label.rstrip(), *wrap(f"    {text}", max(width, 20), subsequent_indent="    ")])
    return "\n".join(wrap(f"{label}{text}", width, subsequent_indent=" " * len(label)))


def _parts(plan: UndoPlan) -> Iterator[str]:
    """Number what `--hunk` chooses from, where there is a choice."""
    paths = [path for item in plan.entries for path in item.paths]
    parts = [_part(hunk) for path in paths for hunk in path.hunks]
    parts += [
        f"{path.part + 1}: {plain(path.path)}: {_fate(path)}" for path in paths if path.part is not None
    ]
    if len(plan.entries) != 1 or len(parts) < 2:
        return
    yield ""
    yield from (f"  part {part}" for part in parts[:MOST_PARTS])
    if len(parts) > MOST_PARTS:
        yield f"  and {len(parts) - MOST_PARTS:,} more parts"


def _part(hunk: HunkPlan) -> str:
    place = f", {lines_text(hunk.disk_lines)}" if hunk.disk_lines is not None else ""
    return f"{hunk.index + 1}: {plain(hunk.path)}{place}: {_fate(hunk)}"


def _fate(part: HunkPlan | PathPlan) -> str:
    return part.outcome.replace("_", " ") if part.chosen else "not chosen"


def _way_through(plan: UndoPlan) -> Iterator[str]:
    """Who would have to go back too, in the words that do it."""
    if plan.safe_set:
        asked = " ".join(str(seq_id) for seq_id in (*plan.safe_set, *plan.request.seq_ids))
        names = ", ".join(f"#{seq_id}" for seq_id in plan.safe_set)
        yield f"    with {names} taken back too, newest first, it goes: sulcus-panel ledger rollback {asked}"
    parts = [str(hunk + 1) for hunk in plan.request.hunks or ()]
    for choice in plan.choices:
        asked = " ".join([*map(str, plan.request.seq_ids), *(["--hunk", *parts] if parts else [])])
        way = f"{WAYS[choice][0].lower()}{WAYS[choice][1:]}"
        yield f"    or {way}: sulcus-panel ledger rollback {asked} --later-work {choice}"


def _reason(path: PathPlan) -> str:
    if not path.reason or path.conflicts:
        return ""
    return f"  {plain(path.path)}: {reason_words(path.reason)}"


def conflict_text(conflict: Conflict) -> str:
    """Who stands on which lines."""
    who = [f"#{seq_id}" for seq_id in conflict.with_seq_ids]
    if conflict.outside:
        who.append("a change made outside the agents")
    names = " and ".join(who) or "something else"
    stands = "stand" if len(who) > 1 else "stands"
    reason = f" ({plain(conflict.reason)})" if conflict.reason not in {"", IN_THE_WAY} else ""
    place = f", {lines_text(conflict.lines)}" if conflict.lines is not None else ""
    return f"  ✗ {plain(conflict.path)}{place}: {names} {stands} in the way{reason}"


def result_text(result: UndoResult, plan: UndoPlan) -> str:
    """What was done, as read back from the disk."""
    lines = []
    undone = {item.entry.seq_id: item.entry.record.reverses for item in plan.entries} if plan.is_redo else {}
    undos = [item.undo_seq_id for item in result.results if item.undo_seq_id is not None]
    for item in result.results:
        if plan.outcome is Outcome.COPY_SAVED and item.undo_seq_id is not None:
            lines.append(_saved(item))
        else:
            lines.append(_done(item, undone.get(item.seq_id), alone=len(undos) == 1))
        if item.reason:
            lines.append(f"  {plain(item.reason)}")
        for path in item.paths:
            before, after = path.before_sha256, path.after_sha256
            read = "  read back from disk" if path.read_back else ""
            lines.append(f"  {plain(path.path)}  {_short(before)} → {_short(after)}{read}")
        if item.outcome is not Outcome.UNDONE:
            lines += [conflict_text(conflict) for conflict in item.conflicts]
    if len(undos) > 1:
        lines.append(f"`ledger rollback {' '.join(map(str, reversed(undos)))}` brings all of it back")
    return "\n".join(lines)


def _saved(item: EntryResult) -> str:
    return (
        f"#{item.seq_id} {item.outcome.replace('_', ' ')}"
        f" (the copy is #{item.undo_seq_id}; `ledger rollback {item.undo_seq_id}` removes it again)"
    )


def _done(item: EntryResult, brought_back: SeqId | None, *, alone: bool) -> str:
    """Say what became of one entry, or, of an undo that was taken back, of the one that it had undone."""
    if item.undo_seq_id is None:
        return f"#{item.seq_id} {item.outcome.replace('_', ' ')}"
    wrote = item.paths or item.strategy is Strategy.COMPENSATING_CLI
    if brought_back is not None and item.outcome is Outcome.UNDONE:
        said = f"#{brought_back} is back" if wrote else f"#{brought_back} is open again: no file was written"
        way = f"redo is #{item.undo_seq_id}; `ledger rollback {brought_back}` takes it back again"
    elif not wrote:
        said = f"#{item.seq_id} undone, already so: no file was written"
        way = f"undo is #{item.undo_seq_id}; `ledger redo {item.seq_id}` opens it again"
    else:
        said = f"#{item.seq_id} {item.outcome.replace('_', ' ')}"
        way = f"undo is #{item.undo_seq_id}; `ledger redo {item.seq_id}` brings it back"
    return f"{said} ({way})" if alone else f"{said} ({way.partition(';')[0]})"


def _short(sha256: str | None) -> str:
    return sha256[:12] if sha256 else "no file"
