"""A digest of what was recorded, as Markdown, JSON or a patch. No contents unless asked; a patch is asking.

Every string from a record is untrusted: Markdown gets it in code spans, so that nothing of it is live. A patch
is bytes for `git apply`; on a screen it is shown escaped.
"""

import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path

from sulcus_panel.core.credentials import redacted
from sulcus_panel.core.diff import render_patch, split_lines
from sulcus_panel.core.diff.patch import comment
from sulcus_panel.core.diff.shown import escape
from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.model import Entry, GovernanceRecord
from sulcus_panel.core.safety import plain
from sulcus_panel.service.file_diffs import FileDiff, diff_text
from sulcus_panel.service.wire import entry_json, governance_json, time_text

Diffs = Callable[[Entry], Sequence[FileDiff]]


class ExportFormat(StrEnum):
    """What a digest can be written as."""

    MARKDOWN = "md"
    JSON = "json"
    PATCH = "patch"


def export_changes(entries: Sequence[Entry], form: ExportFormat, diffs: Diffs | None) -> str:
    """Return the digest of `entries`, oldest first; `diffs` gives contents where they were asked for.

    A patch comes as shown_patch() shows it; what git applies is export_patch().
    """
    if form is ExportFormat.JSON:
        return _json([_with_diffs(entry, diffs) for entry in entries], "entries")
    if form is ExportFormat.PATCH:
        return "" if diffs is None else shown_patch(export_patch(entries, diffs))
    if not entries:
        return "# Recorded changes\n\nNo change is recorded.\n"
    return "# Recorded changes\n\n" + "\n".join(_section(entry, diffs) for entry in entries)


def export_patch(entries: Sequence[Entry], diffs: Diffs) -> bytes:
    """Return the changes of `entries`, oldest first, as one patch for `git apply`, exact to the byte.

    What cannot be a patch is a line that begins with `#`, which git passes over.
    """
    return b"".join(_parts(entries, diffs, text_only=False))


def clipboard_patch(entries: Sequence[Entry], diffs: Diffs) -> str:
    """Return export_patch() as text; a file whose patch is not UTF-8 is a `#` line that says so."""
    return b"".join(_parts(entries, diffs, text_only=True)).decode()


def shown_patch(patch: bytes) -> str:
    """Return a patch to be looked at: every byte that a screen might obey or hide is escaped."""
    lines = (line.removesuffix(b"\n").decode("utf-8", "backslashreplace") for line in split_lines(patch))
    return "".join(f"{escape(line)}\n" for line in lines)


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner can read, whole or not at all; folders on the way are made.

    Raises:
        SulcusError: it cannot be written, or something else than a file stands there.
    """
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not target.is_file():
            raise SulcusError(f"Cannot write {path}", "It is not a file.", "Choose another place.")
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
            try:
                file.write(data)
                file.close()
                os.replace(file.name, target)
            except OSError:
                os.unlink(file.name)
                raise
    except OSError as error:
        raise SulcusError(f"Cannot write {path}", error.strerror or "", "Choose another place.") from error


def export_governance(records: Sequence[GovernanceRecord], form: ExportFormat) -> str:
    """Return the digest of the second timeline, oldest first."""
    if form is ExportFormat.JSON:
        return _json([governance_json(record) for record in records], "governance")
    rows = [f"- {time_text(r.at)} {span(r.kind)} by {span(r.actor.name)}: {span(r.summary)}" for r in records]
    return "# Decisions\n\n" + ("\n".join(rows) if rows else "Nothing has been decided.") + "\n"


def span(text: str) -> str:
    """A Markdown code span that nothing inside can end: its fence is longer than any run of backticks in it."""
    shown = plain(text) or "(none)"
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def _json(rows: Iterable[object], name: str) -> str:
    return json.dumps({name: list(rows)}, indent=2) + "\n"


def _with_diffs(entry: Entry, diffs: Diffs | None) -> dict[str, object]:
    body: dict[str, object] = entry_json(entry)
    if diffs is not None:
        body["diffs"] = [{"path": plain(one.path), "diff": _told(one)} for one in diffs(entry)]
    return body


def _told(one: FileDiff) -> str:
    """What a reader gets of one file: its differences, why there are none to see, or both."""
    return "\n".join(text for text in (one.message, diff_text(one)) if text)


def _parts(entries: Sequence[Entry], diffs: Diffs, *, text_only: bool) -> Iterator[bytes]:
    # One run of git removes before it creates: it cannot follow a file that comes and changes, or comes and goes.
    counts = Counter(path for entry in entries for path in entry.paths)
    for path in (path for path, count in counts.items() if count > 1):
        yield comment(f"{path}: several changes; apply them one by one, to take them back from the last")
    for entry in entries:
        yield comment(f"#{entry.seq_id} {time_text(entry.record.at)} {plain(redacted(entry.record.summary))}")
        for one in diffs(entry):
            patch = _file_patch(one)
            is_odd = text_only and _is_odd(patch)
            yield comment(f"{one.path}: not UTF-8, export it to a file") if is_odd else patch
        yield b"\n"


def _file_patch(one: FileDiff) -> bytes:
    if one.message:
        return comment(f"{one.path}: {one.message}")
    return render_patch(one.path, one.old, one.new, one.old_mode, one.new_mode)


def _is_odd(patch: bytes) -> bool:
    try:
        patch.decode()
    except UnicodeDecodeError:
        return True
    return False


def _section(entry: Entry, diffs: Diffs | None) -> str:
    record = entry.record
    facts = [
        ("when", time_text(record.at)),
        ("who", f"{record.actor.name} ({record.harness}, {record.tool_name})"),
        ("model", record.model),
        ("intent", record.intent),
        ("paths", ", ".join(entry.paths)),
        ("read first", ", ".join(record.derived_from)),
        ("command", redacted(record.command or "")),
        ("state", entry.state.replace("_", " ")),
        ("undo", " ".join(part for part in (entry.undoability, entry.undo_reason) if part)),
    ]
    lines = [f"## #{entry.seq_id} {span(redacted(record.summary))}", ""]
    lines += [f"- {name}: {span(value)}" for name, value in facts if value]
    for one in diffs(entry) if diffs is not None else ():
        text = _told(one)
        fence = "~" * (max((len(run) for run in re.findall(r"~+", text)), default=2) + 1)
        lines += ["", f"{fence}diff", text.rstrip("\n"), fence]
    return "\n".join(lines) + "\n"
