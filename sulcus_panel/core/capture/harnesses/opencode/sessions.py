"""Sessions of OpenCode -> one Transcript. What was reverted was done all the same, and stays.

Its snapshots are not asked: they leave out ignored and large files, and may be of an empty tree.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from sulcus_panel.core.capture.adapter import ToolKind
from sulcus_panel.core.capture.harnesses.opencode.kept import Message, Session, moment, state_of
from sulcus_panel.core.capture.harnesses.opencode.patched import patched_files
from sulcus_panel.core.capture.harnesses.opencode.toolset import (
    PATCHES,
    READ,
    as_applied,
    exit_code,
    named_path,
    told_texts,
    tool_calls,
    was_created,
    working_folder,
)
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
from sulcus_panel.core.capture.payload import JsonObject, number_of, object_of, text_of

_NOT_ALLOWED = ("The user rejected", "The user dismissed", "The user has specified a rule")
_START = datetime.fromtimestamp(0, UTC)


def transcript_of(sessions: Sequence[Session], problems: Sequence[str]) -> Transcript:
    """Everything that these sessions say."""
    calls: list[Call] = []
    prompts: list[Prompt] = []
    facts = []
    order = 0
    for session in sessions:
        tale = _Tale(session, order)
        tale.tell()
        order = tale.order
        calls += tale.calls
        prompts += tale.prompts
        facts.append(tale.facts())
    return Transcript.in_order(calls, prompts, facts, problems)


class _Tale:
    """One session under way."""

    def __init__(self, session: Session, order: int) -> None:
        self._session = session
        self._last = session.created or _START
        self.order = order
        self.calls: list[Call] = []
        self.prompts: list[Prompt] = []

    def tell(self) -> None:
        """Take in all messages."""
        for message in self._session.messages:
            self._last = message.at or self._last
            if message.role == "user":
                stamp = self._stamp(self._last, message, message.key)
                self.prompts.append(Prompt(stamp, _spoken(message), len(self.prompts) + 1))
                continue
            for part in message.parts:
                if state_of(part):
                    self.calls += self._calls(part, message)

    def facts(self) -> SessionFacts:
        """The session as a whole."""
        times = [one.stamp.at for one in (*self.calls, *self.prompts)]
        first = self._session.created or min(times, default=_START)
        folder = self._session.directory or next((one.cwd for one in self._session.messages if one.cwd), "")
        return SessionFacts(
            self._session.key,
            self._session.parent,
            self._session.source,
            first,
            max(times, default=first),
            (folder,) if folder else (),
        )

    def _stamp(self, at: datetime, message: Message, turn: str) -> Stamp:
        self.order += 1
        folder = message.cwd or self._session.directory
        return Stamp(at, self.order, self._session.key, "", folder, turn, message.model)

    def _calls(self, part: JsonObject, message: Message) -> Iterator[Call]:
        """A part's call, as one a file; one that did not end, was not allowed, or failed on a file did nothing."""
        state = state_of(part)
        status, tool, given = text_of(state, "status"), text_of(part, "tool"), object_of(state, "input")
        metadata, time = object_of(state, "metadata"), object_of(state, "time")
        at = moment(number_of(time, "end")) or moment(number_of(time, "start")) or self._last
        self._last = max(at, self._last)
        asked = tool_calls(tool, given, text_of(part, "callID"))
        if asked and asked[0].kind is ToolKind.COMMAND:
            ran = status == "completed" or (
                status == "error" and not text_of(state, "error").startswith(_NOT_ALLOWED)
            )
            if ran:
                stamp = self._stamp(at, message, message.parent)
                stamp = replace(stamp, cwd=working_folder(given, stamp.cwd))
                yield CommandCall(stamp, asked[0], exit_code(metadata))
            return
        if status != "completed":
            return
        if tool == READ and (path := named_path(given)):
            yield ReadCall(self._stamp(at, message, message.parent), path, None)
        elif tool in PATCHES:
            for one in patched_files(tool, given, metadata, text_of(part, "callID")):
                yield replace(one, stamp=self._stamp(at, message, message.parent))
        elif asked and asked[0].kind is not ToolKind.MCP:
            original, _ = told_texts(metadata)
            created = was_created(tool, metadata)
            stamp = self._stamp(at, message, message.parent)
            yield FileCall(stamp, as_applied(asked[0], metadata), original, created, ())


def _spoken(message: Message) -> str:
    """What the person wrote; what OpenCode puts in is marked as its own."""
    texts = [
        text_of(part, "text")
        for part in message.parts
        if part.get("type") == "text" and not part.get("synthetic") and not part.get("ignored")
    ]
    return "\n".join(text for text in texts if text).strip()
