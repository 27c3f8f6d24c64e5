"""Cursor's agent transcripts -> one Transcript, a weak one: what was asked for, and nothing of how it ended.

No line bears a time or an id, no call has a result: all have the file's time, their order, and their place.
"""

import posixpath
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from sulcus_panel.core.capture.adapter import ToolCall, ToolKind
from sulcus_panel.core.capture.harnesses.cursor.toolset import (
    PATCHES,
    READS,
    named_path,
    opened,
    parts_of_patch,
    path_of,
    tool_calls,
)
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
from sulcus_panel.core.capture.patch_text import PatchKind
from sulcus_panel.core.capture.payload import JsonObject, block_text, object_of, objects_of, text_of
from sulcus_panel.core.capture.tagged import tagged
from sulcus_panel.core.safety import plain

WEAK = (
    "a weak record: it has no times and no results, so that a call that failed or was refused looks like one that "
    "worked, and what a command did is not known"
)
_QUERY = re.compile(r"<user_query>")
_NOT_A_LETTER = re.compile(r"[^A-Za-z0-9]+")
_OWN = "/.cursor/"
_SPEECH = ("role", "not a transcript, nobody speaks in it")


def read_transcripts(paths: Sequence[Path]) -> Transcript:
    """Everything that these files say. What cannot be read is a problem, not an error."""
    calls: list[Call] = []
    prompts: list[Prompt] = []
    facts: list[SessionFacts] = []
    problems: list[str] = []
    order = 0
    for path in paths:
        kept = read_untimed(path, *_SPEECH)
        problems += kept.problems
        if not kept.lines:
            continue
        talk = _Talk(path, kept, order)
        talk.tell()
        order = talk.order
        calls += talk.calls
        prompts += talk.prompts
        cwds = (talk.cwd,) if talk.cwd else ()
        facts.append(SessionFacts(path.stem, None, str(path), kept.at, kept.at, cwds))
        problems.append(f"{plain(path.name)}: {WEAK}")
    return Transcript.in_order(calls, prompts, facts, problems)


def project_key(folder: str) -> str:
    """The name under which Cursor keeps what belongs to a folder."""
    return _NOT_A_LETTER.sub("-", folder).strip("-")


def folder_in(path: Path) -> str:
    """Where a transcript's run took place, empty where neither its place nor its calls tell."""
    return _folder(path, read_untimed(path, *_SPEECH).lines)


class _Talk:
    """One file under way."""

    def __init__(self, path: Path, kept: UntimedLines, order: int) -> None:
        self._session = path.stem
        self._kept = kept
        self.cwd = _folder(path, kept.lines)
        self.order = order
        self.calls: list[Call] = []
        self.prompts: list[Prompt] = []

    def tell(self) -> None:
        """Take in all lines."""
        for line in self._kept.lines:
            record = line.record or {}
            if text_of(record, "role") == "user":
                text = _spoken(block_text(object_of(record, "message").get("content")))
                self.prompts.append(Prompt(self._stamp(), text, len(self.prompts) + 1))
                continue
            for number, block in enumerate(_uses(record)):
                self._call(block, f"{MADE_UP}{self._session}.{line.number}.{number + 1}")

    def _stamp(self) -> Stamp:
        self.order += 1
        return Stamp(self._kept.at, self.order, self._session, "", self.cwd, "")

    def _call(self, block: JsonObject, name: str) -> None:
        tool, given = text_of(block, "name"), block.get("input")
        if tool in READS:
            path = named_path(opened(given))
            self.calls += [ReadCall(self._stamp(), path, None)] if path else []
        elif tool in PATCHES:
            for part in parts_of_patch(tool, given, name):
                is_update = all(one.kind is PatchKind.UPDATE for one in part.patches)
                chunks = tuple(chunk for one in part.patches for chunk in one.chunks) if is_update else ()
                adds = part.call.kind is ToolKind.WRITE
                self.calls.append(
                    FileCall(self._stamp(), part.call, None, False, (), chunks=chunks, adds=adds)
                )
        else:
            for call in tool_calls(tool, given, name):
                self._take(call)

    def _take(self, call: ToolCall) -> None:
        if call.kind is ToolKind.COMMAND:
            self.calls.append(CommandCall(self._stamp(), call, None))
        elif call.kind is not ToolKind.MCP:
            self.calls.append(FileCall(self._stamp(), call, None, False, ()))


def _uses(record: JsonObject) -> list[JsonObject]:
    content = objects_of(object_of(record, "message"), "content")
    return [block for block in content if block.get("type") == "tool_use"]


def _spoken(text: str) -> str:
    """What the person wrote, without what Cursor puts around it."""
    asked = [found.body.strip() for found in tagged(text, _QUERY, lambda _: "</user_query>")]
    if asked:
        return "\n".join(asked)
    return "" if text.lstrip().startswith("<") else text.strip()


def _folder(path: Path, lines: Sequence[JsonLine]) -> str:
    """The folder whose name the transcript's own folder bears, else that around all files of the run."""
    named = [name for line in lines for name in _named(line.record or {}) if _OWN not in name]
    keys = {parent.name for parent in path.parents}
    above = {folder for name in named for folder in _folders(posixpath.normpath(name))}
    exact = next((folder for folder in sorted(above, key=len) if project_key(folder) in keys), "")
    folders = [posixpath.dirname(posixpath.normpath(name)) for name in named]
    around = posixpath.commonpath(folders) if folders else ""
    return exact or ("" if around == "/" else around)


def _named(record: JsonObject) -> Iterator[str]:
    """The absolute paths in a line's calls."""
    for block in _uses(record):
        given = opened(block.get("input"))
        for name in (named_path(given), path_of(text_of(given, "working_directory", "target_directory"))):
            if name.startswith("/"):
                yield name


def _folders(path: str) -> Iterator[str]:
    """The path and the folders above it."""
    while len(path) > 1:
        yield path
        path = posixpath.dirname(path)
