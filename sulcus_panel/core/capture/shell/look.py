"""A look at the whole tree before a command and one after it; runs inside the hook, while the agent waits.

What need not be done before the agent goes on is done by a child that nobody waits for: the other copies, and the
listing that the next look is compared with. A tree that is too large is told, not passed over.
"""

import marshal
import sys
from time import monotonic, process_time, sleep, time_ns

from sulcus_panel.core.capture.shell.git_index import Tracked, filtered_endings, is_clean, tracked_files
from sulcus_panel.core.capture.shell.heads import MAX_REPOS, Head, head_of, written_at
from sulcus_panel.core.capture.shell.keeping import (
    DAMAGED,
    MAX_COPY,
    RACY_NS,
    Baselines,
    fingerprint,
    root_before,
    scan_name,
)
from sulcus_panel.core.capture.shell.scan import (
    CTIME,
    MODE,
    SIZE,
    TEXT,
    Differences,
    Item,
    Listings,
    TooMuch,
    Walk,
    differences,
    items_of,
    near,
)
from sulcus_panel.core.capture.shell.standing import FILE, GIT, KIND, read_whole

if sys.platform == "win32":
    import nt as system
else:
    import posix as system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SHORT_SECONDS, LONG_SECONDS, MOST_SECONDS = 0.005, 0.012, 0.1
"""How long the agent may wait for copies, files that the command names first: so much work after a walk that took
long or was short, however long a busy machine takes for it up to the last."""
SMALL_TREE, SMALL_INDEX = 2_000, 200_000
"""Items, and bytes: a first look that has no more asks the index at once."""
FEW = 64
"""So many files are copied without asking the index whether git has them."""
ENTRIES_A_SECOND = 1_500_000
MAX_ATTRIBUTES = 1 << 20
LAST, TOO_MUCH = "last", "too-much"
TRY_AGAIN_NS = 600 * 10**9
"""A tree that was too large is not walked again within this time."""
TOO_LARGE = "the folder has more files than can be looked at in time"
FAILED = "the look at the folder failed"
NOT_SEEN_BEFORE = "no look was taken before the command"
Told = tuple[dict[str, str], dict[str, bytes]]
"""Header fields and sections of the spool file."""


def root_of(cwd: str) -> str:
    """The nearest folder at or above `cwd` that holds .git, else `cwd`."""
    folder = cwd.rstrip("/") or "/"
    while True:
        try:
            system.lstat(folder.rstrip("/") + "/" + GIT)
        except OSError:
            above = folder.rpartition("/")[0]
            if not above:
                return cwd.rstrip("/") or "/"
            folder = above
        else:
            return folder


def look(moment: str, cwd: str, call: tuple[str, str], home: str) -> Told:
    """Take one look: before, after or session. `call`: its key, alike before and after, and its command."""
    root = root_of(cwd)
    if moment == "after":
        root = root_before(root, call[0], home)
    baselines = Baselines(home, root)
    told = {"tree": moment}
    sections = {"tree_root": _bytes(root)}
    try:
        baselines.make()
        if _was_too_much(baselines):
            told["tree_gap"] = TOO_LARGE
        elif moment == "after":
            more, parts = _after(_Look(root, call, home, baselines))
            told.update(more)
            sections.update(parts)
        else:
            try:
                _before(_Look(root, call, home, baselines), waits=moment == "before")
            except DAMAGED:  # what the last look left is no listing: it is taken anew
                baselines.drop(LAST)
                _before(_Look(root, call, home, baselines), waits=moment == "before")
    except TooMuch:
        baselines.write(TOO_MUCH, b"%d" % time_ns())
        told["tree_gap"] = TOO_LARGE
    except OSError as error:
        told["tree_gap"] = f"{FAILED}: {error.strerror}"
    return told, sections


def _was_too_much(baselines: Baselines) -> bool:
    stamp = baselines.read(TOO_MUCH)
    return stamp.isdigit() and 0 <= time_ns() - int(stamp) < TRY_AGAIN_NS


class _Patience:
    """How long the agent still waits."""

    def __init__(self, walk: Walk) -> None:
        work = LONG_SECONDS if walk.items < SMALL_TREE else SHORT_SECONDS
        self.work, self.until = process_time() + work, monotonic() + MOST_SECONDS

    def left(self) -> float:
        """Seconds of work, at most; 0 or less where it is over."""
        return min(self.work - process_time(), self.until - monotonic())


