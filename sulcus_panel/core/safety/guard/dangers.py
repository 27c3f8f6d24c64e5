"""Names for what is refused, so that a window can say why; nothing is let through or held up by this file."""

import re
from collections.abc import Callable

_WRAPPERS_NAMES = """
    sh bash zsh dash ksh mksh fish csh tcsh rbash busybox toybox env command builtin exec eval source .
    sudo doas su pkexec runuser nohup nice ionice timeout setsid stdbuf strace ltrace xargs parallel
    chroot unshare flock script watch
"""
WRAPPERS = frozenset(_WRAPPERS_NAMES.split())
"""Programs and words that run what stands behind them."""

_REMOVES_ALL = re.compile(r"-[A-Za-z]*[rR][A-Za-z]*\Z|--r|--no-p|--f")
_PUSHES_AWAY = re.compile(r"-[A-Za-z]*[fd][A-Za-z]*\Z|--f|--d|--m|--pr|[+:]")
_BRANCH_LOST = re.compile(r"-[A-Za-z]*[fDMC][A-Za-z]*\Z|--f")
_WORK_TREE = re.compile(r"-[A-Za-z]*W[A-Za-z]*\Z|--w")
_OUTWARD = frozenset(("push", "fetch", "pull"))


def name_program(program: str) -> str:
    """Return the code for a program that has no rule."""
    if program in WRAPPERS:
        return "prog.wrapper"
    return "prog.path" if "/" in program else "prog.unknown"


def name_danger(argv: tuple[str, ...]) -> str:
    """Return the code of the known danger that `argv` is, "" where it is none."""
    if [word.casefold() for word in argv[:2]] == ["drop", "database"]:
        return "destructive.db"
    name = _BY_PROGRAM.get(argv[0])
    return name(argv[1:]) if name else ""


def _rm(words: tuple[str, ...]) -> str:
    before = words[: words.index("--")] if "--" in words else words
    return "destructive.rm" if any(map(_REMOVES_ALL.match, before)) else ""


def _git(words: tuple[str, ...]) -> str:
    if not words:
        return "form"
    command, rest = words[0], words[1:]
    if command.startswith("-"):
        return "git.global"
    if command in _DESTRUCTIVE and _DESTRUCTIVE[command](rest):
        return "destructive.git"
    if command in _OUTWARD:
        return "outward.git"
    known = command in _OF_GIT and (command != "remote" or rest[:1] == ("remove",))
    return "" if known else "git.subcommand"


def _restores(rest: tuple[str, ...]) -> bool:
    return not rest or rest[0] != "--staged" or any(map(_WORK_TREE.match, rest))


def _resets(rest: tuple[str, ...]) -> bool:
    return not rest or rest[0] not in {"--", "--soft"} or "--hard" in rest


def _branches(rest: tuple[str, ...]) -> bool:
    return rest[:1] != ("-m",) and any(map(_BRANCH_LOST.match, rest))


def _always(_rest: tuple[str, ...]) -> bool:
    return True


_DESTRUCTIVE: dict[str, Callable[[tuple[str, ...]], bool]] = {
    "reset": _resets,
    "restore": _restores,
    "branch": _branches,
    "push": lambda rest: any(map(_PUSHES_AWAY.match, rest)),
    "clean": _always,
    "checkout": _always,
}
_OF_GIT_NAMES = """
    mv branch switch tag restore reset worktree remote revert update-ref
"""
_OF_GIT = frozenset(_OF_GIT_NAMES.split())


def _sqlx(words: tuple[str, ...]) -> str:
    return "destructive.db" if words[:1] in (("database",), ("db",)) else ""


_BY_PROGRAM: dict[str, Callable[[tuple[str, ...]], str]] = {"rm": _rm, "git": _git, "sqlx": _sqlx}
