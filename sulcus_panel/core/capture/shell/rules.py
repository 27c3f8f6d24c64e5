"""What no hook may keep: files that may hold a secret, or that a workspace excludes; and where recording is off.

Runs inside the hook, where RULES is there or a name may be a secret's. The service writes the workspaces' settings
into that one small file of the data home: fields, each ended by NUL, a workspace's root, whether it is recorded,
and its patterns; an empty field ends a workspace. Where the file is damaged, only the names of secrets are known.
"""

import sys

from sulcus_panel.core.capture.shell.secret_names import withheld
from sulcus_panel.core.capture.shell.standing import read_whole

if sys.platform == "win32":
    import nt as system
else:
    import posix as system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Rule = tuple[str, bool, tuple[str, ...]]
"""A workspace's root, whether it is recorded, and what it excludes."""
RULES = "hook-rules"
MAX_RULES = 8 << 20
START, END = "sulcus-rules 1", "end"
ON, OFF = "on", "off"
SECRET = "may hold a secret"
EXCLUDED = "excluded by this workspace's settings"
NOT_RECORDED = "recording is off here"
MAX_LINKS = 40


def encode_rules(rules: "Iterable[Rule]") -> bytes:
    """The file's bytes; none at all where every workspace is recorded whole."""
    known = list(rules)
    if all(is_on and not patterns for _, is_on, patterns in known):
        return b""
    fields = [START, ""]
    for root, is_on, patterns in known:
        fields += [root, ON if is_on else OFF, *filter(_is_of_files, patterns), ""]
    return "\0".join([*fields, END]).encode("utf-8", "surrogateescape")


def _is_of_files(pattern: str) -> bool:
    """Whether a file's name can match it: one with half a character in it cannot be written, nor be a name."""
    try:
        pattern.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return bool(pattern)


def read_rules(home: str) -> list[Rule]:
    """The workspaces, the innermost first; none where nothing is known."""
    try:
        text = read_whole(home + "/" + RULES, MAX_RULES).decode("utf-8", "surrogateescape")
    except OSError:
        return []
    first, *records = text.split("\0\0")
    if first != START or not records or records.pop() != END:
        return []
    found = [record.split("\0") for record in records]
    if any(len(fields) < 2 or fields[1] not in (ON, OFF) for fields in found):
        return []
    rules = [(_slashes(fields[0]), fields[1] == ON, tuple(fields[2:])) for fields in found]
    return sorted(rules, key=lambda rule: -len(rule[0]))


def judged(home: str, folder: str, paths: list[str]) -> tuple[bool, dict[str, str]]:
    """Whether nothing that an event is about is recorded, and why no bytes of each of some paths may be kept.

    `folder` is where the call works, "" where that is not told.
    """
    rules = read_rules(home)
    why = {path: reason for path in paths if (reason := why_not(rules, path))}
    is_off = all(why.get(path) == NOT_RECORDED for path in paths) if paths else is_off_in(rules, folder)
    return is_off, why


def is_off_in(rules: list[Rule], folder: str) -> bool:
    """Whether recording is off in a folder."""
    rule = _around(rules, resolved(folder)) if folder else None
    return rule is not None and not rule[1]


def why_not(rules: list[Rule], path: str) -> str:
    """Why the bytes of this path may not be kept, "" where they may; one of its names is enough."""
    located, ways = ways_to(path)
    return _why(rules, located, ways)


def judge_of(home: str, root: str) -> "Callable[[str], str]":
    """Say of the paths below a tree's root, which lead through no links, why their bytes may not be kept."""
    real = resolved(root)
    rules = [rule for rule in read_rules(home) if _holds(rule[0], real) or _holds(real, rule[0])]
    if all(is_on and not patterns for _, is_on, patterns in rules):
        return lambda path: SECRET if withheld(path) else ""

    def why(path: str) -> str:
        located = real.rstrip("/") + path[len(root.rstrip("/")) :]
        return _why(rules, located, {located})

    return why


