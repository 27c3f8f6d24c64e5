"""Chats and commits -> one Transcript: each action once, told by the commit where there is one.

An action's id is its round of its chat and the file, so that it is the same before and after its commit came,
and after a rebase; a commit that no chat names is known by when it was written and what it changed.
"""

import hashlib
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from sulcus_panel.core.capture.adapter import ToolCall, ToolKind
from sulcus_panel.core.capture.harnesses.aider.commits import Commit, FileChange, Repository
from sulcus_panel.core.capture.harnesses.aider.history import Chat, Round
from sulcus_panel.core.capture.harnesses.aider.states import Edit, sides_of
from sulcus_panel.core.capture.past.records import (
    Call,
    CommandCall,
    FileCall,
    Prompt,
    SessionFacts,
    Sides,
    Stamp,
    Transcript,
)
from sulcus_panel.core.safety import plain

COMMITS = "commits"
"""The session of commits that no chat names."""
APART = timedelta(microseconds=2)
"""So far two actions of one known time are put apart, for their order is known."""
EDIT, COMMIT, SHELL = "edit", "commit", "shell"


@dataclass(frozen=True, slots=True)
class Source:
    """One project: its chats and where their history stands, and its repository.

    `is_whole`: commits count that no chat names.
    """

    folder: str
    history: str
    chats: tuple[Chat, ...]
    repository: Repository | None
    is_whole: bool
    problems: tuple[str, ...] = ()
    since: datetime | None = None
    """Commits that no chat names count only from then on."""


Now = Callable[[str], bytes | None]


def transcript_of(sources: Sequence[Source], now: Now) -> Transcript:
    """Everything that these projects say. `now`: how a file is, by its whole path."""
    teller = _Teller(now)
    for source in sources:
        teller.tell(source)
    problems = (problem for source in sources for problem in source.problems)
    return Transcript.in_order(teller.calls, teller.prompts, teller.sessions, problems)


@dataclass(slots=True)
class _Teller:
    now: Now
    calls: list[Call] = field(default_factory=list)
    prompts: list[Prompt] = field(default_factory=list)
    sessions: list[SessionFacts] = field(default_factory=list)
    order: int = 0
    names: Counter[str] = field(default_factory=Counter)

    def tell(self, source: Source) -> None:
        """Add one project."""
        made = _Made(source)
        last = len(source.chats) - 1
        for nth, chat in enumerate(source.chats):
            self.names[chat.name] += 1
            again = f"#{self.names[chat.name]}" if self.names[chat.name] > 1 else ""
            self._tell_chat(chat, chat.name + again, source, made, is_last=nth == last)
        if source.is_whole and made.left:
            self._tell_commits(source, made)

    def _tell_chat(self, chat: Chat, session: str, source: Source, made: "_Made", *, is_last: bool) -> None:
        folder = source.folder
        at = min([chat.started, *(one.at for one in made.of_chat(chat))])
        first, asked = at, 0
        rounds: list[tuple[Stamp, Round]] = []
        for one in chat.rounds:
            for number in range(asked + 1, one.prompt + 1):
                self._ask(chat, number, self._stamp(at, session, folder, number))
            asked = max(asked, one.prompt)
            commit = made.commit(one)
            at = max(at + APART, commit.at if commit is not None else at)
            rounds.append((self._stamp(at, session, folder, one.prompt), one))
        for number in range(asked + 1, len(chat.prompts) + 1):
            self._ask(chat, number, self._stamp(at, session, folder, number))
        edits = [tuple(_edits(one, made)) for _, one in rounds]

        def now(path: str) -> bytes | None:
            return self.now(os.path.join(folder, path)) if is_last else None

        told = iter(sides_of([edit for own in edits for edit in own], now))
        for (stamp, one), own in zip(rounds, edits, strict=True):
            asked_for = chat.prompts[one.prompt - 1] if one.prompt else ""
            for edit in own:
                self._change(stamp, edit, next(told), f"{one.number}-{_digest(folder, asked_for, edit.path)}")
            self._ran(stamp, one)
        self.sessions.append(SessionFacts(session, None, source.history, first, at, (folder,)))

    def _tell_commits(self, source: Source, made: "_Made") -> None:
        folder = made.repository.folder if made.repository is not None else source.folder
        times: list[datetime] = []
        for commit in sorted(made.left, key=lambda one: one.at):
            at = max(commit.at, times[-1] + APART) if times else commit.at
            times.append(at)
            changes = made.changes(commit)
            digest = _digest(commit.at.isoformat(), *(f"{one.path}\0{one.ids}" for one in changes))
            for change in changes:
                stamp = self._stamp(at, COMMITS, folder, 0, f"{COMMITS}#{digest}")
                call_id = _digest(folder, commit.at.isoformat(), change.path, change.ids)
                self.calls.append(
                    _file_call(stamp, COMMIT, call_id, change, Sides(change.before, change.after))
                )
        self.sessions.append(SessionFacts(COMMITS, None, source.folder, times[0], times[-1], (folder,)))

    def _stamp(self, at: datetime, session: str, folder: str, prompt: int, turn: str = "") -> Stamp:
        self.order += 1
        return Stamp(at, self.order, session, "", folder, turn or (f"{session}#{prompt}" if prompt else ""))

    def _ask(self, chat: Chat, number: int, stamp: Stamp) -> None:
        text = chat.prompts[number - 1].encode("utf-8", "replace").decode()
        self.prompts.append(Prompt(stamp, text, number))

    def _change(self, stamp: Stamp, edit: Edit, sides: Sides, call_id: str) -> None:
        if edit.is_gap:
            return
        self.order += 1
        change = FileChange(edit.path, sides.before, sides.after, "", edit.moved_to)
        tool = COMMIT if edit.known is not None else EDIT
        self.calls.append(_file_call(replace(stamp, order=self.order), tool, call_id, change, sides))

    def _ran(self, stamp: Stamp, one: Round) -> None:
        for nth, command in enumerate(one.commands):
            self.order += 1
            call_id = f"{one.number}-run-{nth + 1}-{_digest(stamp.cwd, command)}"
            call = ToolCall(SHELL, ToolKind.COMMAND, call_id, command=_text(command))
            self.calls.append(CommandCall(replace(stamp, order=self.order), call, None))


