"""Cascade's trajectories -> one Transcript. A step bears no time and no id: all have the file's, in their order.

A change tells both texts; one that the person refused was taken back, and is none.
"""

import posixpath
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from sulcus_panel.core.capture.adapter import TextEdit, ToolCall, ToolKind
from sulcus_panel.core.capture.harnesses.windsurf.live import COMMAND, WRITE
from sulcus_panel.core.capture.harnesses.windsurf.places import path_of
from sulcus_panel.core.capture.past.json_lines import JsonLine
from sulcus_panel.core.capture.past.likeness import MADE_UP
from sulcus_panel.core.capture.past.records import (
    Call,
    CommandCall,
    FileCall,
    Prompt,
    ReadCall,
    SessionFacts,
    Stamp,
    Transcript,
)
from sulcus_panel.core.capture.past.run_files import UntimedLines, read_untimed
from sulcus_panel.core.capture.payload import JsonObject, number_of, object_of, optional_text, text_of
from sulcus_panel.core.safety import plain

NO_TIMES = "the steps bear no times, all have that of the file"
_STEP = ("type", "not a trajectory, it holds no step")
_REFUSED = ("REJECT", "DISCARD")


def read_trajectories(paths: Sequence[Path]) -> Transcript:
    """Everything that these files say. What cannot be read is a problem, not an error."""
    calls: list[Call] = []
    prompts: list[Prompt] = []
    facts: list[SessionFacts] = []
    problems: list[str] = []
    order = 0
    for path in paths:
        kept = read_untimed(path, *_STEP)
        problems += kept.problems
        if not kept.lines:
            continue
        trajectory = _Trajectory(path.stem, kept, order)
        trajectory.tell()
        order = trajectory.order
        calls += trajectory.calls
        prompts += trajectory.prompts
        folder = trajectory.cwd
        cwds = (folder,) if folder else ()
        facts.append(SessionFacts(path.stem, None, str(path), kept.at, kept.at, cwds))
        if trajectory.calls:
            problems.append(f"{plain(path.name)}: {NO_TIMES}")
    return Transcript.in_order(calls, prompts, facts, problems)


def folder_in(path: Path) -> str:
    """Where a trajectory took place, empty where the file does not tell."""
    return _folder(read_untimed(path, *_STEP).lines)


class _Trajectory:
    """One file under way."""

    def __init__(self, session: str, kept: UntimedLines, order: int) -> None:
        self._session = session
        self._kept = kept
        self.cwd = _folder(kept.lines)
        self.order = order
        self.calls: list[Call] = []
        self.prompts: list[Prompt] = []

    def tell(self) -> None:
        """Take in all steps that came to their end."""
        for line in self._kept.lines:
            step = line.record or {}
            kind = text_of(step, "type")
            told = object_of(step, kind)
            if kind == "user_input":
                text = text_of(told, "user_response", "text").strip()
                self.prompts.append(Prompt(self._stamp(), text, len(self.prompts) + 1))
            elif kind == COMMAND:
                self._command(told, line.number)
            elif kind == "code_action" and step.get("status") == "done":
                self._change(told, line.number)
            elif kind == "view_file" and step.get("status") == "done":
                path = path_of(text_of(told, "path"))
                self.calls += [ReadCall(self._stamp(), path, None)] if path else []

    def _stamp(self, cwd: str = "") -> Stamp:
        self.order += 1
        return Stamp(self._kept.at, self.order, self._session, "", cwd or self.cwd, "")

    def _command(self, told: JsonObject, number: int) -> None:
        command = text_of(told, "command", "command_line")
        if not command or told.get("user_rejected") is True:
            return
        call = ToolCall(COMMAND, ToolKind.COMMAND, self._name(number), command=command)
        cwd = path_of(text_of(told, "cwd"))
        self.calls.append(CommandCall(self._stamp(cwd), call, number_of(told, "exit_code")))

    def _change(self, told: JsonObject, number: int) -> None:
        path, new = path_of(text_of(told, "path")), optional_text(told, "new_content")
        if not path or any(word in text_of(told, "acknowledgement_type") for word in _REFUSED):
            return
        old = optional_text(told, "original_content")
        edits = (TextEdit("", new),) if old == "" and new is not None else ()
        call = ToolCall(WRITE, ToolKind.WRITE, self._name(number), path, new, edits)
        self.calls.append(FileCall(self._stamp(), call, old or None, False, ()))

    def _name(self, number: int) -> str:
        """The id that a step is given: a trajectory only grows."""
        return f"{MADE_UP}{self._session}.{number}"


def _folder(steps: Sequence[JsonLine]) -> str:
    """The folder in which most commands ran, else the one that was listed, else that around all changed files."""
    told = [
        (kind, object_of(one.record or {}, kind))
        for one in steps
        if (kind := text_of(one.record or {}, "type"))
    ]
    ran = Counter(
        folder for kind, step in told if kind == COMMAND and (folder := path_of(text_of(step, "cwd")))
    )
    if ran:
        return ran.most_common(1)[0][0]
    listed = [
        folder
        for kind, step in told
        if kind == "list_directory" and (folder := path_of(text_of(step, "path")))
    ]
    if listed:
        return listed[0]
    changed = [path_of(text_of(step, "path")) for kind, step in told if kind == "code_action"]
    folders = [posixpath.dirname(path) for path in changed if path.startswith("/")]
    around = posixpath.commonpath(folders) if folders else ""
    return "" if around == "/" else around
