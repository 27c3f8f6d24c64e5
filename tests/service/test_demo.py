"""The demo's run is played through the real hook, and its undo is believed only by the disk."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.model import EntryState, Origin
from sulcus_panel.core.undo.model import Outcome
from sulcus_panel.service.demo import digest, play, undo_out_of_order
from sulcus_panel.service.operations import LedgerQuery, Operations

SCRIPT = Path(__file__).parents[2] / "resources" / "demo" / "run.json"
CHANGED = "billing/webhook_verifier.py"


@pytest.fixture
def data_home(tmp_path: Path) -> DataHome:
    made = DataHome(tmp_path / "data")
    made.ensure()
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "payments-rails"
    made.mkdir()
    return made


def files_below(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_real_run_is_recorded_and_one_old_change_goes_back_alone(
    data_home: DataHome, folder: Path
) -> None:
    run = play(data_home, folder, SCRIPT)
    before = files_below(folder)
    outcome = undo_out_of_order(data_home, run)
    after = files_below(folder)

    assert run.path == CHANGED
    assert (outcome.plan.outcome, outcome.result.outcome) == (Outcome.UNDONE, Outcome.UNDONE)
    assert outcome.verified
    assert {name for name in before if before[name] != after[name]} == {CHANGED}
    gone, stays = after[CHANGED], (b"compare_digest", b"import ClockSkew", b"older than five minutes")
    assert b"MAX_DRIFT = 300" not in gone
    assert b"MAX_DRIFT = 86_400\n" in gone
    assert all(words in gone for words in stays)
    with Operations.open(data_home) as operations:
        newest, *older = operations.find(LedgerQuery(workspace_id=run.workspace.id, limit=100))
        assert (newest.record.origin, newest.record.reverses) == (Origin.UNDO, run.seq_id)
        assert operations.entry(run.seq_id).state is EntryState.UNDONE
        steps = json.loads(SCRIPT.read_text())["steps"]
        acts = [step for step in steps if {"edit", "write", "run"} & set(step)]
        assert len(older) == len(acts)
        assert {entry.record.intent for entry in older} == {
            step["prompt"] for step in steps if "prompt" in step
        }


def test_a_file_that_is_not_what_was_expected_is_not_called_verified(
    data_home: DataHome, folder: Path
) -> None:
    run = play(data_home, folder, script_of(folder.parent, "two"))
    (folder / "a.txt").write_text("ONE\ntwo, and mine\n")
    outcome = undo_out_of_order(data_home, run)
    assert outcome.result.outcome is Outcome.UNDONE
    assert outcome.after == b"one\ntwo, and mine\n"
    assert not outcome.verified


def test_a_script_that_does_not_fit_its_files_says_where(data_home: DataHome, folder: Path) -> None:
    with pytest.raises(SulcusError, match="does not fit") as caught:
        play(data_home, folder, script_of(folder.parent, "three"))
    assert "a.txt: 'three'" in caught.value.detail


def script_of(place: Path, old: str) -> Path:
    """A run of two edits: line 1, to be undone, and another."""
    steps = [
        {"edit": "a.txt", "old": "one", "new": "ONE", "undo": True},
        {"edit": "a.txt", "old": old, "new": "TWO"},
    ]
    script = place / "run.json"
    script.write_text(json.dumps({"files": {"a.txt": "one\ntwo\n"}, "steps": steps}))
    return script


def test_a_digest_for_reading_is_the_beginning_of_the_whole() -> None:
    assert digest(b"x") == sha256(b"x").hexdigest()[:16]
