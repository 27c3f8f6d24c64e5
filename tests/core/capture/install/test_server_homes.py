"""Where each host keeps its servers, and that its agent is one and the same through hooks and through MCP."""

from pathlib import Path

import pytest

from sulcus_panel.core.capture.install.hook_home import Machine
from sulcus_panel.core.capture.install.server_homes import SERVER_HOMES
from sulcus_panel.core.capture.registry import ADAPTERS

HARNESSES = {"vscode": "copilot-vscode"}
"""Hosts that hooks know by another name."""


def test_an_agent_has_the_name_that_its_hooks_record() -> None:
    actors = {adapter.harness: adapter.actor for adapter in ADAPTERS.values()}
    for host, home in SERVER_HOMES.items():
        assert home.actor == actors.get(HARNESSES.get(host, host), "Zed"), host


@pytest.mark.parametrize(
    ("host", "users", "projects"),
    [
        ("claude-code", ".claude.json", ".mcp.json"),
        ("codex", ".codex/config.toml", ".codex/config.toml"),
        ("cursor", ".cursor/mcp.json", ".cursor/mcp.json"),
        ("vscode", ".config/Code/User/mcp.json", ".vscode/mcp.json"),
        ("gemini", ".gemini/settings.json", ".gemini/settings.json"),
        ("zed", ".config/zed/settings.json", ".zed/settings.json"),
    ],
)
def test_each_host_has_its_file(host: str, users: str, projects: str, tmp_path: Path) -> None:
    machine = Machine({}, tmp_path / "home", "linux")
    assert SERVER_HOMES[host].place(machine, None) == tmp_path / "home" / users
    assert SERVER_HOMES[host].place(machine, tmp_path / "p") == tmp_path / "p" / projects
