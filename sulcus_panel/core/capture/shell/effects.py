"""What a command did to files, as changes for its entry, and what is not sure of it."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from sulcus_panel.core.capture.adapter import ToolFailed, ToolFinished
from sulcus_panel.core.capture.backgrounds import STILL_RUNNING_FOR
from sulcus_panel.core.capture.changes import build_change
from sulcus_panel.core.capture.place import Place
from sulcus_panel.core.capture.shell.attribution import Whose, Window, whose, within_reach
from sulcus_panel.core.capture.shell.beyond import named_beyond
from sulcus_panel.core.capture.shell.desk import Desk
from sulcus_panel.core.capture.shell.evidence import Evidence
from sulcus_panel.core.capture.shell.git_delta import git_delta
from sulcus_panel.core.capture.shell.git_index import is_as_written
from sulcus_panel.core.capture.shell.keeping import Baselines
from sulcus_panel.core.capture.shell.output import told_lines
from sulcus_panel.core.capture.shell.report import PathReport, TreeReport
from sulcus_panel.core.capture.shell.targets import runs_on
from sulcus_panel.core.capture.sides import Sides
from sulcus_panel.core.model import (
    Change,
    CommandFacts,
    DiskFile,
    FileKind,
    GitDelta,
    NewEntry,
    Sha256,
)
from sulcus_panel.core.safety import plain
from sulcus_panel.core.states import same_state

MAX_CONTENTS = 64 * 2**20
"""So many bytes one command's entry may bring; what comes later keeps its hash alone."""
TOO_MANY = "not kept: the command changed too much at once"
LATER = "what changed more than an hour after it began, for it never told its end"
WHOSE_REFERENCES = "it ended in an unknown way, so that references that moved may be somebody else's work"
SHORTLY = timedelta(minutes=10)
MAX_EDITOR_LOOKS = 200
OPEN_MARKS = (".{}.swp", ".{}.swo", ".#{}", "#{}#", ".~lock.{}#", ".{}.kate-swp")
"""What lies beside a file that Vim, Emacs, LibreOffice or Kate has open."""
SAVE_MARKS = ("{}~", ".{}.un~", ".{}.swp")
"""What an editor leaves beside a file as it saves it: the old text, or what it can take back."""


@dataclass(frozen=True, slots=True)
class Effects:
    """A command's changes with the bytes to be kept, where git stood, and what else is known."""

    changes: tuple[Change, ...] = ()
    contents: Mapping[Sha256, bytes] = field(default_factory=dict)
    git: GitDelta | None = None
    facts: CommandFacts | None = None


def effects_of(report: TreeReport | None, event: ToolFinished | ToolFailed, desk: Desk) -> Effects:
    """What the two looks tell, path by path; a path whose bytes and mode stayed is left out."""
    output = told_lines(event.output if isinstance(event, ToolFinished) else event.error)
    background = _runs_on(event)
    tree = desk.root if report is not None and report.root else ""
    beyond = named_beyond(event.call.command, desk.workspace, tree)
    if report is None or report.since is None or not desk.settings.enabled:
        gap = report.gap if report is not None else ""
        facts = CommandFacts(output, background, unseen=((gap,) if gap else ()) + beyond)
        return Effects(facts=facts if facts != CommandFacts() else None)
    evidence = Evidence(report, Baselines(str(desk.home), report.root), desk.known)
    window = _window(report, event, desk, evidence)
    near = within_reach(report.paths, window)
    later = (LATER,) if len(near) < len(report.paths) else ()
    report = replace(report, paths=near)
    files = _Files(report, desk, evidence, window)
    files.take(whose(report.paths, window))
    unseen = tuple(f"{plain(path, 200)} could not be listed" for path in report.unseen)
    is_known = isinstance(event, ToolFinished) or event.exit_code is not None
    gap = report.refs_gap or (WHOSE_REFERENCES if report.refs and not is_known else "")
    unseen += (gap,) if gap else ()
    facts = CommandFacts(output, background, tuple(window.others), files.unsure, unseen + later + beyond)
    refs, command = (report.refs, event.call.command) if is_known else ((), "")
    git = git_delta(evidence, files.states, desk.named, refs, command)
    return Effects(tuple(files.changes), files.contents, git, facts if facts != CommandFacts() else None)


