"""A diff that says one long text again and again, as that of hooks does: the text once, a mark for the rest.

Nothing is left out: with each mark put back as its text, the lines are the exact diff.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import count

LONG = 120
"""A shorter text is quicker read than looked up."""
_VALUE = re.compile(r'([-+ ]\s*(?:"[^"]*": )?)(.*?)(,?)', re.DOTALL)


def said_once(lines: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """The texts by their marks, and the lines with the marks in place of the texts."""
    counted = Counter(_parts(line)[1] for line in lines)
    repeated = [text for text, times in counted.items() if times > 1 and len(text) >= LONG]
    whole = "\n".join(lines)
    names = (mark for number in count(1) if (mark := f"<text {number}>") not in whole)
    marks = dict(zip(repeated, names, strict=False))
    marked = []
    for line in lines:
        start, text, end = _parts(line)
        marked.append(start + marks.get(text, text) + end)
    return {mark: text for text, mark in marks.items()}, marked


def _parts(line: str) -> tuple[str, str, str]:
    """What stands before the line's own text (its sign and its key), the text, and a comma behind it."""
    found = _VALUE.fullmatch(line)
    return (found[1], found[2], found[3]) if found else ("", line, "")
