"""A chat history -> chats: what was asked, what each reply wanted, and what was then done. Pure.

The file only grows. A round is what one reply did: the files that were applied, and the commit of them where
one followed. Rounds are counted within their chat: in a longer file the same ones have the same number.
Source: aider/io.py (append_chat_history), aider/coders.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from sulcus_panel.core.capture.harnesses.aider.blocks import FENCES, Block

_STARTED = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$")
_SEARCH = re.compile(r"<{5,9} SEARCH>?\s*$")
_DIVIDER = re.compile(r"={5,9}\s*$")
_REPLACE = re.compile(r">{5,9} REPLACE\s*$")
_APPLIED = re.compile(r"> Applied edit to (\S.*)")
_COMMIT = re.compile(r"> Commit ([0-9a-f]{7,40}) ?(.*)")
_FORMAT = re.compile(r"> (?:Main m|Editor m|M)odel: .* with ([\w-]+) edit format")
_CREATE = re.compile(r"> Create new file\?.*: ?y", re.IGNORECASE)
_RUN_ASKED = re.compile(r"> Run shell commands?\?")
_RUNNING = re.compile(r"> Running (\S.*)")
_FAILED = re.compile(r"> # \d+ SEARCH/REPLACE blocks? failed to match!")
_FAILED_END = "The SEARCH section must exactly match"
_PROMPT = "#### "


@dataclass(frozen=True, slots=True)
class Round:
    """What one reply did, at most one commit. `number` counts from 1 within the chat, `prompt` too (0: none)."""

    number: int
    prompt: int
    blocks: tuple[Block, ...] = ()
    applied: tuple[str, ...] = ()
    created: frozenset[str] = frozenset()
    commit: str = ""
    subject: str = ""
    commands: tuple[str, ...] = ()
    failed: bool = False
    """Some blocks of it found no place; others may have been applied without a word."""

    def blocks_of(self, path: str) -> tuple[Block, ...]:
        """The blocks for a file that was applied; none where the reply spells no name that can be its."""
        exact = tuple(block for block in self.blocks if block.path == path)
        return exact or tuple(block for block in self.blocks if ("/" + path).endswith("/" + block.path))


@dataclass(frozen=True, slots=True)
class Chat:
    """One run of aider. `started` is local time by the file, taken as this machine's."""

    started: datetime
    name: str
    prompts: tuple[str, ...]
    rounds: tuple[Round, ...]
    commits_itself: bool
    """It may still commit what it has applied last."""


def read_history(text: str) -> tuple[Chat, ...]:
    """The chats of a history, in its order; what stands above the first beginning belongs to none."""
    lines = text.split("\n")
    # Trailing spaces tell a prompt from a heading in a reply; an editor may have taken all of them away.
    marked = any(line.startswith(_PROMPT) and line.endswith("  ") for line in lines)
    found: list[Chat] = []
    for name, below in _chats(lines):
        started = _time(name)
        if started is not None:
            reader = _Reader(marked)
            for line in below:
                reader.take(line)
            found.append(reader.chat(started, name))
    return tuple(found)


