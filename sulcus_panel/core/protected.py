"""Names that tools obey: what an undo never writes, and what it writes only with the person's own yes. Pure.

The line is drawn at what runs by itself (when a folder is opened or entered, at a commit, an install, in CI, at
log-in): restoring such a file can start a program that nobody asked for. Compared like `.git`: safety.folded().
"""

import functools
import json
from collections.abc import Sequence

from sulcus_panel.core.errors import UnsafePath
from sulcus_panel.core.model import LedgerPath
from sulcus_panel.core.safety import folded, plain


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


SHELLS = _words("""
    .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bashrc.d .profile .profile.d
    .zshrc .zshenv .zprofile .zlogin .zlogout .zsh_aliases .cshrc .tcshrc .login .logout .kshrc .mkshrc
    .inputrc .tmux.conf .screenrc .xprofile .xinitrc .xsession .xsessionrc .pam_environment
    config.fish .config/fish .config/nushell profile.ps1 *_profile.ps1
""")
AT_HOME = (
    *SHELLS,
    *_words("""
        .ssh .gnupg .gitconfig .config/git .config/autostart .config/systemd .config/environment.d
        .local/share/systemd library/launchagents documents/powershell documents/windowspowershell
    """),
    "appdata/roaming/microsoft/windows/start menu/programs/startup",
)
"""What the person's own log-in obeys, as it lies in the home folder."""

AGENTS = _words("""
    .claude .claude.json .mcp.json .cursor .cursorrules .codex .gemini .opencode opencode.json opencode.jsonc
    .windsurf .cline .clinerules .roo .roomodes .continue .kiro .qwen .amazonq .junie .trae .augment
    .goose .goosehints .crush .crush.json crush.json .agents .aider.conf.yml .github/agents .github/hooks
""")
EDITORS = _words("""
    .vscode *.code-workspace .idea .run .fleet .zed .theia .devcontainer .devcontainer.json .gitpod.yml
    .vimrc .exrc .nvimrc .nvim.lua .lvimrc .emacs .emacs.d .dir-locals.el .dir-locals-2.el
""")
ON_ENTRY = _words(".envrc mise.toml mise.*.toml .mise.toml .mise.*.toml .mise .autoenv")
GIT = _words("""
    *.git .gitmodules .gitattributes .gitconfig .lfsconfig .husky .huskyrc* .githooks githooks .git-hooks
    git-hooks .pre-commit-config.yaml .lintstagedrc* .lefthook lefthook.* .lefthook.* lefthook-local.*
    .lefthook-local.* .overcommit.yml
""")
PIPELINES = _words("""
    .github/workflows .github/actions .forgejo .gitea .gitlab-ci.yml .gitlab/ci .circleci .buildkite
    .travis.yml appveyor.yml .appveyor.yml jenkinsfile azure-pipelines*.yml .azure-pipelines
    bitbucket-pipelines.yml .drone.yml .woodpecker*
""")
INSTALLERS = _words("""
    .npmrc .yarnrc .yarnrc.yml .yarn/plugins .yarn/releases .pnpmfile.cjs .pnpmfile.mjs pnpmfile.js
    bunfig.toml .cargo pip.conf *.pth sitecustomize.py usercustomize.py
""")
INTERPRETERS = _words("""
    .gdbinit .lldbinit .rprofile .renviron .irbrc .pryrc .ghci .octaverc .ipython .jupyter .aws/config
    .gradle/init.d
""")
CONFIG = (*SHELLS, ".ssh", *AGENTS, *EDITORS, *ON_ENTRY, *GIT, *PIPELINES, *INSTALLERS, *INTERPRETERS)
"""Files and folders, wherever they lie, that a tool obeys by itself."""

SCRIPTED = frozenset({"package.json", "composer.json"})
RUNS = ("scripts", "husky", "simple-git-hooks", "gitHooks", "pre-commit", "lint-staged")
"""What of a package's description is run; the rest of it is not."""

