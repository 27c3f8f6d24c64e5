"""An edit of which no hook told, while a watcher or the next hook saw it from outside, goes back like any other."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sulcus_panel.core.model import Origin
from sulcus_panel.core.undo.model import Outcome, UndoRequest
from sulcus_panel.service.operations import LedgerQuery, Operations
from sulcus_panel.service.silence_look import SilenceLook
from tests.support.claude_transcripts import Transcript
from tests.support.clock import FakeClock
from tests.support.hooks import Run
from tests.support.ledger_builder import LedgerBuilder

BODY = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"


@pytest.fixture
def build(tmp_path: Path) -> Iterator[LedgerBuilder]:
    made = LedgerBuilder.make(tmp_path, FakeClock(datetime.now(UTC)))
    yield made
    made.ledger.close()


def test_silent_edits_that_the_next_hook_took_for_the_persons_go_back_one_by_one(
    build: LedgerBuilder, tmp_path: Path
) -> None:
    path = build.root / "a.txt"
    transcript = Transcript(
        tmp_path / "claude" / "projects" / "x" / "s-1.jsonl",
        cwd=str(build.root),
        start=datetime.now(UTC) - timedelta(seconds=2),
    )
    run = Run(build.root, build.home.spool, session="s-1")
    run.write("a.txt", BODY.encode())
    for old, new in (("two", "TWO"), ("four", "FOUR")):
        before = path.read_text()
        path.write_text(before.replace(old, new))
        transcript.now = datetime.now(UTC) - timedelta(seconds=2)
        transcript.edit(str(path), old, new, before)
    before = path.read_text()
    transcript.now = datetime.now(UTC) - timedelta(seconds=2)
    call = transcript.edit(str(path), "six", "SIX", before)
    run.edit("a.txt", "six", "SIX", call=call)
    build.clock.now = datetime.now(UTC) + timedelta(minutes=2)
    with Operations.open(build.home, clock=build.clock) as operations:
        operations.drain()
        environment = {"CLAUDE_CONFIG_DIR": str(tmp_path / "claude")}
        assert SilenceLook(build.workspace, environment, build.clock).look(operations) == 2
        entries = operations.find(LedgerQuery(descending=False, limit=10))
        assert [entry.record.origin for entry in entries].count(Origin.OUTSIDE) == 1
        second = entries[-2]
        (seen,) = (entry for entry in entries if entry.record.origin is Origin.OUTSIDE)
        assert second.record.notes == (
            f"Before its transcript was read it had been seen as a change from outside: #{seen.seq_id}.",
        )
        result = operations.apply(operations.plan(UndoRequest((second.seq_id,))))
        assert result.outcome is Outcome.UNDONE
    assert path.read_text() == BODY.replace("four", "FOUR").replace("six", "SIX")
