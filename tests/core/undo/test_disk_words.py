"""Every refusal of the disk is told in words, and what is forbidden is told from what failed."""

import errno
import os

import pytest

from sulcus_panel.core.undo.disk_words import outcome_of, told
from sulcus_panel.core.undo.model import Outcome
from sulcus_panel.core.undo.task import Refused, overtaken


@pytest.mark.parametrize(
    ("code", "said", "outcome"),
    [
        (errno.EACCES, "may not be written to by you", Outcome.REFUSED),
        (errno.EPERM, "immutable", Outcome.REFUSED),
        (errno.EROFS, "read-only", Outcome.REFUSED),
        (errno.ETXTBSY, "running", Outcome.REFUSED),
        (errno.ENOSPC, "make room", Outcome.FAILED),
        (errno.EDQUOT, "quota", Outcome.FAILED),
        (errno.EIO, "input/output error", Outcome.FAILED),
        (errno.ENAMETOOLONG, "name", Outcome.FAILED),
        (errno.EBUSY, "busy", Outcome.FAILED),
    ],
)
def test_the_disk_is_quoted_and_explained(code: int, said: str, outcome: Outcome) -> None:
    error = OSError(code, os.strerror(code))
    assert told(error).startswith("the disk refused: ")
    assert said in told(error)
    assert outcome_of(error) is outcome


def test_our_own_errors_speak_for_themselves() -> None:
    assert told(Refused("no", "why")) == "no: why"
    assert outcome_of(Refused("no")) is Outcome.REFUSED
    assert outcome_of(overtaken("a")) is Outcome.FAILED
    assert told(OSError("odd")) == "the disk refused: odd"
