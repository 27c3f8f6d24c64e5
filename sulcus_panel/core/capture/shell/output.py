"""The first and last lines of what a command printed, without those that may hold a secret. Pure."""

import re

from sulcus_panel.core.credentials import holds_a_key
from sulcus_panel.core.safety import plain

FIRST, LAST = 2, 3
MAX_LINE = 200
MAX_READ = 1 << 20
WITHHELD = "[a line was withheld]"
_TELLING = re.compile(
    r"secret|passw|passphrase|token|api.?key|private.?key|credential|authorization|bearer|cookie|://[^/\s]*:[^/\s]*@",
    re.IGNORECASE,
)
_RANDOM = re.compile(r"(?=[A-Za-z0-9+/_-]*\d)(?=[A-Za-z0-9+/_-]*[A-Za-z])[A-Za-z0-9+/_-]{32,}")
"""A long run of letters and digits: a key as likely as a hash."""


def told_lines(output: str) -> str:
    """A few lines from both ends, each plain and short; "" where nothing was printed."""
    head, tail = output[:MAX_READ], output[-MAX_READ:]
    lines = [line for line in head.split("\n") if line.strip()]
    if len(output) <= MAX_READ and len(lines) <= FIRST + LAST:
        return "\n".join(map(_shown, lines))
    last = [line for line in tail.split("\n") if line.strip()][-LAST:]
    return "\n".join([*map(_shown, lines[:FIRST]), "…", *map(_shown, last)])


def _shown(line: str) -> str:
    if _TELLING.search(line) or _RANDOM.search(line) or holds_a_key(line.encode("utf-8", "replace")):
        return WITHHELD
    return plain(line.rstrip("\r"), MAX_LINE)
