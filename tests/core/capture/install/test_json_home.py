"""Every JSON config: our hooks go in and out of whatever stands there, and start our hook as intended."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from sulcus_panel.core.capture.install.config_file import apply_plan
from sulcus_panel.core.capture.install.homes import HOMES
from sulcus_panel.core.capture.install.hook_command import hook_command, is_ours
from sulcus_panel.core.capture.install.hook_home import Machine
from sulcus_panel.core.capture.install.hooks_text import words_of
from sulcus_panel.core.capture.install.json_home import JsonHooks
from sulcus_panel.core.errors import ApplyFailed, SulcusError
from tests.support.hooks import REPLIES, spooled

JSON_HOMES = [home for home in HOMES.values() if isinstance(home, JsonHooks)]
every_home = pytest.mark.parametrize("home", JSON_HOMES, ids=[home.harness for home in JSON_HOMES])
THEIRS = '{ "command": "guard", "matcher": "Bash" }'
FILES = {
    "none of it": "{}",
    "empty": "",
    "blank": " \n",
    "with a comment inside": "{\n  // nothing yet\n}\n",
    "tabs and CRLF": '{\r\n\t"version": 1,\r\n\t"hooks": {\r\n\t\t"stop": []\r\n\t}\r\n}\r\n',
    "no final newline": '{\n    "a": [1, 2]\n}',
    "theirs": '{\n  "hooks": {\n    // mine\n    "EVENT": [\n      THEIRS, // first\n    ]\n  }\n}\n',
    "theirs in one line": '{"hooks": {"EVENT": [THEIRS]}, "z": 1}',
}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    (tmp_path / "home").mkdir()
    return Machine({}, tmp_path / "home", "linux")


def argv_of(home: JsonHooks) -> Sequence[str]:
    return hook_command(home.harness, Path("/data/spool"), "/opt/python")


def config(home: JsonHooks, machine: Machine) -> Path:
    (path,) = home.paths(machine, None)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def install(home: JsonHooks, machine: Machine) -> None:
    apply_plan(home.plan_install(machine, None, argv_of(home)))


@every_home
@pytest.mark.parametrize("shape", FILES.values(), ids=FILES.keys())
def test_in_and_out_again_leaves_every_byte(home: JsonHooks, machine: Machine, shape: str) -> None:
    path = config(home, machine)
    event = next(iter(home.elements(machine, argv_of(home))))
    text = shape.replace("EVENT", event).replace("THEIRS", THEIRS)
    path.write_bytes(text.encode())
    install(home, machine)
    state = home.status(machine, None, argv_of(home))
    assert (state.current, state.missing, state.problem) == (True, (), "")
    installed = path.read_bytes()
    assert (b"guard" in installed, b"// mine" in installed) == ("guard" in text, "// mine" in text)
    assert not home.plan_install(machine, None, argv_of(home)).changes
    apply_plan(home.plan_uninstall(machine, None))
    assert path.read_bytes() == text.encode()
    assert not home.plan_uninstall(machine, None).changes


@every_home
def test_a_file_that_only_we_made_is_gone_again(home: JsonHooks, machine: Machine) -> None:
    path = config(home, machine)
    install(home, machine)
    assert json.loads(path.read_text())["hooks"]
    apply_plan(home.plan_uninstall(machine, None))
    assert not path.exists()


@every_home
def test_what_others_add_later_stays_when_ours_go(home: JsonHooks, machine: Machine) -> None:
    path = config(home, machine)
    install(home, machine)
    changed = json.loads(path.read_text())
    event = next(iter(changed["hooks"]))
    changed["hooks"][event].append(json.loads(THEIRS))
    changed["more"] = 1
    path.write_text(json.dumps(changed))
    apply_plan(home.plan_uninstall(machine, None))
    left = json.loads(path.read_text())
    assert (left["more"], left["hooks"]) == (1, {event: [json.loads(THEIRS)]})


@every_home
def test_a_newer_installation_replaces_an_older_one(home: JsonHooks, machine: Machine) -> None:
    path = config(home, machine)
    path.write_text("{}")
    old = hook_command(home.harness, Path("/old/spool"), "/old/python")
    apply_plan(home.plan_install(machine, None, old))
    assert not home.status(machine, None, argv_of(home)).current
    install(home, machine)
    assert "/old/" not in path.read_text()
    apply_plan(home.plan_uninstall(machine, None))
    assert path.read_text() == "{}"


@every_home
@pytest.mark.parametrize("data", [b"{", b"[]", b'{"hooks": 1}', b'{"hooks": {"a": {}}}', b"\xff\xfe{}"])
def test_what_is_no_such_config_is_refused_and_stays(home: JsonHooks, machine: Machine, data: bytes) -> None:
    path = config(home, machine)
    path.write_bytes(data)
    with pytest.raises(SulcusError):
        home.plan_install(machine, None, argv_of(home))
    assert home.status(machine, None, argv_of(home)).problem
    assert os.listdir(path.parent) == [path.name]
    assert path.read_bytes() == data


@every_home
def test_a_linked_config_stays_a_link(home: JsonHooks, machine: Machine, tmp_path: Path) -> None:
    path = config(home, machine)
    (tmp_path / "dotfiles.json").write_text("{}")
    path.symlink_to(tmp_path / "dotfiles.json")
    install(home, machine)
    assert path.is_symlink()
    apply_plan(home.plan_uninstall(machine, None))
    assert path.is_symlink()
    assert (tmp_path / "dotfiles.json").read_text() == "{}"


@every_home
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everything")
def test_a_folder_that_may_not_be_written_is_told(home: JsonHooks, machine: Machine) -> None:
    path = config(home, machine)
    path.parent.chmod(0o500)
    try:
        with pytest.raises(ApplyFailed):
            install(home, machine)
    finally:
        path.parent.chmod(0o700)


def hooks_in(value: object) -> list[Mapping[str, Any]]:
    """Every hook of ours below."""
    if isinstance(value, list):
        return [hook for one in value for hook in hooks_in(one)]
    if not isinstance(value, dict):
        return []
    if is_ours(words_of(value)):
        return [value]
    return [hook for one in value.values() for hook in hooks_in(one)]


@every_home
@pytest.mark.skipif(sys.platform == "win32", reason="other shells")
def test_what_is_installed_spools_what_it_is_told(home: JsonHooks, machine: Machine, tmp_path: Path) -> None:
    spool = tmp_path / "a spool"
    apply_plan(home.plan_install(machine, None, hook_command(home.harness, spool)))
    hooks = hooks_in(json.loads(config(home, machine).read_text()))
    assert len(hooks) == len(home.elements(machine, argv_of(home)))
    environment = {key: value for key, value in os.environ.items() if key != "SULCUS_HOME"}
    hook = hooks[0]
    line = hook.get("command") or hook.get("linux")
    started = ["sh", "-c", str(line)] if line else [hook["exec"], *hook["args"]]
    done = subprocess.run(started, input=b"{}", capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, REPLIES.get(home.harness, b""), b"")
    [left] = spooled(spool)
    assert f"\nharness {home.harness}\n".encode() in left.read_bytes()


@every_home
def test_a_projects_file_lies_in_the_project(home: JsonHooks, machine: Machine, tmp_path: Path) -> None:
    (path,) = home.paths(machine, tmp_path / "project")
    assert path.is_relative_to(tmp_path / "project")
    apply_plan(home.plan_install(machine, tmp_path / "project", argv_of(home)))
    assert home.status(machine, tmp_path / "project", argv_of(home)).current
    assert not home.status(machine, None, argv_of(home)).installed
