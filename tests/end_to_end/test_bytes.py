"""Scenarios C13 to C15, C17, C28 and the byte rows: what is not plain UTF-8 with LF goes back byte for byte."""

import json
import os
from pathlib import Path

import pytest

from sulcus_panel.core.undo.model import Outcome
from tests.support.scene import L10, Scene, with_line

BOM = b"\xef\xbb\xbf"
NOTEBOOK = {
    "cells": [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": ["a = 1\n"]},
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": ["b = 1\n"]},
    ],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 5,
}

WHOLE = {
    "latin-1": ("größe=1\nx=2\n".encode("latin-1"), "größe=2\nx=2\n".encode("latin-1")),
    "utf-16-le": (BOM[:0] + "\ufeffa=1\nb=2\n".encode("utf-16-le"), "\ufeffa=9\nb=2\n".encode("utf-16-le")),
    "utf-16-be": ("\ufeffa=1\nb=2\n".encode("utf-16-be"), "\ufeffa=9\nb=2\n".encode("utf-16-be")),
    "nul": (b"a\0b\n" * 9, b"a\0c\n" * 9),
    "every byte": (bytes(range(256)) * 16, bytes(reversed(range(256))) * 16),
    "encoded surrogate": (b"\xed\xa0\x80\nx\n", b"\xed\xa0\x80\ny\n"),
    "classic mac": (b"one\rtwo\rthree\r", b"one\rTWO\rthree\r"),
    "mixed ends": (b"one\r\ntwo\nthree\rfour\n", b"one\r\n2\nthree\rfour\n"),
    "odd separators": (
        "a\vb\fc\x1cd\x1de\x1ef\x85g\u2028h\nend\n".encode(),
        "a\vb\fc\x1cd\x1de\x1ef\x85g\u2028H\nend\n".encode(),
    ),
    "no newline before": (b"a\nb", b"a\nb\n"),
    "no newline after": (b"a\nb\n", b"a\nb"),
    "newline only": (b"\n", b"\n\n"),
    "bom lost": (BOM + b"a\n", b"a\n"),
    "bom gained": (b"a\n", BOM + b"a\n"),
    "all ends turned": (b"a\r\nb\r\n", b"a\nb\n"),
    "one long line": (b"x" * 200_000, b"x" * 99_999 + b"y" + b"x" * 100_000),
}


@pytest.mark.parametrize("name", WHOLE)
def test_f052_to_f066_a_file_goes_back_and_forth_byte_for_byte(scene: Scene, name: str) -> None:
    before, after = WHOLE[name]
    scene.person("data", before, 0o640)
    turn = scene.puts("data", after)

    scene.undo(turn)
    assert scene.path("data").read_bytes() == before
    scene.redo(turn)
    assert scene.path("data").read_bytes() == after
    assert scene.path("data").stat().st_mode & 0o7777 == 0o640


LATER = {
    "crlf": (L10.replace(b"\n", b"\r\n"), 2, b"two\r", 8, b"eight\r"),
    "mixed ends": (b"one\r\ntwo\nthree\rthree\nfour\r\nfive\nsix\n", 2, b"TWO", 5, b"FIVE\r"),
    "latin-1": ("ä\nö\nü\nß\né\n".encode("latin-1"), 1, "Ä".encode("latin-1"), 4, b"ss"),
    "gb18030": ("键=值\n名=甲\n号=乙\n完=丙\n".encode("gb18030"), 2, "名=丁".encode("gb18030"), 4, b"end"),
    "utf-8 bom": (BOM + b"a=1\nb=2\nc=3\nd=4\n", 3, b"c=9", 1, BOM + b"z=0"),
    "nel and line separator": ("a\x85b\nc\u2028d\ne\nf\n".encode(), 1, "a\x85B".encode(), 4, b"F"),
    "only one end missing": (b"a\nb\nc\nd", 2, b"B", 4, b"D"),
    "nul free control codes": (b"a\x1c\nb\x0c\nc\x0b\nd\n", 1, b"A\x1c", 4, b"D"),
}


@pytest.mark.parametrize("name", LATER)
def test_c13_c15_one_line_goes_back_and_a_later_line_stays(scene: Scene, name: str) -> None:
    start, first, new_first, second, new_second = LATER[name]
    old_second = start.split(b"\n")[second - 1]
    scene.person("data", start)
    turn = scene.puts("data", with_line(start, first, new_first))
    scene.puts("data", with_line(with_line(start, first, new_first), second, new_second))

    scene.undo(turn)

    assert scene.path("data").read_bytes() == with_line(start, second, new_second)
    scene.redo(turn)
    assert scene.path("data").read_bytes() == with_line(
        with_line(start, first, new_first), second, new_second
    )
    assert old_second != new_second


