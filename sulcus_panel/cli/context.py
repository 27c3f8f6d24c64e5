"""What every verb needs: which ledger, which workspace, and how to answer."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sulcus_panel.core.errors import NotFound
from sulcus_panel.core.safety import plain

if TYPE_CHECKING:
    from sulcus_panel.core.model import Workspace
    from sulcus_panel.service.operations import Operations

DRAIN_SECONDS = 10.0
"""How long another process's drain is waited for before an answer may miss its newest rows."""


@dataclass(frozen=True, slots=True)
class Context:
    """The options that all verbs share."""

    workspace: str | None = None
    json: bool = False

    def open(self, *, to_read: bool = False) -> "Operations":
        """Open the ledger and record what the hooks have spooled; anything to be told goes to stderr.

        A ledger that cannot be written (made by a newer version, or on a full or read-only disk) is still
        opened for a verb that only reads.
        """
        from sulcus_panel.core.ledger.home import DataHome  # here, for what only prints needs no ledger
        from sulcus_panel.service.opening import open_or_read
        from sulcus_panel.service.operations import Operations

        home = DataHome.default()
        operations, why = open_or_read(home) if to_read else (Operations.open(home), None)
        if why is not None:
            tell(f"{str(why).rstrip('.')}. It is opened to be read only.")
            return operations
        report = operations.drain(wait=DRAIN_SECONDS)
        for message in (*operations.notices, *report.messages):
            tell(message)
        return operations

    def the_workspace(self, operations: "Operations", *, register: bool = False) -> "Workspace":
        """Return the workspace meant: `--workspace` (registered if need be), else the current folder's.

        `register` makes the current folder's git top level, or itself, a workspace where there is none, and
        takes a named folder that was put in the place of a known one for the same.
        """
        if self.workspace is not None:
            folder = Path(self.workspace).expanduser()
            if not self.workspace or not folder.is_dir():
                raise NotFound(f"There is no folder {self.workspace}", hint="Give an existing folder.")
            if operations.read_only:
                return _known(operations, folder.resolve())
            return operations.register(folder.resolve(), anew=register)
        try:
            here = Path.cwd()
        except FileNotFoundError:
            raise NotFound("The current folder is no longer there", hint="Go to another folder.") from None
        return operations.workspace_for(here, register=register and not operations.read_only)

    def scope(self, operations: "Operations", *, everywhere: bool) -> "tuple[Workspace | None, bool]":
        """Return the workspace that a list is about (None for all), and whether anything is recorded there."""
        if everywhere:
            return None, True
        try:
            return self.the_workspace(operations), True
        except NotFound:
            if self.workspace is not None:
                raise
            return None, False

    @staticmethod
    def print_json(body: Mapping[str, Any]) -> None:
        """Answer in JSON on stdout, every non-ASCII character escaped."""
        import json  # here, as what opens the ledger: for most answers are text

        print(json.dumps(body, indent=2))


def _known(operations: "Operations", folder: Path) -> "Workspace":
    """Return the workspace of exactly this folder; where nothing can be registered, that is all that is asked."""
    for workspace in operations.workspaces():
        if workspace.root == str(folder):
            return workspace
    raise NotFound("Nothing is recorded for this folder yet", str(folder))


def says_yes(question: str) -> bool:
    """Ask the person; anything but a yes is a no, and is answered with what it means."""
    print(f"{question} [y = yes, anything else = no] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() in {"y", "yes"}:
        return True
    tell("Nothing was changed.")
    return False


def tell(text: str) -> None:
    """Say something beside the answer, on stderr."""
    print(plain(text), file=sys.stderr)