class _Made:
    """Which commits of a project are aider's own, and which round of a chat made each."""

    def __init__(self, source: Source) -> None:
        self.repository = source.repository
        self._by_round: dict[tuple[str, str], Commit] = {}
        marked = [one for one in source.repository.commits() if one.is_marked] if source.repository else []
        left = {one.name: one for one in reversed(marked)}
        rounds = [one for chat in source.chats for one in chat.rounds if one.commit]
        lost = []
        for one in rounds:
            found = source.repository.find(one.commit) if source.repository is not None else None
            if found is None:
                lost.append(one)
            elif found.is_marked or one.applied:
                self._by_round[one.commit, one.subject] = found
            if found is not None:
                left.pop(found.name, None)
        self._match_rewritten(lost, left)
        since = source.since
        self.left = tuple(one for one in left.values() if since is None or one.at >= since)

    def _match_rewritten(self, lost: Sequence[Round], left: dict[str, Commit]) -> None:
        """A commit that was rebased has another id and still its words: as many as the chats tell, in order."""
        alike: dict[str, list[Commit]] = defaultdict(list)
        for commit in sorted(left.values(), key=lambda one: one.at):
            alike[commit.subject].append(commit)
        asked = Counter(one.subject for one in lost)
        same_number = {subject for subject, found in alike.items() if len(found) == asked[subject]}
        for one in lost:
            if one.subject in same_number - {""}:
                found = alike[one.subject].pop(0)
                self._by_round[one.commit, one.subject] = left.pop(found.name)

    def commit(self, one: Round) -> Commit | None:
        """The round's commit, None where it made none, or none of its own."""
        return self._by_round.get((one.commit, one.subject)) if one.commit else None

    def of_chat(self, chat: Chat) -> Iterator[Commit]:
        """The commits of a chat."""
        for one in chat.rounds:
            if (commit := self.commit(one)) is not None:
                yield commit

    def changes(self, commit: Commit) -> tuple[FileChange, ...]:
        """What the commit did to files."""
        return self.repository.changes(commit) if self.repository is not None else ()


def _edits(one: Round, made: _Made) -> Iterator[Edit]:
    """What a round did, file by file."""
    commit = made.commit(one)
    if commit is not None:
        for change in made.changes(commit):
            known = Sides(change.before, change.after)
            yield Edit(change.path, known=known, moved_to=change.moved_to)
        return
    if one.failed or (one.commit and not one.applied):
        yield Edit("", is_gap=True)  # what the person, or a linter, had written until then is not known
    for path in one.applied:
        yield Edit(path, one.blocks_of(path), path in one.created)


def _file_call(stamp: Stamp, tool: str, call_id: str, change: FileChange, sides: Sides) -> FileCall:
    kind = ToolKind.DELETE if change.after is None else ToolKind.EDIT
    applied = ToolCall(tool, kind, call_id, change.path, moved_to=change.moved_to)
    return FileCall(stamp, applied, None, created=False, patch=(), sides=sides)


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _text(text: str) -> str:
    return plain(text, 10_000) if any(0xD800 <= ord(char) < 0xE000 for char in text) else text
