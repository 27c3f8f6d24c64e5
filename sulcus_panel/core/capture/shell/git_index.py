"""Git's index by its bytes: which file has which object, and by which stat. Pure; runs inside the hook too.

Format: git's own gitformat-index, versions 2 to 4. A split or a sparse index, one of another hash, or a damaged one
tells nothing here.
"""

from sulcus_panel.core.capture.shell.scan import LINK, Item
from sulcus_panel.core.capture.shell.standing import KIND

STAT = __import__("_struct").Struct(">10I")
"""The struct module's own part in C: what is around it costs time and is not needed."""
HEADER, FIXED, NAME_AT, LONG_NAME = 12, 40, 62, 0xFFF
KINDS = frozenset((0o100644, 0o100755, 0o100664, 0o120000, 0o160000))
SECOND = 1_000_000_000
MAX_NAME = 1 << 14
CHANGING = (b"filter", b"crlf", b"ident", b"encoding")
"""In the attributes that make a file's bytes others than its object's."""

Tracked = dict[str, bytes]
"""Path -> ten big-endian numbers of 4 bytes as of stat, the object's id, and the flags."""


def tracked_files(data: bytes) -> Tracked:
    """What the index tracks, conflicts left out; nothing where it cannot be understood."""
    if data[:4] != b"DIRC" or len(data) < HEADER + 20:
        return {}
    version, count = int.from_bytes(data[4:8], "big"), int.from_bytes(data[8:12], "big")
    if version not in (2, 3, 4):
        return {}
    found: Tracked = {}
    try:
        end = _packed(data, count, found) if version == 4 else _plain(data, count, found)
    except (IndexError, ValueError):
        return {}
    return found if _is_whole(data, end) else {}


def one_file(data: bytes, path: str) -> bytes | None:
    """One path's entry, found without reading the others; None where it is not there, or the index is packed."""
    if data[:4] != b"DIRC" or int.from_bytes(data[4:8], "big") not in (2, 3):
        return None
    name = path.encode("utf-8", "surrogateescape")
    at = data.find(name + b"\0") if name else -1
    while at >= 0:
        for extra in (0, 2):
            start = at - NAME_AT - extra
            if start < HEADER or (start - HEADER) % 8:
                continue
            flags = int.from_bytes(data[start + 60 : start + 62], "big")
            kind = int.from_bytes(data[start + 24 : start + 28], "big")
            if bool(extra) != bool(flags & 0x4000) or flags & 0x3000 or kind not in KINDS:
                continue
            if flags & LONG_NAME == min(len(name), LONG_NAME):
                return data[start : start + NAME_AT]
        at = data.find(name + b"\0", at + 1)
    return None


def _plain(data: bytes, count: int, found: Tracked) -> int:
    """Entries with whole names, padded to eight bytes; returns where they end."""
    at, find = HEADER, data.index
    for _ in range(count):
        flags = data[at + 60]
        name_at = at + NAME_AT
        if flags & 0x70:
            name_at += 2 * (flags >> 6 & 1)
            end = find(b"\0", name_at)
            if not flags & 0x30:
                found[str(data[name_at:end], "utf-8", "surrogateescape")] = data[at : at + NAME_AT]
        else:
            end = find(b"\0", name_at)
            found[str(data[name_at:end], "utf-8", "surrogateescape")] = data[at:name_at]
        at += (end - at + 8) & ~7
    return at


def _packed(data: bytes, count: int, found: Tracked) -> int:
    """Entries whose names go on from the one before."""
    at, name = HEADER, b""
    for _ in range(count):
        name_at = at + NAME_AT + 2 * (data[at + 60] >> 6 & 1)
        strip, name_at = _number(data, name_at)
        end = data.index(b"\0", name_at)
        name = name[: len(name) - strip] + data[name_at:end]
        if len(name) > MAX_NAME:  # each name goes on from the last: a small index could fill the memory
            raise ValueError
        if not data[at + 60] & 0x30:
            found[str(name, "utf-8", "surrogateescape")] = data[at : at + NAME_AT]
        at = end + 1
    return at


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Git's offset encoding: seven bits a byte, the highest first, each continuation counting one more."""
    byte = data[at]
    value = byte & 0x7F
    at += 1
    while byte & 0x80:
        byte = data[at]
        value = (value + 1) << 7 | byte & 0x7F
        at += 1
    return value, at


def _is_whole(data: bytes, at: int) -> bool:
    """Say whether extensions fill what is left but for the hash, and none changes what the entries mean."""
    while at < len(data) - 20:
        kind, size = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "big")
        if kind in (b"link", b"sdir"):
            return False
        at += 8 + size
    return at == len(data) - 20


def is_clean(entry: bytes, item: Item, written_ns: int) -> bool:
    """Say whether a file is as the index has it, by stat alone; `written_ns`: the index file's own mtime.

    What was written no earlier than the index itself may have been written to since (git's "racily clean").
    """
    _, ctime, mtime, size, inode, mode, _ = item
    changed, changed_parts, seconds, parts, _, number, kind, _, _, length = STAT.unpack_from(entry)
    return (
        seconds * SECOND + parts == mtime < written_ns
        and changed * SECOND + changed_parts == ctime
        and length == size & 0xFFFFFFFF
        and number == inode & 0xFFFFFFFF
        and (kind ^ mode) & KIND == 0
        and ((kind ^ mode) & 0o100 == 0 or mode & KIND == LINK)
    )


def is_as_written(entry: bytes, item: Item) -> bool:
    """Say whether git wrote a file, or found in it what the index has, and nobody has written to it since."""
    _, ctime, mtime, size, inode, _, _ = item
    changed, changed_parts, seconds, parts, _, number, _, _, _, length = STAT.unpack_from(entry)
    return (
        (seconds * SECOND + parts, changed * SECOND + changed_parts) == (mtime, ctime)
        and length == size & 0xFFFFFFFF
        and number == inode & 0xFFFFFFFF
    )


def object_id(entry: bytes) -> str:
    """The object that the index names for this file."""
    return entry[FIXED : FIXED + 20].hex()


def filtered_endings(attributes: bytes) -> tuple[str, ...]:
    """Endings of the paths whose bytes a .gitattributes file may have git change: "" stands for all of them."""
    found = []
    for line in attributes.split(b"\n"):
        pattern, _, told = line.strip().partition(b" ")
        if any(name in told for name in CHANGING) and not pattern.startswith(b"#"):
            ending = pattern[1:]
            is_plain = pattern.startswith(b"*.") and not any(letter in ending for letter in b'*?[\\/!"\t')
            found.append(str(ending, "utf-8", "surrogateescape") if is_plain else "")
    return tuple(found)
