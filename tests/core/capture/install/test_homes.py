"""Every home says who it is, is found by what its product leaves, and a machine without any has none."""

from pathlib import Path

import pytest

from sulcus_panel.core.capture.install.config_file import apply_plan
from sulcus_panel.core.capture.install.homes import HOMES
from sulcus_panel.core.capture.install.hook_command import hook_command
from sulcus_panel.core.capture.install.hook_home import Machine

ROOT = Path(__file__).parents[4]
LEFT = {
    "claude-code": ".claude",
    "codex": ".codex",
    "gemini": ".gemini",
    "copilot-cli": ".copilot/session-state",
    "copilot-vscode": ".vscode/extensions",
    "cursor": ".cursor",
    "windsurf": ".codeium/windsurf",
    "cline": ".vscode/extensions/saoudrizwan.claude-dev-3.1.0",
    "opencode": ".local/share/opencode",
}


@pytest.mark.parametrize("harness", sorted(HOMES))
def test_a_harness_is_found_by_what_it_leaves(tmp_path: Path, harness: str) -> None:
    machine, home = Machine({}, tmp_path), HOMES[harness]
    assert (home.harness, bool(home.title)) == (harness, True)
    assert not home.is_present(machine)
    (tmp_path / LEFT[harness]).mkdir(parents=True)
    assert not home.is_present(machine)
    (tmp_path / LEFT[harness] / "any").touch()
    assert home.is_present(machine)


@pytest.mark.parametrize("harness", sorted(HOMES))
def test_what_is_left_when_our_hooks_are_gone_does_not_count(tmp_path: Path, harness: str) -> None:
    machine, home = Machine({}, tmp_path, "linux"), HOMES[harness]
    apply_plan(home.plan_install(machine, None, hook_command(harness, tmp_path / "spool")))
    apply_plan(home.plan_uninstall(machine, None))
    assert not home.is_present(machine)


@pytest.mark.parametrize("harness", sorted(HOMES))
def test_the_page_tells_where_each_is_hooked_and_from_which_version(harness: str) -> None:
    home = HOMES[harness]
    table = (
        (ROOT / "docs" / "harnesses.md")
        .read_text("utf-8")
        .split("## How each is hooked")[1]
        .split("\n## ")[0]
    )
    (row,) = [line for line in table.split("\n") if line.startswith(f"| {home.title} |")]
    assert home.floor.removesuffix(".0") in row
    for path in home.paths(Machine({}, Path("/home")), None)[:1]:
        place = path.relative_to("/home")
        assert f"~/{place}" in row or f"~/{place.parent}/" in row
