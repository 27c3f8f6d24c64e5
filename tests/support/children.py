"""Processes of our own for a moment: to be killed, to have no rights, or to come at the same time as others."""

import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

NOBODY = 65534


def forked(act: Callable[[], object], *, rights: bool = True) -> int:
    """Begin to do this in a process of its own, if need be as a user without `rights`; returns its id.

    It ends with 0, or with 1 and the error on stderr where `act` raises: never does it go on as a second test run.
    """
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        if not rights:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        act()
        code = 0
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        sys.stderr.flush()
        os._exit(code)


def exit_code(child: int) -> int:
    """Wait for a process; how it ended."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def in_a_child(act: Callable[[], object]) -> int:
    """Do this in a process of its own; how that ended."""
    return exit_code(forked(act))


def holds_for_nobody(act: Callable[[], bool]) -> bool:
    """Say whether `act` gives True when a user without rights does it."""

    def held() -> None:
        assert act()

    return exit_code(forked(held, rights=False)) == 0


def give_away(folder: Path) -> None:
    """Make everything below a folder, and itself, the user's without rights."""
    for here, _, names in os.walk(folder):
        for place in (here, *(os.path.join(here, name) for name in names)):
            os.chown(place, NOBODY, NOBODY, follow_symlinks=False)
