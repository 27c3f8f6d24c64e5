"""`--attach`: where the token comes from, which workspace is meant, and what is said where it cannot be."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sulcus_panel.cli.attach import chosen_of, key_of
from sulcus_panel.core.errors import BadRequest, NotFound
from sulcus_panel.core.model import Namespace, Workspace
from tests.support.terminal import sulcus

A = Workspace(1, Namespace("a"), "/home/me/a")
B = Workspace(2, Namespace("b"), None)


def test_a_token_comes_from_the_environment_or_a_file_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("sulcus_file\n")
    file.chmod(0o600)
    assert key_of({"SULCUS_TOKEN": " sulcus_x "}) == "sulcus_x"
    assert key_of({"SULCUS_TOKEN_FILE": str(file)}) == "sulcus_file"
    file.chmod(0o640)
    with pytest.raises(BadRequest, match="may be read by others"):
        key_of({"SULCUS_TOKEN_FILE": str(file)})


@pytest.mark.parametrize("environment", [{}, {"SULCUS_TOKEN": "a\nb"}, {"SULCUS_TOKEN": "ü"}])
def test_without_a_token_it_says_how_to_get_one(environment: dict[str, str]) -> None:
    with pytest.raises(BadRequest, match="token is needed") as refused:
        key_of(environment)
    assert "token create" in refused.value.hint


def test_the_workspace_is_named_as_it_is_there() -> None:
    assert chosen_of([A], None, "box") is A
    assert chosen_of([A, B], "/home/me/a/", "box") is A
    assert chosen_of([A, B], "b", "box") is B
    for wanted in (None, "/nowhere"):
        with pytest.raises(NotFound) as refused:
            chosen_of([A, B], wanted, "box")
        assert "box has: /home/me/a, b." in refused.value.detail
    with pytest.raises(NotFound, match="recorded nothing yet"):
        chosen_of([], None, "box")


def test_a_verb_is_not_answered_from_the_ledger_here(home: Path) -> None:
    for words in (["--attach", "http://127.0.0.1:1", "ledger", "list"], ["--attach=", "verify"]):
        answer = sulcus(*words, cwd=home)
        assert (answer.code, answer.out) == (2, "")
        assert "--attach opens the window and goes with no verb" in answer.err


def attach(url: str, home: Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sulcus_panel", "--attach", url],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "SULCUS_HOME": str(home), **more},
    )


def test_nobody_there_is_said_without_a_window(tmp_path: Path) -> None:
    done = attach("http://127.0.0.1:9", tmp_path, SULCUS_TOKEN="sulcus_x")
    assert done.returncode == 1
    assert "127.0.0.1:9 cannot be reached" in done.stderr


def test_another_machines_address_is_refused_with_the_tunnel_to_open(tmp_path: Path) -> None:
    done = attach("http://buildbox:4203", tmp_path, SULCUS_TOKEN="sulcus_x")
    assert done.returncode == 2
    assert "ssh -N -L 4203:127.0.0.1:4203 buildbox" in done.stderr
