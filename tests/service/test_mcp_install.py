"""`mcp install HOST` by the real program: the diff, the question, the backup, the merge, and back again."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from sulcus_panel.service.mcp_install import HOSTS
from tests.support.terminal import Answer, environment

MINE = '{\n  // mine\n  "theme": "dark"\n}\n'


class Person:
    """Somebody with a home folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.home.mkdir()
        hidden = ("XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR")
        kept = {key: value for key, value in environment(folder / "data").items() if key not in hidden}
        self.variables = kept | {"HOME": str(self.home)}

    def types(self, *words: str, answer: str = "y\n") -> Answer:
        done = subprocess.run(
            [sys.executable, "-m", "sulcus_panel", "mcp", *words],
            cwd=self.home,
            env=self.variables,
            input=answer.encode(),
            capture_output=True,
            check=False,
            timeout=60,
        )
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)


def test_a_server_comes_with_its_diff_and_a_backup_and_goes_without_a_trace(person: Person) -> None:
    settings = person.home / ".gemini" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(MINE)
    os.chmod(settings, 0o640)
    no = person.types("install", "gemini", answer="n\n")
    assert (no.code, settings.read_text()) == (0, MINE)
    yes = person.types("install", "gemini", "--json")
    assert (yes.code, yes.json()["outcome"]) == (0, "installed")
    assert '+    "sulcus-panel": {' in yes.err
    assert Path(f"{settings}.before-sulcus-panel-mcp").read_text() == MINE
    text = settings.read_text()
    assert "// mine" in text
    assert settings.stat().st_mode & 0o777 == 0o640
    again = person.types("install", "gemini")
    assert "nothing to do" in again.err
    assert settings.read_text() == text
    gone = person.types("install", "gemini", "--remove")
    assert (gone.code, settings.read_text()) == (0, MINE)
    listed = subprocess.run(
        [sys.executable, "-m", "sulcus_panel", "ledger", "list", "--kind", "governance", "--all-workspaces"],
        env=person.variables,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "mcp.install" in listed
    assert "mcp.remove" in listed


def test_where_there_was_no_file_there_is_none_again(person: Person) -> None:
    person.types("install", "codex")
    config = person.home / ".codex" / "config.toml"
    server = tomllib.loads(config.read_text())["mcp_servers"]["sulcus-panel"]
    assert server["args"][-2:] == ["--actor", "Codex"]
    assert server["env"]["SULCUS_HOME"] == person.variables["SULCUS_HOME"]
    person.types("install", "codex", "--remove")
    assert not config.exists()


def test_what_a_host_starts_is_absolute_and_takes_no_module_from_its_folder(person: Person) -> None:
    person.types("install", "claude-code", "--project", str(person.home))
    server = json.loads((person.home / ".mcp.json").read_text())["mcpServers"]["sulcus-panel"]
    assert os.path.isabs(server["command"])
    (person.home / "sulcus_panel").mkdir()
    (person.home / "sulcus_panel" / "__init__.py").write_text("raise SystemExit('taken over')\n")
    done = subprocess.run(
        [server["command"], *server["args"]],
        cwd=person.home,
        env=person.variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("host", HOSTS)
def test_every_host_gets_the_entry_that_it_reads(host: str, person: Person, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    answer = person.types("install", host, "--project", str(folder), "--json")
    text = Path(answer.json()["path"]).read_text()
    found = tomllib.loads(text) if host == "codex" else json.loads(text)
    [servers] = found.values()
    assert {"command", "args"} <= set(servers["sulcus-panel"])


def test_an_unknown_host_is_told_the_known_ones(person: Person) -> None:
    answer = person.types("install", "emacs")
    assert answer.code == 2
    assert all(host in answer.err for host in HOSTS)
