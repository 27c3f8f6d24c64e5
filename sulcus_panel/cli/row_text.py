"""One entry as lines for a terminal. Every string from a record is made plain first."""

from sulcus_panel.core.credentials import redacted
from sulcus_panel.core.local_time import local_time
from sulcus_panel.core.model import (
    Change,
    Entry,
    EntryState,
    FileKind,
    FileState,
    NewEntry,
    Origin,
    Provenance,
)
from sulcus_panel.core.names import ACTIONS
from sulcus_panel.core.safety import plain
from sulcus_panel.core.states import git_movement, moved_references

HOW_KNOWN = {
    Provenance.OBSERVED: "observed: its bytes were seen",
    Provenance.IMPORTED: "told by the harness, not all of it seen here",
    Provenance.CLAIMED: "claimed by its caller, not seen",
}


def row(entry: Entry, *, in_which: bool = False) -> str:
    """One line: number, local time, who, what, target, size of the change, marks; `in_which` workspace."""
    record = entry.record
    at = local_time(record.at).strftime("%Y-%m-%d %H:%M:%S")
    what = _what(record)
    target = _target(record, what)
    marks = [f"in {entry.namespace}" if in_which else "", size(entry.record.changes)]
    if record.reverses is not None:
        marks.append(f"(#{record.reverses})")
    if entry.state is not EntryState.RECORDED:
        marks.append(f"[{entry.state.replace('_', ' ')}]")
    if entry.drift is not None:
        marks.append(f"[{entry.drift.replace('_', ' ')} outside]")
    if record.exit_code:
        marks.append(f"[exit {record.exit_code}]")
    tail = "  ".join(mark for mark in marks if mark)
    head = f"#{entry.seq_id:<5} {at}  {plain(record.harness, 16):<12} {what:<9} {plain(target, 100)}"
    return f"{head}  {tail}".rstrip()


def _what(record: NewEntry) -> str:
    if record.origin is Origin.UNDO:
        return "took back" if record.takes_back else "saved"
    return ACTIONS[record.action_type]


def _target(record: NewEntry, what: str) -> str:
    """A command, a path, or, of a call that names no file, what was called."""
    if record.command is not None:
        return redacted(record.command)
    return record.target_path or redacted(record.summary).removeprefix(f"{what} ")


def size(changes: tuple[Change, ...]) -> str:
    """Lines added and removed over all paths, where they are known."""
    if not changes or any(change.plus is None or change.minus is None for change in changes):
        return ""
    return f"+{sum(c.plus or 0 for c in changes)} −{sum(c.minus or 0 for c in changes)}"


def details(entry: Entry) -> str:
    """Everything about one entry, a line a fact."""
    record = entry.record
    lines = [row(entry)]
    facts = [
        ("workspace", entry.namespace),
        ("intent", record.intent),
        ("summary", redacted(record.summary)),
        ("session", record.session_id),
        ("turn", record.turn_id),
        ("tool", record.tool_name),
        ("model", record.model),
        ("folder", record.cwd or ""),
        ("read first", ", ".join(record.derived_from)),
        ("how known", HOW_KNOWN[record.provenance]),
        *_of_command(record),
        ("input", redacted(record.input)),
    ]
    lines += [f"  {name:<12} {plain(value)}" for name, value in facts if value]
    lines += [f"  {'note':<12} {plain(note)}" for note in record.notes]
    for change in record.changes:
        lines.append(f"  {plain(change.path)}")
        lines.append(f"    before     {side(change.before)}")
        lines.append(f"    after      {side(change.after)}")
    reason = f": {plain(entry.undo_reason)}" if entry.undo_reason else ""
    lines.append(f"  {'undo':<12} {entry.undoability}{reason}")
    if entry.undone_by is not None:
        lines.append(f"  {'undone by':<12} #{entry.undone_by}")
    hint = entry.rollback_hint
    lines.append(f"  rollback: {plain(f'{hint.kind} @ {hint.ref}') if hint else 'none recorded'}")
    return "\n".join(lines)


def _of_command(record: NewEntry) -> list[tuple[str, str]]:
    """Where git moved to, and what is known of a command beyond its files."""
    git, ran = record.git, record.ran
    facts = [("git", git_movement(git))] if git is not None else []
    facts += [("reference", line) for line in moved_references(git)] if git is not None else []
    if ran is not None:
        facts += [
            ("unsure", "; ".join(f"{path}: {why}" for path, why in ran.unsure.items())),
            ("not seen", "; ".join(ran.unseen)),
            ("at once", "; ".join(ran.at_once)),
            ("background", "it was left to go on" if ran.in_background else ""),
            *(("printed", line) for line in ran.output.split("\n")),
        ]
    return facts


def side(state: FileState) -> str:
    """One side of a change in a few words."""
    if state.kind is FileKind.ABSENT:
        return "no file"
    if state.kind is FileKind.UNKNOWN:
        return f"unknown ({plain(state.reason)})"
    words: list[str] = [state.kind]
    if state.sha256 is not None:
        words.append(state.sha256[:12])
    if state.size_bytes is not None:
        words.append(f"{state.size_bytes:,} bytes")
    if state.mode is not None:
        words.append(f"{state.mode:04o}")
    if not state.kept and state.kind in {FileKind.FILE, FileKind.SYMLINK}:
        words.append(f"not kept ({plain(state.reason)})" if state.reason else "not kept")
    return " · ".join(words)
