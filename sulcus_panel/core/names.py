"""What harnesses and actions are called, once for every door. Data only."""

from sulcus_panel.core.model import ActionType

HARNESS_NAMES = {
    "claude-code": "Claude Code",
    "codex": "Codex",
    "codex-cli": "Codex",
    "gemini": "Gemini CLI",
    "gemini-cli": "Gemini CLI",
    "copilot": "Copilot",
    "copilot-cli": "Copilot CLI",
    "copilot-vscode": "Copilot in VS Code",
    "cursor": "Cursor",
    "opencode": "OpenCode",
    "windsurf": "Windsurf",
    "cline": "Cline",
    "aider": "Aider",
    "acp": "ACP agent",
    "outside": "Outside the agents",
    "sulcus-panel": "Sulcus Panel",
}
"""By the label that an entry carries; another label stands for itself."""
ACTIONS = {
    ActionType.FILE_EDIT: "edited",
    ActionType.FILE_WRITE: "wrote",
    ActionType.FILE_CREATE: "created",
    ActionType.FILE_DELETE: "deleted",
    ActionType.RUN_COMMAND: "ran",
    ActionType.MCP_MUTATION: "called",
}
