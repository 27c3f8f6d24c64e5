"""A conversation of Cline as calls with their answers, prompts and shown files, whichever way it was kept.

Models that call tools by a tag in their words are answered in words; others have blocks for both.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from sulcus_panel.core.capture.harnesses.cline.answers import Answer, answer_of
from sulcus_panel.core.capture.past.likeness import MADE_UP
from sulcus_panel.core.capture.payload import NOTHING, JsonObject, number_of, object_of, objects_of, text_of
from sulcus_panel.core.capture.tagged import Tagged, tagged

_TOOLS = "write_to_file|new_file|replace_in_file|apply_patch|execute_command|read_file|use_mcp_tool"
_CALL = re.compile(rf"<({_TOOLS})>")
_PARAMETER = re.compile(r"<(path|content|diff|input|command|server_name|tool_name|arguments)>")
_TEXTS = ("content", "diff", "input", "command")
_RESULT = re.compile(rf"\[({_TOOLS})(?: for '[^\n]*?')?\] Result:")
_SHOWN = re.compile(r'<file_content path="([^"\n]+)">\n')
_ASKED = re.compile(r"<(task|feedback|answer|user_message|user_input)(?: [^>\n]{0,200})?>")
_FEEDBACK = re.compile(r"<(feedback|answer)>")
_FOLDER = re.compile(r"# Current (?:Working|Workspace) Directory \(([^)\n]+)\)")
_NOT_A_PROMPT = (
    "<environment_details>",
    "[TASK RESUMPTION]",
    "[ERROR]",
    "# task_progress",
    "<explicit_instructions",
)
_MAX_MILLISECONDS = 253_000_000_000_000


@dataclass(frozen=True, slots=True)
class Asked:
    """A prompt."""

    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A file whose whole text the person gave along."""

    at: datetime
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Called:
    """A call and how it ended, None where nothing answers it. One by a tag has its number for an id."""

    at: datetime
    tool: str
    given: JsonObject
    call_id: str
    answer: Answer | None


@dataclass(slots=True)
class _Open:
    at: datetime
    tool: str
    given: JsonObject
    call_id: str
    by_tag: bool


@dataclass(slots=True)
class Talk:
    """One conversation under way. `start` dates what bears no time."""

    session: str
    start: datetime
    folder: str = ""
    said: list[Asked | Shown | Called] = field(default_factory=list)
    _open: list[_Open] = field(default_factory=list)
    _last: datetime | None = None
    _tags: int = 0

    def take(self, message: JsonObject) -> None:
        """One message, in order."""
        at = _moment(number_of(message, "ts")) or self._last or self.start
        self._last = at
        content = message.get("content")
        blocks = (
            [{"type": "text", "text": content}]
            if isinstance(content, str)
            else objects_of(message, "content")
        )
        for block in blocks:
            if text_of(message, "role") == "assistant":
                self._call(block, at)
            else:
                self._hear(block, at)

    def end(self) -> None:
        """What is still open was not answered."""
        for one in self._open:
            self.said.append(Called(one.at, one.tool, one.given, one.call_id, None))
        self._open.clear()

    def _call(self, block: JsonObject, at: datetime) -> None:
        if block.get("type") == "tool_use":
            given = object_of(block, "input")
            self._open.append(_Open(at, text_of(block, "name"), given, text_of(block, "id"), by_tag=False))
        elif block.get("type") == "text":
            for found in tagged(text_of(block, "text"), _CALL, _end):
                self._tags += 1
                self._open.append(
                    _Open(
                        at,
                        found.tag[1],
                        _parameters(found.body),
                        f"{MADE_UP}{self.session}.{self._tags}",
                        by_tag=True,
                    )
                )

    def _hear(self, block: JsonObject, at: datetime) -> None:
        kind = block.get("type")
        if kind == "tool_result":
            self._answer(text_of(block, "tool_use_id"), "", answer_of(block), at)
            content = block.get("content")
            for inner in content if isinstance(content, list) else ():
                if isinstance(inner, dict) and inner.get("type") == "text":
                    self._feedback(text_of(inner, "text"), at)
        elif kind == "file" and text_of(block, "path"):
            self.said.append(Shown(at, text_of(block, "path"), text_of(block, "content")))
        elif kind == "text":
            self._hear_text(text_of(block, "text"), at)

    def _hear_text(self, text: str, at: datetime) -> None:
        if found := _FOLDER.search(text):
            self.folder = self.folder or found[1].strip()
        if result := _RESULT.match(text):
            self._answer("", result[1], answer_of({"content": text}), at)
            self._feedback(text, at)
            return
        shown = list(tagged(text, _SHOWN, lambda _: "\n</file_content>"))
        self.said += [Shown(at, one.tag[1], one.body) for one in shown]
        if text.strip() and not text.lstrip().startswith(_NOT_A_PROMPT):
            asked = next(tagged(text, _ASKED, _end), None)
            self.said.append(Asked(at, (asked.body if asked else _without(text, shown)).strip()))

    def _feedback(self, text: str, at: datetime) -> None:
        """What the person says along with an answer."""
        for one in tagged(text[-20_000:], _FEEDBACK, _end):
            self.said.append(Asked(at, one.body.strip()))

    def _answer(self, call_id: str, tool: str, answer: Answer, at: datetime) -> None:
        for one in self._open:
            if (call_id and one.call_id == call_id) or (one.by_tag and not call_id and one.tool == tool):
                self._open.remove(one)
                self.said.append(Called(at, one.tool, one.given, one.call_id, answer))
                return


def _end(tag: re.Match[str]) -> str:
    return f"</{tag[1]}>"


def _without(text: str, parts: Sequence[Tagged]) -> str:
    for one in reversed(parts):
        text = text[: one.start] + text[one.end :]
    return text


def _parameters(body: str) -> JsonObject:
    """The tags in a call; a file's text may itself hold tags, so that there the last end counts."""
    found: dict[str, object] = {}
    at = 0
    while start := _PARAMETER.search(body, at):
        name = start[1]
        mark = f"</{name}>"
        end = body.rfind(mark) if name in _TEXTS else body.find(mark, start.end())
        if end < start.end():
            break
        found[name] = body[start.end() : end].removeprefix("\n").removesuffix("\n")
        at = end
    return found or NOTHING


def _moment(milliseconds: int | None) -> datetime | None:
    if milliseconds is None or not 0 < milliseconds < _MAX_MILLISECONDS:
        return None
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
