"""Shell commands between real hook processes in a scratch repository, and the whole tree before and after."""

import os
import stat
import subprocess
from collections.abc import Mapping
from pathlib import Path

from sulcus_panel.core.model import Entry
from tests.support.scene import Scene

Tree = Mapping[str, tuple[int, bytes]]
GIT = {
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_SYSTEM": "/dev/null",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


def sh(folder: Path, command: str) -> int:
    """Run a command as an agent's shell would; its exit code."""
    done = subprocess.run(
        ["/bin/sh", "-c", command], cwd=folder, env={**os.environ, **GIT}, capture_output=True, check=False
    )
    return done.returncode


def tree_of(folder: Path) -> Tree:
    """Every file, link and folder with its mode and bytes; git's own are left out."""
    found = {}
    for here, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != ".git"]
        for name in (*folders, *files):
            path = os.path.join(here, name)
            mode = os.lstat(path).st_mode
            data = b""
            if stat.S_ISLNK(mode):
                data = os.fsencode(os.readlink(path))
            elif stat.S_ISREG(mode):
                data = Path(path).read_bytes()
            found[os.path.relpath(path, folder)] = mode, data
    return found


def agent_runs(scene: Scene, command: str, **fields: object) -> Entry:
    """Pre, the command, Post; the entry that it made."""
    run = scene.agent
    call, given = run.next_id(), {"command": command}
    run.tool("PreToolUse", "Bash", given, tool_use_id=call)
    code = sh(scene.folder, command)
    if code:
        run.tool(
            "PostToolUseFailure", "Bash", given, tool_use_id=call, error=f"Exit code {code}\nno", **fields
        )
    else:
        answer = {"stdout": "", "stderr": "", "interrupted": False}
        run.tool("PostToolUse", "Bash", given, tool_use_id=call, tool_response=answer, **fields)
    return scene.newest()


def git_look(folder: Path) -> Mapping[str, bytes]:
    """Everything under .git, byte by byte."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in (folder / ".git").rglob("*")
        if path.is_file()
    }
