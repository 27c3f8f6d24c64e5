"""The sheet of an undo of references: what happened, what becomes of it, git's words, and a tick for it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.model import Outcome
from sulcus_panel.ui.dialogs.outcome_words import result_title
from tests.support.repo_bench import RepoBench
from tests.support.shown_sheet import Shown


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[RepoBench]:
    made = RepoBench(tmp_path)
    yield made
    made.close()


def test_the_sheet_shows_both_sides_and_wants_its_own_tick(bench: RepoBench, shown: Shown) -> None:
    entry = bench.runs("git branch topic")
    plan = bench.plan(entry.seq_id)
    shown.sheet.show_plan(plan)
    said = plain(shown.texts())
    (effect,) = plan.effects
    assert effect.happened in said
    assert effect.undo in said
    assert f"git   update-ref   -d   refs/heads/topic   {bench.id_of('main')}" in said
    assert "1 reference of git" in said
    assert not shown.button("undo_button").isEnabled()
    shown.box("consent_0").click()
    assert shown.button("undo_button").isEnabled()


def test_one_that_has_moved_on_says_why_and_offers_no_yes(bench: RepoBench, shown: Shown) -> None:
    entry = bench.runs("git branch topic")
    bench.sh("git branch -f topic old")
    shown.sheet.show_plan(bench.plan(entry.seq_id))
    assert "branch topic has moved since" in shown.texts()
    assert not shown.button("undo_button").isEnabled()


def test_a_result_is_told_as_undone_and_one_that_stopped_half_way_is_not(bench: RepoBench) -> None:
    made = [bench.runs(f"git tag v{number}") for number in (1, 2, 3)]
    plan = bench.plan(*(entry.seq_id for entry in made))
    lock = bench.root / ".git/refs/tags/v2.lock"
    lock.touch()
    half = bench.agrees(plan)
    assert half.outcome is Outcome.PARTLY_UNDONE
    assert result_title(half, redo=False).text.startswith("Undone in part; what failed")
    lock.unlink()
    whole = bench.agrees(bench.plan(*(entry.seq_id for entry in made[:2])))
    assert result_title(whole, redo=False).text == "Undone, and verified on disk"
