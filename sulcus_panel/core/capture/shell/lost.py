"""One more look for a call that never told its end; runs inside the hook, and in the recorder after a long silence.

Nobody waits for a command by then, so it is one process that looks, and nothing is left to a child. The look before
the call is used up with it.
"""

import marshal

from sulcus_panel.core.capture.shell.heads import MAX_REPOS, head_of
from sulcus_panel.core.capture.shell.keeping import DAMAGED, Baselines, fingerprint
from sulcus_panel.core.capture.shell.look import TOO_LARGE, Told, changes_told, repos_told
from sulcus_panel.core.capture.shell.scan import (
    MAX_ITEMS,
    Differences,
    Listings,
    TooMuch,
    Walk,
    differences,
)
from sulcus_panel.core.capture.shell.standing import read_whole

MAX_KEPT, MAX_KEPT_BYTES = 200, 16 << 20
"""So much of what is found is copied at once, for whoever reads the event may come much later."""


def look_again(folder: str, name: str, home: str, agent: "str | None" = None) -> "Told | None":
    """Say what is not as the look `name` in `folder` found it; None where it is another agent's, or damaged.

    `agent`: whose calls are meant, "" for the main agent's, None for all.
    """
    try:
        key, root, since, changed, gone, heads, unseen = marshal.loads(read_whole(folder + "/" + name))
        if agent is not None and key.split("\0")[2] != agent:
            return None
        baselines = Baselines(home, root)
        base = _base(baselines, key, changed, gone)
    except (OSError, *DAMAGED):
        return None
    told = {"tree": "after", "tree_since": str(since)}
    sections = {"tree_root": _bytes(root), "tree_key": name.encode()}
    walk = Walk(root, base, home)
    try:
        walk.below([""], MAX_ITEMS)
    except TooMuch:
        told["tree_gap"] = TOO_LARGE
    else:
        found, _, one_sided = differences(base, walk.changed)
        now = [head for at in sorted(walk.repos)[:MAX_REPOS] if (head := head_of(root, at, baselines))]
        _keep(baselines, root, found)
        sections["tree_changes"] = changes_told(found)
        sections["tree_unseen"] = _bytes("\0".join([*one_sided, *unseen, *walk.unseen]))
        sections["tree_repos"] = repos_told(heads, now)
    baselines.drop(name)
    baselines.drop("base-" + fingerprint(key))
    baselines.drop("refs-" + fingerprint(key))  # who moved what in so long a time, nobody knows
    return told, sections


def _base(baselines: Baselines, key: str, changed: Listings, gone: list[str]) -> Listings:
    """All that the look before the call saw."""
    stored = baselines.read("base-" + fingerprint(key))
    base: Listings = {**(marshal.loads(stored) if stored else {}), **changed}
    for at in gone:
        base.pop(at, None)
    return base


def _keep(baselines: Baselines, root: str, found: Differences) -> None:
    """Copy what stands there now, small files first."""
    there = sorted((after[3], path, after) for path, (_, after) in found.items() if after is not None)
    left = MAX_KEPT_BYTES
    baselines.make()
    baselines.measure()
    for size, path, item in there[:MAX_KEPT]:
        left -= size
        if left >= 0:
            baselines.keep(root + "/" + path, item)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
