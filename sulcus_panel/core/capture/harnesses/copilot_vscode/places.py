"""Where VS Code keeps chat sessions: `workspaceStorage/<hash>/chatSessions`, beside the name of the folder."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from sulcus_panel.core.capture.harnesses.copilot_vscode.parts import path_in_uri
from sulcus_panel.core.capture.past.path_map import is_among, names_of
from sulcus_panel.core.capture.past.run_files import oldest_first
from sulcus_panel.core.capture.payload import text_of
from sulcus_panel.core.capture.plain_file import open_plain

STORAGE, CHATS, NOTE = "workspaceStorage", "chatSessions", "workspace.json"
EDITIONS = ("Code", "Code - Insiders", "VSCodium")
SUFFIXES = (".json", ".jsonl")
MAX_NOTE = 2**20


def user_folder(environment: Mapping[str, str], platform: str) -> Path:
    """VS Code's own folder of this person."""
    home = Path(os.path.expanduser("~"))
    if portable := environment.get("VSCODE_PORTABLE"):
        return Path(portable) / "user-data" / "User"
    if platform == "win32":
        above = Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
    elif platform == "darwin":
        above = home / "Library" / "Application Support"
    else:
        above = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
    return above / EDITIONS[0] / "User"


def find_chats(home: Path, root: str) -> tuple[Path, ...]:
    """The sessions of all workspaces at or below `root`, those of other editions too, oldest file first."""
    roots = names_of(root)
    found: list[Path] = []
    for user in _editions(home):
        for storage in sorted((user / STORAGE).glob("*")):
            if is_among(folder_of(storage / CHATS), roots):
                found += chats_in([storage])
    return oldest_first(found)


def chats_in(paths: Sequence[Path]) -> tuple[Path, ...]:
    """These files, folders replaced by the sessions in them; of one in both forms the newer form."""
    result: dict[Path, None] = {}
    for path in paths:
        own = [path]
        if path.is_dir():
            below = [path, path / CHATS, *path.glob(f"*/{CHATS}"), *path.glob(f"{STORAGE}/*/{CHATS}")]
            own = sorted(
                one
                for folder in below
                for one in folder.glob("*")
                if one.suffix in SUFFIXES and one.name != NOTE
            )
            names = frozenset(own)
            own = [one for one in own if one.suffix == ".jsonl" or one.with_suffix(".jsonl") not in names]
        result.update(dict.fromkeys(own))
    return tuple(result)


def folder_of(chats: Path) -> str:
    """The folder whose workspace these sessions belong to, empty where nothing tells."""
    try:
        with open_plain(chats.parent / NOTE) as file:
            note = json.loads(file.read(MAX_NOTE))
    except (OSError, ValueError, RecursionError):
        return ""
    if not isinstance(note, dict):
        return ""
    several = path_in_uri(text_of(note, "workspace", "configuration"))
    return path_in_uri(text_of(note, "folder")) or os.path.dirname(several)


def _editions(home: Path) -> tuple[Path, ...]:
    if home.name != "User":
        return (home,)
    return (home, *(one for name in EDITIONS if (one := home.parents[1] / name / "User") != home))
