"""Makes what the process was started with fit for use, before anything else is opened.

A closed stream would hand its number to the next file that is opened, and the ledger is not what others may
print into. In a locale that is not UTF-8 the names of files would be other bytes than those recorded.
"""

import io
import os
import sys

NAMES = ("stdin", "stdout", "stderr")
UTF8 = "PYTHONUTF8"


def mend_streams() -> None:
    """Open what is closed on nothing, and let no character stop an answer that the stream cannot show."""
    for number, name in enumerate(NAMES):
        if getattr(sys, name) is None:
            _open_on_nothing(number, name)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def start_again_in_utf8() -> None:
    """Where file names are not UTF-8 to this interpreter, become one to which they are; else return."""
    if sys.getfilesystemencoding() == "utf-8" or os.environ.get(UTF8) == "1" or not sys.orig_argv:
        return
    shown = getattr(sys.stdout, "encoding", None) or "ascii"
    environment = {**os.environ, UTF8: "1", "PYTHONIOENCODING": f"{shown}:backslashreplace"}
    os.execve(sys.executable, sys.orig_argv, environment)


def _open_on_nothing(number: int, name: str) -> None:
    """Take the stream's own number, so that no file gets it."""
    at = os.open(os.devnull, os.O_RDWR)
    if at != number:
        os.dup2(at, number)
        os.close(at)
    setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8", closefd=False))  # noqa: SIM115
