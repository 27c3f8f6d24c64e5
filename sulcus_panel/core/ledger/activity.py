"""What a session is about, apart from the questions (queries.py): an undo asks who is at work and no more."""

from enum import IntEnum


class Activity(IntEnum):
    """What a session is about after an event; as stored."""

    WORKING = 0
    ENDED = 1
    RESTING = 2
    """Its agent has stopped and waits for the person."""
