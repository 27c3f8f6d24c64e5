"""The disk against the ledger's memory: which known paths are no longer what was last seen there.

Cheap looks decide first (lstat), a hash decides last. A watcher's event is a reason to look, never a verdict.
"""

import os
import time
from collections.abc import Iterable, Mapping, MutableMapping

from sulcus_panel.core.disk import Fingerprint, fingerprint, look
from sulcus_panel.core.errors import UnsafePath
from sulcus_panel.core.model import DriftKind, FileState, LedgerPath
from sulcus_panel.core.safety import check_path
from sulcus_panel.core.states import drift_between

Fingerprints = MutableMapping[LedgerPath, tuple[Fingerprint, FileState]]
"""A path's fingerprint and the state that was read with it. Owned by the caller, filled here."""

Glances = MutableMapping[LedgerPath, Fingerprint | None]
"""What glance() last saw at a path, None for nothing. Owned by the caller, filled there."""

SETTLED_NS = 100_000_000
"""A file touched less than this ago may change again without its times showing it, so it is read again."""


def measure_drift(
    root: str, known: Mapping[LedgerPath, FileState], fingerprints: Fingerprints
) -> Mapping[LedgerPath, DriftKind | None]:
    """Return, for every known path inside the workspace, how the disk differs from it (None: it does not).

    A path whose fingerprint has not moved since it was last read is not read again. Paths outside the root
    and protected ones are left out: they are never watched.
    """
    drift: dict[LedgerPath, DriftKind | None] = {}
    for path, state in known.items():
        try:
            check_path(path)
        except UnsafePath:
            continue
        drift[path] = drift_between(state, _now(root, path, fingerprints))
    return drift


def _now(root: str, path: LedgerPath, fingerprints: Fingerprints) -> FileState:
    seen = fingerprint(root, path)
    cached = fingerprints.get(path)
    if seen is not None and cached is not None and cached[0] == seen:
        return cached[1]
    state = look(root, path, max_bytes=0).state
    # Only a reading framed by two equal, settled fingerprints may stand for later looks.
    settled = seen is not None and time.time_ns() - seen[0] > SETTLED_NS
    if seen is not None and settled and seen == fingerprint(root, path):
        fingerprints[path] = (seen, state)
    else:
        fingerprints.pop(path, None)
    return state


def glance(root: str, paths: Iterable[LedgerPath], seen: Glances) -> set[LedgerPath]:
    """Return the paths that may have changed since the last glance at them, by one lstat each.

    A path glanced at for the first time is among them. Links among the folders are followed here, so this is
    a reason to look and never a verdict.
    """
    moved: set[LedgerPath] = set()
    settled = time.time_ns() - SETTLED_NS
    for path in paths:
        try:
            found = os.lstat(f"{root}/{path}")
            now = (found.st_mtime_ns, found.st_size, found.st_ino, found.st_mode)
        except (OSError, ValueError):  # a NUL in a name
            now = None
        if path not in seen or seen[path] != now:
            moved.add(path)
        if now is not None and now[0] > settled:
            seen.pop(path, None)
        else:
            seen[path] = now
    return moved
