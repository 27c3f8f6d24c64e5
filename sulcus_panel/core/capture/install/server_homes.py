"""Where each host keeps its MCP servers, what ours looks like there, and as whom its agent acts. Mostly data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from sulcus_panel.core.capture.install import server_text
from sulcus_panel.core.capture.install.codex import codex_folder
from sulcus_panel.core.capture.install.hook_home import (
    BACKUP_SUFFIX,
    ConfigEdit,
    Machine,
    config_edit,
    decode_config,
    read_config,
)
from sulcus_panel.core.capture.install.server_text import Server
from sulcus_panel.core.errors import SulcusError

Place = Callable[[Machine, Path | None], Path]


@dataclass(frozen=True, slots=True)
class ServerHome:
    """One host's config of servers. `actor`: the name under which its hooks record what its agent does."""

    host: str
    title: str
    actor: str
    section: str
    place: Place
    has_type: bool = False
    """Whether a server says that it is on stdio."""
    is_toml: bool = False
    note: str = ""
    """What to know before a yes."""

    def server(self, argv: Sequence[str], variables: Mapping[str, str]) -> Server:
        """Return what stands for our server."""
        kind = {"type": "stdio"} if self.has_type else {}
        env = {"env": dict(variables)} if variables else {}
        return kind | {"command": argv[0], "args": list(argv[1:])} | env

    def install(self, machine: Machine, project: Path | None, server: Server) -> ConfigEdit:
        """Plan that our server stands there once, as this installation has it. Raises SulcusError."""
        path = self.place(machine, project)
        before = read_config(path)
        text = decode_config(path, before)
        after = self._with(text, server)
        backup = None if text is None or self._holds(text) else _backup(path)
        return config_edit(path, before, after, backup)

    def remove(self, machine: Machine, project: Path | None) -> ConfigEdit:
        """Plan that it stands there no more; a file that is else as it was before is that file again."""
        path = self.place(machine, project)
        before = read_config(path)
        text = decode_config(path, before)
        if text is None or not self._holds(text):
            return config_edit(path, before, text, None)
        left = self._without(text)
        return config_edit(path, before, self._original(path, text, left), None)

    def _original(self, path: Path, text: str, left: str) -> str | None:
        """Return the text before our server came, where nothing else has changed; None: there was no file."""
        kept = read_config(_backup(path))
        if kept is None:
            return None if left.strip() in {"", "{}"} else left
        try:
            original = decode_config(_backup(path), kept)
            if original is not None and self._without(self._with(original, {})) == self._without(text):
                return original
        except SulcusError:
            pass  # not what we had installed into
        return left

    def _with(self, text: str | None, server: Server) -> str:
        if self.is_toml:
            return server_text.toml_with(text, self.section, server)
        return server_text.json_with(text, self.section, server)

    def _without(self, text: str) -> str:
        if self.is_toml:
            return server_text.toml_without(text, self.section)
        return server_text.json_without(text, self.section)

    def _holds(self, text: str) -> bool:
        if self.is_toml:
            return server_text.toml_server(text, self.section) is not None
        return server_text.json_holds(text, self.section)


def _backup(path: Path) -> Path:
    return Path(f"{path}{BACKUP_SUFFIX}-mcp")


def _claude(machine: Machine, project: Path | None) -> Path:
    if project is not None:
        return project / ".mcp.json"
    return machine.folder("CLAUDE_CONFIG_DIR") / ".claude.json"


def _codex(machine: Machine, project: Path | None) -> Path:
    return (codex_folder(machine) if project is None else project / ".codex") / "config.toml"


def _cursor(machine: Machine, project: Path | None) -> Path:
    return (project or machine.home) / ".cursor" / "mcp.json"


def _gemini(machine: Machine, project: Path | None) -> Path:
    return (project or machine.home) / ".gemini" / "settings.json"


def _vscode(machine: Machine, project: Path | None) -> Path:
    if project is not None:
        return project / ".vscode" / "mcp.json"
    return _settings_folder(machine) / "Code" / "User" / "mcp.json"


def _zed(machine: Machine, project: Path | None) -> Path:
    if project is not None:
        return project / ".zed" / "settings.json"
    if machine.platform == "win32":
        return machine.folder("APPDATA", "AppData", "Roaming") / "Zed" / "settings.json"
    folder = machine.folder("XDG_CONFIG_HOME", ".config") if machine.platform != "darwin" else None
    return (folder or machine.home / ".config") / "zed" / "settings.json"


def _settings_folder(machine: Machine) -> Path:
    if machine.platform == "win32":
        return machine.folder("APPDATA", "AppData", "Roaming")
    if machine.platform == "darwin":
        return machine.home / "Library" / "Application Support"
    return machine.folder("XDG_CONFIG_HOME", ".config")


_REWRITES = "Claude Code rewrites this file while it runs: end its sessions first, or the entry may be lost"
SERVER_HOMES: Mapping[str, ServerHome] = MappingProxyType(
    {
        home.host: home
        for home in (
            ServerHome(
                "claude-code",
                "Claude Code",
                "Claude Code",
                "mcpServers",
                _claude,
                has_type=True,
                note=_REWRITES,
            ),
            ServerHome("codex", "Codex CLI", "Codex", "mcp_servers", _codex, is_toml=True),
            ServerHome("cursor", "Cursor", "Cursor", "mcpServers", _cursor),
            ServerHome("vscode", "VS Code", "Copilot in VS Code", "servers", _vscode, has_type=True),
            ServerHome("gemini", "Gemini CLI", "Gemini CLI", "mcpServers", _gemini),
            ServerHome("zed", "Zed", "Zed", "context_servers", _zed),
        )
    }
)
"""Each host by the name given on the command line."""
