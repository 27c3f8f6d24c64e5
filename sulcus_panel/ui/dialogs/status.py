"""A few words and the mood that they are said in: what every part of the sheet is told by."""

from dataclasses import dataclass
from enum import StrEnum


class Mood(StrEnum):
    """How a status is coloured; the words say it too."""

    GOOD = "good"
    CAUTION = "caution"
    BAD = "bad"
    QUIET = "quiet"


@dataclass(frozen=True, slots=True)
class Status:
    """A few words and their mood."""

    text: str
    mood: Mood
