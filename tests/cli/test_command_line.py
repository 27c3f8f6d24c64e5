"""What a command line costs before its verb runs: which rooms it enters, and what it leaves as it was."""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.support.clock import FakeClock
from tests.support.ledger_builder import LedgerBuilder
from tests.support.terminal import environment


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LedgerBuilder]:
    """Two changes of one file."""
    builder = LedgerBuilder.make(tmp_path, FakeClock(datetime.now(UTC)))
    monkeypatch.setenv("SULCUS_HOME", str(builder.home.root))
    builder.turn("Change lines", "turn-x")
    builder.write("a.txt", b"one\ntwo\n")
    builder.write("a.txt", b"one\nTWO\n")
    yield builder
    builder.ledger.close()


def test_garbage_is_collected_once_a_verb_runs(work: LedgerBuilder) -> None:
    script = (
        "import gc, io, sys\nfrom sulcus_panel.cli.main import run\n"
        "class Told(io.StringIO):\n"
        "    def write(self, text):\n"
        "        print(gc.isenabled(), gc.get_freeze_count() > 0, file=sys.stderr)\n"
        "sys.argv, sys.stdout = ['sulcus-panel', 'ledger', 'list'], Told()\nrun()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=work.root, env=environment(), capture_output=True, check=True
    )
    assert set(done.stderr.splitlines()) == {b"True True"}


HEAVY = (
    *("PySide6", "filelock", "pygit2", "sqlite_utils", "sulcus_panel.core.capture.recorder"),
    *("starlette", "uvicorn", "msgspec", "httpx", "mcp"),
)
NOT_FOR_ONE_UNDO = (
    *("shutil", "textwrap", "sulcus_panel.cli.listing", "sulcus_panel.cli.demo"),
    *(f"sulcus_panel.service.{room}" for room in ("wire", "selection", "holds", "configuring", "later_work")),
    *(f"sulcus_panel.core.{room}" for room in ("access", "holds", "triggers", "capture.place")),
    *(f"sulcus_panel.core.undo.{room}" for room in ("moves", "notebooks", "recover")),
    *(
        f"sulcus_panel.core.ledger.{room}"
        for room in ("forgetting", "gaps", "holds", "queries", "rules", "search", "tokens")
    ),
)
"""Rooms that an undo by its number does not enter; each costs a millisecond or some."""
THAT_WRITE = tuple(
    f"sulcus_panel.core.undo.{room}"
    for room in ("apply", "carry_out", "closing", "fs", "kernel", "records", "recover", "write")
)


@pytest.mark.parametrize(
    ("words", "unused"),
    [
        ("--version", ("argparse", "typing", "dataclasses", "sulcus_panel.core.model")),
        ("ledger list --harness x", (*HEAVY, "sulcus_panel.core.undo.plan", "sulcus_panel.cli.rollback")),
        ("ledger rollback 2", (*HEAVY, *NOT_FOR_ONE_UNDO)),
        ("ledger redo 2", (*HEAVY, *NOT_FOR_ONE_UNDO)),
        ("ledger rollback 2 --dry-run", (*HEAVY, *NOT_FOR_ONE_UNDO, *THAT_WRITE)),
    ],
)
def test_a_verb_imports_what_it_needs_and_no_more(
    work: LedgerBuilder, words: str, unused: tuple[str, ...]
) -> None:
    script = (
        "import json, sys\nfrom sulcus_panel.cli.main import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        "print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *words.split()],
        cwd=work.root,
        env=environment(),
        input=b"y\n",
        capture_output=True,
        check=True,
    )
    told = done.stderr.decode()
    imported = json.loads(told[told.rindex('["') :])
    assert not set(unused).intersection(imported)
