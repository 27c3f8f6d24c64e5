"""Characters that no command may hold, quoted or not: what ends a line, moves a cursor or cannot be seen."""

import re
import unicodedata

from sulcus_panel.core.safety.guard.verdict import Refused

MOST_MARKS = 4

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters and marks without a picture; format characters and blanks are known by their category."""

_BLANKS = frozenset(" \t")
_FORMAT = frozenset(("Cf", "Co", "Cn", "Zl", "Zp", "Zs"))
_MARKS = frozenset(("Mn", "Mc", "Me"))


def check_characters(text: str) -> None:
    """Raise Refused at a control, a surrogate, an unseen or unassigned character or a pile of marks."""
    control = _CONTROL.search(text)
    if control:
        raise Refused("syntax.newline" if control[0] == "\n" else "syntax.control")
    if text.isascii():
        return
    kinds = set(map(unicodedata.category, set(text) - _BLANKS))
    if "Cs" in kinds:
        raise Refused("unicode.surrogate")
    if _UNSEEN.search(text) or not _FORMAT.isdisjoint(kinds):
        raise Refused("unicode.format")
    if not _MARKS.isdisjoint(kinds) and _piles_up(text):
        raise Refused("unicode.format")


def _piles_up(text: str) -> bool:
    run = 0
    for char in text:
        run = run + 1 if unicodedata.category(char) in _MARKS else 0
        if run > MOST_MARKS:
            return True
    return False
