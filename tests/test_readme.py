"""What the README tells a newcomer holds: its commands run, and its table is the program's."""

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from sulcus_panel.core.ledger.settings import RANGES, SWITCHES
from sulcus_panel.core.model import Settings
from sulcus_panel.service.wire import settings_json
from tests.support.terminal import environment, sulcus

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
UNUSED = ("always_ask", "llm_cli_undo_enabled", "llm_endpoint")


def block(word: str) -> str:
    """The one indented block of the README in which this stands."""
    blocks = re.findall(r"(?:^(?: {4}.*)?\n)+", README, flags=re.M)
    [found] = [textwrap.dedent(each).strip("\n") for each in blocks if word in each]
    return f"{found}\n"


@pytest.mark.skipif(sys.platform == "win32", reason="the block is for a POSIX shell, and says so")
def test_the_sample_event_makes_a_row_that_can_be_taken_back(tmp_path: Path) -> None:
    home, folder, programs = tmp_path / "home", tmp_path / "a folder", tmp_path / "bin"
    folder.mkdir()
    programs.mkdir()
    program = programs / "sulcus-panel"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m sulcus_panel "$@"\n')
    program.chmod(0o755)
    variables = dict(environment(home))
    variables["PATH"] = f"{programs}:{variables['PATH']}"
    done = subprocess.run(
        ["sh", "-e", "-c", block("hooks command")],
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"#1 .*created.*hello\.txt", done.stdout), done.stdout
    answer = sulcus("ledger", "rollback", "--last", "1", cwd=folder, home=home, stdin="y\n")
    assert answer.code == 0, answer.err
    assert not (folder / "hello.txt").exists()


def rows() -> dict[str, tuple[str, str, str]]:
    """Default, values and meaning of each setting in the README's table."""
    found = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", README, flags=re.M)
    return {key: (default, values, meaning) for key, default, values, meaning in found}


def test_every_setting_stands_in_the_table_with_its_default_and_range() -> None:
    defaults = settings_json(Settings())
    assert list(rows()) == list(defaults)
    for key, (default, values, _) in rows().items():
        shown = defaults[key]
        told = str(shown).lower() if isinstance(shown, bool) else str(shown or "(none)")
        assert default == (told if shown != [] else "(none)"), key
        if key in RANGES:
            assert values == f"{RANGES[key][0]} to {RANGES[key][1]}", key
        assert (values == "true, false") == (key in SWITCHES), key


def test_a_setting_that_nothing_reads_says_so() -> None:
    sources = [
        path.read_text(encoding="utf-8")
        for path in (Path(__file__).parents[1] / "sulcus_panel").rglob("*.py")
    ]
    for key, (_, _, meaning) in rows().items():
        is_read = any(re.search(rf"\b(settings|\(workspace\.id\)|_id\))\.{key}\b", text) for text in sources)
        assert is_read == (key not in UNUSED), key
        assert meaning.startswith("no effect yet") == (not is_read), key
