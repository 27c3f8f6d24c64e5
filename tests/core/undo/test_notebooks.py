"""Notebooks cell by cell: what a turn did to a cell goes, what a person ran stays, and nothing is reformatted."""

import json
import sys
from contextlib import suppress
from typing import Any

import pytest

from sulcus_panel.core.undo.model import Outcome
from sulcus_panel.core.undo.notebooks import without_turn
from tests.support.bench import Bench

Cell = dict[str, Any]
ONE, TWO = [{"output_type": "stream", "text": ["1\n"]}], [{"output_type": "stream", "text": ["2\n"]}]


def cell(source: str, outputs: Any = (), count: int | None = None, **more: Any) -> Cell:
    run = {"outputs": list(outputs), "execution_count": count}
    return {"cell_type": "code", "metadata": {}, "source": [source]} | run | more


def book(*cells: Cell, indent: int | str | None = 1, end: str = "\n", **more: Any) -> bytes:
    return (json.dumps({"cells": list(cells), "nbformat": 4, **more}, indent=indent) + end).encode()


A = cell("a = 1", ONE, 1)
BEFORE, AFTER = book(A, cell("b = 1", ONE, 2)), book(A, cell("b = 2"))
NOW = book(cell("a = 1", TWO, 5), cell("b = 2", TWO, 6))
TURNED_ROUND = dict(reversed(A.items()))
WANTED = book(cell("a = 1", TWO, 5), cell("b = 1", TWO, 6))


def test_the_source_goes_back_and_the_later_run_stays() -> None:
    assert without_turn(BEFORE, AFTER, NOW) == WANTED


def test_outputs_that_nobody_ran_anew_come_back_with_the_source() -> None:
    now = book(cell("a = 2", ONE, 1), cell("b = 2"))
    assert without_turn(BEFORE, AFTER, now) == book(cell("a = 2", ONE, 1), cell("b = 1", ONE, 2))


@pytest.mark.parametrize("indent", [1, 2, 4, "\t", None])
@pytest.mark.parametrize("end", ["\n", ""])
def test_the_notebook_keeps_the_way_in_which_it_is_written(indent: int | str | None, end: str) -> None:
    now = book(A, cell("b = 2", TWO, 6, tags=["é"]), indent=indent, end=end)
    wanted = book(A, cell("b = 1", TWO, 6, tags=["é"]), indent=indent, end=end)
    assert without_turn(BEFORE, AFTER, now) == wanted
    raw = json.dumps(json.loads(now), indent=indent, ensure_ascii=False).encode() + end.encode()
    result = without_turn(BEFORE, AFTER, raw)
    assert result is not None
    assert "é".encode() in result


def test_a_cell_is_found_by_its_id_wherever_it_is_now() -> None:
    before, after = book(cell("b = 1", id="x"), A), book(cell("b = 2", id="x"), A)
    now = book(A, cell("new", id="n"), cell("b = 2", TWO, 3, id="x"))
    assert without_turn(before, after, now) == book(A, cell("new", id="n"), cell("b = 1", TWO, 3, id="x"))


def test_fields_that_the_turn_gave_or_took_go_back_too() -> None:
    before, after = book(A, cell("b = 1", slide=True)), book(A, cell("b = 2", tags=["x"]))
    now = book(A, cell("b = 2", TWO, 6, tags=["x"]))
    assert without_turn(before, after, now) == book(A, cell("b = 1", TWO, 6, slide=True))


def test_a_field_that_comes_back_stands_where_it_stood() -> None:
    gone = {key: value for key, value in cell("b = 2").items() if key != "metadata"}
    now = {key: value for key, value in cell("b = 2", TWO, 6).items() if key != "metadata"}
    assert without_turn(BEFORE, book(A, gone), book(A, now)) == book(A, cell("b = 1", TWO, 6))


def test_a_value_of_another_type_is_another_value() -> None:
    before, after = book(cell("a", keep=True), cell("b")), book(cell("a", keep=1), cell("c"))
    now = book(cell("a", keep=1), cell("c", TWO, 6))
    assert without_turn(before, after, now) == book(cell("a", keep=True), cell("b", TWO, 6))