class _Look:
    """What both looks need."""

    def __init__(self, root: str, call: tuple[str, str], home: str, baselines: Baselines) -> None:
        self.root = root
        self.key, self.command = call
        self.home = home
        self.baselines = baselines
        self.is_late = False
        self.at = time_ns()
        self.scan, self.base = scan_name(self.key), "base-" + fingerprint(self.key)

    def walk(self, base: Listings) -> Walk:
        """Look at everything; where all of it is new, git's index tells which files git has.

        In a large tree that alone is more than an agent may wait: the child that goes on asks it (`is_late`).
        """
        own = None if base else head_of(self.root, "", self.baselines)
        wanted = None
        if own is not None and own[4]:
            self.is_late = int(own[4].rpartition("-")[2], 16) > SMALL_INDEX
            wanted = _nothing if self.is_late else self.not_clean(own, self.baselines.read(own[4]))
        walk = Walk(near(self.root, self.home), base, self.home, wanted)
        walk.whole()
        return walk

    def not_clean(self, own: Head, index: bytes) -> "Callable[[str, Item], bool]":
        """Says of a file whether it is to be copied, for git may not have it."""
        tracked, written = tracked_files(index), written_at(own[4])
        filtered = self.filtered(own, tracked)

        def is_loose(path: str, item: Item) -> bool:
            entry = tracked.get(path)
            return entry is None or not is_clean(entry, item, written) or path.endswith(filtered)

        return is_loose

    def late(self, changed: Listings) -> list[tuple[int, str, Item]]:
        """What the walk did not ask about."""
        own = head_of(self.root, "", self.baselines)
        if not self.is_late or own is None:
            return []
        is_loose = self.not_clean(own, self.baselines.read(own[4]))
        return [
            (item[SIZE], path, item)
            for at, listing in changed.items()
            for name, item in items_of(listing).items()
            if item[MODE] & KIND == FILE and is_loose(path := at + "/" + name if at else name, item)
        ]

    def filtered(self, head: Head, tracked: Tracked) -> tuple[str, ...]:
        """Endings of the paths whose objects may not be their bytes, so that they are copied."""
        top = self.root + "/" + head[0] if head[0] else self.root
        found: tuple[str, ...] = ()
        deeper = [top + "/" + path for path in tracked if path.endswith("/.gitattributes")]
        if len(deeper) > FEW:
            return ("",)
        for file in (top + "/.gitattributes", head[1] + "/info/attributes", *deeper):
            try:
                found += filtered_endings(read_whole(file, MAX_ATTRIBUTES))
            except OSError:
                continue
        return found

    def heads(self, walk: Walk) -> list[Head]:
        """Where its repositories stand, the root's own first."""
        repos = sorted(walk.repos)[:MAX_REPOS]
        return [head for at in repos if (head := head_of(self.root, at, self.baselines))]


def _before(look: _Look, *, waits: bool) -> None:
    """Keep what is there, and the bytes of all that git does not have."""
    if waits:
        _keep_all(look, waits=True)
        return
    if _left_to_child():
        return
    try:
        _keep_all(look, waits=False)
    except DAMAGED:
        look.baselines.drop(LAST)
    except TooMuch:
        look.baselines.write(TOO_MUCH, b"%d" % time_ns())
    finally:
        _end_child()


def _keep_all(look: _Look, *, waits: bool) -> None:
    if waits:  # first, for who writes the next one meanwhile must not change what this look goes on from
        look.baselines.link(LAST, look.base)
    base = _loads(look.baselines.read(look.base if waits else LAST))
    walk = look.walk(base)
    heads = look.heads(walk)
    gone = differences(base, walk.changed)[1] if base else []
    if waits:
        state = (look.key, look.root, look.at, walk.changed, gone, heads, walk.unseen)
        look.baselines.write(look.scan, marshal.dumps(state))
    loose = _Loose(look, walk, heads)
    patience = _Patience(walk) if waits else None
    loose.keep(patience)
    if waits and any(0 <= time_ns() - item[CTIME] < RACY_NS for _, _, item in loose.waiting):
        sleep(RACY_NS / 1e9)  # what is written within this tick of the clock could not be told from it
        loose.keep(patience)
    _rest(loose, {**base, **walk.changed}, gone, waits=waits)


def _after(look: _Look) -> Told:
    """What is different now."""
    stored = look.baselines.read(look.scan)
    if not stored:
        return {"tree_gap": NOT_SEEN_BEFORE}, {}
    key, root, since, changed, gone, heads, unseen = marshal.loads(stored)
    if (key, root) != (look.key, look.root):
        return {"tree_gap": NOT_SEEN_BEFORE}, {}
    base = _without({**_loads(look.baselines.read(look.base)), **changed}, gone)
    walk = look.walk(base)
    heads_now = look.heads(walk)
    found, gone, one_sided = differences(base, walk.changed)
    loose = _Loose(look, walk, heads_now)
    loose.keep(_Patience(walk))
    look.baselines.drop(look.scan)
    look.baselines.drop(look.base)
    if found:
        _rest(loose, {**base, **walk.changed}, gone, waits=True)
    return {"tree_since": str(since)}, {
        "tree_changes": changes_told(found),
        "tree_unseen": _bytes("\0".join([*one_sided, *unseen, *walk.unseen])),
        "tree_repos": repos_told(heads, heads_now),
    }


