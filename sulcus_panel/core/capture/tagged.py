"""What stands between a tag and its end in a long text, in time that grows with the text alone."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tagged:
    """One tag as it was found, what is in it, and where it begins and ends."""

    tag: re.Match[str]
    body: str
    start: int
    end: int


def tagged(text: str, opening: re.Pattern[str], closing: Callable[[re.Match[str]], str]) -> Iterator[Tagged]:
    """Each tag up to its first end, one behind the other; one without an end is none."""
    at = 0
    endless: set[str] = set()
    while found := opening.search(text, at):
        mark = closing(found)
        end = text.find(mark, found.end()) if mark not in endless else -1
        if end < 0:
            endless.add(mark)
            at = found.end()
            continue
        at = end + len(mark)
        yield Tagged(found, text[found.end() : end], found.start(), at)
