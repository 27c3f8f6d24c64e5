"""Every harness whose words are understood, live or past: the one place where a new one is added (see homes.py)."""

from collections.abc import Mapping

from sulcus_panel.core.capture.adapter import Adapter
from sulcus_panel.core.capture.harnesses.acp.live import AcpAgent
from sulcus_panel.core.capture.harnesses.aider.live import Aider
from sulcus_panel.core.capture.harnesses.aider.runs import AiderRuns
from sulcus_panel.core.capture.harnesses.claude.live import ClaudeCode
from sulcus_panel.core.capture.harnesses.claude.runs import ClaudeRuns
from sulcus_panel.core.capture.harnesses.cline.live import Cline
from sulcus_panel.core.capture.harnesses.cline.runs import ClineRuns
from sulcus_panel.core.capture.harnesses.codex.live import Codex
from sulcus_panel.core.capture.harnesses.codex.runs import CodexRuns
from sulcus_panel.core.capture.harnesses.copilot_cli.live import CopilotCli
from sulcus_panel.core.capture.harnesses.copilot_cli.runs import CopilotCliRuns
from sulcus_panel.core.capture.harnesses.copilot_vscode.live import CopilotInVsCode
from sulcus_panel.core.capture.harnesses.copilot_vscode.runs import CopilotInVsCodeRuns
from sulcus_panel.core.capture.harnesses.cursor.live import Cursor
from sulcus_panel.core.capture.harnesses.cursor.runs import CursorRuns
from sulcus_panel.core.capture.harnesses.gemini.live import Gemini
from sulcus_panel.core.capture.harnesses.gemini.runs import GeminiRuns
from sulcus_panel.core.capture.harnesses.opencode.live import OpenCode
from sulcus_panel.core.capture.harnesses.opencode.runs import OpenCodeRuns
from sulcus_panel.core.capture.harnesses.windsurf.live import Windsurf
from sulcus_panel.core.capture.harnesses.windsurf.runs import WindsurfRuns
from sulcus_panel.core.capture.past.importer import GrowingImporter, Importer, TwiceTold

_LIVE: tuple[Adapter, ...] = (
    ClaudeCode(),
    Codex(),
    Gemini(),
    CopilotCli(),
    CopilotInVsCode(),
    Aider(),
    AcpAgent(),
    Cline(),
    Cursor(),
    OpenCode(),
    Windsurf(),
)
_PAST: tuple[Importer, ...] = (
    ClaudeRuns(),
    CodexRuns(),
    GeminiRuns(),
    CopilotCliRuns(),
    CopilotInVsCodeRuns(),
    AiderRuns(),
    ClineRuns(),
    CursorRuns(),
    OpenCodeRuns(),
    WindsurfRuns(),
)
_TWICE: tuple[TwiceTold, ...] = (
    ClaudeRuns(),
    GeminiRuns(),
    CopilotCliRuns(),
    ClineRuns(),
    OpenCodeRuns(),
    WindsurfRuns(),
    CursorRuns(),
    CopilotInVsCodeRuns(),
)
_GROWING: tuple[GrowingImporter, ...] = (CodexRuns(), AiderRuns())

ADAPTERS: Mapping[str, Adapter] = {one.harness: one for one in _LIVE}
"""What hooks may say, by the name that the hook is given."""
IMPORTERS: Mapping[str, Importer] = {one.harness: one for one in _PAST}
"""What harnesses keep of past runs."""
GROWING: Mapping[str, GrowingImporter] = {one.harness: one for one in _GROWING}
"""Those whose files are followed while they grow."""
TWICE_TOLD: Mapping[str, TwiceTold] = {one.harness: one for one in _TWICE}
"""Those whose files tell what their hooks told, so that silent hooks are noticed. Codex is followed anyway."""
WEAKLY_TOLD: Mapping[str, str] = {
    Cursor.harness: "Found in Cursor's transcript while no hook fired: it does not tell when the call was made,"
    " nor whether it was refused or failed.",
    CopilotInVsCode.harness: "Found in VS Code's chat while no hook fired: it keeps no file as it was, and of"
    " times only the request's.",
}
"""Of those the ones whose files are weak, and what is to be said of every entry that stands on them alone."""
