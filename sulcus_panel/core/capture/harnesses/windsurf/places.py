"""Where Cascade says that a file is: a path, or an address of one."""

import re

_ESCAPE = re.compile(rb"%([0-9A-Fa-f]{2})")
_DRIVE = re.compile(r"/[A-Za-z]:(?:/|$)")
_SCHEME = "file://"


def path_of(named: str) -> str:
    """The path that `file:///…` stands for; any other text is one already."""
    if not named.startswith(_SCHEME):
        return named
    raw = named.removeprefix(_SCHEME).encode("utf-8", "surrogatepass")
    path = _ESCAPE.sub(lambda found: bytes([int(found[1], 16)]), raw).decode("utf-8", "surrogateescape")
    return path[1:] if _DRIVE.match(path) else path
