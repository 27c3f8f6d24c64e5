"""A diff as JSON: the one form with contents, apart from all others.

`unified` and the texts are for reading; where a file is not UTF-8, its exact bytes stand in base64 beside them.
Lines count from 1, and hunks of a change as undo counts them.
"""

import base64
from collections.abc import Sequence
from typing import Any

from sulcus_panel.core.diff import diff_hunks, split_lines
from sulcus_panel.core.model import Entry, Hunk
from sulcus_panel.core.safety import escaped
from sulcus_panel.service.file_diffs import DiffView, FileDiff, diff_text

Json = dict[str, Any]


def entry_diff_json(entry: Entry, view: DiffView, diffs: Sequence[FileDiff]) -> Json:
    """Every path of one entry. The hunks of the change itself bear the numbers by which undo knows them."""
    files, number = [], 1
    changes = {change.path: change.hunks for change in entry.record.changes}
    for diff in diffs:
        recorded = changes.get(diff.path, ()) if view is DiffView.CHANGE else None
        files.append(_file_json(diff, recorded, number))
        number += len(recorded or ())
    return {"seq_id": entry.seq_id, "namespace": entry.namespace, "view": view, "files": files}


def _file_json(diff: FileDiff, recorded: Sequence[Hunk] | None, first: int) -> Json:
    body: Json = {
        "path": escaped(diff.path),
        "old_label": diff.old_label,
        "new_label": diff.new_label,
        "unified": diff_text(diff),
        "hunks": _hunks_json(diff, recorded, first),
    }
    if diff.message:
        body["message"] = escaped(diff.message)
    for name, content in (("old", diff.old), ("new", diff.new)):
        if content is not None and _text(content) is None:
            body[f"{name}_base64"] = _base64(content)
    return body


def _hunks_json(diff: FileDiff, recorded: Sequence[Hunk] | None, first: int) -> list[Json]:
    if diff.message and not diff.hunks:
        return []
    old, new = split_lines(diff.old or b""), split_lines(diff.new or b"")
    hunks = diff.hunks or recorded
    if hunks is None:
        hunks = diff_hunks(diff.old or b"", diff.new or b"")
    bodies = [_hunk_json(hunk, old, new) for hunk in hunks]
    if recorded is not None and len(recorded) == len(bodies):  # else some are not known any more
        bodies = [{"hunk": number} | body for number, body in enumerate(bodies, start=first)]
    return bodies


def _hunk_json(hunk: Hunk, old: Sequence[bytes], new: Sequence[bytes]) -> Json:
    body: Json = {"start_line": hunk.before_start + 1, "new_start_line": hunk.after_start + 1}
    removed = _lines(hunk.old, old, hunk.before_start, hunk.before_lines)
    added = _lines(hunk.new, new, hunk.after_start, hunk.after_lines)
    for name, content in (("target_excerpt", removed), ("replacement_excerpt", added)):
        text = _text(content)
        body[name if text is not None else f"{name}_base64"] = _base64(content) if text is None else text
    return body


def _lines(text: bytes | None, lines: Sequence[bytes], start: int, count: int) -> bytes:
    return text if text is not None else b"".join(lines[start : start + count])


def _text(content: bytes) -> str | None:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")
