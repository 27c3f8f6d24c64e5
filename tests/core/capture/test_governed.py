import pytest

from sulcus_panel.core.capture.governed import what_it_governs
from sulcus_panel.core.model import LedgerPath


@pytest.mark.parametrize(
    ("path", "what"),
    [
        ("CLAUDE.md", "instructions"),
        ("packages/api/AGENTS.md", "instructions"),
        (".claude/skills/deploy/SKILL.md", "instructions"),
        (".github/copilot-instructions.md", "instructions"),
        (".cursor/rules/style.mdc", "instructions"),
        (".mcp.json", "mcp_servers"),
        (".vscode/mcp.json", "mcp_servers"),
        (".claude/settings.local.json", "settings"),
        ("/home/dev/.claude/settings.json", "settings"),
        (".codex/config.toml", "settings"),
        (".CLAUDE/Settings.json", "settings"),
        (".cursor/hooks.json", "hooks"),
        (".github/hooks/check.json", "hooks"),
        (".claude/plugins/x/plugin.json", "plugins"),
        ("src/app.py", None),
        ("docs/claude.md.txt", None),
        ("settings.json", None),
        ("README.md", None),
        ("", None),
    ],
)
def test_what_decides_over_agents_is_known_by_its_name(path: str, what: str | None) -> None:
    assert what_it_governs(LedgerPath(path)) == what