def test_c13_line_ends_that_a_harness_turned_come_back_mixed(scene: Scene) -> None:
    start = b"one\nTWO\r\nthree\nFOUR\r\n"
    scene.person("b.txt", start)
    turn = scene.puts("b.txt", b"one\nTWO\n3\nFOUR\n")

    scene.undo(turn)
    assert scene.path("b.txt").read_bytes() == start

    scene.redo(turn)
    scene.person("b.txt", b"ONE\nTWO\n3\nFOUR\n")
    plan = scene.plan(turn)
    if plan.outcome is Outcome.UNDONE:
        scene.carry_out(plan)
        assert scene.path("b.txt").read_bytes() == b"ONE\nTWO\r\nthree\nFOUR\r\n"
    else:
        assert plan.outcome is Outcome.CONFLICT


def test_c14_bom_a_new_first_line_and_no_final_newline(scene: Scene) -> None:
    scene.person("a.ini", BOM + b"a=1\nb=2\nc=3\nd=4\ne=5")
    turn = scene.puts("a.ini", BOM + b"a=1\nb=2\nc=3\nd=4\ne=6\n")
    scene.puts("a.ini", BOM + b"z=0\na=1\nb=2\nc=3\nd=4\ne=6\n")

    scene.undo(turn)

    assert scene.path("a.ini").read_bytes() == BOM + b"z=0\na=1\nb=2\nc=3\nd=4\ne=5"


def test_f056_a_line_added_after_a_last_line_without_newline_is_never_glued(scene: Scene) -> None:
    scene.person("a.txt", b"a\nb")
    turn = scene.puts("a.txt", b"a\nB\n")
    later = scene.puts("a.txt", b"a\nB\nc\n")

    plan = scene.changes_nothing(turn)

    assert plan.outcome is Outcome.CONFLICT
    assert plan.conflicts[0].with_seq_ids == (later.seq_id,)


def test_c15_no_merge_is_tried_on_bytes_that_are_no_text(scene: Scene) -> None:
    scene.person("b.bin", bytes(range(256)) * 16)
    first = scene.puts("b.bin", b"\0one" * 1024, tool="Write")
    second = scene.puts("b.bin", b"\0two" * 1024, tool="Write")

    assert scene.conflict(first).with_seq_ids == (second.seq_id,)
    scene.undo(second)
    scene.undo(first)
    assert scene.path("b.bin").read_bytes() == bytes(range(256)) * 16


def big_json(changed: bytes = b"") -> bytes:
    lines = [b'  "key %06d": "%s",\n' % (number, b"v" * 80) for number in range(3000)]
    lines[1500] = changed or lines[1500]
    return b"{\n" + b"".join(lines) + b"}\n"


def test_c17_over_the_cap_one_line_goes_back_by_the_hunk_s_own_text(scene: Scene) -> None:
    start, left = big_json(), big_json(b'  "changed": 1,\n')
    assert len(start) > 262_144
    scene.person("big.json", start)
    turn = scene.puts("big.json", left)
    change = turn.record.changes[0]
    assert (change.before.kept, change.after.kept) == (False, False)
    assert "larger than 262,144 bytes" in scene.terminal("ledger", "show", str(turn.seq_id)).out

    scene.undo(turn)

    assert scene.path("big.json").read_bytes() == start
    scene.redo(turn)
    assert scene.path("big.json").read_bytes() == left


def test_c17_over_the_cap_and_rewritten_as_a_whole_is_said_before_and_refused(scene: Scene) -> None:
    scene.person("big.txt", b"old line\n" * 40_000)
    turn = scene.puts("big.txt", b"new line\n" * 40_000)
    assert turn.undoability == "not"
    assert "larger than 262,144 bytes" in turn.undo_reason

    plan = scene.changes_nothing(turn)

    assert (plan.outcome, plan.entries[0].reason) == (Outcome.UNAVAILABLE, "not_kept")


def test_c17_over_the_cap_and_changed_later_the_recorded_lines_lead_the_way_back(scene: Scene) -> None:
    start, left = big_json(), big_json(b'  "changed": 1,\n')
    scene.person("big.json", start)
    turn = scene.puts("big.json", left)
    scene.puts("big.json", with_line(left, 20, b"later"))
    assert scene.now(turn).undoability == "partly"

    scene.undo(turn)

    assert scene.path("big.json").read_bytes() == with_line(start, 20, b"later")


