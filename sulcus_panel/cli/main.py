"""Run one command line, exit code: 0 done, 1 not possible, 2 usage, 70 our bug.

stdout is the answer, stderr the rest. What the words mean is command_line.py's, which is imported only where
there is more to be said than the version: argparse takes longer to import than Python to start.
"""

import errno
import gc
import os
import sys

from sulcus_panel import __version__
from sulcus_panel.cli.streams import mend_streams, start_again_in_utf8
from sulcus_panel.core.errors import BadRequest, SulcusError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from sulcus_panel.cli.command_line import Misspoken
    from sulcus_panel.cli.context import Context

NOT_POSSIBLE = 1
USAGE = 2
OUR_BUG = 70
NO_ANSWER = (errno.EPIPE, errno.ENOSPC, errno.EIO)
"""The answer cannot be written: the reader went away (`… | head`), or there is no room. Not our bug."""


def main(argv: "Sequence[str] | None" = None, before_verb: "Callable[[], None]" = lambda: None) -> int:
    """Run one command line and return its exit code; `before_verb` is called once it is known what is meant."""
    words = sys.argv[1:] if argv is None else argv
    if list(words) == ["--version"]:
        return _version()
    from sulcus_panel.cli.command_line import Misspoken, parsed
    from sulcus_panel.cli.context import Context

    words, theirs = _behind_dashes(words)
    try:
        args = parsed(words, theirs)
    except Misspoken as error:
        return _misspoken(error, words)
    before_verb()
    return _run(args, Context(workspace=args.workspace, json=args.json))


def _version() -> int:
    try:
        print(f"sulcus-panel {__version__}", flush=True)
    except OSError:  # as _run() answers it
        return NOT_POSSIBLE
    return 0


def _run(args: "argparse.Namespace", context: "Context") -> int:
    try:
        code: int = args.run(args, context)
        sys.stdout.flush()
    except SulcusError as error:
        return _expected(error, context)
    except OSError as error:
        if error.errno not in NO_ANSWER:
            return _bug(context)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if error.errno != errno.EPIPE:
            print(f"The answer cannot be written: {error.strerror}", file=sys.stderr)
        return NOT_POSSIBLE
    except KeyboardInterrupt:
        print("\nStopped; nothing more was done.", file=sys.stderr)
        return 130
    except Exception:  # noqa: BLE001 - the terminal's one place for our bugs
        return _bug(context)
    return code


def _behind_dashes(words: "Sequence[str]") -> "tuple[Sequence[str], Sequence[str]]":
    """Our words, and those that `acp` hands to an agent as they are, dashes and all."""
    at = words.index("--") if "--" in words else len(words)
    return (words[:at], words[at + 1 :]) if "acp" in words[:at] else (words, ())


def _misspoken(error: "Misspoken", words: "Sequence[str]") -> int:
    """Nothing was parsed, so that whether JSON is wanted is read from the words."""
    from sulcus_panel.cli.context import Context

    print(f"{error.usage} {error}", file=sys.stderr)
    if any(len(word) > 2 and "--json".startswith(word) for word in words):
        _expected(BadRequest(str(error)), Context(json=True))
    return USAGE


def _bug(context: "Context") -> int:
    import traceback  # here, for it is hoped that nobody needs it

    traceback.print_exc()
    if context.json:
        from sulcus_panel.service.error_wire import OUR_BUG as ANSWER

        context.print_json(ANSWER)
    print("This is a bug in Sulcus Panel. What was under way is settled at the next start.", file=sys.stderr)
    return OUR_BUG


def _expected(error: SulcusError, context: "Context") -> int:
    if context.json:
        from sulcus_panel.service.error_wire import error_json  # here, for most answers are no errors

        context.print_json(error_json(error))
    else:
        from sulcus_panel.core.safety import plain

        print(plain(str(error)), file=sys.stderr)
        if error.hint:
            print(f"hint: {plain(error.hint)}", file=sys.stderr)
    return USAGE if isinstance(error, BadRequest) else NOT_POSSIBLE


def _collect_from_here() -> None:
    """Look for garbage from now on, and only in what is new: what was imported and parsed stays."""
    gc.freeze()
    gc.enable()


def run() -> "NoReturn":
    """Entry point of the installed command.

    What is open was closed by then; tearing the interpreter down piece by piece takes as long as starting it.
    """
    gc.disable()
    start_again_in_utf8()
    mend_streams()
    code = 0
    try:
        code = main(before_verb=_collect_from_here)
    except SystemExit as end:  # argparse: help, version, usage
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:  # a closed pipe, a full disk: as main() answers it
            code = code or NOT_POSSIBLE
    os._exit(code)
