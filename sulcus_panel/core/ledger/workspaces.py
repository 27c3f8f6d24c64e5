"""The folders whose changes are recorded, and their names in the API."""

import os
import re
from dataclasses import replace
from functools import lru_cache

from sulcus_panel.core.errors import BadRequest, NotFound
from sulcus_panel.core.ledger.database import Database, Row
from sulcus_panel.core.ledger.encoding import decode_path, encode_path
from sulcus_panel.core.ledger.folder_ids import decode_folder, encode_folder, folder_id, is_same
from sulcus_panel.core.model import Namespace, Workspace

UNNAMED = "default"
NAME_LIMIT = 100
Told = tuple[str, str] | None
"""What governance is to be told: the kind and the summary."""
_SELECT = "SELECT * FROM workspace"
"""All columns, for an older ledger that is only read lacks the last."""


@lru_cache(maxsize=256)
def normalised(name: str) -> Namespace:
    """A namespace as it is spelled: trimmed, lower case first, blanks and `_` to `-`, only `[a-z0-9-]`."""
    spelled = re.sub(r"[\s_]+", "-", name.strip().lower())
    spelled = re.sub(r"-{2,}", "-", re.sub(r"[^a-z0-9-]", "", spelled)).strip("-")
    return Namespace(spelled[:NAME_LIMIT].rstrip("-") or UNNAMED)


def add_workspace(
    db: Database, root: str | None, namespace: str | None, now: int, *, anew: bool = False
) -> tuple[Workspace, Told]:
    """The workspace of this root, or of this namespace where there is no root; and what to tell on governance.

    A namespace that was made without a folder takes the first root given with its name. With `anew`, whatever
    directory stands at a known root now counts as the one that was recorded.
    """
    if root is None:
        if namespace is None:
            raise BadRequest("A workspace needs a folder or a name", field="namespace")
        return _without_root(db, normalised(namespace), now)
    real = os.path.realpath(root)
    found = by_root(db, real)
    if found is not None:
        return _seen_again(db, found, anew=anew)
    name = normalised(os.path.basename(real) if namespace is None else namespace)
    if namespace is not None:
        waiting = by_namespace(db, name)
        if waiting is not None and waiting.root is None:
            db.run("UPDATE workspace SET root = ? WHERE id = ?", (encode_path(real), waiting.id))
            db.forget_known()
            return _seen_again(db, by_id(db, waiting.id), anew=True)[0], None
    made = _insert(db, _unique(db, name), real, now)
    return made, ("workspace.added", f"Recording changes in {real}")


def _seen_again(db: Database, workspace: Workspace, *, anew: bool) -> tuple[Workspace, Told]:
    """Remember which directory stands at the root, where nobody has looked yet, or where the person says so."""
    seen = folder_id(workspace.root or "")
    if seen is None or seen == workspace.folder or not (anew or workspace.folder is None):
        return workspace, None
    db.run("UPDATE workspace SET folder = ? WHERE id = ?", (encode_folder(seen), workspace.id))
    db.forget_known()
    known = replace(workspace, folder=seen)
    if workspace.folder is None or is_same(workspace.folder, seen):
        return known, None
    return known, ("workspace.accepted", f"Another folder stands at {workspace.root}; it counts as the same")


def _without_root(db: Database, name: Namespace, now: int) -> tuple[Workspace, Told]:
    found = by_namespace(db, name)
    if found is not None:
        return found, None
    return _insert(db, name, None, now), ("workspace.added", f"Recording changes in {name}")


def _insert(db: Database, name: Namespace, root: str | None, now: int) -> Workspace:
    seen = None if root is None else folder_id(root)
    stored = None if root is None else encode_path(root)
    made = db.insert(
        "INSERT INTO workspace (namespace, root, added_at, folder) VALUES (?, ?, ?, ?)",
        (name, stored, now, encode_folder(seen)),
    )
    db.forget_known()
    return Workspace(made, name, root, seen)


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
    name = normalised(namespace)
    return db.known(("namespace", name), lambda: _by_name(db, name))


def _by_name(db: Database, name: Namespace) -> Workspace | None:
    found = db.row(f"{_SELECT} WHERE namespace = ?", (name,))
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


def below(db: Database, root: str) -> tuple[Workspace, ...]:
    """Every workspace whose root lies inside this folder, by its real path."""
    start = root.rstrip(os.sep) + os.sep
    end = start[:-1] + chr(ord(os.sep) + 1)
    # Names that are not UTF-8 are bytes, which sort apart from texts.
    spans = (encode_path(start), encode_path(end), os.fsencode(start), os.fsencode(end))
    found = db.rows(f"{_SELECT} WHERE (root > ? AND root < ?) OR (root > ? AND root < ?) ORDER BY id", spans)
    return tuple(_workspace(row) for row in found)


def _workspace(row: Row) -> Workspace:
    folder = decode_folder(row[5]) if len(row) > 5 else None
    return Workspace(row[0], Namespace(row[1]), None if row[2] is None else decode_path(row[2]), folder)
