"""A Codex run of which nobody kept the files: one change of it is taken back all the same, byte by byte."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.support.codex_rollouts import Rollout
from tests.support.terminal import sulcus

TWO = "@@ -2 +2 @@\n-two\n+zwei\n"
FOUR = "@@ -3,2 +3,2 @@\n three\n-four\n\\ No newline at end of file\n+vier\n"
ONE = b"one\r\ntwo\nthree\nfour"
NOW = b"one\r\nzwei\nthree\nvier\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def rollout(tmp_path: Path, project: Path) -> Rollout:
    """A run that changed line 2, then line 4 of a file that it found."""
    run = Rollout(tmp_path / "codex", project, start=datetime.now(UTC))
    run.prompt("Count in German")
    run.update("a.txt", TWO)
    run.update("a.txt", FOUR)
    (project / "a.txt").write_bytes(NOW)
    return run


def test_one_update_of_a_run_goes_back_and_comes_again(project: Path, rollout: Rollout) -> None:
    file = project / "a.txt"
    answer = sulcus("import", "codex", str(rollout.path), "--workspace", str(project), "--json")
    assert answer.json() == {"recorded": 2, "already": 0, "problems": []}, answer.err

    undone = sulcus("ledger", "rollback", "1", "--json", stdin="y\n")
    assert undone.code == 0, undone.err
    assert file.read_bytes() == b"one\r\ntwo\nthree\nvier\n"

    assert sulcus("ledger", "redo", "1", stdin="y\n").code == 0
    assert file.read_bytes() == NOW
    assert sulcus("ledger", "rollback", "1", "2", stdin="y\n").code == 0
    assert file.read_bytes() == ONE


def test_later_work_elsewhere_in_the_file_stays(project: Path, rollout: Rollout) -> None:
    file = project / "a.txt"
    file.write_bytes(NOW + b"five\n")
    sulcus("import", "codex", str(rollout.path), "--workspace", str(project))
    assert sulcus("ledger", "rollback", "1", stdin="y\n").code == 0
    assert file.read_bytes() == b"one\r\ntwo\nthree\nvier\nfive\n"


def test_where_later_work_stands_on_the_lines_nothing_is_guessed(project: Path, rollout: Rollout) -> None:
    file = project / "a.txt"
    file.write_bytes(b"one\r\nzwo\nthree\nvier\n")
    sulcus("import", "codex", str(rollout.path), "--workspace", str(project))
    assert sulcus("ledger", "rollback", "1", stdin="y\n").code == 1
    assert file.read_bytes() == b"one\r\nzwo\nthree\nvier\n"


def test_a_moved_file_goes_back_to_its_old_place(project: Path, tmp_path: Path) -> None:
    run = Rollout(tmp_path / "codex", project, start=datetime.now(UTC))
    run.update("a.txt", TWO, to="b.txt")
    (project / "b.txt").write_bytes(b"one\nzwei\n")
    sulcus("import", "codex", str(run.path), "--workspace", str(project))
    undone = sulcus("ledger", "rollback", "1", "--json", stdin="y\n")
    assert undone.code == 0, undone.err
    assert (project / "a.txt").read_bytes() == b"one\ntwo\n"
    assert not (project / "b.txt").exists()


def test_without_a_path_the_runs_of_the_folder_are_found(
    project: Path, rollout: Rollout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Rollout(tmp_path / "codex", "/elsewhere", start=datetime.now(UTC), thread=rollout.thread[:-1] + "9")
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    answer = sulcus("import", "codex", "--workspace", str(project), "--json")
    assert answer.json() == {"recorded": 2, "already": 0, "problems": []}, answer.err
    again = sulcus("import", "codex", "--workspace", str(project), "--json")
    assert again.json() == {"recorded": 0, "already": 2, "problems": []}
