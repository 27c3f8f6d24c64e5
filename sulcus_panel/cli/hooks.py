"""`hooks install | uninstall | status | command`: the exact config diff, one question, a backup, a merge."""

import argparse
import shlex
from pathlib import Path

from sulcus_panel.cli.context import Context, says_yes, tell
from sulcus_panel.cli.said_once import said_once
from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.safety import plain
from sulcus_panel.service.hooks import HARNESSES, Hooks, HooksPlan, HooksStatus, found_here
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
        known = f"one of {', '.join(HARNESSES)}; without one, those that are found on this machine"
        one.add_argument("harness", nargs="*", metavar="HARNESS", help=known)
        one.add_argument("--project", metavar="DIR", help="that folder's own settings, not the user's")
        one.add_argument("--plugin", metavar="DIR", help="Claude Code's hooks as a plugin in that folder")
        one.set_defaults(run=run)
    command = what.add_parser("command", parents=[common], help="the argv that a harness must start")
    command.add_argument("harness", metavar="HARNESS", help=f"one of {', '.join(HARNESSES)}")
    command.set_defaults(run=run_command)


def _each(args: argparse.Namespace) -> list[Hooks]:
    """The hooks meant: of the named harnesses, else of those found here, or that have our hooks still."""
    home, project, plugin = DataHome.default(), _folder(args.project), _folder(args.plugin)
    if args.harness or plugin:
        return [Hooks(home, one, project, plugin) for one in args.harness or ("claude-code",)]
    found = found_here()
    every = [Hooks(home, one, project) for one in HARNESSES]
    return [one for one in every if one.harness in found or one.status().installed]


def _folder(text: str | None) -> Path | None:
    return Path(text).expanduser().resolve() if text else None


def run_install(args: argparse.Namespace, context: Context) -> int:
    """Install each harness's hooks after a yes."""
    return _edit_all(args, context, installing=True)


def run_uninstall(args: argparse.Namespace, context: Context) -> int:
    """Take each harness's hooks out after a yes."""
    return _edit_all(args, context, installing=False)


def _edit_all(args: argparse.Namespace, context: Context, *, installing: bool) -> int:
    """One harness after the other; where there are several, one whose config is broken hinders no other."""
    answers = []
    several = _each(args)
    if not several:
        _tell_that_none_is_found()
    for hooks in several:
        try:
            plan = hooks.install_plan() if installing else hooks.uninstall_plan()
            done = _edit_one(hooks, plan, installing=installing)
        except SulcusError as error:
            if len(several) == 1:
                raise
            tell(f"{hooks.harness}: {error} {error.hint}".strip())
            done = "refused"
        answers.append({"harness": hooks.harness, "path": str(hooks.path), "outcome": done})
    if context.json:
        context.print_json({"hooks": answers})
    return int(any(answer["outcome"] == "refused" for answer in answers))


def _edit_one(hooks: Hooks, plan: HooksPlan, *, installing: bool) -> str:
    if not plan.changes:
        _tell_all(f"{hooks.harness}: nothing to do in {hooks.path}", *plan.notes)
        return "unchanged"
    _tell_diff(hooks, plan, installing=installing)
    _tell_all(*plan.notes)
    for edit in plan.edits:
        if edit.backup_path is not None:
            tell(f"A copy of the file as it is goes to {edit.backup_path}")
    verb = "Install these hooks" if installing else "Take these hooks out"
    if not says_yes(f"{verb}?"):
        return "rejected"
    with Operations.open(hooks.home) as operations:
        hooks.apply(plan, operations, installing=installing)
    tell(f"{hooks.harness}: done, {hooks.path}")
    return "installed" if installing else "uninstalled"


def _tell_diff(hooks: Hooks, plan: HooksPlan, *, installing: bool) -> None:
    """The exact change of each file; what starts our hook is long, and the same for every event."""
    texts, lines = said_once([line for edit in plan.edits for line in edit.diff.split("\n")])
    if installing:
        python, *_, script, _, spool = hooks.command
        tell(
            f"{hooks.title} would start {script} with {python} at each event; it leaves what it sees in {spool}"
        )
    for mark, text in texts.items():
        _tell_all(f"In the change below {mark} stands for", text, "")
    _tell_all(*lines)


def _tell_that_none_is_found() -> None:
    tell(f"No harness that we know was found here. Known: {', '.join(HARNESSES)}.")
    tell(f"hint: One that you name is done all the same: sulcus-panel hooks install {HARNESSES[0]}")


def _tell_all(*texts: str) -> None:
    for text in texts:
        tell(text)


def run_status(args: argparse.Namespace, context: Context) -> int:
    """Print which hooks stand; exit 1 where some are missing."""
    found = [(hooks.harness, hooks.status()) for hooks in _each(args)]
    if not found:
        _tell_that_none_is_found()
    if context.json:
        context.print_json({"hooks": [_status_json(name, state) for name, state in found]})
    else:
        for name, state in found:
            print(f"{name}: {_status_text(state)}  ({plain(str(state.path))})")
            for note in state.notes:
                print(f"    {plain(note)}")
    return 0 if all(state.elsewhere or (state.current and not state.problem) for _, state in found) else 1


def _status_json(harness: str, state: HooksStatus) -> dict[str, object]:
    return {
        "harness": harness,
        "path": str(state.path),
        "installed": list(state.installed),
        "missing": list(state.missing),
        "current": state.current,
        "problem": state.problem,
        "notes": list(state.notes),
    }


def _status_text(state: HooksStatus) -> str:
    if state.problem:
        return plain(state.problem)
    if state.elsewhere:
        return "runs those of another harness"
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