def _chats(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    name, below = "", list[str]()
    for line in lines:
        if started := _STARTED.match(line):
            yield name, below
            name, below = started[1], []
        else:
            below.append(line)
    yield name, below


def _time(name: str) -> datetime | None:
    try:
        return datetime.fromisoformat(name).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None


@dataclass(slots=True)
class _Reply:
    """The blocks that wait to be applied, and what was said of them."""

    blocks: list[Block] = field(default_factory=list)
    created: set[str] = field(default_factory=set)
    failed: bool = False


@dataclass(slots=True)
class _Reader:
    """One chat, line by line."""

    marked: bool
    prompts: list[list[str]] = field(default_factory=list)
    """Each prompt's lines."""
    rounds: list[Round] = field(default_factory=list)
    style: str = ""
    header: list[str] = field(default_factory=list)
    reply: _Reply = field(default_factory=_Reply)
    applied: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    above: list[str] = field(default_factory=list)
    """The lines of the reply so far, the newest last."""
    part: list[list[str]] | None = None
    """The open block's SEARCH and REPLACE lines."""
    block_path: str = ""
    told: str = ""
    """The line of aider's own that was last."""
    in_failure: bool = False
    in_prompt: bool = False
    runs: bool = False

    def take(self, line: str) -> None:
        """One more line."""
        if self.part is not None:
            self._block_line(line)
        elif self._is_prompt(line):
            self._ask(line.removeprefix(_PROMPT).strip())
        elif self.in_failure:
            self.in_failure = not line.removeprefix("> ").startswith(_FAILED_END)
        elif line.startswith("> ") and self._say(line):
            self.in_prompt = False
        else:
            self._hear(line)

    def chat(self, started: datetime, name: str) -> Chat:
        """What was read."""
        self._close()
        head = "\n".join(self.header)
        prompts = tuple("\n".join(lines) for lines in self.prompts)
        ends_open = bool(self.rounds) and not self.rounds[-1].commit and self.told.startswith("> Applied")
        earlier = [one for one in self.rounds if one.applied]
        habit = all(one.commit for one in earlier[:-1])
        commits = "Git repo: none" not in head and "--no-auto-commits" not in head and habit
        return Chat(started, name, prompts, tuple(self.rounds), ends_open and commits)

    def _is_prompt(self, line: str) -> bool:
        return line.startswith(_PROMPT) and (not self.marked or line.endswith("  "))

    def _ask(self, text: str) -> None:
        if self.in_prompt:
            self.prompts[-1].append(text)
            return
        self._close()
        self.reply, self.above = _Reply(), []
        self.in_prompt, self.in_failure, self.told = True, False, ""
        self.prompts.append([text])

    def _say(self, line: str) -> bool:
        """A line of aider's own; False where it may be a quotation in a reply."""
        if self.marked and self.prompts and not line.endswith("  ") and not _FAILED.match(line):
            return False
        before, self.told = self.told, line
        if not self.prompts:
            self.header.append(line)
            if style := _FORMAT.match(line):
                self.style = style[1]
        if applied := _APPLIED.match(line):
            self._end_reply()
            self.applied.append(applied[1].rstrip())
        elif commit := _COMMIT.match(line):
            self._end_reply()
            self._close(commit[1], commit[2].strip())
        elif _FAILED.match(line):
            self._end_reply()
            self.reply.failed, self.in_failure = True, True
            self._close(failed=True)
        elif _CREATE.match(line):
            self._end_reply()
            self.reply.created.add(before.removeprefix("> ").strip())
        elif _RUN_ASKED.match(line):
            self.runs = True
        elif self.runs and (running := _RUNNING.match(line)):
            self.commands.append(running[1].rstrip())
        return True

    def _hear(self, line: str) -> None:
        """A line of a reply."""
        if not line.strip():
            self.in_prompt = False
            self.above.append(line)
            return
        self.in_prompt = False
        if self.told:
            self._close()
            self.reply, self.above, self.told, self.runs = _Reply(), [], "", False
        if _SEARCH.match(line):
            self.block_path = _name_above(self.above) or self.block_path
            self.part = [[]]
        else:
            self.above.append(line)

    def _block_line(self, line: str) -> None:
        part = self.part or [[]]
        if len(part) == 1 and _DIVIDER.match(line):
            part.append([])
        elif len(part) == 2 and (_REPLACE.match(line) or _DIVIDER.match(line)):
            old, new = ("".join(one + "\n" for one in lines) for lines in part)
            self.reply.blocks.append(Block(self.block_path, old, new))
            self.part = None
        elif _STARTED.match(line) or line.startswith("> Tokens:"):
            self.part = None  # the reply broke off within a block
            self.take(line)
        else:
            part[-1].append(line)

    def _end_reply(self) -> None:
        """The reply is whole: read what stands in it beside SEARCH/REPLACE blocks."""
        lines, self.above = self.above, []
        if self.style.endswith("whole"):
            self.reply.blocks += _whole_files(lines)
        self.block_path = ""

    def _close(self, commit: str = "", subject: str = "", *, failed: bool = False) -> None:
        if self.applied or commit or self.commands or failed:
            applied = tuple(dict.fromkeys(self.applied))
            self.rounds.append(
                Round(
                    len(self.rounds) + 1,
                    len(self.prompts),
                    tuple(self.reply.blocks),
                    applied,
                    frozenset(self.reply.created),
                    commit,
                    subject,
                    tuple(self.commands),
                    failed,
                )
            )
        self.applied, self.commands = [], []


def _name_above(lines: Sequence[str]) -> str:
    """The file's name in the three lines above a block, empty where there is none."""
    for line in reversed(lines[-3:]):
        if name := _name(line):
            return name
        if not line.lstrip().startswith(FENCES):
            return ""
    return ""


def _name(line: str) -> str:
    text = line.strip()
    if text == "..." or text.startswith(FENCES):
        return ""
    return text.rstrip(":").lstrip("#").strip().strip("`").strip("*").replace("\\_", "_")


def _whole_files(lines: Sequence[str]) -> Iterator[Block]:
    """The fenced files of a reply in the `whole` format, each under its name."""
    at = 0
    while at < len(lines):
        fence = next((one for one in ("````", "```") if lines[at].startswith(one)), "")
        name = _name(lines[at - 1]) if fence and at else ""
        if not fence or not name:
            at += 1
            continue
        end = next((n for n in range(at + 1, len(lines)) if lines[n].strip() == fence), None)
        if end is None:
            return
        yield Block(name, None, "".join(line + "\n" for line in lines[at + 1 : end]))
        at = end + 1
