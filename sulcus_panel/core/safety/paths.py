"""May this path be written, may its contents be kept? Pure text, no disk.

One function for all doors and all stages (record, preview, apply), so that no door is laxer than another.
"""

import functools
import re
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase, translate

from sulcus_panel.core.errors import UnsafePath
from sulcus_panel.core.model import LedgerPath
from sulcus_panel.core.safety.texts import plain

MAX_PATH_BYTES = 4096
MAX_NAME_BYTES = 255

WITHHELD = (
    ".env",
    ".env.*",
    ".env~",
    ".envrc",
    "*.env",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.jks",
    "*.keystore",
    "*.kdbx",
    "*.tfstate",
    "*.tfstate.*",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".htpasswd",
    ".git-credentials",
    ".dockercfg",
    "credentials",
    "credentials*.json",
    "service-account*.json",
    "secrets.*",
    "token.json",
    "kubeconfig",
    ".kube/config",
    ".docker/config.json",
    ".aws/credentials",
)
"""Files whose contents are never kept, by name or by folder and name, in any case; what HARMLESS names is."""

MAY_HOLD_A_SECRET = "may hold a secret"
EXCLUDED = "excluded by this workspace's settings"
WITHHELD_REASONS = frozenset((MAY_HOLD_A_SECRET, EXCLUDED))
"""What content_withheld() answers, as it also stands in a recorded state's reason."""

DRIVES = sys.platform == "win32"
"""Whether `a:b` names a drive; elsewhere it is a file's name like any other."""

HARMLESS = (".env.example", ".env.sample", ".env.template", "*.pub")


def check_path(path: str) -> LedgerPath:
    """Return `path` as a workspace-relative path, or raise UnsafePath saying why it may not be written."""
    if not path or path == ".":
        raise UnsafePath("Not a file's path", "the path is empty")
    if "\0" in path:
        raise UnsafePath("Not a file's path", "the path contains a NUL")
    if path.startswith(("/", "\\")) or names_a_drive(path):
        raise UnsafePath("Outside the workspace", f"{plain(path, 200)} is an absolute path")
    if len(path.encode("utf-8", "surrogateescape")) > MAX_PATH_BYTES:
        raise UnsafePath("Path too long", f"it has more than {MAX_PATH_BYTES} bytes")
    for part in path.split("/"):
        _check_part(part, path)
    return LedgerPath(path)


def names_a_drive(path: str) -> bool:
    """Say whether a drive comes first, as in `C:/x`; `a:b` is a file's name like any other but on Windows."""
    has_letter = path[:1].isascii() and path[:1].isalpha() and path[1:2] == ":"
    return has_letter and (DRIVES or path[2:3] in {"\\", "/"})


def _check_part(part: str, path: str) -> None:
    if part in {"", "."}:
        raise UnsafePath("Not a plain path", f"{plain(path, 200)} has an empty part")
    if part == "..":
        raise UnsafePath("Outside the workspace", f"{plain(path, 200)} climbs up")
    if len(part.encode("utf-8", "surrogateescape")) > MAX_NAME_BYTES:
        raise UnsafePath("Name too long", f"a name has more than {MAX_NAME_BYTES} bytes")
    # A backslash separates folders on one platform and is a letter on the others: judge both readings.
    if any(_is_protected(piece) for piece in part.split("\\")):
        raise UnsafePath("Protected", f"{plain(path, 200)} belongs to git itself", "Use git for this.")
    if "\\" in part and ".." in part.split("\\"):
        raise UnsafePath("Outside the workspace", f"{plain(path, 200)} climbs up")


def _is_protected(part: str) -> bool:
    """Say whether a file system may take `part` for `.git`: case, ignorable marks, streams, short names."""
    name = folded(part)
    return name == ".git" or (name.startswith("git~") and name[4:].isdigit())


def folded(part: str) -> str:
    """Return one name of a path as the most tolerant file system compares it: what that takes for equal, is."""
    visible = part if part.isascii() else "".join(char for char in part if not _is_ignorable(char))
    same = unicodedata.normalize("NFKC", visible).casefold()
    return same.split(":", 1)[0].rstrip(". ")


def _is_ignorable(char: str) -> bool:
    """HFS+ drops these when it compares names: zero-width, direction and variation marks, the BOM."""
    return unicodedata.category(char) == "Cf" or 0xFE00 <= ord(char) <= 0xFE0F or char == "\u034f"


def content_withheld(path: LedgerPath, exclude: Sequence[str]) -> str | None:
    """Return why the contents of `path` must not be kept, None where they may.

    `exclude` holds the workspace's globs, matched against the path, the name and every folder on the way.
    """
    end = "/".join(path.casefold().rsplit("/", 2)[-2:])
    name = end.rsplit("/", 1)[-1]
    withheld, harmless = _named_so(WITHHELD), _named_so(HARMLESS)
    if (withheld.match(name) or withheld.match(end)) and not harmless.match(name):
        return MAY_HOLD_A_SECRET
    candidates = tuple(_prefixes(path)) if exclude else ()
    for raw in exclude:
        glob = raw.strip().removeprefix("/").rstrip("/")
        if glob and any(fnmatchcase(candidate, glob) for candidate in candidates):
            return EXCLUDED
    return None


@functools.cache
def _named_so(globs: Sequence[str]) -> re.Pattern[str]:
    """Compile the globs, once they are asked for: many of a panel's doors never do."""
    return re.compile("|".join(map(translate, globs)))


def _prefixes(path: str) -> Iterator[str]:
    parts = path.split("/")
    for count, part in enumerate(parts, 1):
        yield part
        yield "/".join(parts[:count])
