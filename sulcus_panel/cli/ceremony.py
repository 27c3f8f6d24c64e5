"""The four steps of an undo on a terminal: explain, preview, confirm on stdin, apply and read back.

The terminal acts as the person. One question is asked, after one more for each thing that needs its own yes;
anything but `y` or `d` is no.
"""

import argparse
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from sulcus_panel.cli.context import Context
from sulcus_panel.cli.plan_text import plan_text, result_text
from sulcus_panel.core.errors import StalePlan
from sulcus_panel.core.model import Decision
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.gone import to_close
from sulcus_panel.core.undo.model import Consent, Outcome, UndoPlan

if TYPE_CHECKING:
    from sulcus_panel.service.operations import Operations

Json = Mapping[str, object]

DONE = (Outcome.UNDONE, Outcome.COPY_SAVED, Outcome.ALREADY_UNDONE, Outcome.NOTHING_TO_UNDO)
ANSWERS = {"y": Decision.ACCEPT, "yes": Decision.ACCEPT, "d": Decision.DEFER, "defer": Decision.DEFER}


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add what every verb that undoes understands."""
    verb.add_argument("--dry-run", action="store_true", help="only show the plan")
    verb.add_argument("--plan", metavar="DIGEST", help="go on only if the plan still has this digest")


@dataclass(slots=True, eq=False, repr=False)
class Ceremony:
    """One undo from plan to result. `args` are a verb's with `add_options`; `more` goes into its JSON."""

    operations: "Operations"
    context: Context
    args: argparse.Namespace
    more: Mapping[str, object] | None = None

    def go_through(self, plan: UndoPlan) -> int:
        """Show the plan, ask, do as the person says; the exit code. Raises StalePlan, LedgerBusy."""
        if self.args.plan is not None and self.args.plan != plan.digest:
            raise StalePlan("The plan is another one now", f"It is {plan.digest}.", "Look at it again.")
        shown_on = sys.stderr if self.context.json else sys.stdout
        print(plan_text(plan, _width(shown_on)), file=shown_on)
        if self.args.dry_run or not (plan.can_apply or to_close(plan)):
            return self._answer_plan(plan)
        decision = _ask(plan) if all(map(_says_yes, plan.consents)) else Decision.REJECT
        if decision is not Decision.ACCEPT:
            self.operations.decline(plan, decision)
            word = "put off; it waits for you" if decision is Decision.DEFER else "kept; nothing was changed"
            said: Json = {"outcome": Outcome.NOT_TRIED, "decision": decision}
            self._answer(f"{word.capitalize()}.", plan, said)
            return 0
        result = self.operations.apply(plan, [consent.key for consent in plan.consents])
        if self.context.json:
            from sulcus_panel.service.wire import result_json  # here as below, for most answers are text

            self._print(result_json(result, plan))
        else:
            print(f"\n{result_text(result, plan)}")
        return 0 if result.outcome in DONE else 1

    def _answer_plan(self, plan: UndoPlan) -> int:
        text = f"plan {plan.digest}"
        if not plan.can_apply:
            text = f"Nothing was changed: {plan.outcome.replace('_', ' ')}."
        self._answer(text, plan, {"dry_run": True} if self.args.dry_run else {})
        return 0 if plan.can_apply or plan.outcome in DONE else 1

    def _answer(self, text: str, plan: UndoPlan, more: Json) -> None:
        """Say in words, or with the whole plan and `more` in JSON, that nothing was written."""
        if self.context.json:
            from sulcus_panel.service.wire import plan_json

            self._print({**plan_json(plan), **more})
        else:
            print(f"\n{text}")

    def _print(self, body: Json) -> None:
        self.context.print_json({**(self.more or {}), **body})


def _width(stream: TextIO) -> int | None:
    """How wide a screen is; None where nobody knows, as of a pipe or a file: there a sentence stays one line."""
    if not stream.isatty():
        return None
    return os.get_terminal_size(stream.fileno()).columns or None


def _says_yes(consent: Consent) -> bool:
    question = f"\n{plain(consent.text)}\nIs this what you want? [y = yes, anything else = keep it] "
    return _said(question) is Decision.ACCEPT


def _ask(plan: UndoPlan) -> Decision:
    verb = "redo" if plan.is_redo else "undo"
    if to_close(plan):  # no file is written
        mark = "Mark as not undone" if plan.is_redo else "Mark as undone"
        return _said(f"\n{mark}? [y = mark, d = decide later, anything else = leave it] ")
    if plan.outcome is Outcome.COPY_SAVED:
        return _said("\nSave the old copy? [y = save, d = decide later, anything else = leave it] ")
    return _said(f"\n{verb.capitalize()} this? [y = {verb}, d = decide later, anything else = keep it] ")


def _said(question: str) -> Decision:
    sys.stdout.flush()  # the plan comes before the question, also through a pipe
    print(question, end="", file=sys.stderr, flush=True)
    return ANSWERS.get(sys.stdin.readline().strip().lower(), Decision.REJECT)
