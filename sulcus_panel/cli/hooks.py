"""`hooks install | uninstall | status | command`: the exact config diff, one question, a backup, a merge."""

import argparse
import shlex
import sys
from pathlib import Path

from sulcus_panel.cli.context import Context, tell
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.safety import plain
from sulcus_panel.service.hooks import HARNESSES, ConfigEdit, Hooks, HooksStatus
from sulcus_panel.service.operations import Operations


def add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the verb."""
    verb = verbs.add_parser("hooks", parents=[common], help="record an agent's work as it happens")
    what = verb.add_subparsers(metavar="install | uninstall | status | command", required=True)
    for name, run, text in (
        ("install", run_install, "show the config diff, ask, back up, merge"),
        ("uninstall", run_uninstall, "take our hooks out again, and nothing else"),
        ("status", run_status, "which hooks stand"),
    ):
        one = what.add_parser(name, parents=[common], help=text)
        one.add_argument("harness", nargs="*", default=list(HARNESSES), metavar="HARNESS")
        one.add_argument("--project", metavar="DIR", help="that folder's own settings, not the user's")
        one.set_defaults(run=run)
    command = what.add_parser("command", parents=[common], help="the argv that a harness must start")
    command.add_argument("harness", metavar="HARNESS")
    command.set_defaults(run=run_command)


def _each(args: argparse.Namespace) -> list[Hooks]:
    project = Path(args.project).expanduser().resolve() if args.project else None
    return [Hooks(DataHome.default(), harness, project) for harness in args.harness]


def run_install(args: argparse.Namespace, context: Context) -> int:
    """Install each harness's hooks after a yes."""
    return _edit_all(args, context, installing=True)


def run_uninstall(args: argparse.Namespace, context: Context) -> int:
    """Take each harness's hooks out after a yes."""
    return _edit_all(args, context, installing=False)


def _edit_all(args: argparse.Namespace, context: Context, *, installing: bool) -> int:
    answers = []
    for hooks in _each(args):
        edit = hooks.install_plan() if installing else hooks.uninstall_plan()
        done = _edit_one(hooks, edit, installing=installing)
        answers.append({"harness": hooks.harness, "path": str(edit.path), "outcome": done})
    if context.json:
        context.print_json({"hooks": answers})
    return 0


def _edit_one(hooks: Hooks, edit: ConfigEdit, *, installing: bool) -> str:
    if not edit.changes:
        tell(f"{hooks.harness}: nothing to do in {edit.path}")
        return "unchanged"
    for line in edit.diff.split("\n"):
        tell(line)
    if edit.note:
        tell(edit.note)
    if edit.backup_path is not None:
        tell(f"A copy of the file as it is goes to {edit.backup_path}")
    verb = "Install these hooks" if installing else "Take these hooks out"
    print(f"{verb}? [y = yes, anything else = no] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        tell("Nothing was changed.")
        return "rejected"
    with Operations.open(hooks.home) as operations:
        hooks.apply(edit, operations, installing=installing)
    tell(f"{hooks.harness}: done, {edit.path}")
    return "installed" if installing else "uninstalled"


def run_status(args: argparse.Namespace, context: Context) -> int:
    """Print which hooks stand; exit 1 where some are missing."""
    found = [(hooks.harness, hooks.status()) for hooks in _each(args)]
    if context.json:
        context.print_json({"hooks": [_status_json(name, state) for name, state in found]})
    else:
        for name, state in found:
            print(f"{name}: {_status_text(state)}  ({plain(str(state.path))})")
    return 0 if all(state.current and not state.problem for _, state in found) else 1


def _status_json(harness: str, state: HooksStatus) -> dict[str, object]:
    return {
        "harness": harness,
        "path": str(state.path),
        "installed": list(state.installed),
        "missing": list(state.missing),
        "current": state.current,
        "problem": state.problem,
    }


def _status_text(state: HooksStatus) -> str:
    if state.problem:
        return plain(state.problem)
    if not state.installed:
        return "not installed"
    if state.missing:
        return f"incomplete, without {', '.join(state.missing)}: run `hooks install` again"
    return "installed" if state.current else "installed for another place: run `hooks install` again"


def run_command(args: argparse.Namespace, context: Context) -> int:
    """Print the command of a harness's hook: one that a POSIX shell takes as it stands, or its argv."""
    command = Hooks(DataHome.default(), args.harness).command
    if context.json:
        context.print_json({"argv": list(command)})
    else:
        print(shlex.join(command))
    return 0