Names = tuple[frozenset[str], tuple[tuple[str, str], ...]]
"""Names and short paths of names; and what stands before and after the `*` of those that have one."""


def _indexed(names: Sequence[str]) -> Names:
    halves = tuple((start, end) for start, star, end in (name.partition("*") for name in names) if star)
    return frozenset(name for name in names if "*" not in name), halves


def _begins(parts: Sequence[str], names: Names) -> bool:
    """Say whether a path begins with one of these names."""
    exact, globs = names
    if any("/".join(parts[:count]) in exact for count in range(1, min(DEEPEST, len(parts)) + 1)):
        return True
    first = parts[0] if parts else ""
    return _is_short(first, exact) or any(
        len(first) >= len(start) + len(end) and first.startswith(start) and first.endswith(end)
        for start, end in globs
    )


def _is_short(part: str, names: frozenset[str]) -> bool:
    """Say whether a FAT-like file system would reach one of these by a short name (`GIT~1`)."""
    stem, tilde, rest = part.partition("~")
    number, _, end = rest.partition(".")
    return bool(tilde) and number.isdigit() and f"{stem}.{end}" in map(_shortened, names)


def _shortened(name: str) -> str:
    stem, _, end = name.lstrip(".").rpartition(".")
    base = (stem or end).replace(".", "").replace(" ", "")[:6]
    return f"{base}.{end[:3] if stem else ''}"


DEEPEST = max(name.count("/") for name in (*CONFIG, *AT_HOME)) + 1
_CONFIG, _AT_HOME = _indexed(CONFIG), _indexed(AT_HOME)
_OF_THE_SYSTEM = ("/proc/", "/sys/", "/dev/")
_MEMORY = "/dev/shm/"


def check_place(path: LedgerPath, root: str, *, home: str, own: str) -> None:
    """Raise UnsafePath where `path` of the workspace at `root` is nothing that an undo may write.

    `home` is the person's home folder, `own` our own data folder; all three are real paths.
    """
    start, at_home, ours = _spelled(root), _spelled(home), _spelled(own)
    end = start[:-1] + _spelled(path)
    if end.startswith(_OF_THE_SYSTEM) and not start.startswith(_MEMORY):
        raise UnsafePath("Outside the workspace", f"{plain(path, 200)} belongs to the system")
    if end.startswith(ours) and not start.startswith(ours):
        raise UnsafePath("Protected", f"{plain(path, 200)} belongs to Sulcus Panel itself")
    if end.startswith(at_home) and _begins(_parts(end[len(at_home) :]), _AT_HOME):
        raise UnsafePath(
            "Protected", f"{plain(path, 200)} is obeyed whenever you log in", "Change it yourself."
        )


def is_config(path: LedgerPath) -> bool:
    """Say whether a tool obeys what stands at `path` without being asked to."""
    parts = _parts(_spelled(path))
    return any(_begins(parts[at:], _CONFIG) for at in range(len(parts)))


def changes_scripts(path: LedgerPath, before: bytes | None, after: bytes | None) -> bool:
    """Say whether a package's description runs something else with `after` than with `before`.

    None is no file. What cannot be read as JSON is another thing.
    """
    if _spelled(path).rsplit("/", 2)[1] not in SCRIPTED:
        return False
    told = _what_runs(before), _what_runs(after)
    return None in told or told[0] != told[1]


def _what_runs(content: bytes | None) -> list[object] | None:
    if content is None:
        return [None] * len(RUNS)
    try:
        told = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return [told.get(key) for key in RUNS] if isinstance(told, dict) else None


def _parts(spelled: str) -> list[str]:
    return [part for part in spelled.split("/") if part]


@functools.lru_cache(maxsize=64)
def _spelled(path: str) -> str:
    """A path as a tolerant file system reads it, with a slash at both ends."""
    parts = (folded(part) for part in path.replace("\\", "/").split("/"))
    return "/".join(("", *(part for part in parts if part), ""))
