"""Letting go of what the baselines hold: what no event needs any more, while none waits; and a forgotten file."""

import hashlib
import marshal
import os
import shutil
from collections.abc import Collection, Iterator
from datetime import datetime
from math import inf
from pathlib import Path

from sulcus_panel.core.capture.shell.keeping import DAMAGED, HASH_ONLY, ROOT, identity, write_whole
from sulcus_panel.core.capture.shell.look import LAST
from sulcus_panel.core.capture.shell.rules import NOT_RECORDED, judge_of
from sulcus_panel.core.capture.shell.scan import items_of
from sulcus_panel.core.model import Sha256

KEEP_SECONDS = 3600
"""What was written this recently may belong to a call that still runs."""
KEEP_LOOKS_SECONDS = 7 * 24 * 3600
KEEP_TREES_SECONDS = 30 * 24 * 3600


def tidy(home: Path, now: datetime) -> int:
    """Remove copies of what is no more, old looks and trees not looked at for long; how many files went."""
    return sum(_tidy_tree(tree, now.timestamp()) for tree in _trees(home))


def forget_copies(home: Path, hashes: Collection[Sha256]) -> int:
    """Remove every copy that holds one of these contents; how many files went.

    Raises:
        OSError: a copy can be read and not be removed.
    """
    gone = 0
    for tree in _trees(home):
        for name in _listed(tree / "copies"):
            copy = tree / "copies" / name
            if _hash_of(copy) in hashes:
                copy.unlink(missing_ok=True)
                gone += 1
    return gone


def withdraw(home: Path) -> int:
    """Let go of the bytes of files that may be kept no more, for settings changed; how many. Their hashes stay.

    Raises:
        OSError: a copy can be read and not be replaced.
    """
    gone = 0
    for tree in _trees(home):
        root = os.fsdecode(_read(tree / ROOT))
        why = judge_of(str(home), root)
        for path, name in _identities(tree) if root else ():
            copy, reason = tree / "copies" / name, why(f"{root.rstrip('/')}/{path}")
            if reason and (digest := _hash_of(copy)):
                if reason != NOT_RECORDED:
                    write_whole(str(tree / "copies"), name + HASH_ONLY, digest.encode("ascii"))
                copy.unlink(missing_ok=True)
                gone += 1
    return gone


def _trees(home: Path) -> list[Path]:
    return [home / "baselines" / name for name in sorted(_listed(home / "baselines"))]


def _hash_of(path: Path) -> str:
    """The hash of a file's bytes, "" where it is gone."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return ""


def _tidy_tree(tree: Path, now: float) -> int:
    last = _age(tree / LAST, now)
    if last is None or last > KEEP_TREES_SECONDS:
        if (_age(tree, now) or 0) > KEEP_LOOKS_SECONDS:
            shutil.rmtree(tree, ignore_errors=True)
        return 0
    needed = frozenset(name for _, name in _identities(tree))
    gone = 0
    for name in _listed(tree / "copies"):
        if name.removesuffix(HASH_ONLY) not in needed:
            gone += _remove(tree / "copies" / name, now, KEEP_SECONDS)
    names = _listed(tree)
    indexes = sorted(
        (name for name in names if name.startswith("index-")), key=lambda name: _age(tree / name, now) or 0
    )
    for name in indexes[1:]:
        gone += _remove(tree / name, now, KEEP_SECONDS)
    for name in names:
        if name.startswith(("scan-", "base-", "refs-")):
            gone += _remove(tree / name, now, KEEP_LOOKS_SECONDS)
    return gone


def forget(home: Path, located: str) -> int:
    """Remove every copy of one file; how many. Copies of which no look tells the file go with it."""
    gone = 0
    for name in _listed(home / "baselines"):
        tree = home / "baselines" / name
        root = _read(tree / ROOT)
        below = os.path.realpath(root) if root else b""
        path = os.fsencode(located)
        if root and not path.startswith(below.rstrip(b"/") + b"/"):
            continue
        own = os.fsdecode(path[len(below.rstrip(b"/")) + 1 :])
        found = list(_identities(tree)) if root else []
        kept = {name for at, name in found if at != own} - {name for at, name in found if at == own}
        for copy in _listed(tree / "copies"):
            if copy.removesuffix(HASH_ONLY) not in kept:
                gone += _remove(tree / "copies" / copy, inf, 0)
    return gone


def _identities(tree: Path) -> Iterator[tuple[str, str]]:
    """Every file of the newest look, and of those that running calls go on from: its path, its copy's name."""
    names = [name for name in _listed(tree) if name == LAST or name.startswith(("base-", "scan-"))]
    for name in names:
        try:
            stored = marshal.loads((tree / name).read_bytes())
            listings = stored[3] if name.startswith("scan-") else stored
            for at, listing in listings.items():
                for item in items_of(listing).values():
                    yield f"{at}/{item[0]}" if at else item[0], identity(item)
        except (OSError, *DAMAGED):
            continue


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _remove(path: Path, now: float, keep: float) -> int:
    age = _age(path, now)
    if age is None or age <= keep:
        return 0
    try:
        path.unlink()
    except OSError:
        return 0
    return 1


def _age(path: Path, now: float) -> float | None:
    try:
        return now - path.lstat().st_mtime
    except OSError:
        return None


def _listed(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
