"""Parse, dispatch, exit code: 0 done, 1 not possible, 2 usage, 70 our bug.

stdout is the answer, stderr the rest.
"""

import argparse
import errno
import os
import sys
import traceback
from collections.abc import Sequence

from sulcus_panel import __version__
from sulcus_panel.cli import (
    config,
    demo,
    diff,
    doctor,
    export,
    hooks,
    import_runs,
    listing,
    rollback,
    show,
    window,
)
from sulcus_panel.cli.context import Context
from sulcus_panel.core.errors import BadRequest, SulcusError
from sulcus_panel.core.safety import plain

NOT_POSSIBLE = 1
USAGE = 2
OUR_BUG = 70
NO_ANSWER = (errno.EPIPE, errno.ENOSPC, errno.EIO)
"""The answer cannot be written: the reader went away (`… | head`), or there is no room. Not our bug."""


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


def parser() -> argparse.ArgumentParser:
    """Return the whole command line of the program."""
    common = _common(argparse.SUPPRESS)
    top = Verb(
        prog="sulcus-panel",
        description="See everything coding agents did to your files, and take back exactly one thing of it.",
        epilog="With no verb, the window opens on the workspace of the current folder.",
        parents=[_common(None)],
    )
    top.add_argument("--version", action="version", version=f"sulcus-panel {__version__}")
    top.set_defaults(run=window.run)
    verbs = top.add_subparsers(title="verbs", metavar="VERB", parser_class=Verb)
    for verb in (demo, hooks, import_runs, config, doctor):
        verb.add(verbs, common)
    ledger = verbs.add_parser("ledger", parents=[common], help="list, show, compare, export, undo, redo")
    ledger_verbs = ledger.add_subparsers(title="verbs", metavar="VERB", required=True)
    for verb in (listing, show, diff, export, rollback):
        verb.add(ledger_verbs, common)
    return top


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
    args = parser().parse_args(argv)
    context = Context(workspace=args.workspace, json=args.json)
    try:
        code: int = args.run(args, context)
        sys.stdout.flush()
    except SulcusError as error:
        return _expected(error, context)
    except OSError as error:
        if error.errno not in NO_ANSWER:
            return _bug()
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if error.errno != errno.EPIPE:
            print(f"The answer cannot be written: {error.strerror}", file=sys.stderr)
        return NOT_POSSIBLE
    except KeyboardInterrupt:
        print("\nStopped; nothing more was done.", file=sys.stderr)
        return 130
    except Exception:  # noqa: BLE001 - the terminal's one place for our bugs
        return _bug()
    return code


def _bug() -> int:
    traceback.print_exc()
    print("This is a bug in Sulcus Panel. What was under way is settled at the next start.", file=sys.stderr)
    return OUR_BUG


def _expected(error: SulcusError, context: Context) -> int:
    if context.json:
        context.print_json(
            {
                "error": error.code,
                "title": error.title,
                "detail": error.detail,
                "hint": error.hint,
                "field": getattr(error, "field", ""),
            }
        )
    else:
        print(plain(str(error)), file=sys.stderr)
        if error.hint:
            print(f"hint: {plain(error.hint)}", file=sys.stderr)
    return USAGE if isinstance(error, BadRequest) else NOT_POSSIBLE


def run() -> None:
    """Entry point of the installed command."""
    sys.exit(main())
