"""Parse, dispatch, exit code: 0 done, 1 not possible, 2 usage, 70 our bug.

stdout is the answer, stderr the rest.
"""

import argparse
import errno
import os
import sys
from collections.abc import Iterable, Mapping, Sequence, Set
from importlib import import_module
from types import MappingProxyType
from typing import NoReturn, Protocol

from sulcus_panel import __version__
from sulcus_panel.cli.context import Context
from sulcus_panel.cli.streams import mend_streams, start_again_in_utf8
from sulcus_panel.core.errors import BadRequest, SulcusError
from sulcus_panel.core.safety import plain

NOT_POSSIBLE = 1
USAGE = 2
OUR_BUG = 70
VERBS: Mapping[str, str] = MappingProxyType(
    {
        "demo": "demo",
        "hooks": "hooks",
        "import": "import_runs",
        "acp": "acp",
        "mcp": "mcp",
        "config": "config",
        "forget": "forget",
        "serve": "serve",
        "token": "token",
        "holds": "holds",
        "triggers": "triggers",
        "doctor": "doctor",
        "verify": "verify",
        "completion": "completion",
        "man": "man",
    }
)
"""Each verb's module, in the order of the help: only that of the verb in use is imported."""
LEDGER_VERBS: Mapping[str, str] = MappingProxyType(
    {
        "list": "listing",
        "show": "show",
        "diff": "diff",
        "export": "export",
        "rollback": "rollback",
        "redo": "rollback",
    }
)
LEDGER = "ledger"
NO_ANSWER = (errno.EPIPE, errno.ENOSPC, errno.EIO)
"""The answer cannot be written: the reader went away (`… | head`), or there is no room. Not our bug."""


class Misspoken(Exception):
    """The words on the command line cannot be meant; `usage` says which can."""

    def __init__(self, message: str, usage: str) -> None:
        super().__init__(message)
        self.usage = usage


