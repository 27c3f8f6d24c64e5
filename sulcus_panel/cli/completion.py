"""`completion SHELL`: a script that lets the shell complete verbs, options and their values."""

import argparse
from importlib import import_module

from sulcus_panel.cli.context import Context

SHELLS = ("bash", "zsh", "fish")


def add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the verb."""
    verb = verbs.add_parser(
        "completion",
        parents=[common],
        help="print a completion script for a shell",
        epilog='bash and zsh: eval "$(sulcus-panel completion bash)"; fish: sulcus-panel completion fish | source',
    )
    verb.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))
    verb.set_defaults(run=run)


def run(args: argparse.Namespace, context: Context) -> int:
    """Print the script."""
    from sulcus_panel.cli.grammar import whole_grammar

    script: str = import_module(f"sulcus_panel.cli.completions.{args.shell}").script(whole_grammar())
    if context.json:
        context.print_json({"shell": args.shell, "script": script})
    else:
        print(script, end="")
    return 0
