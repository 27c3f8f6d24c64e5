"""Files that decide what agents do: their change is a rare, high-impact event, on governance too. Pure."""

from collections.abc import Mapping
from fnmatch import fnmatchcase

from sulcus_panel.core.model import LedgerPath
from sulcus_panel.core.safety import folded

DEEPEST = 8

_RULES: Mapping[str, str] = {
    "instructions": """
        claude.md claude.local.md agents.md agents.override.md agent.md gemini.md copilot-instructions.md
        .cursorrules .windsurfrules .goosehints .rules .clinerules .clinerules/*.md .agents/*
        .cursor/rules/* .windsurf/rules/* .github/instructions/* .github/prompts/* .github/agents/*
        .claude/agents/* .claude/commands/* .claude/skills/* .claude/rules/* .claude/output-styles/*
        .codex/prompts/* .opencode/agent/* .opencode/command/* .gemini/commands/*
    """,
    "mcp_servers": ".mcp.json mcp.json mcp_config.json cline_mcp_settings.json .junie/mcp/*",
    "hooks": """
        .codex/hooks.json .cursor/hooks.json .windsurf/hooks.json windsurf/hooks.json .github/hooks/*
        .copilot/hooks/* .claude/hooks/* .clinerules/hooks/* .cline/hooks/* cline/hooks/*
    """,
    "plugins": """
        .claude-plugin/* .claude/plugins/* .opencode/plugin/* .opencode/plugins/* opencode/plugins/*
    """,
    "settings": """
        .claude/settings.json .claude/settings.local.json .claude.json managed-settings.json
        .codex/config.toml .codex/rules/* .gemini/settings.json .gemini/policies/* .copilot/config.json
        .opencode.json opencode.json opencode.jsonc .cursor/cli.json .cursor/permissions.json
        .aider.conf.yml .roomodes .vscode/settings.json .zed/settings.json
    """,
}
"""What of agents' work is decided, and by files of which names; `*` stands for folders as well."""
_PATTERNS = tuple((what, pattern) for what, patterns in _RULES.items() for pattern in patterns.split())


def what_it_governs(path: LedgerPath) -> str | None:
    """One word for what of agents' work the file decides, None for every other file. By its name alone."""
    parts = [folded(part) for part in path.replace("\\", "/").split("/") if part]
    ends = ["/".join(parts[at:]) for at in range(max(0, len(parts) - DEEPEST), len(parts))]
    return next((what for what, pattern in _PATTERNS if any(fnmatchcase(end, pattern) for end in ends)), None)
