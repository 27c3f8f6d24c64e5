"""The terminal door, as a real process: verbs, exit codes, what is asked and what is said."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.support.clock import FakeClock
from tests.support.ledger_builder import LedgerBuilder
from tests.support.ledgers import record
from tests.support.terminal import Answer, environment, sulcus

LINES = "".join(f"line {n}\n" for n in range(1, 11))
TWO = LINES.replace("line 2\n", "two\n")
BOTH = TWO.replace("line 8\n", "eight\n")


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LedgerBuilder]:
    """Three changes of one file: #1 creates it, #2 rewrites line 2, #3 line 8."""
    builder = LedgerBuilder.make(tmp_path, FakeClock(datetime.now(UTC)))
    monkeypatch.setenv("SULCUS_HOME", str(builder.home.root))
    builder.turn("Change lines", "turn-x")
    builder.write("a.txt", LINES)
    builder.write("a.txt", TWO)
    builder.write("a.txt", BOTH)
    yield builder
    builder.ledger.close()


def here(work: LedgerBuilder, *args: str, stdin: str = "") -> Answer:
    return sulcus(*args, cwd=work.root, stdin=stdin)


def test_list_shows_the_newest_oldest_first_and_how_many_are_hidden(work: LedgerBuilder) -> None:
    answer = here(work, "ledger", "list", "--limit", "2")
    assert answer.code == 0
    lines = [line for line in answer.out.splitlines() if line.startswith("#")]
    assert [line.split()[0] for line in lines] == ["#2", "#3"]
    assert "1 older change" in answer.out

    listed = here(work, "ledger", "list", "--limit", "2", "--json").json()
    assert [entry["seq_id"] for entry in listed["entries"]] == [2, 3]
    assert listed["hidden"] == 1


@pytest.mark.usefixtures("work")
def test_a_folder_without_a_ledger_has_an_empty_list(tmp_path: Path) -> None:
    answer = sulcus("ledger", "list", "--json", cwd=tmp_path)
    assert (answer.code, answer.json()) == (0, {"entries": [], "hidden": 0})


def test_show_tells_when_there_is_no_rollback_point(work: LedgerBuilder) -> None:
    work.command("npm install")
    assert "rollback: none recorded" in here(work, "ledger", "show", "4").out


def test_an_unknown_number_is_named_and_exits_1(work: LedgerBuilder) -> None:
    answer = here(work, "ledger", "show", "999")
    assert answer.code == 1
    assert "#999" in answer.err
    assert answer.out == ""


def test_nonsense_on_the_command_line_exits_2(work: LedgerBuilder) -> None:
    assert here(work, "ledger", "show", "abc").code == 2
    assert here(work, "ledger", "list", "--limit", "0").code == 2
    assert here(work, "nonsense").code == 2


def test_diff_shows_this_change_and_since_then(work: LedgerBuilder) -> None:
    assert "+two" in here(work, "ledger", "diff", "2").out
    now = here(work, "ledger", "diff", "2", "--now").out
    assert "+eight" in now
    assert "+two" not in now
    assert "-two" in here(work, "ledger", "diff", "2", "--after").out


def test_rollback_asks_once_and_y_takes_back_only_that_change(work: LedgerBuilder) -> None:
    answer = here(work, "ledger", "rollback", "2", stdin="y\n")
    assert answer.code == 0, answer.err
    assert answer.err.count("?") == 1
    assert (work.root / "a.txt").read_text() == LINES.replace("line 8\n", "eight\n")
    redone = here(work, "ledger", "redo", "2", stdin="y\n")
    assert redone.code == 0, redone.err
    assert (work.root / "a.txt").read_text() == BOTH


@pytest.mark.parametrize("said", ["", "\n", "n\n", "yy\n", "d\n", "yes please\n"])
def test_anything_but_yes_changes_nothing(work: LedgerBuilder, said: str) -> None:
    before = os.stat(work.root / "a.txt")
    answer = here(work, "ledger", "rollback", "2", stdin=said)
    after = os.stat(work.root / "a.txt")
    assert answer.code == 0
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)
    state = here(work, "ledger", "show", "2", "--json").json()["state"]
    assert state == ("deferred" if said == "d\n" else "recorded")


def test_a_conflict_names_who_stands_in_the_way_and_exits_1(work: LedgerBuilder) -> None:
    work.write("a.txt", BOTH.replace("two\n", "zwei\n"))
    answer = here(work, "ledger", "rollback", "2", stdin="y\n")
    assert answer.code == 1
    assert "#4" in answer.out
    assert "?" not in answer.err
    assert "zwei" in (work.root / "a.txt").read_text()


def test_a_dry_run_changes_nothing_and_says_what_the_real_run_does(work: LedgerBuilder) -> None:
    dry = here(work, "ledger", "rollback", "2", "--dry-run", "--json").json()
    assert (work.root / "a.txt").read_text() == BOTH
    pinned = here(work, "ledger", "rollback", "2", "--plan", dry["plan_digest"], "--json", stdin="y\n").json()
    assert pinned["plan_digest"] == dry["plan_digest"]
    assert pinned["outcome"] == dry["outcome"] == "undone"
    assert pinned["results"][0]["paths"][0]["after_sha256"] == dry["results"][0]["paths"][0]["after_sha256"]


