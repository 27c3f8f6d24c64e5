"""What a row says of itself before anyone clicks is what the plan says, while nobody touched what it left."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.model import ABSENT, DiskFile, Entry, FileKind, FileState, SeqId, Undoability
from sulcus_panel.core.undo.model import Outcome, UndoPlan
from tests.support.bench import L10, Bench, edited
from tests.support.shell import record_command, sh

LINES = "seq 10 > {0}"
LARGE = "head -c 300000 /dev/zero | tr '\\0' {0} > {0}"
KINDS = {
    "edit": (LINES, "sed -i s/2/two/ {0}"),
    "creation": ("", "echo new > {0}"),
    "creation of nothing": ("", ": > {0}"),
    "deletion": (LINES, "rm {0}"),
    "emptying": (LINES, ": > {0}"),
    "mode": (LINES, "chmod 700 {0}"),
    "set-user-id given": (LINES, "chmod 4755 {0}"),
    "set-user-id taken": (f"{LINES}; chmod 4755 {{0}}", "chmod 755 {0}"),
    "set-user-id and more taken": (f"{LINES}; chmod 4755 {{0}}", "chmod 700 {0}"),
    "move": ("echo of {0} > {0}", "mv {0} {0}.moved"),
    "move of what is not kept": (LARGE, "mv {0} {0}.moved"),
    "link made": ("", "ln -s somewhere {0}"),
    "link removed": ("ln -s {0}.else {0}", "rm {0}"),
    "link for a file": (LINES, "rm {0}; ln -s x {0}"),
    "file for a link": ("ln -s {0}.else {0}", "rm {0}; echo x > {0}"),
    "binary": ("printf 'a\\0b' > {0}", "printf '\\0new' > {0}"),
    "binary gone": ("printf '{0}\\0b' > {0}", "rm {0}"),
    "folder made": ("", "mkdir -p {0}/in && echo x > {0}/in/x"),
    "folder removed": ("mkdir -p {0}/in; echo {0} > {0}/x; chmod 700 {0}", "rm -r {0}"),
    "folder's mode": ("mkdir {0}", "chmod 700 {0}"),
    "folder's set-group-id": ("mkdir {0}; chmod 2755 {0}", "chmod g-s {0}"),
    "folder for a file": ("echo {0} > {0}", "rm {0} && mkdir {0}"),
    "file for a folder": ("mkdir {0}", "rmdir {0} && echo x > {0}"),
    "folder moved": ("mkdir {0}; echo {0} > {0}/x", "mv {0} {0}.moved"),
    "large made": ("", LARGE),
    "large removed": (LARGE, "rm {0}"),
    "large binary": ("head -c 300000 /dev/zero > {0}", "printf '\\0x' >> {0}"),
    "large text": ("seq 100000 > {0}", "sed -i s/^77$/x/ {0}"),
    "large mode": (LARGE, "chmod 700 {0}"),
    "notebook": ("printf '{\\n \"cells\": [\\n  1\\n ]\\n}\\n' > {0}.ipynb", "sed -i s/1/2/ {0}.ipynb"),
}
"""What is there before, and what a command does to it; {0} is the path."""


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.close()


def after(bench: Bench, *kinds: str) -> Entry:
    """Let one command do all these things, each with its own path."""
    given, done = (
        "\n".join(KINDS[kind][part].replace("{0}", f"p{number}") for number, kind in enumerate(kinds))
        for part in (0, 1)
    )
    sh(bench.root, given)()
    bench.clock.advance(1)
    return record_command(bench.ledger, bench.workspace, done, bench.clock())


def is_true(row: Entry, plan: UndoPlan) -> bool:
    """Say whether the row promised just what the plan holds."""
    if row.undoability is Undoability.FULLY:
        return plan.outcome is Outcome.UNDONE and row.undo_reason == ""
    if row.undoability is Undoability.NOT:
        return not plan.can_apply and bool(row.undo_reason)
    outcomes = {path.outcome for path in plan.entries[0].paths}
    return Outcome.UNDONE in outcomes and bool(row.undo_reason)


@pytest.mark.parametrize("kind", KINDS)
def test_the_row_says_what_the_plan_says(bench: Bench, kind: str) -> None:
    row = after(bench, kind)
    assert row.record.changes
    plan = bench.plan(row.seq_id)
    assert is_true(row, plan), (row.undoability, row.undo_reason, plan.outcome, plan.entries[0].reason)


def test_the_row_of_a_command_that_did_two_things_says_so_too(bench: Bench) -> None:
    kinds = list(KINDS)
    for pair in (*itertools.pairwise(kinds), *zip(kinds[::2], kinds[15:], strict=False)):
        bench.clear()
        row = after(bench, *pair)
        plan = bench.plan(row.seq_id)
        assert is_true(row, plan), (pair, row.undoability, row.undo_reason, plan.outcome)
        if row.undoability is Undoability.FULLY:
            before = bench.picture()
            undo = bench.apply(plan).results[0].undo_seq_id
            assert undo is not None, pair
            bench.undo(undo)
            assert bench.picture() == before, pair


@pytest.mark.parametrize("carry", [True, False])
def test_a_file_over_the_cap_says_whether_its_lines_are_enough(bench: Bench, *, carry: bool) -> None:
    bench.put("big", L10 * 5000)
    was = bench.look("big")
    bench.put("big", edited(L10 * 5000, _3="three"))
    seq_id = bench.record({"big": (was, bench.look("big"))}, carry=carry)
    row = bench.entry(seq_id)
    assert row.undoability is (Undoability.PARTLY if carry else Undoability.NOT)
    assert is_true(row, bench.plan(seq_id))


@pytest.mark.parametrize("side", ["before", "after"])
def test_a_side_that_nobody_saw_cannot_be_undone_and_says_so(bench: Bench, side: str) -> None:
    unseen = DiskFile(FileState(FileKind.UNKNOWN, reason="locked"), None)
    bench.put("a.txt", L10)
    now, gone = bench.look("a.txt"), DiskFile(ABSENT, None)
    seq_id: SeqId = bench.record({"a.txt": (unseen, now) if side == "before" else (gone, unseen)})
    row = bench.entry(seq_id)
    assert (row.undoability, row.undo_reason) == (Undoability.NOT, f"{side} unknown: locked")
    assert is_true(row, bench.plan(seq_id))
