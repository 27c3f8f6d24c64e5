"""What one needs to know about an entry, as names and values in plain text, ready for the details."""

from collections.abc import Iterator
from dataclasses import dataclass

from sulcus_panel.core.credentials import redacted
from sulcus_panel.core.local_time import local_time
from sulcus_panel.core.model import Change, Entry, FileKind, FileState, LedgerPath, Origin
from sulcus_panel.core.safety import plain
from sulcus_panel.ui.models.command_facts import command_facts
from sulcus_panel.ui.models.entry_details import EntryDetails
from sulcus_panel.ui.models.file_facts import file_lines
from sulcus_panel.ui.models.ledger_row import ledger_row
from sulcus_panel.ui.models.wording import (
    count_of,
    harness_name,
    local_now,
    one_line,
    size_words,
    tooltip,
    who,
)

MOST_LINES = 6
MOST_FILES = 20
LONGEST_COMMAND = 2000


@dataclass(frozen=True, slots=True)
class FactLine:
    """One line of a value: a link (to an entry, where `seq_id` is given) and words, both plain text."""

    words: str = ""
    link: str = ""
    seq_id: int = 0
    spoken: str = ""
    tip: str = ""
    most_lines: int = 3
    """How many lines its words may take."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A name and its lines; without lines there is nothing to say."""

    name: str
    lines: tuple[FactLine, ...]


def facts_of(details: EntryDetails) -> tuple[Fact, ...]:
    """Return the facts of an entry, in the order they are read."""
    entry = details.entry
    record = entry.record
    return tuple(
        fact
        for fact in (
            Fact("By", (FactLine(_by(entry)),)),
            Fact("Model", (FactLine(one_line(record.model, 200)),) if record.model else ()),
            Fact("Note", tuple(FactLine(plain(note)) for note in record.notes)),
            Fact("Labels", _capped([FactLine(plain(label, 60)) for label in entry.labels])),
            Fact("When", (FactLine(local_time(record.at).strftime("%Y-%m-%d %H:%M:%S")),)),
            Fact("Read first", _capped([_path_line(path) for path in record.derived_from])),
            Fact("Later here", _capped([_entry_line(later, of=entry) for later in details.later])),
            Fact("Read by", _capped([_entry_line(reader, of=entry) for reader in details.readers])),
            Fact("Command", (_command_line(record.command),) if record.command else ()),
            Fact("Exit code", (FactLine(str(record.exit_code)),) if record.exit_code is not None else ()),
            *(_states(record.changes[0]) if len(record.changes) == 1 else ()),
        )
        if fact.lines
    )


def further_facts(details: EntryDetails) -> tuple[Fact, ...]:
    """Return what may be long: an entry's several files, and what else is known of a command or a call."""
    record = details.entry.record
    lines = [FactLine(words, tip=tooltip(path)) for words, path in file_lines(record)]
    further = (
        Fact("Files", _capped(lines, MOST_FILES) if len(record.changes) > 1 else ()),
        *(
            Fact(name, _capped([FactLine(line, tip=tooltip(line)) for line in said]))
            for name, said in command_facts(record)
        ),
    )
    return tuple(fact for fact in further if fact.lines)


def _by(entry: Entry) -> str:
    record = entry.record
    if record.origin is Origin.UNDO:
        return f"{who(entry)}, taking back #{record.reverses}" if record.reverses else who(entry)
    if record.origin is Origin.OUTSIDE:
        return "outside the agents"
    name, actor = harness_name(record.harness), one_line(record.actor.name, 60)
    return name if actor in ("", name) else f"{name} · {actor}"


def _path_line(path: LedgerPath) -> FactLine:
    return FactLine(plain(path, 300), tip=tooltip(plain(path)))


def _entry_line(other: Entry, *, of: Entry) -> FactLine:
    row = ledger_row(other, local_now())
    same_file = other.record.target_path == of.record.target_path
    words = f"{row.who} {row.action}" + ("" if same_file else f" {row.name}")
    return FactLine(
        words,
        f"#{other.seq_id}",
        other.seq_id,
        f"Go to change {other.seq_id}, {row.title}",
        tooltip(row.full_path),
    )


def _command_line(command: str) -> FactLine:
    words = one_line(redacted(command), LONGEST_COMMAND)
    return FactLine(words, tip=tooltip(words), most_lines=8)


def _states(change: Change) -> Iterator[Fact]:
    yield Fact("Before", (_state_line(change.before),))
    yield Fact("After", (_state_line(change.after),))


def _state_line(state: FileState) -> FactLine:
    if state.kind is FileKind.ABSENT:
        return FactLine("not there")
    if state.kind is FileKind.UNKNOWN:
        return FactLine(f"unknown: {plain(state.reason, 200)}" if state.reason else "unknown")
    parts = [(state.sha256 or "")[:8], "" if state.size_bytes is None else size_words(state.size_bytes)]
    if state.kind is not FileKind.FILE:
        parts.insert(0, state.kind.value)
    if not state.kept and state.kind is FileKind.FILE:
        parts.append("not kept")
    tip = "\n".join(part for part in (state.sha256 or "", plain(state.reason, 400)) if part)
    return FactLine(" · ".join(part for part in parts if part), tip=tooltip(tip))


def _capped(lines: list[FactLine], most: int = MOST_LINES) -> tuple[FactLine, ...]:
    if len(lines) <= most:
        return tuple(lines)
    shown = most - 1
    return (*lines[:shown], FactLine(f"and {count_of(len(lines) - shown, 'more', 'more')}"))