def test_another_plan_than_the_pinned_one_is_refused(work: LedgerBuilder) -> None:
    answer = here(work, "ledger", "rollback", "2", "--plan", "0" * 64, stdin="y\n")
    assert answer.code == 1
    assert (work.root / "a.txt").read_text() == BOTH


def test_already_undone_exits_0(work: LedgerBuilder) -> None:
    here(work, "ledger", "rollback", "2", stdin="y\n")
    again = here(work, "ledger", "rollback", "2", "--json", stdin="y\n")
    assert (again.code, again.json()["outcome"]) == (0, "already_undone")


def test_a_turn_goes_back_as_one(work: LedgerBuilder) -> None:
    answer = here(work, "ledger", "rollback", "--turn", "turn-x", "--json", stdin="y\n")
    assert answer.code == 0, answer.err
    assert [result["seq_id"] for result in answer.json()["results"]] == [3, 2, 1]
    assert not (work.root / "a.txt").exists()


def test_one_part_of_a_change_goes_back_alone(work: LedgerBuilder) -> None:
    work.write("b.txt", LINES)
    work.write("b.txt", TWO.replace("line 8\n", "eight\n"))
    answer = here(work, "ledger", "rollback", "5", "--hunk", "2", stdin="y\n")
    assert answer.code == 0, answer.err
    assert (work.root / "b.txt").read_text() == TWO


def test_export_carries_no_contents_unless_asked(work: LedgerBuilder, tmp_path: Path) -> None:
    work.write("a.txt", BOTH.replace("line 5\n", "SECRET-WORD\n"))
    assert "SECRET-WORD" not in here(work, "ledger", "export").out
    assert "SECRET-WORD" not in here(work, "ledger", "export", "--format", "json").out
    assert "SECRET-WORD" in here(work, "ledger", "export", "--contents").out
    out = tmp_path / "deep" / "digest.md"
    answer = here(work, "ledger", "export", "--out", str(out))
    assert answer.code == 0
    assert out.stat().st_mode & 0o777 == 0o600
    assert out.read_text().startswith("# Recorded changes")


def test_a_terminal_escape_in_a_record_is_shown_as_text(work: LedgerBuilder) -> None:
    work.turn("\x1b[31mred\x1b[0m <b>bold</b>")
    work.command("printf '\x1b]0;owned\x07'")
    for args in (["list"], ["show", "4"], ["export"]):
        answer = here(work, "ledger", *args)
        assert "\x1b" not in answer.out + answer.err
        assert "\x07" not in answer.out


def test_config_set_outside_its_range_names_the_range(work: LedgerBuilder) -> None:
    answer = here(work, "config", "set", "max_entries", "10")
    assert answer.code == 2
    assert "50 to 50000" in answer.err
    assert here(work, "config", "set", "max_entries", "75").code == 0
    assert here(work, "config", "show", "--json").json()["config"]["max_entries"] == 75


def test_workspace_may_stand_before_or_after_the_verb(work: LedgerBuilder, tmp_path: Path) -> None:
    for args in (
        ["--workspace", str(work.root), "ledger", "list", "--json"],
        ["ledger", "--workspace", str(work.root), "list", "--json"],
        ["ledger", "list", "--json", "--workspace", str(work.root)],
    ):
        answer = sulcus(*args, cwd=tmp_path)
        assert len(answer.json()["entries"]) == 3


def test_an_error_in_json_has_code_title_and_hint(work: LedgerBuilder) -> None:
    answer = here(work, "ledger", "show", "77", "--json")
    assert answer.code == 1
    body = json.loads(answer.out)
    assert body["error"] == "not_found"
    assert "#77" in body["title"] + body["detail"]


def test_doctor_finds_a_fresh_home_sound(work: LedgerBuilder) -> None:
    answer = here(work, "doctor", "--json")
    assert answer.code == 0, answer.out
    names = {finding["name"] for finding in answer.json()["findings"]}
    assert {"program", "sqlite", "ledger", "spool", "hooks claude-code", "window"} <= names


@pytest.mark.parametrize(
    "args",
    [
        ["rollback"],
        ["rollback", "--last", "0"],
        ["rollback", "--last", "101"],
        ["rollback", "--last", "1", "2"],
        ["rollback", "--hunk", "1", "--last", "1"],
    ],
)
def test_a_selection_that_cannot_be_meant_is_a_usage_error(work: LedgerBuilder, args: list[str]) -> None:
    assert here(work, "ledger", *args, stdin="y\n").code == 2
    assert (work.root / "a.txt").read_text() == BOTH


def test_options_and_operands_stand_in_any_order(work: LedgerBuilder) -> None:
    work.write("b.txt", "b\n")
    answer = here(work, "ledger", "rollback", "2", "--json", "4", "--dry-run")
    assert answer.code == 0, answer.err
    assert [result["seq_id"] for result in answer.json()["results"]] == [4, 2]


