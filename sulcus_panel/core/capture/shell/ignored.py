"""Which files a repository ignores, by its own `.gitignore` files and `info/exclude`; nothing of it is run.

Git's configuration is not read, so that a person's own list of what is ignored everywhere is not known here. A
repository whose patterns take longer than MAX_SECONDS ignores nothing more. Source: git's gitignore documentation.
"""

from dataclasses import dataclass
from functools import cache
from time import monotonic

from sulcus_panel.core.capture.shell.rules import matches
from sulcus_panel.core.capture.shell.standing import read_whole

MAX_BYTES, MAX_PATTERNS, MAX_DEPTH = 1 << 20, 5_000, 100
MAX_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line: the parts between its slashes, and what it says."""

    parts: tuple[str, ...]
    is_negative: bool
    of_folders: bool


class Ignored:
    """One repository's answer, by what its files say now. `top` is its working tree, `git` its git folder."""

    def __init__(self, top: str, git: str) -> None:
        self._top = top
        self._of = cache(self._patterns)
        self._general = _read(git + "/info/exclude")
        self._is_folder_out = cache(self._folder)
        self._until = monotonic() + MAX_SECONDS

    def ignores(self, path: str) -> bool:
        """Say whether a file, by its path below the top, is ignored."""
        parts = path.split("/")
        if len(parts) > MAX_DEPTH:
            return False
        above = ("/".join(parts[:end]) for end in range(1, len(parts)))
        return any(map(self._is_folder_out, above)) or self._says(path, is_folder=False)

    def _folder(self, folder: str) -> bool:
        return self._says(folder, is_folder=True)

    def _says(self, path: str, *, is_folder: bool) -> bool:
        """What the last pattern says that matches, in the file that is nearest."""
        parts = path.split("/")
        if monotonic() > self._until:
            return False
        for at in range(len(parts) - 1, -1, -1):
            found = _last(self._of("/".join(parts[:at])), tuple(parts[at:]), is_folder=is_folder)
            if found is not None:
                return not found.is_negative
        found = _last(self._general, tuple(parts), is_folder=is_folder)
        return found is not None and not found.is_negative

    def _patterns(self, folder: str) -> tuple[Pattern, ...]:
        return _read("/".join(part for part in (self._top, folder, ".gitignore") if part))


def patterns_of(data: bytes) -> tuple[Pattern, ...]:
    """The patterns of such a file, in their order."""
    lines = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape").split("\n")
    found = (_pattern(line.removesuffix("\r")) for line in lines[:MAX_PATTERNS])
    return tuple(one for one in found if one is not None)


def _read(path: str) -> tuple[Pattern, ...]:
    try:
        return patterns_of(read_whole(path, MAX_BYTES))
    except (OSError, ValueError):
        return ()


def _pattern(line: str) -> Pattern | None:
    bare = line.rstrip(" ")
    if bare.endswith("\\") and bare != line:
        bare += " "
    is_negative = bare.startswith("!")
    text = bare[1:] if is_negative else bare
    of_folders, text = text.endswith("/"), text.removesuffix("/")
    if not text or bare.startswith("#"):
        return None
    if "/" not in text:
        text = "**/" + text
    return Pattern(tuple(map(_glob, text.removeprefix("/").split("/"))), is_negative, of_folders)


def _glob(part: str) -> str:
    """A part as fnmatch spells it: a sign behind a backslash stands for itself, a set is negated by `!`."""
    made, at = "", 0
    while at < len(part):
        sign = part[at]
        if sign == "\\" and at + 1 < len(part):
            sign = part[at + 1]
            made += f"[{sign}]" if sign in "*?[" else sign
            at += 2
            continue
        made += "[!" if part[at : at + 2] == "[^" else sign
        at += 2 if part[at : at + 2] == "[^" else 1
    return made


def _last(patterns: tuple[Pattern, ...], parts: tuple[str, ...], *, is_folder: bool) -> Pattern | None:
    for one in reversed(patterns):
        if (is_folder or not one.of_folders) and _fits(one.parts, parts):
            return one
    return None


def _fits(globs: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    """Whether the globs lead over exactly these names; `**` over any number, at the end one or more."""
    ends = {0}
    for at, glob in enumerate(globs):
        if glob == "**":
            least = min(ends) + (at == len(globs) - 1)
            ends = set(range(least, len(parts) + 1))
        else:
            ends = {end + 1 for end in ends if end < len(parts) and matches(parts[end], glob)}
        if not ends:
            return False
    return len(parts) in ends
