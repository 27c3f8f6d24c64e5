"""`doctor`: environment, ledger, spool, hooks, and whether Qt can start; exit 1 where something is wrong."""

import argparse
from typing import TYPE_CHECKING

from sulcus_panel.cli.context import Context
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.safety import plain

if TYPE_CHECKING:
    from sulcus_panel.service.doctor import Finding

MARKS = {"fine": "✓", "note": "·", "wrong": "✗"}
"""By a finding's verdict."""


def add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the verb."""
    verb = verbs.add_parser("doctor", parents=[common], help="is everything as it must be?")
    verb.set_defaults(run=run)


def run(args: argparse.Namespace, context: Context) -> int:  # noqa: ARG001 - every verb takes both
    """Print the findings."""
    from sulcus_panel.service.doctor import (  # here, for the help of all verbs needs no recorder
        Verdict,
        examine,
    )

    findings = (*examine(DataHome.default()), _qt())
    if context.json:
        context.print_json(
            {
                "findings": [
                    {"name": f.name, "verdict": f.verdict, "text": f.text, "hint": f.hint} for f in findings
                ]
            }
        )
    else:
        for finding in findings:
            print(f"{MARKS[finding.verdict]} {finding.name:<18} {plain(finding.text)}")
            if finding.hint:
                print(f"    {plain(finding.hint)}")
    return 1 if any(finding.verdict is Verdict.WRONG for finding in findings) else 0


def _qt() -> "Finding":
    from sulcus_panel.service.doctor import Finding, Verdict
    from sulcus_panel.ui.preflight import check

    found = check()
    if found.ok:
        return Finding(
            "window", Verdict.FINE, f"Qt can start ({found.platform or 'native'}) {found.note}".strip()
        )
    return Finding("window", Verdict.WRONG, found.problem, found.command)
