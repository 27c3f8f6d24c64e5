"""A digest of what was recorded, as Markdown, JSON or a patch. No contents unless asked; a patch is asking.

Every string from a record is untrusted: Markdown gets it in code spans, so that nothing of it is live.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum

from sulcus_panel.core.diff import render_unified
from sulcus_panel.core.model import Entry, GovernanceRecord
from sulcus_panel.core.safety import plain
from sulcus_panel.service.file_diffs import FileDiff
from sulcus_panel.service.wire import entry_json, governance_json, time_text

Diffs = Callable[[Entry], Sequence[FileDiff]]


class ExportFormat(StrEnum):
    """What a digest can be written as."""

    MARKDOWN = "md"
    JSON = "json"
    PATCH = "patch"


def export_changes(entries: Sequence[Entry], form: ExportFormat, diffs: Diffs | None) -> str:
    """Return the digest of `entries`, oldest first; `diffs` gives contents where they were asked for."""
    if form is ExportFormat.JSON:
        return _json([_with_diffs(entry, diffs) for entry in entries], "entries")
    if form is ExportFormat.PATCH:
        return "".join(_patch(entry, diffs) for entry in entries if diffs is not None)
    if not entries:
        return "# Recorded changes\n\nNo change is recorded.\n"
    return "# Recorded changes\n\n" + "\n".join(_section(entry, diffs) for entry in entries)


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
        body["diffs"] = [{"path": plain(one.path), "diff": _diff_text(one)} for one in diffs(entry)]
    return body


def _diff_text(one: FileDiff) -> str:
    return one.message or render_unified(one.path, one.old, one.new)


def _patch(entry: Entry, diffs: Diffs | None) -> str:
    head = f"# #{entry.seq_id} {time_text(entry.record.at)} {plain(entry.record.summary)}\n"
    parts = [
        f"# {plain(one.path)}: {plain(one.message)}\n" if one.message else _diff_text(one)
        for one in (diffs(entry) if diffs is not None else ())
    ]
    return head + "".join(parts) + "\n"


def _section(entry: Entry, diffs: Diffs | None) -> str:
    record = entry.record
    facts = [
        ("when", time_text(record.at)),
        ("who", f"{record.actor.name} ({record.harness}, {record.tool_name})"),
        ("intent", record.intent),
        ("paths", ", ".join(entry.paths)),
        ("read first", ", ".join(record.derived_from)),
        ("command", record.command or ""),
        ("state", entry.state.replace("_", " ")),
        ("undo", " ".join(part for part in (entry.undoability, entry.undo_reason) if part)),
    ]
    lines = [f"## #{entry.seq_id} {span(record.summary)}", ""]
    lines += [f"- {name}: {span(value)}" for name, value in facts if value]
    for one in diffs(entry) if diffs is not None else ():
        text = _diff_text(one)
        fence = "~" * (max((len(run) for run in re.findall(r"~+", text)), default=2) + 1)
        lines += ["", f"{fence}diff", text.rstrip("\n"), fence]
    return "\n".join(lines) + "\n"
