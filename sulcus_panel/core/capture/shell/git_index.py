"""Git's index by its bytes: which file has which object, and by which stat. Pure; runs inside the hook too.

Format: git's own gitformat-index, versions 2 to 4. A split or a sparse index, one of another hash, or a damaged one
tells nothing here.
"""

from sulcus_panel.core.capture.shell.scan import FILE, KIND, LINK, Item

HEADER, FIXED, NAME_AT, LONG_NAME = 12, 40, 62, 0xFFF
SECOND = 1_000_000_000

Tracked = dict[bytes, bytes]
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


def _plain(data: bytes, count: int, found: Tracked) -> int:
    """Entries with whole names, padded to eight bytes; returns where they end."""
    at = HEADER
    for _ in range(count):
        name_at = at + NAME_AT + 2 * (data[at + 60] >> 6 & 1)
        end = data.index(b"\0", name_at)
        if not data[at + 60] & 0x30:
            found[data[name_at:end]] = data[at : at + NAME_AT]
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
        if not data[at + 60] & 0x30:
            found[name] = data[at : at + NAME_AT]
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
    kind = int.from_bytes(entry[24:28], "big")
    if kind & KIND != mode & KIND or mode & KIND not in (FILE, LINK):
        return False
    if mtime >= written_ns:
        return False
    return (
        entry[8:16] == (mtime // SECOND << 32 | mtime % SECOND).to_bytes(8, "big")
        and entry[36:40] == (size & 0xFFFFFFFF).to_bytes(4, "big")
        and entry[:4] == (ctime // SECOND & 0xFFFFFFFF).to_bytes(4, "big")
        and entry[20:24] == (inode & 0xFFFFFFFF).to_bytes(4, "big")
        and (mode & KIND == LINK or bool(mode & 0o100) == bool(kind & 0o100))
    )


def object_id(entry: bytes) -> str:
    """The object that the index names for this file."""
    return entry[FIXED : FIXED + 20].hex()
