"""How entries are said in words: who, what, where, when. All of it is plain text, ready to paint."""

from collections.abc import Sequence
from datetime import datetime
from html import escape

from sulcus_panel.core.credentials import redacted
from sulcus_panel.core.local_time import local_time
from sulcus_panel.core.model import ActionType, ActorKind, Entry, LedgerPath, Origin
from sulcus_panel.core.names import ACTIONS, HARNESS_NAMES
from sulcus_panel.core.safety import plain

SHORT_NAMES = {"claude-code": "Claude", "gemini-cli": "Gemini", "copilot-cli": "Copilot"}

OUTSIDE_ACTIONS = {ActionType.FILE_EDIT: "saved", ActionType.FILE_WRITE: "saved"}

LONGEST_CELL = 300
"""Characters of a record's text that a cell can show at most."""


def local_now() -> datetime:
    """The time by which "today" is decided."""
    return datetime.now().astimezone()


def one_line(text: str, limit: int = LONGEST_CELL) -> str:
    """Return text for one line: blanks and line ends run together, the rest escaped by `plain`."""
    return plain(" ".join(text.split()), limit)


def tooltip(text: str) -> str:
    """Return text that Qt shows as it is: a tooltip would take `<b>` for rich text."""
    return f"<p style='white-space: pre-wrap'>{escape(text)}</p>" if text else ""


def harness_name(harness: str) -> str:
    """Return the product's name for a harness's label; an unknown label stands for itself."""
    return HARNESS_NAMES.get(harness) or one_line(harness, 40) or "unknown"


def who(entry: Entry) -> str:
    """Return who acted in a word or two: a harness, the person, or `outside`."""
    record = entry.record
    if record.origin is Origin.OUTSIDE:
        return "outside"
    if record.origin is Origin.UNDO:
        return "you" if record.actor.kind is ActorKind.PERSON else one_line(record.actor.name, 40)
    return SHORT_NAMES.get(record.harness) or harness_name(record.harness)


def dot_key(entry: Entry) -> str:
    """Return which dot stands before `who`: the harness's label, `outside`, or `undo`."""
    record = entry.record
    return record.harness if record.origin is Origin.AGENT else str(record.origin)


def action_word(entry: Entry) -> str:
    """Return what was done as a verb in the past."""
    record = entry.record
    if record.origin is Origin.UNDO:
        return "undid" if record.takes_back else "saved"
    if record.origin is Origin.OUTSIDE and record.action_type in OUTSIDE_ACTIONS:
        return OUTSIDE_ACTIONS[record.action_type]
    return ACTIONS[record.action_type]


def split_path(path: LedgerPath | str) -> tuple[str, str]:
    """Split a path into its plain file name and its plain folder."""
    folder, _, name = path.rpartition("/")
    return plain(name, LONGEST_CELL), plain(folder, LONGEST_CELL)


def target(entry: Entry) -> tuple[str, str]:
    """Return what was acted upon: a command and nothing, or a file's name and its folder."""
    record = entry.record
    if record.action_type is ActionType.RUN_COMMAND:
        return one_line(redacted(record.command or record.summary) or record.target_path), ""
    if record.target_path:
        return split_path(record.target_path)
    summary = redacted(record.summary).removeprefix(f"{ACTIONS[record.action_type]} ")
    return one_line(summary or record.tool_name), ""


def line_counts(entry: Entry) -> tuple[int | None, int | None]:
    """Return lines added and removed over all changes; None where no change knows."""
    plus = [change.plus for change in entry.record.changes if change.plus is not None]
    minus = [change.minus for change in entry.record.changes if change.minus is not None]
    return (sum(plus) if plus else None, sum(minus) if minus else None)


def clock_time(at: datetime, now: datetime) -> str:
    """Return the local time of day for a moment of today, else the day and the minute."""
    local, today = local_time(at), now.astimezone()
    if local.date() == today.date():
        return f"{local.hour:02}:{local.minute:02}:{local.second:02}"
    return local.strftime("%d %b %H:%M" if local.year == today.year else "%Y-%m-%d")


def short_time(at: datetime, now: datetime) -> str:
    """Return `14:11` for a moment of today, else the day: `29 Nov`."""
    local, today = local_time(at), now.astimezone()
    if local.date() == today.date():
        return f"{local:%H:%M}"
    return local.strftime("%d %b" if local.year == today.year else "%Y-%m-%d")


def day_and_time(at: datetime, now: datetime) -> str:
    """Return `today 14:02`, `yesterday 14:02` or `29 Nov 14:02`."""
    local, today = local_time(at), now.astimezone()
    days = (today.date() - local.date()).days
    if days in (0, 1):
        return f"{('today', 'yesterday')[days]} {local:%H:%M}"
    return local.strftime("%d %b %H:%M" if local.year == today.year else "%Y-%m-%d")


def decapitalised(sentence: str) -> str:
    """Return a sentence as it stands after a colon or inside another one."""
    return sentence[:1].lower() + sentence[1:]


def count_of(number: int, one: str, many: str = "") -> str:
    """Return `1 file`, `2 files`: a number with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def numbers(seq_ids: Sequence[int], most: int = 5) -> str:
    """Return `#842, #845 and #851`; with more than `most`, the last are counted."""
    known = [f"#{seq_id}" for seq_id in seq_ids]
    return listed(known if len(known) <= most else [*known[: most - 1], f"{len(known) - most + 1} more"])


def listed(words: Sequence[str]) -> str:
    """Return `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def signed_counts(plus: int | None, minus: int | None) -> str:
    """Return `+38 −12`, with only the sides that are known and not nothing."""
    parts = [
        f"+{short_number(plus)}" if plus else "",
        f"\N{MINUS SIGN}{short_number(minus)}" if minus else "",
    ]
    return " ".join(part for part in parts if part)


def short_number(number: int) -> str:
    """Return `388`, `1.2k`, `35k`, `1.4M`: at most four characters."""
    for unit, size in (("M", 1_000_000), ("k", 1_000)):
        if number >= size:
            return f"{number / size:.1f}{unit}" if number < 10 * size else f"{number // size}{unit}"
    return str(number)


def size_words(size: int) -> str:
    """Return a size in bytes as people write it: `1,842 B`, `36 KB`, `1.4 MB`, `2.1 GB`."""
    if size < 10_000:
        return f"{size:,} B"
    if size < 1_000_000:
        return f"{size // 1000:,} KB"
    if size < 1_000_000_000:
        return f"{size / 1_000_000:,.1f} MB"
    return f"{size / 1_000_000_000:,.1f} GB"