class _Files:
    """The paths of one report on their way into an entry."""

    def __init__(self, report: TreeReport, desk: Desk, evidence: Evidence, window: Window) -> None:
        self._report = report
        self._desk = desk
        self._evidence = evidence
        self._window = window
        self._left = MAX_CONTENTS
        self.changes: list[Change] = []
        self.contents: dict[Sha256, bytes] = {}
        self.states: dict[str, tuple[DiskFile, DiskFile]] = {}
        self.unsure: dict[str, str] = {}

    def take(self, judged: Mapping[str, tuple[Whose, str]]) -> None:
        """Sort every path to whom it belongs."""
        for seen in self._report.paths:
            before = self._evidence.before(seen.path, seen.before)
            sides = Sides(before, self._evidence.after(seen.path, seen.after))
            if same_state(sides.before.state, sides.after.state):
                continue
            place = Place(self._desk.workspace, self._desk.named(seen.path))
            verdict, why = judged[seen.path]
            if verdict is Whose.OUTSIDE:
                self._desk.record_outside(place, sides, self._window.began)
                continue
            if self._add(place, sides):
                self.states[seen.path] = sides.before, sides.after
                if verdict is Whose.UNSURE:
                    self.unsure[place.path] = why

    def _add(self, place: Place, sides: Sides) -> bool:
        joined = self._desk.join(place, sides, self._window.since)
        if joined is None:
            return False
        before, after = (_within(side, self._left) for side in (joined.before, joined.after))
        change, kept = build_change(place.path, before, after, self._desk.settings)
        self._left -= sum(len(data) for data in kept.values())
        self.changes.append(change)
        self.contents.update(kept)
        return True


def _within(side: DiskFile, left: int) -> DiskFile:
    if side.content is None or len(side.content) <= left or side.state.kind is not FileKind.FILE:
        return side
    return DiskFile(replace(side.state, reason=TOO_MANY), None)


def _window(report: TreeReport, event: ToolFinished | ToolFailed, desk: Desk, evidence: Evidence) -> Window:
    scene = event.scene
    since = report.since or scene.at
    began = since if event.took is None else max(since, scene.at - event.took)
    running = [started.call.command for started in desk.running if started.scene.at < scene.at]
    is_lost = isinstance(event, ToolFailed) and event.is_lost
    ended = (
        []
        if is_lost
        else [entry.command or entry.tool_name for entry in desk.recent if since < entry.at <= scene.at]
    )
    return Window(
        event.call.command,
        since,
        began,
        scene.at,
        [plain(command, 100) for command in (*running, *ended)],
        frozenset(_background_paths(report, desk, scene.at)),
        frozenset(_edited(report)),
        frozenset(_standing(report, evidence)),
        frozenset(_saved(report, desk, since)),
        _runs_on(event),
        is_lost,
    )


def _runs_on(event: ToolFinished | ToolFailed) -> bool:
    """Whether the command goes on in the background, as its harness says or its own words do."""
    return isinstance(event, ToolFinished) and (event.background or runs_on(event.call.command))


def _background_paths(report: TreeReport, desk: Desk, at: datetime) -> Iterator[str]:
    """Paths of the tree that a command changed which may still run."""
    running = [
        entry
        for entry in desk.recent
        if entry.ran is not None and entry.ran.in_background and at - entry.at < STILL_RUNNING_FOR
    ]
    yield from _among(report, desk, running)


def _saved(report: TreeReport, desk: Desk, since: datetime) -> Iterator[str]:
    """Paths of the tree that somebody else saved shortly before the command: they may have done so again."""
    saved = desk.saved() if report.paths else ()
    shortly = [entry for entry in saved if timedelta() <= since - entry.at < SHORTLY]
    yield from _among(report, desk, shortly)


def _among(report: TreeReport, desk: Desk, entries: Sequence[NewEntry]) -> Iterator[str]:
    """Paths of the tree that these entries changed; entries name them from the workspace."""
    written = {change.path for entry in entries for change in entry.changes}
    for path in report.paths if written else ():
        if desk.named(path.path) in written:
            yield path.path


def _edited(report: TreeReport) -> Iterator[str]:
    """Paths beside which an editor's own mark lies, or beside which its copy came at the same time."""
    regular: list[PathReport] = [path for path in report.paths if path.is_regular]
    there = {path.path for path in regular if path.after is not None}
    for path in regular[:MAX_EDITOR_LOOKS]:
        folder, name = os.path.split(path.path)
        marks = (os.path.join(report.root, folder, mark.format(name)) for mark in OPEN_MARKS)
        copies = (os.path.join(folder, mark.format(name)) for mark in SAVE_MARKS)
        if not there.isdisjoint(copies) or any(map(os.path.lexists, marks)):
            yield path.path


def _standing(report: TreeReport, evidence: Evidence) -> Iterator[str]:
    """Paths that git had before, without git all that were there; not those that git itself has written since."""
    for path in report.paths:
        if path.before is None or path.after is None:
            continue
        found = evidence.repo_of(path.path)
        if found is None:
            yield path.path
            continue
        repo, name = found
        entry = repo.entry(name, repo.report.after)
        is_gits = entry is not None and is_as_written(entry, path.after)
        if repo.entry(name, repo.report.before) is not None and not is_gits:
            yield path.path
