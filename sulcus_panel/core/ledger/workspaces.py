"""The folders whose changes are recorded, and their names in the API."""

import os
import re

from sulcus_panel.core.errors import BadRequest, NotFound
from sulcus_panel.core.ledger.database import Database, Row
from sulcus_panel.core.ledger.encoding import decode_path, encode_path
from sulcus_panel.core.model import Namespace, Workspace

UNNAMED = "default"
NAME_LIMIT = 100
_SELECT = "SELECT id, namespace, root FROM workspace"


def normalised(name: str) -> Namespace:
    """A namespace as api.md spells it: trimmed, lower case first, blanks and `_` to `-`, only `[a-z0-9-]`."""
    spelled = re.sub(r"[\s_]+", "-", name.strip().lower())
    spelled = re.sub(r"-{2,}", "-", re.sub(r"[^a-z0-9-]", "", spelled)).strip("-")
    return Namespace(spelled[:NAME_LIMIT].rstrip("-") or UNNAMED)


def add_workspace(db: Database, root: str | None, namespace: str | None, now: int) -> tuple[Workspace, bool]:
    """The workspace of this root, or of this namespace where there is no root; and whether it is new.

    A namespace that was made without a folder takes the first root given with its name.
    """
    if root is None:
        if namespace is None:
            raise BadRequest("A workspace needs a folder or a name", field="namespace")
        return _without_root(db, normalised(namespace), now)
    real = os.path.realpath(root)
    found = by_root(db, real)
    if found is not None:
        return found, False
    name = normalised(os.path.basename(real) if namespace is None else namespace)
    if namespace is not None:
        waiting = by_namespace(db, name)
        if waiting is not None and waiting.root is None:
            db.run("UPDATE workspace SET root = ? WHERE id = ?", (encode_path(real), waiting.id))
            return Workspace(waiting.id, waiting.namespace, real), False
    name = _unique(db, name)
    return Workspace(_insert(db, name, real, now), name, real), True


def _without_root(db: Database, name: Namespace, now: int) -> tuple[Workspace, bool]:
    found = by_namespace(db, name)
    if found is not None:
        return found, False
    return Workspace(_insert(db, name, None, now), name, None), True


def _insert(db: Database, name: Namespace, root: str | None, now: int) -> int:
    return db.insert(
        "INSERT INTO workspace (namespace, root, added_at) VALUES (?, ?, ?)",
        (name, None if root is None else encode_path(root), now),
    )


def _unique(db: Database, name: Namespace) -> Namespace:
    taken = {row[0] for row in db.rows("SELECT namespace FROM workspace")}
    chosen, count = name, 1
    while chosen in taken:
        count += 1
        chosen = Namespace(f"{name}-{count}")
    return chosen


def all_workspaces(db: Database) -> tuple[Workspace, ...]:
    """Every workspace, oldest first."""
    return tuple(_workspace(row) for row in db.rows(f"{_SELECT} ORDER BY id"))


def by_id(db: Database, workspace_id: int) -> Workspace:
    """The workspace with this id.

    Raises:
        NotFound: there is none.
    """
    found = db.row(f"{_SELECT} WHERE id = ?", (workspace_id,))
    if found is None:
        raise NotFound("There is no such workspace", f"workspace {workspace_id}")
    return _workspace(found)


def by_root(db: Database, root: str) -> Workspace | None:
    """The workspace of exactly this folder."""
    found = db.row(f"{_SELECT} WHERE root = ?", (encode_path(os.path.realpath(root)),))
    return None if found is None else _workspace(found)


def by_namespace(db: Database, namespace: str) -> Workspace | None:
    """The workspace of this name, however it is spelled."""
    found = db.row(f"{_SELECT} WHERE namespace = ?", (normalised(namespace),))
    return None if found is None else _workspace(found)


def above(db: Database, path: str) -> Workspace | None:
    """The nearest workspace whose root is this path or a folder above it.

    Links among the folders are followed; one at the end of the path is not, for the link itself lies there.
    """
    roots = {workspace.root: workspace for workspace in all_workspaces(db) if workspace.root is not None}
    here = os.path.abspath(path)
    if os.path.isdir(here):
        here = os.path.realpath(here)
    else:
        here = os.path.join(os.path.realpath(os.path.dirname(here)), os.path.basename(here))
    while here not in roots:
        parent = os.path.dirname(here)
        if parent == here:
            return None
        here = parent
    return roots[here]


def _workspace(row: Row) -> Workspace:
    return Workspace(row[0], Namespace(row[1]), None if row[2] is None else decode_path(row[2]))
