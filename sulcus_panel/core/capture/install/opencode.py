"""OpenCode's plugin: it knows no hook commands, so a script of ours starts our hook at its tools (opencode.js)."""

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path

from sulcus_panel.core.capture.install.hook_home import Machine, any_used
from sulcus_panel.core.capture.install.own_files import OwnFiles

PLACEHOLDER = "/* the hook */ []"
NAME = "sulcus-panel.js"


def _config(machine: Machine) -> Path:
    return machine.folder("XDG_CONFIG_HOME", ".config") / "opencode"


def _texts(machine: Machine, project: Path | None, argv: Sequence[str]) -> Mapping[Path, str]:
    folder = project / ".opencode" if project is not None else _config(machine)
    script = files("sulcus_panel.core.capture.install").joinpath("opencode.js").read_text("utf-8")
    return {folder / "plugins" / NAME: script.replace(PLACEHOLDER, json.dumps(list(argv)))}


def _present(machine: Machine) -> bool:
    data = machine.folder("XDG_DATA_HOME", ".local", "share") / "opencode"
    return any_used((_config(machine), data)) or machine.has_program("opencode")


OPENCODE = OwnFiles("opencode", "OpenCode", "", _present, _texts)
