"""How a tool's call ended, in the words that Cline gives the model, or in the command line's JSON."""

import json
import re
from dataclasses import dataclass

from sulcus_panel.core.capture.payload import JsonObject, block_text, text_of

_PREFIX = re.compile(r"\[\w+(?: for '[^\n]*?')?\] Result:\n?")
_EXIT = re.compile(r"^Command [^\n]{0,40}?\bcode:? (-?\d{1,10})\b", re.MULTILINE)
_BAD = (
    "The tool execution failed",
    "The user denied this operation",
    "[The user denied",
    "Error",
    "[ERROR]",
    "Missing value for required parameter",
)
_NOT_RUN = ("The user denied this operation", "[The user denied", "Missing value for required parameter")
_NOT_AS_ASKED = ("The user made the following updates to your content", "auto-formatting to your content")


@dataclass(frozen=True, slots=True)
class Answer:
    """A call's end. `is_json`: the command line's, which writes a file exactly as it was asked."""

    is_good: bool
    text: str
    is_json: bool = False

    @property
    def ran(self) -> bool:
        """Whether anything was done at all, well or not."""
        return not self.text.startswith(_NOT_RUN)

    @property
    def still_runs(self) -> bool:
        """A command that was left running."""
        return self.text.startswith("Command is still running")

    @property
    def as_asked(self) -> bool:
        """Whether neither the person nor a formatter changed what was written."""
        return not any(words in self.text for words in _NOT_AS_ASKED)


def answer_of(result: JsonObject) -> Answer:
    """The answer in a result block."""
    content = result.get("content")
    opened = _opened(content) if isinstance(content, str) else content
    told = [one for one in (opened if isinstance(opened, list) else [opened]) if isinstance(one, dict)]
    if told and all("success" in one for one in told):
        good = all(one["success"] is True for one in told) and result.get("is_error") is not True
        texts = [text_of(one, "result", "error") or text_of(one, "error") for one in told]
        return Answer(good, "\n".join(texts), is_json=True)
    text = block_text(content)
    if prefix := _PREFIX.match(text):
        text = text[prefix.end() :]
    return Answer(result.get("is_error") is not True and not text.startswith(_BAD), text)


def exit_code(answer: Answer) -> int | None:
    """A command's exit code where it is told; the command line tells a failed one's only at times."""
    if answer.is_json and answer.is_good:
        return 0
    found = _EXIT.search(answer.text) if answer.is_json else _EXIT.match(answer.text)
    if found:
        return int(found[1])
    return 0 if answer.is_good and answer.text.startswith("Command executed") else None


def was_created(answer: Answer) -> bool:
    """Whether the answer says that a new file was made."""
    return answer.is_json and answer.text.startswith("File created successfully")


def _opened(text: str) -> object:
    if not text.lstrip().startswith(("{", "[{")):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
