"""The command line by which a harness starts our hook: an absolute interpreter, and an end that is always well.

Where a harness starts programs by argv, that is it; where it has a shell in between, the same words are quoted.
The line stays the same from one installation to the next, for Codex asks its person again after every change.
"""

import os
import shlex
import string
import sys
from collections.abc import Sequence
from pathlib import Path

MARK = "# sulcus-panel hook"
HOOK_PATH = "sulcus_panel/core/capture/hook.py"
LAUNCHER = f"""{MARK}
import sys
sys.argv = sys.argv[1:]
try:
    from _frozen_importlib_external import SourceFileLoader
    script = sys.argv[0]
    loader = SourceFileLoader(script, script)
    try:
        code = loader.get_code(script)
    except Exception:
        code = loader.source_to_code(loader.get_data(script), script)
    exec(code, dict(__name__=__name__, __file__=script))
except BaseException:
    pass
"""
"""Runs hook.py from its cached byte code, and ends well even where hook.py is gone: `python MISSING.py` exits
2, which a harness takes for "block this call". Byte code that a full disk has cut short is passed over, which
Python by itself would not do. It holds no quote, so that every shell passes it on as it is."""


_PLAIN = frozenset(string.ascii_letters + string.digits + "-_.:\\/")


def hook_command(harness: str, spool: Path, python: str | None = None) -> tuple[str, ...]:
    """The argv that a harness starts at every event."""
    hook = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "hook.py")
    interpreter = os.path.abspath(python or sys.executable)
    return (interpreter, "-I", "-S", "-E", "-c", LAUNCHER, hook, harness, str(spool))


def shell_line(argv: Sequence[str], platform: str = sys.platform) -> str:
    """The same as one line for the system's shell; the launcher's lines become one `exec` of a text."""
    words = ["exec(" + repr(word) + ")" if word == LAUNCHER else word for word in argv]
    if platform != "win32":
        return shlex.join(words)
    # No word of ours holds a double quote, and no file name can: quotes around it are all that a word needs there.
    return " ".join(f'"{word}"' if set(word) - _PLAIN else word for word in words)


def never_failing(argv: Sequence[str], platform: str = sys.platform) -> tuple[str, ...]:
    """An argv that ends well even where the interpreter is gone, for a harness that takes that for "deny"."""
    return tuple(argv) if platform == "win32" else ("/bin/sh", "-c", '"$@" || :', MARK, *argv)


def is_ours(words: Sequence[str]) -> bool:
    """Whether a command line is our hook's, of whichever installation."""
    return any(MARK in word or word.replace("\\", "/").endswith("/" + HOOK_PATH) for word in words)
