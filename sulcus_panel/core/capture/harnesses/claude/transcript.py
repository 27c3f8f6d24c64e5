"""Claude Code's transcripts (JSON lines) -> frozen records, one line at a time.

Reads what is known and ignores the rest: unknown types, unknown keys. A line that cannot be read is counted
with its number and the reading goes on. Sessions that were resumed or forked repeat records: each is read
once, by its uuid and by its call's id and time; an id alone may come again for another call. A result may
stand before its call, so that calls are put together at the end.
"""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from sulcus_panel.core.capture.harnesses.claude.calls import (
    KNOWN_TOOLS,
    ToolResult,
    ToolUse,
    build_call,
    slim,
    tool_of,
)
from sulcus_panel.core.capture.harnesses.claude.snapshots import Snapshots
from sulcus_panel.core.capture.past.json_lines import JsonLine, json_lines, told
from sulcus_panel.core.capture.past.records import Call, Prompt, SessionFacts, Stamp, Transcript
from sulcus_panel.core.capture.payload import (
    NOTHING,
    JsonObject,
    block_text,
    model_of,
    object_of,
    objects_of,
    text_of,
    time_of,
)
from sulcus_panel.core.capture.plain_file import open_plain
from sulcus_panel.core.safety import plain

SPOKEN = ("user", "assistant")
"""The types of the records that make up a conversation; they alone have to have a time."""

_NOT_A_PROMPT = re.compile(
    r"\s*(?:\[Request interrupted by user|<local-command-|<bash-(?:input|stdout|stderr)>|"
    r"Caveat: The messages below)"
)
_ADDED = re.compile(r"<(system-reminder|ide_opened_file|ide_selection)>.*?</\1>", re.DOTALL)
_COMMAND = re.compile(r"<command-name>(.*?)</command-name>", re.DOTALL)
_ARGUMENTS = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)
_FAILURE = re.compile(r"\s*(?:Error\b|User rejected)")


def read_transcripts(paths: Sequence[Path]) -> Transcript:
    """Everything that these files say. A file that cannot be opened is a problem, not an error."""
    reader = Reader()
    for path in paths:
        reader.read(path)
    return reader.finish()


def read_heads(path: Path) -> Iterator[JsonObject]:
    """The records of one file as they come, unread lines left out; nothing where it cannot be opened."""
    try:
        with open_plain(path) as file:
            yield from _records(file)
    except OSError:
        return


