"""Which references of git a command moved: all that are there before it, and what is different after it.

Runs inside the hook; loaded only where the command's words name git. Nothing of a repository is run, and its
configuration is not read. What is more than may be read while an agent waits is told as not seen, never in part.
"""

import marshal
import sys

from sulcus_panel.core.capture.shell.keeping import DAMAGED, Baselines, fingerprint
from sulcus_panel.core.capture.shell.standing import HEX, MAX_LINE, git_folder, read_whole

if sys.platform == "win32":
    import nt as system
else:
    import posix as system

FEW = 64
MAX_LOOSE, MAX_PACKED, MAX_MOVES = 1000, 1 << 20, 100
"""References that are files of their own, bytes of the others, and moves that are told."""
TOO_MANY = "the repository has more references than can be looked at in time"
MOVED_MANY = "it moved more references than are kept"
IN_TABLES = "the repository keeps its references in tables"
UNREADABLE = "the references of the repository could not be read"
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

Kept = tuple[str, dict[str, str], bytes]
"""Why they could not be seen, "" where they were; those that are files of their own; git's file of the others."""
Told = tuple[dict[str, str], dict[str, bytes]]


def look_at_refs(moment: str, root: str, key: str, home: str) -> Told:
    """Take one look at the references of the tree's own repository; the one after tells the difference."""
    name = name_of(key)
    baselines = Baselines(home, root)
    try:
        if moment == "before":
            baselines.make()
            baselines.write(name, marshal.dumps(references(root)))
            return {}, {}
        stored = baselines.read(name)
        if moment != "after" or not stored:
            return {}, {}
        was: Kept = marshal.loads(stored)
        baselines.drop(name)
        return _told(was, references(root))
    except (OSError, *DAMAGED):
        return {"tree_refs_gap": UNREADABLE}, {}


def name_of(key: str) -> str:
    """Under which name what was there before a call is kept."""
    return "refs-" + fingerprint(key)


def references(root: str) -> Kept:
    """Every reference of the repository whose working tree is `root`; none where there is no repository."""
    git = git_folder(root)
    if not git:
        return "", {}, b""
    shared = _line(git + "/commondir")
    if shared:
        git = shared if shared[:1] == "/" or shared[1:2] == ":" else git + "/" + shared
    if _is_there(git + "/reftable"):
        return IN_TABLES, {}, b""
    loose = _loose(git)
    if loose is None:
        return TOO_MANY, {}, b""
    try:
        packed = read_whole(git + "/packed-refs", MAX_PACKED)
    except FileNotFoundError:
        packed = b""
    except OSError:
        return TOO_MANY, {}, b""
    return "", loose, packed


def _loose(git: str) -> "dict[str, str] | None":
    """Those that are files of their own; None where there are too many. No link is followed."""
    loose: dict[str, str] = {}
    waiting = ["refs"]
    seen = 0
    while waiting:
        folder = waiting.pop()
        with system.scandir(git + "/" + folder) as entries:
            for entry in entries:
                seen += 1
                if seen > MAX_LOOSE:
                    return None
                name = folder + "/" + entry.name
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(name)
                elif not name.endswith(".lock") and (found := _id(_line(git + "/" + name))):
                    loose[name] = found
    return loose


def _told(was: Kept, now: Kept) -> Told:
    """Three fields a reference that moved, each ended by NUL: name, id before, id after."""
    if gap := was[0] or now[0]:
        return {"tree_refs_gap": gap}, {}
    if was == now:
        return {}, {}
    names = {name for name in was[1].keys() | now[1].keys() if was[1].get(name) != now[1].get(name)}
    if was[2] != now[2]:
        names.update(_named(set(was[2].split(b"\n")) ^ set(now[2].split(b"\n"))))
    before, after = _ids(was, names), _ids(now, names)
    moved = [name for name in sorted(names) if before.get(name) != after.get(name)]
    if len(moved) > MAX_MOVES:
        return {"tree_refs_gap": MOVED_MANY}, {}
    parts = [part for name in moved for part in (name, before.get(name, ""), after.get(name, ""))]
    text = "".join(part + "\0" for part in parts)
    return {}, {"tree_refs": text.encode("utf-8", "surrogateescape")}


def _ids(kept: Kept, names: "set[str]") -> dict[str, str]:
    """The ids of these: a file of its own goes before the line in git's file, which may be long."""
    data = kept[2]
    if len(names) > FEW:
        return {**_named(data.split(b"\n")), **kept[1]}
    found = {}
    for name in names:
        at = data.find(b" " + name.encode("utf-8", "surrogateescape") + b"\n")
        line = data[data.rfind(b"\n", 0, at) + 1 : data.find(b"\n", at)] if at > 0 else b""
        found.update(_named([line]))
        if name in kept[1]:
            found[name] = kept[1][name]
    return found


def _named(lines: "Iterable[bytes]") -> dict[str, str]:
    """What lines of git's file say, by name."""
    found = {}
    for line in lines:
        oid, _, name = line.decode("utf-8", "surrogateescape").partition(" ")
        if name.startswith("refs/") and _id(oid):
            found[name] = oid
    return found


def _is_there(path: str) -> bool:
    try:
        system.lstat(path)
    except OSError:
        return False
    return True


def _line(path: str) -> str:
    try:
        return read_whole(path, MAX_LINE).partition(b"\n")[0].decode("utf-8", "surrogateescape").strip()
    except OSError:
        return ""


def _id(text: str) -> str:
    return text if len(text) in (40, 64) and HEX.issuperset(text) else ""