def test_a_batch_over_several_files_may_be_named_in_any_order(work: LedgerBuilder) -> None:
    work.write("b.txt", "b\n")
    answer = here(work, "ledger", "rollback", "2", "4", stdin="y\n")
    assert answer.code == 0, answer.err
    assert not (work.root / "b.txt").exists()


def test_a_batch_that_stops_tries_none_of_its_changes(work: LedgerBuilder) -> None:
    work.write("b.txt", "b\n")
    work.write("a.txt", BOTH.replace("two\n", "zwei\n"))
    answer = here(work, "ledger", "rollback", "2", "4", "--json", stdin="y\n")
    assert answer.code == 1
    outcomes = {result["seq_id"]: result["outcome"] for result in answer.json()["results"]}
    assert outcomes == {2: "conflict", 4: "not_tried"}
    assert (work.root / "b.txt").exists()


def test_a_redo_of_what_was_not_undone_is_not_possible(work: LedgerBuilder) -> None:
    assert here(work, "ledger", "redo", "2", stdin="y\n").code == 1


def test_a_redo_outlives_the_ring(work: LedgerBuilder) -> None:
    here(work, "ledger", "rollback", "2", stdin="y\n")
    here(work, "config", "set", "max_entries", "50")
    for number in range(130):
        work.write(f"many/{number}.txt", "x\n")
    undo = here(work, "ledger", "list", "--limit", "500", "--json").json()["entries"][0]
    assert undo["origin"] == "undo"
    answer = here(work, "ledger", "redo", str(undo["seq_id"]), stdin="y\n")
    assert answer.code == 0, answer.err
    assert (work.root / "a.txt").read_text() == BOTH


def test_a_ledger_of_a_newer_version_is_read_and_not_written(work: LedgerBuilder) -> None:
    database = sqlite3.connect(work.home.database)
    database.execute("PRAGMA user_version = 999")
    database.close()
    answer = here(work, "ledger", "list", "--json")
    assert answer.code == 0, answer.err
    assert len(answer.json()["entries"]) == 3
    assert "newer" in answer.err
    assert here(work, "ledger", "rollback", "2", stdin="y\n").code == 1
    assert (work.root / "a.txt").read_text() == BOTH


def test_drift_is_looked_for_before_it_is_listed(work: LedgerBuilder) -> None:
    work.outside("a.txt", BOTH + "mine\n")
    assert "[changed outside]" in here(work, "ledger", "list").out
    assert "changed outside" in here(work, "ledger", "show", "3").out
    assert len(here(work, "ledger", "list", "--drifted", "--json").json()["entries"]) == 3
    work.outside("a.txt", BOTH)
    assert "[changed outside]" not in here(work, "ledger", "list").out


def test_a_gap_is_shown_as_a_gap(work: LedgerBuilder) -> None:
    here(work, "config", "set", "enabled", "false")
    work.ledger.append(work.workspace.id, record("unseen"))
    assert "(1 not recorded, " in here(work, "ledger", "list").out


def test_an_export_replaces_a_file_that_others_could_read(work: LedgerBuilder, tmp_path: Path) -> None:
    out = tmp_path / "digest.md"
    out.write_text("old")
    out.chmod(0o644)
    answer = here(work, "ledger", "export", "--json", "--out", str(out))
    assert answer.json() == {"written": str(out)}
    assert out.stat().st_mode & 0o777 == 0o600


def test_an_answer_that_cannot_be_written_is_no_bug(work: LedgerBuilder) -> None:
    command = [sys.executable, "-m", "sulcus_panel", "ledger", "list"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command, cwd=work.root, stdout=full, stderr=subprocess.PIPE, check=False, env=environment()
        )
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert b"No space" in done.stderr


def test_demo_in_json_is_json_alone(work: LedgerBuilder, tmp_path: Path) -> None:
    answer = here(work, "demo", "--json", "--screenshot", str(tmp_path / "window.png"))
    assert answer.code == 0, answer.err
    assert answer.json()["verified"] is True
    assert (tmp_path / "window.png").stat().st_size > 10_000


@pytest.mark.usefixtures("work")
def test_help_names_every_verb_and_an_unknown_one_is_answered_with_all(tmp_path: Path) -> None:
    listed = sulcus("--help", cwd=tmp_path).out
    assert all(
        f"    {verb} " in listed
        for verb in ("demo", "hooks", "import", "config", "serve", "token", "doctor", "ledger")
    )
    verbs = ("list", "show", "diff", "export", "rollback", "redo")
    listed = sulcus("ledger", "--help", cwd=tmp_path).out
    assert all(f"    {verb} " in listed for verb in verbs)
    assert all(f"'{verb}'" in sulcus("ledger", "undo", cwd=tmp_path).err for verb in verbs)


@pytest.mark.usefixtures("work")
def test_a_value_that_is_spelled_like_a_verb_stays_a_value(tmp_path: Path) -> None:
    (tmp_path / "demo").mkdir()
    answer = sulcus("--workspace", "demo", "ledger", "list", "--json", cwd=tmp_path)
    assert (answer.code, answer.json()["entries"]) == (0, [])