class _Loose:
    """Files that are not as the last look saw them, and that git may not have."""

    def __init__(self, look: _Look, walk: Walk, heads: list[Head]) -> None:
        self.look = look
        self.heads = heads
        self.waiting = walk.loose
        self.changed = walk.changed
        self.asked = walk.wanted is not None and len(heads) == 1

    def keep(self, patience: _Patience | None) -> None:
        """Copy what git does not have, small files first, as long as there is time."""
        if not self._ask_git(patience):
            return
        left = []
        command = self.look.command
        self.waiting.sort(key=lambda one: (one[1].rpartition("/")[2] not in command, one[0]))
        for at, (size, path, item) in enumerate(self.waiting):
            if patience is not None and patience.left() <= 0:
                left += self.waiting[at:]
                break
            # the hash of a large file takes longer than an agent may wait
            is_for_later = patience is not None and size > MAX_COPY
            if is_for_later or not self.look.baselines.keep(self.look.root + "/" + path, item):
                left.append((size, path, item))
        self.waiting = left

    def _ask_git(self, patience: _Patience | None) -> bool:
        """Leave out what the index says is clean; False where there is no time to ask."""
        if self.asked or len(self.waiting) <= FEW:
            return True
        for head in self.heads:
            at, index = head[0], head[4]
            data = self.look.baselines.read(index) if index else b""
            count = int.from_bytes(data[8:12], "big")
            if patience is not None and (count + len(self.waiting)) / ENTRIES_A_SECOND > patience.left():
                return False
            tracked = tracked_files(data)
            self._leave_out(at, tracked, written_at(index), self.look.filtered(head, tracked))
        self.asked = True
        return True

    def _leave_out(self, at: str, tracked: Tracked, written: int, filtered: tuple[str, ...]) -> None:
        cut = len(at) + 1 if at else 0
        self.waiting = [
            (size, path, item)
            for size, path, item in self.waiting
            if (cut and not path.startswith(at + "/"))
            or not (entry := tracked.get(path[cut:]))
            or not is_clean(entry, item, written)
            or path.endswith(filtered)
        ]


def _rest(loose: _Loose, listings: Listings, gone: list[str], *, waits: bool) -> None:
    """Finish without keeping the agent: the other copies, then the listing for the next look.

    Where there is no fork, files that found no time are tried again by the next look.
    """
    if not hasattr(system, "fork"):
        if not loose.waiting and not loose.look.is_late:
            loose.look.baselines.write(LAST, marshal.dumps(_without(listings, gone)))
        return
    if waits and _left_to_child():
        return
    try:
        loose.look.baselines.measure()
        loose.waiting += loose.look.late(loose.changed)
        loose.keep(None)
        system.nice(10)
        if loose.waiting:
            sleep(0.05)  # a file written to within the clock's tick is copied after it
            loose.keep(None)
        loose.look.baselines.write(LAST, marshal.dumps(_without(listings, gone)))
    finally:
        _end_child()


def _end_child() -> None:
    if hasattr(system, "fork"):
        system._exit(0)  # noqa: SLF001 - a child must not come back into its parent's work


def _nothing(_path: str, _item: Item) -> bool:
    return False


def _left_to_child() -> bool:
    """Go on as a child that nobody waits for; True in its parent, which is done. Without fork there is no child."""
    if not hasattr(system, "fork"):
        return False
    if system.fork():
        return True
    system.setsid()
    nowhere = system.open("/dev/null", system.O_RDWR)
    for standard in (0, 1, 2):
        system.dup2(nowhere, standard)
    return False


def _without(listings: Listings, gone: list[str]) -> Listings:
    for at in gone:
        listings.pop(at, None)
    return listings


def _loads(data: bytes) -> Listings:
    try:
        listings: object = marshal.loads(data) if data else {}
    except (ValueError, EOFError, TypeError):
        return {}
    return listings if isinstance(listings, dict) else {}


def changes_told(found: Differences) -> bytes:
    """Five fields a path, each ended by NUL: path, numbers and link text before, numbers and link text after."""
    parts = []
    for path in sorted(found):
        before, after = found[path]
        parts += [path, *_side(before), *_side(after)]
    return _bytes("".join(part + "\0" for part in parts))


def _side(item: Item | None) -> tuple[str, str]:
    return ("", "") if item is None else (" ".join(map(str, item[CTIME:TEXT])), item[TEXT])


def repos_told(before: list[Head], after: list[Head]) -> bytes:
    """Eight fields a repository, each ended by NUL: folder, git folder; HEAD, branch, index before; and after."""
    now = {head[0]: head for head in after}
    was = {head[0]: head for head in before}
    parts = []
    for at in sorted(was.keys() | now.keys()):
        known = now.get(at) or was[at]
        parts += [at, known[1]]
        for head in (was.get(at), now.get(at)):
            parts += head[2:] if head else ("", "", "")
    return _bytes("".join(part + "\0" for part in parts))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
