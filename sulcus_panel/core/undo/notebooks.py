"""A notebook whose lines cannot be taken back cleanly: its cells are, field by field, and outputs stay. Pure.

Only a notebook that we would write byte for byte as it stands is written at all, and only cells that stand
still: what the turn added or removed, and what somebody edited too, is left to its lines.
"""

import hashlib
import json
from dataclasses import dataclass, replace
from functools import partial

from sulcus_panel.core.model import DiskFile, FileState, Hunk, Sha256
from sulcus_panel.core.undo.lines import edits_between
from sulcus_panel.core.undo.model import STUCK, HunkOutcome, Outcome, Strategy
from sulcus_panel.core.undo.question import (
    PathAnswer,
    Question,
    as_a_whole,
    bytes_of_side,
    is_partial,
    mode_of_result,
)

SUFFIX = ".ipynb"
RUN = ("outputs", "execution_count")
"""What running a cell leaves in it: the later run stays."""
_ABSENT = object()

Fields = dict[str, object]


def or_by_cells(ask: Question, answer: PathAnswer) -> PathAnswer:
    """Return the answer by cells where a notebook's lines are in the way, else the answer given."""
    mode = mode_of_result(ask)
    if (
        answer.plan.outcome not in STUCK
        or not ask.change.path.endswith(SUFFIX)
        or is_partial(ask)
        or mode is None
    ):
        return answer
    before, after, now = (
        bytes_of_side(ask, ask.change.before),
        bytes_of_side(ask, ask.change.after),
        ask.file.content,
    )
    if before is None or after is None or now is None:
        return answer
    content = without_turn(before, after, now)
    if content is None or content == now:
        return answer
    digest = Sha256(hashlib.sha256(content).hexdigest())
    result = DiskFile(FileState(ask.file.state.kind, digest, len(content), mode), content)
    whole = as_a_whole(ask, Outcome.UNDONE, Strategy.SURGICAL_REVERSE_PATCH, result, HunkOutcome.UNDONE)
    hunks = tuple(replace(hunk, disk_lines=None) for hunk in whole.plan.hunks)
    exact = (Hunk(e.a0, e.a1 - e.a0, e.b0, e.b1 - e.b0) for e in edits_between(now, content))
    return PathAnswer(replace(whole.plan, hunks=hunks), tuple(exact))


def without_turn(before: bytes, after: bytes, now: bytes) -> bytes | None:
    """Return the notebook as it is now without what the turn did to its cells; None where that is not certain."""
    try:
        return _without_turn(before, after, now)
    except RecursionError:  # what is nested as deep as can be read may be too deep to be written
        return None


def _without_turn(before: bytes, after: bytes, now: bytes) -> bytes | None:
    old, new, book = _parsed(before), _parsed(after), _parsed(now)
    if old is None or new is None or book is None or not _same(old.frame, new.frame):
        return None
    write = _writer(now, book)
    if write is None or _writer(before, old) is None or len(old.cells) != len(new.cells):
        return None
    cells = list(book.cells)
    for was, turned in zip(old.cells, new.cells, strict=True):
        if _same(was, turned):
            continue
        at = _place(turned, new, book)
        cell = None if at is None or was.get("id") != turned.get("id") else _merged(was, turned, cells[at])
        if at is None or cell is None:
            return None
        cells[at] = cell
    return write(book.with_cells(cells))


@dataclass(frozen=True, slots=True)
class _Book:
    """A parsed notebook: its fields in order, its cells, and all but the cells."""

    fields: Fields
    cells: list[Fields]

    @property
    def frame(self) -> Fields:
        return self.fields | {"cells": None}

    def with_cells(self, cells: list[Fields]) -> Fields:
        return self.fields | {"cells": cells}


def _parsed(data: bytes) -> _Book | None:
    try:
        fields = json.loads(data)
    except (ValueError, RecursionError):
        return None
    cells = fields.get("cells") if isinstance(fields, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        return None
    return _Book(fields, cells)


def _writer(data: bytes, book: _Book) -> "partial[bytes] | None":
    """Find how the notebook is written; None where no way gives its own bytes again."""
    for indent in (1, 2, 4, "\t", None):
        for ascii_only in (False, True):
            for end in ("\n", ""):
                write = partial(_written, indent=indent, ascii_only=ascii_only, end=end)
                if write(book.fields) == data:
                    return write
    return None


def _written(fields: Fields, *, indent: int | str | None, ascii_only: bool, end: str) -> bytes:
    text = json.dumps(fields, indent=indent, ensure_ascii=ascii_only) + end
    return text.encode("utf-8", "surrogatepass")


def _place(cell: Fields, book: _Book, now: _Book) -> int | None:
    """Find a cell of `book` in the notebook as it is now: by its id, else by its number and its own source."""
    name = cell.get("id")
    if isinstance(name, str):
        places = [at for at, other in enumerate(now.cells) if other.get("id") == name]
        return places[0] if len(places) == 1 == len(_alike("id", cell, book)) else None
    at = book.cells.index(cell)
    same = _alike("source", cell, book) == _alike("source", cell, now) == [at]
    return at if same and len(book.cells) == len(now.cells) else None


def _alike(key: str, cell: Fields, book: _Book) -> list[int]:
    return [at for at, other in enumerate(book.cells) if other.get(key) == cell.get(key)]


def _merged(was: Fields, turned: Fields, now: Fields) -> Fields | None:
    """Take the turn out of one cell; None where somebody changed the same field, or its place is not sure."""
    if [key for key in was if key in turned] != [key for key in turned if key in was]:
        return None
    cell = dict(now)
    for key in was.keys() | turned.keys():
        old, new, here = (each.get(key, _ABSENT) for each in (was, turned, now))
        if _same(old, new) or _same(old, here) or (key in RUN and not _same(here, new)):
            continue
        if not _same(here, new):
            return None
        if old is _ABSENT:
            cell.pop(key, None)
        else:
            cell[key] = old
    if cell.keys() <= now.keys():
        return cell
    if list(now) != list(turned) or not cell.keys() <= was.keys():
        return None
    return {key: cell[key] for key in was if key in cell}


def _same(one: object, other: object) -> bool:
    """Say whether two values are written alike: true is not 1, nor 1 1.0, and fields have an order."""
    if one is _ABSENT or other is _ABSENT:
        return one is other
    return json.dumps(one) == json.dumps(other)
