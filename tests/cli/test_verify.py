"""`verify` from the terminal: counts, what is wrong, what was done, and the exit code."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.support.clock import FakeClock
from tests.support.ledger_builder import LedgerBuilder
from tests.support.terminal import sulcus


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LedgerBuilder]:
    builder = LedgerBuilder.make(tmp_path, FakeClock(datetime.now(UTC)))
    monkeypatch.setenv("SULCUS_HOME", str(builder.home.root))
    builder.write("a.txt", "1\n")
    builder.write("a.txt", "2\n")
    yield builder
    builder.ledger.close()


def test_a_sound_ledger_is_counted_and_exits_0(work: LedgerBuilder) -> None:
    answer = sulcus("verify", cwd=work.root)
    assert answer.code == 0, answer.out
    assert "2  entry\n" in answer.out
    assert answer.out.endswith("✓ Everything is as it was recorded.\n")
    told = sulcus("verify", "--json").json()
    assert (told["sound"], told["problems"], told["counts"]["snapshot"]) == (True, [], 2)


def test_damage_exits_1_until_it_is_mended(work: LedgerBuilder) -> None:
    with work.ledger.write():
        work.ledger.database.run("UPDATE snapshot SET data = X'00'")
    found = sulcus("verify")
    assert found.code == 1
    assert found.out.count("does not hold what it says") == 2
    assert "verify --repair" in found.out
    repaired = sulcus("verify", "--repair", "--json")
    assert repaired.code == 1, "one of the two stands nowhere any more"
    assert sorted(problem["mended"] for problem in repaired.json()["problems"]) == [False, True]
    assert sulcus("verify", "--repair").code == 0
