"""What a command did to files, as changes for its entry."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from sulcus_panel.core.capture.changes import build_change
from sulcus_panel.core.capture.place import Place, name_in, resolve
from sulcus_panel.core.capture.shell.evidence import Evidence, Known
from sulcus_panel.core.capture.shell.git_delta import git_delta
from sulcus_panel.core.capture.shell.keeping import Baselines
from sulcus_panel.core.capture.shell.report import TreeReport
from sulcus_panel.core.capture.sides import Sides
from sulcus_panel.core.model import (
    Change,
    DiskFile,
    FileKind,
    GitDelta,
    LedgerPath,
    Settings,
    Sha256,
    Workspace,
)
from sulcus_panel.core.states import same_state

MAX_CONTENTS = 64 * 2**20
"""So many bytes one command's entry may bring; what comes later keeps its hash alone."""
TOO_MANY = "not kept: the command changed too much at once"

Join = Callable[[Place, Sides, datetime], Sides | None]
"""The sides so that they go on from what the ledger last saw; None where another entry has them."""


@dataclass(frozen=True, slots=True)
class Effects:
    """A command's changes with the bytes to be kept, and where git stood."""

    changes: tuple[Change, ...] = ()
    contents: Mapping[Sha256, bytes] = field(default_factory=dict)
    git: GitDelta | None = None


@dataclass(frozen=True, slots=True)
class Ledgers:
    """What of the ledger is asked."""

    workspace: Workspace
    settings: Settings
    join: Join
    known: Known


def effects_of(report: TreeReport, home: Path, asked: Ledgers) -> Effects:
    """What the two looks tell, path by path; a path whose bytes and mode stayed is left out."""
    if report.since is None:
        return Effects()
    evidence = Evidence(report, Baselines(str(home), report.root), asked.known)
    root = resolve(report.root)
    changes: list[Change] = []
    contents: dict[Sha256, bytes] = {}
    left = MAX_CONTENTS
    states: dict[str, tuple[DiskFile, DiskFile]] = {}
    for seen in report.paths:
        sides = Sides(evidence.before(seen.path, seen.before), evidence.after(seen.path, seen.after))
        if same_state(sides.before.state, sides.after.state):
            continue
        states[seen.path] = sides.before, sides.after
        place = Place(asked.workspace, name_in(asked.workspace, os.path.join(root, seen.path)))
        joined = asked.join(place, sides, report.since)
        if joined is None:
            continue
        before, after = (_within(side, left) for side in (joined.before, joined.after))
        change, kept = build_change(place.path, before, after, asked.settings)
        left -= sum(len(data) for data in kept.values())
        changes.append(change)
        contents.update(kept)
    return Effects(tuple(changes), contents, git_delta(evidence, states, _names(asked.workspace, root)))


def _names(workspace: Workspace, root: str) -> Callable[[str], LedgerPath]:
    return lambda path: name_in(workspace, os.path.join(root, path))


def _within(side: DiskFile, left: int) -> DiskFile:
    if side.content is None or len(side.content) <= left or side.state.kind is not FileKind.FILE:
        return side
    return DiskFile(replace(side.state, reason=TOO_MANY), None)