@pytest.mark.parametrize(
    ("before", "after", "now"),
    [
        # what the turn put in another order, or wrote as another number, would stay
        (
            BEFORE,
            book(dict(reversed(A.items())), cell("b = 2")),
            book(dict(reversed(A.items())), cell("b = 2", TWO)),
        ),
        (BEFORE, AFTER.replace(b": 4", b": 4.0"), NOW.replace(b": 4", b": 4.0")),
        # a number or a name written in a way that would not come back
        (book(A, cell("b = 1", keep=7)).replace(b": 7", b": 7e0"), book(A, cell("b = 2")), NOW),
        (book(A, cell("b = 1", keep=7)).replace(b": 7", b': 7, "keep": 8'), book(A, cell("b = 2")), NOW),
        # somebody has put in a field meanwhile, so where the old one stood is not sure
        (book(A, cell("b = 1", slide=1)), AFTER, book(A, cell("b = 2", TWO, 6, tags=[]))),
        (BEFORE, AFTER, book(A, cell("b = 3"))),
        (BEFORE, AFTER, book(cell("b = 2"), A)),
        (BEFORE, AFTER, book(A, A, cell("b = 2"))),
        (BEFORE, AFTER, book(A)),
        (book(A), AFTER, NOW),
        (BEFORE, book(A, cell("b = 2"), nbformat_minor=5), NOW),
        (book(cell("x"), cell("b")), book(cell("x"), cell("x")), book(cell("x"), cell("x", TWO, 1))),
        (book(cell("b", id="x")), book(cell("c", id="y")), book(cell("c", TWO, 1, id="y"))),
        (book(cell("b", id="x")), book(cell("c", id="x")), book(cell("c", id="x"), cell("d", id="x"))),
        (BEFORE, AFTER, NOW.replace(b'"nbformat": 4', b'"nbformat":4')),
        (BEFORE, AFTER, NOW + b"\n"),
        (BEFORE, AFTER, NOW.replace(b'"nbformat"', b'"cells": [], "nbformat"')),
        (BEFORE, AFTER, b"\xff" + NOW),
        (BEFORE, AFTER, b"[1]\n"),
        (BEFORE, AFTER, b'{"cells": [1]}\n'),
        (b"not json", AFTER, NOW),
        (BEFORE, b"[" * 100_000, NOW),
    ],
)
def test_what_is_not_certain_is_left_to_the_lines(before: bytes, after: bytes, now: bytes) -> None:
    assert without_turn(before, after, now) is None


def test_what_can_be_read_but_not_written_is_left_to_the_lines() -> None:
    """What is nested as deep as json reads is a little too deep for it to write."""
    deep = b""
    for depth in range(sys.getrecursionlimit(), 0, -1):
        deep = b"[" * depth + b"]" * depth
        with suppress(RecursionError):
            json.loads(NOW.replace(b": 4", b": " + deep))
            break
    assert without_turn(*(text.replace(b": 4", b": " + deep) for text in (BEFORE, AFTER, NOW))) is None


@pytest.mark.parametrize(("name", "outcome"), [("n.ipynb", Outcome.UNDONE), ("n.json", Outcome.CONFLICT)])
def test_only_a_notebook_is_read_by_its_cells_and_only_whole(
    bench: Bench, name: str, outcome: Outcome
) -> None:
    bench.put(name, BEFORE)
    turn = bench.agent(AFTER, name)
    bench.put(name, NOW)
    assert bench.plan(turn).outcome is outcome
    if outcome is Outcome.UNDONE:
        hunks = bench.entry(turn).record.changes[0].hunks
        assert len(hunks) > 1
        assert bench.plan(turn, hunks=(len(hunks) - 1,)).outcome is Outcome.CONFLICT
        undo = bench.undo(turn).results[0].undo_seq_id
        assert bench.read(name) == WANTED
        assert undo is not None
        bench.undo(undo)
        assert bench.read(name) == NOW
