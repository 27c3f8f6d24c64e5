"""`--attach URL`: the window on the ledger of another machine, through a tunnel that the person has opened."""

import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

from sulcus_panel.core.errors import BadRequest, NotFound, SulcusError
from sulcus_panel.core.ledger.encoding import utc_now
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.model import Workspace
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.link import Link, address_of
from sulcus_panel.service.remote import RemoteOperations

TOKEN, TOKEN_FILE = "SULCUS_TOKEN", "SULCUS_TOKEN_FILE"
NEEDED = "There: sulcus-panel token create --actor NAME --kind person --scope admin,read"
READ_ONLY = "The ledger there is open for reading only"


def run(url: str, workspace: str | None) -> int:
    """Open the window and return its exit code. Raises SulcusError where nobody answers."""
    link = Link(address_of(url), key_of(os.environ), utc_now)
    with RemoteOperations(link, ChangeBus()) as operations:
        greeting = operations.greet()
    link.mend(greeting.machine)
    chosen = chosen_of(greeting.workspaces, workspace, greeting.machine)
    home = DataHome.default()
    home.ensure()
    unwritable = SulcusError(READ_ONLY) if greeting.read_only else None
    from sulcus_panel.ui.app import run_window

    return run_window(home, chosen, greeting.notices, unwritable, link)


def key_of(environment: Mapping[str, str]) -> str:
    """Return the token: from the environment, or a file that nobody else may read. Raises BadRequest."""
    key = environment.get(TOKEN, "").strip()
    if not key and (name := environment.get(TOKEN_FILE, "")):
        key = _read(Path(name))
    if not key or not key.isascii() or not key.isprintable():
        raise BadRequest(
            "A token is needed to attach",
            f"It is read from {TOKEN}, or from the file that {TOKEN_FILE} names; never from the command line.",
            NEEDED,
        )
    return key


def _read(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            found = os.fstat(opened.fileno())
            if stat.S_IMODE(found.st_mode) & 0o077 or found.st_uid != os.getuid():
                raise BadRequest(f"{file} may be read by others", "It holds a token.", f"chmod 600 {file}")
            return opened.read(4_096).decode("ascii", "replace").strip()
    except OSError as error:
        raise BadRequest(f"{file} cannot be read", error.strerror or "") from error


def chosen_of(workspaces: Sequence[Workspace], wanted: str | None, machine: str) -> Workspace:
    """Return the workspace meant: by its folder there or its name, else the only one. Raises NotFound."""
    named = f"{machine} has: " + ", ".join(each.root or each.namespace for each in workspaces) + "."
    if wanted is None:
        if len(workspaces) == 1:
            return workspaces[0]
        if not workspaces:
            raise NotFound(f"{machine} has recorded nothing yet")
        raise NotFound("Say which workspace is meant", named, "--workspace PATH, as it is there.")
    for each in workspaces:
        if wanted.rstrip("/") in {each.root, str(each.namespace)}:
            return each
    raise NotFound(f"{machine} has no workspace {wanted}", named)