def _why(rules: list[Rule], located: str, ways: set[str]) -> str:
    rule = _around(rules, located)
    if rule is not None and not rule[1]:
        return NOT_RECORDED
    if any(map(withheld, ways)):
        return SECRET
    return EXCLUDED if rule is not None and any(_is_excluded(rule, way) for way in ways) else ""


def ways_to(path: str) -> tuple[str, set[str]]:
    """Where a path lies, a link at its end not followed; and every name under which it is reached."""
    path = _slashes(path)
    folder, _, name = path.rpartition("/")
    if name in ("", ".", ".."):
        return resolved(path), {path, *_hops(path)}
    above = list(_hops(folder)) if folder else [""]
    real = above[-1].rstrip("/")
    further = _hops(name, real) if real else _hops("/" + name)
    return f"{real}/{name}", {path, *(f"{way}/{name}" for way in above), *further}


def resolved(path: str) -> str:
    """`path` with its links followed, as far as it is there."""
    return list(_hops(_slashes(path)))[-1]


def _hops(path: str, done: str = "") -> "Iterator[str]":
    """The path each time a link on it was followed, and at last where it leads; `done` was followed already."""
    rest, links = path.split("/")[::-1], MAX_LINKS
    if path[:1] != "/" and not done:
        yield path
        return
    while rest:
        part = rest.pop()
        if part == "..":
            done = done.rpartition("/")[0]
        if part in ("", ".", ".."):
            continue
        here = done + "/" + part
        try:
            text = system.readlink(here)
        except (OSError, ValueError):
            done = here
            continue
        links -= 1
        if links < 0:
            break
        done = "" if text[:1] == "/" else done
        rest += text.split("/")[::-1]
        yield done + "/" + "/".join(part for part in reversed(rest) if part not in ("", "."))
    yield done or "/"


def _slashes(path: str) -> str:
    return path.replace("\\", "/") if sys.platform == "win32" else path


def _holds(folder: str, path: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _around(rules: list[Rule], path: str) -> Rule | None:
    """The innermost workspace that a path lies in."""
    return next((rule for rule in rules if _holds(rule[0], path)), None)


def _is_excluded(rule: Rule, path: str) -> bool:
    """What safety.content_withheld says by the workspace's patterns; of a path outside, by its last two names."""
    root, _, patterns = rule
    below = path[len(root.rstrip("/")) + 1 :] if _holds(root, path) else "/".join(path.split("/")[-2:])
    parts = below.split("/")
    names = {*parts, *("/".join(parts[: at + 1]) for at in range(len(parts)))}
    globs = [glob for raw in patterns if (glob := raw.strip().removeprefix("/").rstrip("/"))]
    return any(matches(name, glob) for glob in globs for name in names)


def matches(name: str, glob: str) -> bool:
    """What fnmatch.fnmatchcase says."""
    at, to, star, mark = 0, 0, -1, 0
    while at < len(name):
        if glob[to : to + 1] == "*":
            star, mark, to = to, at, to + 1
            continue
        size = _one(name[at], glob, to)
        if size:
            at, to = at + 1, to + size
        elif star >= 0:
            mark += 1
            at, to = mark, star + 1
        else:
            return False
    return not glob[to:].strip("*")


def _one(letter: str, glob: str, to: int) -> int:
    """How long the part of the pattern is that stands for this letter, 0 where it stands for another."""
    sign = glob[to : to + 1]
    if sign == "?":
        return 1
    end = _end_of_set(glob, to) if sign == "[" else -1
    if end < 0:
        return int(sign == letter)
    inside = glob[to + 1 : end]
    negated = inside[:1] == "!"
    return (end + 1 - to) * (_is_among(letter, inside[negated:]) != negated)


def _end_of_set(glob: str, to: int) -> int:
    start = to + 1
    start += glob[start : start + 1] == "!"
    start += glob[start : start + 1] == "]"
    return glob.find("]", start)


def _is_among(letter: str, inside: str) -> bool:
    at = 0
    while at < len(inside):
        if inside[at + 1 : at + 2] == "-" and at + 2 < len(inside):
            if inside[at] <= letter <= inside[at + 2]:
                return True
            at += 3
            continue
        if inside[at] == letter:
            return True
        at += 1
    return False