def test_c17_over_the_cap_and_changed_by_hand_unseen_is_a_conflict_that_writes_nothing(scene: Scene) -> None:
    start, left = big_json(), big_json(b'  "changed": 1,\n')
    scene.person("big.json", start)
    turn = scene.puts("big.json", left)
    scene.person("big.json", with_line(left, 20, b"by hand"))
    assert scene.now(turn).undoability == "partly"

    plan = scene.changes_nothing(turn)

    assert plan.outcome is Outcome.CONFLICT
    assert plan.conflicts[0].outside


def test_c17_a_file_over_the_cap_that_an_agent_deletes_cannot_come_back_and_says_so(scene: Scene) -> None:
    scene.person("big.txt", os.urandom(300_000).hex().encode())
    turn = scene.removes("big.txt")
    assert turn.undoability == "not"
    assert scene.changes_nothing(turn).outcome is Outcome.UNAVAILABLE


def test_f067_a_line_in_the_middle_of_a_long_file(scene: Scene) -> None:
    scene.set("max_snapshot_bytes", 10_485_760)
    start = b"".join(b"%d\n" % number for number in range(300_000))
    scene.person("long", start)
    turn = scene.puts("long", with_line(start, 150_000, b"x"))
    scene.puts("long", with_line(with_line(start, 150_000, b"x"), 10, b"later"))

    scene.undo(turn)

    assert scene.path("long").read_bytes() == with_line(start, 10, b"later")


def test_c28_a_cell_s_source_goes_back_and_a_later_run_s_outputs_stay(scene: Scene) -> None:
    book = json.loads(json.dumps(NOTEBOOK))
    path = scene.person("n.ipynb", json.dumps(book, indent=1).encode() + b"\n")
    book["cells"][1]["source"] = ["b = 2\n"]

    def act(there: Path) -> None:
        there.write_bytes(json.dumps(book, indent=1).encode() + b"\n")

    turn = scene.does(
        "NotebookEdit", "n.ipynb", act, file_path="", notebook_path=str(path), new_source="b = 2\n"
    )
    assert turn.record.tool_name == "NotebookEdit"
    book["cells"][0]["outputs"] = [{"name": "stdout", "output_type": "stream", "text": ["1\n"]}]
    book["cells"][0]["execution_count"] = 7
    scene.person("n.ipynb", json.dumps(book, indent=1).encode() + b"\n")

    scene.undo(turn)

    book["cells"][1]["source"] = ["b = 1\n"]
    assert json.loads(path.read_bytes()) == book


def test_c28_a_run_of_the_very_cell_whose_outputs_the_turn_had_cleared_stays(scene: Scene) -> None:
    """The lines conflict: the turn took the outputs away, and the person's run wrote others in their place."""
    path = scene.path("n.ipynb")
    book = json.loads(json.dumps(NOTEBOOK))
    cell = book["cells"][1]
    ran = [{"name": "stdout", "output_type": "stream", "text": ["1\n"]}]
    cell |= {"outputs": ran, "execution_count": 1}
    scene.person("n.ipynb", json.dumps(book, indent=1).encode() + b"\n")
    cell |= {"source": ["b = 2\n"], "outputs": [], "execution_count": None}
    turn = scene.puts("n.ipynb", json.dumps(book, indent=1).encode() + b"\n", tool="Write")
    cell |= {"outputs": [{**ran[0], "text": ["2\n"]}], "execution_count": 2}
    scene.person("n.ipynb", json.dumps(book, indent=1).encode() + b"\n")

    scene.undo(turn)

    cell["source"] = ["b = 1\n"]
    assert path.read_bytes() == json.dumps(book, indent=1).encode() + b"\n"
    scene.redo(turn)
    cell["source"] = ["b = 2\n"]
    assert path.read_bytes() == json.dumps(book, indent=1).encode() + b"\n"


def test_f126_a_secret_s_contents_are_not_kept_and_it_is_said_before(scene: Scene) -> None:
    scene.person(".env", b"KEY=sekrit-one\n")
    turn = scene.puts(".env", b"KEY=sekrit-two\n")
    assert (turn.undoability, turn.undo_reason) == ("not", "may hold a secret")

    plan = scene.changes_nothing(turn)

    assert (plan.outcome, plan.entries[0].reason) == (Outcome.UNAVAILABLE, "not_kept")
    for kept in scene.home.root.rglob("*"):
        if kept.is_file():
            assert b"sekrit" not in kept.read_bytes(), kept
