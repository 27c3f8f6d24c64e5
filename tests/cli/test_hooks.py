"""`hooks` in the terminal: the harnesses found, each with its diff and its question, one hindering no other."""

import json
import re
from pathlib import Path

import pytest

from tests.support.terminal import Answer, sulcus


@pytest.fixture
def used(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home where Codex and Gemini CLI have been used, and nothing else can be found."""
    monkeypatch.setenv("PATH", "/nowhere")
    (home / ".codex").mkdir()
    (home / ".codex" / "history.jsonl").touch()
    (home / ".gemini").mkdir()
    (home / ".gemini" / "settings.json").write_text('{"theme": "x" /* mine */}')
    return home


def hooks(home: Path, *args: str, stdin: str = "") -> Answer:
    return sulcus("hooks", *args, cwd=home, stdin=stdin)


def test_those_found_are_installed_asked_about_one_by_one_and_taken_out_again(used: Path) -> None:
    answer = hooks(used, "install", stdin="y\ny\n")
    assert answer.code == 0
    assert answer.err.count("Install these hooks?") == 2
    assert '+    "BeforeTool": [' in answer.err
    assert "Codex skips new hooks until you approve them" in answer.err
    assert "A copy of the file as it is goes to" in answer.err
    status = hooks(used, "status", "--json").json()["hooks"]
    assert [(one["harness"], one["current"]) for one in status] == [("codex", True), ("gemini", True)]
    assert hooks(used, "status").code == 0

    assert hooks(used, "uninstall", stdin="y\ny\n").code == 0
    assert (used / ".gemini" / "settings.json").read_text() == '{"theme": "x" /* mine */}'
    assert not (used / ".codex" / "hooks.json").exists()
    assert hooks(used, "status").code == 1


def test_a_broken_config_hinders_no_other_and_is_refused(used: Path) -> None:
    (used / ".codex" / "hooks.json").write_text("{")
    answer = hooks(used, "install", "--json", stdin="y\n")
    outcomes = {one["harness"]: one["outcome"] for one in json.loads(answer.out)["hooks"]}
    assert (answer.code, outcomes) == (1, {"codex": "refused", "gemini": "installed"})
    assert "not JSON" in answer.err
    assert (used / ".codex" / "hooks.json").read_text() == "{"
    assert hooks(used, "install", "codex").code == 1


def test_the_command_of_all_hooks_is_said_once_and_the_change_is_exact(used: Path) -> None:
    said = hooks(used, "install", "codex", stdin="y\n").err
    command = re.search(r"In the change below <text 1> stands for\n(.+)\n", said)
    assert command is not None
    assert said.count("SourceFileLoader(script, script)") == 1
    diff = said[said.index("+++ ") :].replace("<text 1>", command[1])
    added = [line[1:] for line in diff.split("\n")[1:] if line.startswith("+")]
    assert added == (used / ".codex" / "hooks.json").read_text().split("\n")


def test_a_no_changes_nothing(used: Path) -> None:
    answer = hooks(used, "install", "codex", stdin="n\n")
    assert (answer.code, "Nothing was changed." in answer.err) == (0, True)
    assert not (used / ".codex" / "hooks.json").exists()


def test_where_nothing_is_found_it_says_what_is_known(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    for verb in ("install", "status"):
        answer = hooks(home, verb)
        assert answer.code == 0
        assert "No harness that we know was found here" in answer.err
        assert "opencode" in answer.err
        assert "hint: One that you name is done all the same: sulcus-panel hooks install " in answer.err


def test_a_plugin_goes_where_it_is_asked_for(home: Path, tmp_path: Path) -> None:
    answer = hooks(home, "install", "--plugin", str(tmp_path / "plugin"), stdin="y\n")
    assert answer.code == 0
    assert (tmp_path / "plugin" / "hooks" / "hooks.json").exists()
    assert "--plugin-dir" in answer.err
