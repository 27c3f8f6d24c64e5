"""`verify [--repair]`: every row and snapshot against its hashes; exit 1 where something is wrong."""

import argparse

from sulcus_panel.cli.context import Context
from sulcus_panel.core.safety import plain
from sulcus_panel.service.verifying import Problem, Verified


def add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the verb."""
    verb = verbs.add_parser("verify", parents=[common], help="is what is recorded still what was recorded?")
    verb.add_argument("--repair", action="store_true", help="put right what can be; no readable byte is lost")
    verb.set_defaults(run=run)


def run(args: argparse.Namespace, context: Context) -> int:
    """Print what was looked at and what is wrong."""
    with context.open(to_read=not args.repair) as operations:
        found = operations.verify(repair=args.repair)
    if context.json:
        problems = [_problem_json(problem) for problem in found.problems]
        context.print_json({"sound": found.sound, "counts": found.counts, "problems": problems})
    else:
        print("\n".join(_lines(found, repair=args.repair)))
    return 0 if found.sound else 1


def _problem_json(problem: Problem) -> dict[str, str | bool]:
    body: dict[str, str | bool] = {"code": problem.code, "text": problem.text, "mended": problem.mended}
    return body | ({"done": problem.done} if problem.done else {})


def _lines(found: Verified, *, repair: bool) -> list[str]:
    lines = [f"{count:>12,}  {name.replace('_', ' ')}" for name, count in found.counts.items()]
    for problem in found.problems:
        lines.append(f"{'✓' if problem.mended else '✗'} {plain(problem.text, 1000)}")
        lines += [f"    {plain(problem.done)}"] if problem.done else []
    if not found.problems:
        lines.append("✓ Everything is as it was recorded.")
    elif not (found.sound or repair):
        lines.append("`sulcus-panel verify --repair` puts right what can be, and loses no readable byte.")
    return lines
