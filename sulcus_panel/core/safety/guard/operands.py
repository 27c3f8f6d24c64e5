"""What each operand of a command must be: a path below the workspace, a name of git's, an object, a version."""

import posixpath
import re
import unicodedata
from collections.abc import Callable
from pathlib import PurePath

from sulcus_panel.core.safety.guard.verdict import Refused
from sulcus_panel.core.safety.paths import MAX_NAME_BYTES, folded

MOST_OF_A_REF = 200
MOST_NAMES = 128

_PROTECTED_NAMES = """
    .git .ssh .gnupg .aws .kube .docker .netrc .bashrc .bash_profile .bash_login .bash_logout
    .bash_aliases .profile .inputrc .zshrc .zshenv .zprofile .zlogin .zlogout .config .local .gitconfig
    .git-credentials .pam_environment .xprofile .xsessionrc .xinitrc
"""
PROTECTED = frozenset(_PROTECTED_NAMES.split())
"""Folders and files, in any case, that are git's own or that a login reads where the workspace is a home."""

_CONFIGURES_NAMES = """
    .gitmodules .gitattributes .vscode .idea .envrc .claude .cursor .codex .gemini .windsurf .mcp.json
    .husky .devcontainer .pre-commit-config.yaml .pre-commit-config.yml
"""
CONFIGURES = frozenset(_CONFIGURES_NAMES.split())
"""Files and folders that make a program run something: those are moved by hand."""

_DEVICE = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|clock\$|(com|lpt)[0-9])\Z")
_SHORT_NAME = re.compile(r"git~[0-9]+\Z")
_OBJECT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\Z")
_VERSION = re.compile(r"[1-9][0-9]{0,17}\Z")
_NO_REF = re.compile(
    r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|/\.|\.lock/|\A[/.]|\Arefs/|(?:/|\.|\.lock)\Z|\A(?:@|HEAD)\Z"
)
_GLOBS = re.compile(r"[*?\[\\]")


def check_path(word: str, root: PurePath) -> None:
    """Raise Refused unless `word` is a plain relative path strictly below `root`."""
    if not word:
        raise Refused("path.empty")
    if word.startswith(":"):
        raise Refused("path.pathspec")
    if word.startswith(("/", "\\")):
        raise Refused("path.escape")
    where = root.as_posix()
    end = posixpath.normpath(posixpath.join(where, word))
    if end == where:
        raise Refused("path.root")
    if not end.startswith(where.rstrip("/") + "/"):
        raise Refused("path.escape")
    if word.endswith(("/", "/.")):
        raise Refused("path.slash")
    names = word.split("/")
    if len(names) > MOST_NAMES:
        raise Refused("limit.depth")
    for name in dict.fromkeys(names):
        if name != ".":
            _check_name(name)


def _check_name(name: str) -> None:
    if len(name.encode()) > MAX_NAME_BYTES:
        raise Refused("limit.name")
    # A backslash separates folders on one platform and is a letter on the others: judge both readings.
    for piece in name.split("\\"):
        if piece == "..":
            raise Refused("path.dotdot")
        _check_piece(piece)


def _check_piece(piece: str) -> None:
    same = folded(piece)
    if same in PROTECTED or _SHORT_NAME.match(same):
        raise Refused("path.protected")
    if same in CONFIGURES:
        raise Refused("path.config")
    if ":" in piece or piece.endswith((".", " ")) or _DEVICE.match(same.split(".", 1)[0].rstrip(" ")):
        raise Refused("path.reserved")


def check_pathspec(word: str, root: PurePath) -> None:
    """Raise Refused unless `word` is a path that git cannot take for a pattern."""
    if _GLOBS.search(word):
        raise Refused("path.pathspec")
    check_path(word, root)


def check_name(word: str, _root: PurePath) -> None:
    """Raise Refused unless `word` is the short name of a branch, a tag or a remote, in one script."""
    if not word or _NO_REF.search(word) or _OBJECT.match(word):
        raise Refused("ref.syntax")
    if len(word) > MOST_OF_A_REF:
        raise Refused("limit.name")
    if len({unicodedata.name(char, "?").split()[0] for char in word if char.isalpha()}) > 1:
        raise Refused("unicode.confusable")


def check_ref(word: str, root: PurePath) -> None:
    """Raise Refused unless `word` is a whole reference to a branch or a tag."""
    space, _, name = word.partition("/")[2].partition("/")
    if not word.startswith("refs/") or space not in {"heads", "tags"}:
        raise Refused("ref.syntax")
    check_name(name, root)


def check_object(word: str, _root: PurePath) -> None:
    """Raise Refused unless `word` is a whole object id; the one of zeros stands for none."""
    if not _OBJECT.match(word) or not word.strip("0"):
        raise Refused("ref.syntax")


def check_version(word: str, _root: PurePath) -> None:
    """Raise Refused unless `word` is a migration's number; 0 would take back all of them."""
    if not _VERSION.match(word):
        raise Refused("opt.bind")


KINDS: dict[str, Callable[[str, PurePath], None]] = {
    "PATH": check_path,
    "PATHSPEC": check_pathspec,
    "BRANCH": check_name,
    "TAG": check_name,
    "REMOTE": check_name,
    "REF": check_ref,
    "OBJECT": check_object,
    "VERSION": check_version,
}