class Verb(argparse.ArgumentParser):
    """Takes options and operands in any order, as people type them."""

    _mixing = False

    def parse_known_args(  # type: ignore[override]  # argparse's own overloads say no more
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse as the class says; a verb with verbs of its own leaves the order to them."""
        if self._mixing or self._subparsers is not None:
            return super().parse_known_args(args, namespace)
        self._mixing = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._mixing = False

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the words; they may have been pasted, and are made plain."""
        raise Misspoken(plain(message, 1000), f"{self.format_usage()}{self.prog}: error:")


class VerbModule(Protocol):
    """One file of a verb, or of two that belong together."""

    def add(self, verbs: "argparse._SubParsersAction[Verb]", common: argparse.ArgumentParser) -> None:
        """Add the verb to the command line."""


def parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """Return the command line of the program as far as `words` can mean it."""
    common = _common(argparse.SUPPRESS)
    top = Verb(
        prog="sulcus-panel",
        description="See everything coding agents did to your files, and take back exactly one thing of it.",
        epilog="With no verb, the window opens on the workspace of the current folder.",
        parents=[_common(None)],
    )
    top.add_argument("--version", action="version", version=f"sulcus-panel {__version__}")
    top.add_argument(
        "--attach", metavar="URL", help="open the window on another machine's ledger (see README.md)"
    )
    top.set_defaults(run=_open_window)
    verbs = top.add_subparsers(title="verbs", metavar="VERB", parser_class=Verb)
    named = _named((*VERBS, LEDGER), words)
    for module in _modules(VERBS, named):
        module.add(verbs, common)
    if LEDGER in named:
        ledger = verbs.add_parser(LEDGER, parents=[common], help="list, show, diff, export, rollback, redo")
        ledger_verbs = ledger.add_subparsers(title="verbs", metavar="VERB", required=True)
        for module in _modules(LEDGER_VERBS, _named(LEDGER_VERBS, words)):
            module.add(ledger_verbs, common)
    return top


def _named(verbs: Iterable[str], words: Sequence[str]) -> Set[str]:
    """Return the verbs that may be meant: those typed; all where help is asked for or no known one is typed.

    Where nothing but options is typed, none is needed: the window opens.
    """
    known = frozenset(verbs)
    if any(word.startswith("-h") or (len(word) > 2 and "--help".startswith(word)) for word in words):
        return known
    if all(word.startswith("-") for word in words):
        return frozenset()
    return known.intersection(words) or known


def _modules(verbs: Mapping[str, str], named: Set[str]) -> list[VerbModule]:
    wanted = dict.fromkeys(module for verb, module in verbs.items() if verb in named)
    modules: list[VerbModule] = [import_module(f"sulcus_panel.cli.{name}") for name in wanted]
    return modules


def _open_window(args: argparse.Namespace, context: Context) -> int:
    from sulcus_panel.cli import window  # here, for no verb needs it

    return window.run(args, context)


def _common(default: object) -> Verb:
    """Options that stand before or after the verb; after it, silence must not undo what stood before."""
    common = Verb(add_help=False)
    common.add_argument(
        "--workspace", metavar="PATH", default=default, help="the folder meant (registers it)"
    )
    quiet = default if default is argparse.SUPPRESS else False
    common.add_argument("--json", action="store_true", default=quiet, help="answer in JSON")
    return common


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code."""
    words = sys.argv[1:] if argv is None else argv
    words, theirs = _behind_dashes(words)
    try:
        args = _parsed(words, theirs)
    except Misspoken as error:
        return _misspoken(error, words)
    return _run(args, Context(workspace=args.workspace, json=args.json))


def _parsed(words: Sequence[str], theirs: Sequence[str]) -> argparse.Namespace:
    """Read the words. A verb acts on the ledger here: with `--attach` it would act on another than was meant."""
    top = parser(words)
    args = top.parse_args(words, argparse.Namespace(command=theirs))
    if args.attach is not None and args.run is not _open_window:
        top.error("--attach opens the window and goes with no verb; run the verb on that machine")
    return args


def _run(args: argparse.Namespace, context: Context) -> int:
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


def _behind_dashes(words: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Our words, and those that `acp` hands to an agent as they are, dashes and all."""
    at = words.index("--") if "--" in words else len(words)
    return (words[:at], words[at + 1 :]) if "acp" in words[:at] else (words, ())


def _misspoken(error: Misspoken, words: Sequence[str]) -> int:
    """Nothing was parsed, so that whether JSON is wanted is read from the words."""
    print(f"{error.usage} {error}", file=sys.stderr)
    if any(len(word) > 2 and "--json".startswith(word) for word in words):
        _expected(BadRequest(str(error)), Context(json=True))
    return USAGE


def _bug(context: Context) -> int:
    import traceback  # here, for it is hoped that nobody needs it

    traceback.print_exc()
    if context.json:
        from sulcus_panel.service.error_wire import OUR_BUG as ANSWER

        context.print_json(ANSWER)
    print("This is a bug in Sulcus Panel. What was under way is settled at the next start.", file=sys.stderr)
    return OUR_BUG


def _expected(error: SulcusError, context: Context) -> int:
    if context.json:
        from sulcus_panel.service.error_wire import error_json  # here, for most answers are no errors

        context.print_json(error_json(error))
    else:
        print(plain(str(error)), file=sys.stderr)
        if error.hint:
            print(f"hint: {plain(error.hint)}", file=sys.stderr)
    return USAGE if isinstance(error, BadRequest) else NOT_POSSIBLE


def run() -> NoReturn:
    """Entry point of the installed command.

    What is open was closed by then; tearing the interpreter down piece by piece takes as long as starting it.
    """
    start_again_in_utf8()
    mend_streams()
    code = 0
    try:
        code = main()
    except SystemExit as end:  # argparse: help, version, usage
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:  # a closed pipe, a full disk: as main() answers it
            code = code or NOT_POSSIBLE
    os._exit(code)
