"""What the terminal asks before it takes something back, what it says then, and what it exits with."""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sulcus_panel.core.model import EntryState, SeqId
from tests.support.clock import FakeClock
from tests.support.ledger_builder import LedgerBuilder
from tests.support.terminal import Answer, environment, sulcus

ONE = "".join(f"line {n}\n" for n in range(1, 11))
TWO = ONE.replace("line 2\n", "two\n").replace("line 8\n", "eight\n")
LATER = TWO.replace("two\n", "zwei\n")


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LedgerBuilder]:
    """#1 creates a file, #2 changes two of its lines."""
    builder = LedgerBuilder.make(tmp_path, FakeClock(datetime.now(UTC)))
    monkeypatch.setenv("SULCUS_HOME", str(builder.home.root))
    builder.write("a.txt", ONE)
    builder.write("a.txt", TWO)
    yield builder
    builder.ledger.close()


def rollback(work: LedgerBuilder, *args: str, stdin: str = "") -> Answer:
    return sulcus("ledger", "rollback", *args, cwd=work.root, stdin=stdin)


def state(work: LedgerBuilder, seq_id: int) -> EntryState:
    return work.ledger.entry(SeqId(seq_id)).state


@pytest.mark.parametrize("said", ["", "n\n"])
def test_what_is_gone_already_is_not_marked_without_a_yes(work: LedgerBuilder, said: str) -> None:
    work.outside("a.txt", ONE)
    answer = rollback(work, "2", stdin=said)
    assert answer.code == 0
    assert "Mark as undone?" in answer.err
    assert "Kept; nothing was changed." in answer.out
    assert state(work, 2) is EntryState.RECORDED


def test_what_is_gone_already_is_marked_at_a_yes_and_opened_again_by_redo(work: LedgerBuilder) -> None:
    work.outside("a.txt", ONE)
    answer = rollback(work, "2", stdin="y\n")
    assert answer.code == 0
    marked = "#2 undone, already so: no file was written (undo is #3; `ledger redo 2` opens it again)"
    assert marked in answer.out
    assert state(work, 2) is EntryState.UNDONE
    again = sulcus("ledger", "redo", "2", cwd=work.root, stdin="y\n")
    assert again.code == 0
    assert "Mark as not undone?" in again.err
    assert state(work, 2) is EntryState.RECORDED
    assert (work.root / "a.txt").read_text() == ONE


def test_a_marking_in_json_names_the_entry_that_it_made(work: LedgerBuilder) -> None:
    work.outside("a.txt", ONE)
    answer = rollback(work, "2", "--json", stdin="y\n").json()
    assert (answer["outcome"], answer["results"][0]["undo_seq_id"]) == ("already_undone", 3)


def test_nobody_stands_in_the_way_of_what_was_decided(work: LedgerBuilder) -> None:
    work.write("a.txt", LATER)
    dry = rollback(work, "2", "--later-work", "take_all", "--dry-run")
    assert dry.code == 0
    assert "stands in the way" not in dry.out
    answer = rollback(work, "2", "--later-work", "take_all", stdin="y\ny\n")
    assert answer.code == 0
    assert "stands in the way" not in answer.out
    assert "is kept" not in answer.out.replace("the file as it is now is kept", "")
    assert (work.root / "a.txt").read_text() == ONE


def test_each_consent_is_a_question_of_its_own_and_one_no_ends_it(work: LedgerBuilder) -> None:
    work.write("a.txt", LATER)
    assert rollback(work, "2", "--later-work", "take_all", stdin="n\ny\n").err.count("[y = ") == 1
    assert rollback(work, "2", "--later-work", "take_all", stdin="y\n").err.count("[y = ") == 2
    assert (work.root / "a.txt").read_text() == LATER


def test_the_way_that_is_named_takes_only_the_parts_that_were_asked_about(work: LedgerBuilder) -> None:
    work.write("a.txt", LATER)
    said = rollback(work, "2", "--hunk", "1").out
    assert "sulcus-panel ledger rollback 2 --hunk 1 --later-work take_all" in said
    words = ["2", "--hunk", "1", "--later-work", "take_all"]
    assert rollback(work, *words, stdin="y\ny\n").code == 0
    assert (work.root / "a.txt").read_text() == ONE.replace("line 8\n", "eight\n")


def test_wrong_words_are_answered_in_plain_characters(work: LedgerBuilder) -> None:
    answer = rollback(work, "2", "--later-work", "no\x1b[31m")
    assert answer.code == 2
    assert "\x1b" not in answer.err
    assert "Resolution" not in answer.err
    unknown = rollback(work, "2", "--no\x1b[31m\u202e")
    assert unknown.code == 2
    assert not {"\x1b", "\u202e"}.intersection(unknown.err)
    assert rollback(work, "--query", "x" * 5000).err.count("x") < 200


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_a_closed_stream_is_a_no_and_never_a_bug(work: LedgerBuilder, closed: str) -> None:
    command = f"exec {shlex.quote(sys.executable)} -m sulcus_panel ledger rollback 2 {closed}"
    done = subprocess.run(
        ["sh", "-c", command], cwd=work.root, input=b"", capture_output=True, check=False, env=environment()
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stdout + done.stderr
    if "2>&-" in closed:
        assert b"Undo this?" not in done.stdout
    assert state(work, 2) is EntryState.RECORDED


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_of_few_characters_shows_the_others_by_number(work: LedgerBuilder, encoding: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sulcus_panel", "ledger", "list"],
        cwd=work.root,
        capture_output=True,
        check=False,
        env={**environment(), "PYTHONIOENCODING": encoding},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"+2 \\u22122" in done.stdout


def test_where_names_are_not_utf_8_to_the_interpreter_the_recorded_file_is_still_found(
    work: LedgerBuilder,
) -> None:
    work.write("é.txt", ONE)
    work.write("é.txt", TWO)
    done = subprocess.run(
        [sys.executable, "-m", "sulcus_panel", "ledger", "rollback", "4"],
        cwd=work.root,
        input=b"y\n",
        capture_output=True,
        check=False,
        env={**environment(), "LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    )
    assert done.returncode == 0, done.stderr
    assert (work.root / "é.txt").read_text() == ONE


def test_an_id_that_is_no_text_names_nothing(work: LedgerBuilder) -> None:
    answer = rollback(work, "--turn", os.fsdecode(b"\xff\xfe"))
    assert (answer.code, answer.out) == (1, "")
    assert "There is no turn \\udcff\\udcfe" in answer.err


def test_a_folder_that_is_gone_is_said_so(work: LedgerBuilder) -> None:
    command = f"mkdir gone && cd gone && rmdir ../gone && exec {sys.executable} -m sulcus_panel ledger export"
    done = subprocess.run(
        ["sh", "-c", command], cwd=work.root, capture_output=True, check=False, env=environment()
    )
    assert done.returncode == 1
    assert b"The current folder is no longer there" in done.stderr


def test_an_empty_workspace_is_not_the_folder_one_stands_in(work: LedgerBuilder) -> None:
    answer = sulcus("--workspace", "", "ledger", "list", cwd=work.root)
    assert (answer.code, answer.out) == (1, "")
    assert "There is no folder" in answer.err
