"""What holds for every verb: errors in JSON, spellings, words that must not be overlooked, a screen over SSH."""

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.support.clock import FakeClock
from tests.support.ledger_builder import LedgerBuilder
from tests.support.terminal import Answer, environment, sulcus


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LedgerBuilder]:
    builder = LedgerBuilder.make(tmp_path, FakeClock(datetime.now(UTC)))
    monkeypatch.setenv("SULCUS_HOME", str(builder.home.root))
    builder.write("a.txt", "1\n")
    builder.write("a.txt", "2\n")
    yield builder
    builder.ledger.close()


def here(work: LedgerBuilder, *args: str, stdin: str = "") -> Answer:
    return sulcus(*args, cwd=work.root, stdin=stdin)


@pytest.mark.parametrize(
    "args",
    [
        ["nonsense"],
        ["ledger"],
        ["ledger", "show"],
        ["ledger", "show", "abc"],
        ["holds", "accept"],
        ["--wrong"],
    ],
)
def test_words_that_cannot_be_meant_are_answered_in_json_where_that_is_asked_for(
    work: LedgerBuilder, args: list[str]
) -> None:
    answer = here(work, *args, "--json")
    assert answer.code == 2
    assert answer.json()["error"] == "bad_request"
    assert "usage: sulcus-panel" in answer.err
    assert here(work, *args).out == ""


@pytest.mark.usefixtures("work")
def test_our_bug_exits_70_and_is_said_in_json() -> None:
    script = (
        "import sys\nfrom sulcus_panel.cli import show\nfrom sulcus_panel.cli.main import main\n"
        "def run(args, context): raise ZeroDivisionError\nshow.run = run\nsys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", script, "ledger", "show", "1"]
    for more, said in (([], b""), (["--json"], b'"error": "internal"')):
        done = subprocess.run([*command, *more], capture_output=True, check=False, env=environment())
        assert done.returncode == 70
        assert said in done.stdout
        assert b"ZeroDivisionError" in done.stderr


def test_decisions_say_how_many_are_hidden_and_are_not_taken_for_filtered_ones(work: LedgerBuilder) -> None:
    here(work, "config", "set", "max_entries", "60")
    here(work, "config", "set", "max_entries", "70")
    every = here(work, "ledger", "list", "--kind", "governance", "--json").json()
    shown = here(work, "ledger", "list", "--kind", "governance", "--limit", "1", "--json").json()
    assert shown["governance"] == every["governance"][-1:]
    assert (every["hidden"], shown["hidden"]) == (0, len(every["governance"]) - 1)
    assert "are not shown" in here(work, "ledger", "list", "--kind", "governance", "--limit", "1").out
    for verb in ("list", "export"):
        answer = here(work, "ledger", verb, "--kind", "governance", "--harness", "codex")
        assert (answer.code, answer.out) == (2, "")
        assert "--harness is for changes" in answer.err


@pytest.mark.parametrize("key", ["max_entries", "max-entries", "Max_Entries", " MAX-ENTRIES "])
def test_a_setting_may_be_spelled_as_options_are(work: LedgerBuilder, key: str) -> None:
    answer = here(work, "config", "set", key, "80")
    assert (answer.code, answer.out) == (0, "max_entries is now 80\n")


def test_a_list_of_all_workspaces_says_which(work: LedgerBuilder) -> None:
    assert "  in work" in here(work, "ledger", "list", "--all-workspaces").out
    assert "  in work" not in here(work, "ledger", "list").out


def test_a_narrow_screen_over_ssh_shows_all_of_the_plan_without_colours_and_takes_a_yes(
    work: LedgerBuilder,
) -> None:
    pty, termios = pytest.importorskip("pty"), pytest.importorskip("termios")
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 40))
    child = subprocess.Popen(
        [sys.executable, "-m", "sulcus_panel", "ledger", "rollback", "2"],
        cwd=work.root,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**environment(), "TERM": "xterm-256color", "COLUMNS": "200"},
    )
    os.close(theirs)
    said = b""
    while b"keep it] " not in said:
        said += os.read(ours, 4096)
    os.write(ours, b"y\n")
    try:
        while more := os.read(ours, 4096):
            said += more
    except OSError:  # how Linux says that nobody has it open any more
        pass
    os.close(ours)
    assert child.wait() == 0
    assert b"\x1b" not in said
    lines = said.decode().replace("\r", "").split("\n")
    told = lines[lines.index("  where it came from") : lines.index("  how to get back")]
    assert len(told) == 5, "one label a line, and its sentence below it"
    assert max(map(len, told)) <= 40
    assert (work.root / "a.txt").read_text() == "1\n"