class Reader:
    """Takes in transcripts, whole or as they grow."""

    def __init__(self) -> None:
        self._order = 0
        self._uses: dict[str, list[tuple[Stamp, ToolUse]]] = defaultdict(list)
        self._results: dict[tuple[str, str, datetime, str], ToolResult] = {}
        self._prompts: list[Prompt] = []
        self._asked: Counter[tuple[str, str]] = Counter()
        self._snapshots = Snapshots()
        self._sessions: dict[str, SessionFacts] = {}
        self._seen: set[str] = set()
        self._chains: dict[str, str] = {}
        self._problems: list[str] = []

    def read(self, path: Path) -> None:
        """Take in one file."""
        try:
            with open_plain(path) as file:
                first = _first_time(file)
                self._read_lines(path, file, first)
        except OSError as error:
            self._problems.append(f"{plain(path.name)}: {error.strerror}")

    def read_part(self, path: Path, lines: bytes, last: datetime) -> datetime:
        """Take in some more whole lines of a file; `last` is the time of those that have none. The newest time."""
        return self._read_lines(path, BytesIO(lines), last)

    def let_go(self) -> tuple[Call, ...]:
        """The calls that are answered by now; of all that was read only what is still open stays in memory."""
        done = [key for key, result in self._results.items() if result.call_id in self._uses]
        answered = [self._results.pop(key) for key in done]
        calls = tuple(call for result in answered if (call := self._call(result)))
        for result in answered:
            self._uses.pop(result.call_id, None)
        self._prompts.clear()
        self._seen.clear()
        self._problems.clear()
        self._snapshots = Snapshots()
        return calls

    def finish(self) -> Transcript:
        """All records, calls put together, sorted by time of happening."""
        calls = [call for result in self._results.values() if (call := self._call(result))]
        return Transcript.in_order(
            calls, self._prompts, self._sessions.values(), self._problems, self._snapshots.backups()
        )

    def _call(self, result: ToolResult) -> Call | None:
        asked = self._uses.get(result.call_id)
        if asked is None:
            return build_call(ToolUse(tool_of(result.details), NOTHING), result)
        stamp, use = max(asked, key=lambda one: _nearness(one[0], result.stamp))
        return build_call(use, replace(result, stamp=replace(result.stamp, model=stamp.model)))

    def _read_lines(self, path: Path, file: BinaryIO, last: datetime) -> datetime:
        """Take in the records of a file and give the last time; `last` is that of those with none before them."""
        bad: list[JsonLine] = []
        name = plain(path.name)
        session = ""
        count = timeless = 0
        for line in json_lines(file):
            record = line.record
            if record is None:
                bad.append(line)
                continue
            count += 1
            session = text_of(record, "sessionId") or session
            if _is_history(record):
                self._snapshots.add(record, session or path.stem)
                continue
            own = time_of(record, "timestamp")
            last = own or last
            if self._is_new(record):
                timeless += own is None and record.get("type") in SPOKEN
                self._take(record, self._stamp(record, last, session or path.stem), path)
        if not count:
            self._problems.append(f"{name}: not a transcript, it holds no JSON record")
            return last
        self._problems += told(name, bad)
        if timeless:
            those = "1 record has" if timeless == 1 else f"{timeless} records have"
            self._problems.append(
                f"{name}: {those} no time that can be read: a neighbour's or the file's was taken"
            )
        return last

    def _is_new(self, record: JsonObject) -> bool:
        uuid = text_of(record, "uuid")
        if not uuid:
            return True
        if uuid in self._seen:
            return False
        self._seen.add(uuid)
        return True

    def _stamp(self, record: JsonObject, at: datetime, session: str) -> Stamp:
        agent, cwd, prompt = self._agent(record), text_of(record, "cwd"), text_of(record, "promptId")
        model = model_of(object_of(record, "message"))
        return Stamp(at, self._next_order(), session, agent, cwd, prompt, model)

    def _next_order(self) -> int:
        self._order += 1
        return self._order

    def _agent(self, record: JsonObject) -> str:
        """The subagent that speaks. In 2025 it had no id: then the first record of its chain names it."""
        if record.get("isSidechain") is not True:
            return ""
        uuid, parent = text_of(record, "uuid"), text_of(record, "parentUuid")
        chain = text_of(record, "agentId") or self._chains.get(parent) or uuid or "sidechain"
        self._chains[uuid] = chain
        return chain

    def _take(self, record: JsonObject, stamp: Stamp, path: Path) -> None:
        kind = record.get("type")
        if kind not in SPOKEN:
            return
        self._note_session(stamp, path)
        blocks = objects_of(object_of(record, "message"), "content")
        if kind == "assistant":
            self._take_uses(blocks, stamp)
        elif any(block.get("type") == "tool_result" for block in blocks):
            self._take_results(record, blocks, stamp)
        else:
            self._take_prompt(record, stamp)

    def _take_uses(self, blocks: Iterable[JsonObject], stamp: Stamp) -> None:
        for block in blocks:
            name, call_id = text_of(block, "name"), text_of(block, "id")
            if block.get("type") == "tool_use" and call_id:
                arguments = object_of(block, "input") if name in KNOWN_TOOLS else NOTHING
                self._uses[call_id].append((stamp, ToolUse(name, arguments)))

    def _take_results(self, record: JsonObject, blocks: Sequence[JsonObject], stamp: Stamp) -> None:
        results = [block for block in blocks if block.get("type") == "tool_result"]
        raw = record.get("toolUseResult")
        for block in results:
            call_id = text_of(block, "tool_use_id")
            shown = block_text(block.get("content"))
            said = raw if isinstance(raw, str) else ""
            text = (shown or said)[:500]
            key = (call_id, stamp.agent, stamp.at, text)
            if not call_id or key in self._results:
                continue
            # One record holds one result; where it holds more, the dict cannot be told to be whose.
            details = raw if isinstance(raw, dict) and len(results) == 1 else NOTHING
            failed = block.get("is_error") is True or bool(_FAILURE.match(said))
            denied = bool(record.get("toolDenialKind")) or said.startswith("User rejected")
            own = replace(stamp, order=self._next_order())
            self._results[key] = ToolResult(call_id, own, text, failed, denied, slim(details))

    def _take_prompt(self, record: JsonObject, stamp: Stamp) -> None:
        if record.get("isMeta") is True or record.get("isCompactSummary") is True:
            return
        text = block_text(object_of(record, "message").get("content"))
        if _NOT_A_PROMPT.match(text):
            return
        speaker = (stamp.session, stamp.agent)
        self._asked[speaker] += 1
        spoken = "" if _is_from_harness(record, text) else _spoken(text)
        self._prompts.append(Prompt(stamp, spoken, self._asked[speaker]))

    def _note_session(self, stamp: Stamp, path: Path) -> None:
        key = stamp.agent or stamp.session
        known = self._sessions.get(key)
        parent = stamp.session if stamp.agent else None
        if known is None:
            known = SessionFacts(key, parent, str(path), stamp.at, stamp.at, ())
        is_new_cwd = bool(stamp.cwd) and stamp.cwd not in known.cwds
        self._sessions[key] = SessionFacts(
            known.session_id,
            known.parent,
            known.transcript,
            min(known.first, stamp.at),
            max(known.last, stamp.at),
            (*known.cwds, stamp.cwd) if is_new_cwd else known.cwds,
        )


def _nearness(asked: Stamp, answered: Stamp) -> tuple[bool, bool, int]:
    """How well a call fits a result of the same id: asked by the same speaker, before it, and last of these."""
    same = (asked.session, asked.agent) == (answered.session, answered.agent)
    earlier = asked.order < answered.order
    return same, earlier, asked.order if earlier else -asked.order


def _records(file: BinaryIO) -> Iterator[JsonObject]:
    return (line.record for line in json_lines(file) if line.record is not None)


def _first_time(file: BinaryIO) -> datetime:
    """The first time that any record of the file tells, else the file's own; the file stands at 0 again."""
    first = next((at for record in _records(file) if (at := time_of(record, "timestamp"))), None)
    file.seek(0)
    return first or datetime.fromtimestamp(os.fstat(file.fileno()).st_mtime, UTC)


def _is_history(record: JsonObject) -> bool:
    return record.get("type") in ("file-history-snapshot", "file-history-delta")


def _is_from_harness(record: JsonObject, text: str) -> bool:
    kind = text_of(object_of(record, "origin"), "kind")
    return kind == "task-notification" or text.lstrip().startswith("<task-notification>")


def _spoken(text: str) -> str:
    """What the person asked: a slash command as it was typed, else the text without what an editor added."""
    command = _COMMAND.search(text)
    if command is None:
        return _ADDED.sub("", text).strip()
    arguments = _ARGUMENTS.search(text)
    return f"{command[1].strip()} {arguments[1].strip() if arguments else ''}".strip()
