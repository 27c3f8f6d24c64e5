"""Every harness whose hooks we can install, by name: the one place where a new one is added (see registry.py)."""

from collections.abc import Mapping

from sulcus_panel.core.capture.install.claude import CLAUDE
from sulcus_panel.core.capture.install.cline import CLINE
from sulcus_panel.core.capture.install.codex import CODEX
from sulcus_panel.core.capture.install.copilot_cli import COPILOT_CLI
from sulcus_panel.core.capture.install.copilot_vscode import COPILOT_VSCODE
from sulcus_panel.core.capture.install.cursor import CURSOR
from sulcus_panel.core.capture.install.gemini import GEMINI
from sulcus_panel.core.capture.install.hook_home import HookHome
from sulcus_panel.core.capture.install.opencode import OPENCODE
from sulcus_panel.core.capture.install.windsurf import WINDSURF

_ALL: tuple[HookHome, ...] = (
    *(CLAUDE, CODEX, GEMINI, COPILOT_CLI, COPILOT_VSCODE),
    *(CURSOR, WINDSURF, CLINE, OPENCODE),
)
HOMES: Mapping[str, HookHome] = {one.harness: one for one in _ALL}
