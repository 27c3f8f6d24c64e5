"""The words of the command line: every verb with its options, and what may be meant by what was typed."""

import argparse
import os
from collections.abc import Iterable, Mapping, Sequence, Set
from importlib import import_module
from types import MappingProxyType
from typing import Any, NoReturn, Protocol

from sulcus_panel import __version__
from sulcus_panel.cli.context import Context
from sulcus_panel.core.safety import plain

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
USUAL_COLUMNS = 80


class Shape(argparse.HelpFormatter):
    """As argparse's own, which imports every way to compress a file to learn how wide the screen is."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


def _columns() -> int:
    """How wide the screen is, as shutil.get_terminal_size() has it."""
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told):
        return int(told)
    try:
        return os.get_terminal_size(1).columns or USUAL_COLUMNS
    except OSError:
        return USUAL_COLUMNS


class Misspoken(Exception):
    """The words on the command line cannot be meant; `usage` says which can."""

    def __init__(self, message: str, usage: str) -> None:
        super().__init__(message)
        self.usage = usage


class Verb(argparse.ArgumentParser):
    """Takes options and operands in any order, as people type them."""

    _mixing = False

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=Shape, **options)

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


def parsed(words: Sequence[str], theirs: Sequence[str]) -> argparse.Namespace:
    """Read the words. A verb acts on the ledger here: with `--attach` it would act on another than was meant."""
    top = parser(words)
    args = top.parse_args(words, argparse.Namespace(command=theirs))
    if args.attach is not None and args.run is not _open_window:
        top.error("--attach opens the window and goes with no verb; run the verb on that machine")
    return args
