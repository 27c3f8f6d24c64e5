"""Chats and commits as one transcript: who asked, in which order, and which commit is whose."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from sulcus_panel.core.capture.harnesses.aider.commits import open_repository
from sulcus_panel.core.capture.harnesses.aider.history import read_history
from sulcus_panel.core.capture.harnesses.aider.telling import APART, COMMITS, Source, transcript_of
from sulcus_panel.core.capture.past.records import CommandCall, FileCall, Transcript
from tests.support.aider_project import HISTORY, START, ChatFile, Repo


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "project")
    made.commit({"a": b"1\n"}, "first")
    return made


@pytest.fixture
def chat(repo: Repo) -> ChatFile:
    return ChatFile(repo.folder / HISTORY)


def told(repo: Repo, chat: ChatFile | None, *, is_whole: bool = True) -> Transcript:
    chats = read_history(chat.path.read_text(encoding="utf-8")) if chat is not None else ()
    source = Source(str(repo.folder), "h.md", chats, open_repository(repo.folder), is_whole, ("a problem",))
    return transcript_of([source], lambda _path: None)


def of_session(transcript: Transcript) -> list[tuple[str, str]]:
    return [
        (call.stamp.session, call.applied.path) for call in transcript.calls if isinstance(call, FileCall)
    ]


def change(chat: ChatFile, path: str, name: str, subject: str) -> None:
    chat.block(path, "1\n", "2\n")
    chat.applied(path)
    chat.committed(name, subject)


def test_commits_that_no_chat_names_count_only_for_a_whole_project(repo: Repo, chat: ChatFile) -> None:
    repo.aider({"b": b"2\n"}, "before the chat")
    chat.start()
    chat.ask("go")
    change(chat, "a", repo.aider({"a": b"2\n"}, "in the chat"), "in the chat")
    assert of_session(told(repo, chat)) == [(COMMITS, "b"), ("2026-05-04 11:59:00", "a")]
    assert of_session(told(repo, chat, is_whole=False)) == [("2026-05-04 11:59:00", "a")]
    assert told(repo, chat).problems == ("a problem",)


@pytest.mark.parametrize("kept", [2, 1], ids=["all are there", "one is gone"])
def test_rewritten_commits_of_the_same_words_are_known_by_their_order_or_not_at_all(
    repo: Repo, chat: ChatFile, kept: int
) -> None:
    chat.start()
    for number, name in enumerate(("a", "b")):
        chat.ask(f"change {name}")
        change(chat, name, f"000000{number}", "the same words")
        if number < kept:
            repo.aider({name: b"2\n"}, "the same words")
    found = of_session(told(repo, chat))
    of_the_chat = [("2026-05-04 11:59:00", "a"), ("2026-05-04 11:59:00", "b")]
    assert found == (of_the_chat if kept == 2 else [*of_the_chat, (COMMITS, "a")])


def test_a_chat_begins_no_later_than_its_first_commit_wherever_its_clock_was(
    repo: Repo, chat: ChatFile
) -> None:
    chat.start("2026-05-04 23:00:00")
    chat.ask("go")
    change(chat, "a", repo.aider({"a": b"2\n"}), "feat: a change")
    chat.ask("and on")
    transcript = told(repo, chat)
    (session,) = transcript.sessions
    commit = datetime.fromtimestamp(START + 60, UTC)
    assert (session.first, session.last) == (commit, commit + APART)
    assert [(one.text, one.number, one.stamp.at) for one in transcript.prompts] == [
        ("go", 1, session.first),
        ("and on", 2, session.last),
    ]


def test_two_chats_of_one_name_are_two_sessions(repo: Repo, chat: ChatFile) -> None:
    for _ in range(2):
        chat.start()
        chat.ask("go")
    names = [one.session_id for one in told(repo, chat).sessions]
    assert names == ["2026-05-04 11:59:00", "2026-05-04 11:59:00#2"]


def test_commands_stand_between_the_edits_where_they_ran(repo: Repo, chat: ChatFile) -> None:
    chat.start(options="--no-auto-commits")
    chat.ask("go")
    chat.block("a", "1\n", "2\n")
    chat.applied("a")
    chat.say("pytest", "Run shell command? (Y)es/(N)o [Yes]: y", "Running pytest")
    chat.block("a", "2\n", "3\n")
    chat.applied("a")
    found = told(repo, chat).calls
    assert [type(one) for one in found] == [FileCall, CommandCall, FileCall]
    ids = {one.applied.call_id for one in found if isinstance(one, FileCall | CommandCall)}
    assert len(ids) == 3


def test_commits_of_one_second_keep_their_order(repo: Repo) -> None:
    for text in (b"2\n", b"3\n", b"4\n"):
        repo.now = START + 60
        repo.aider({"a": text})
    found = [call for call in told(repo, None).calls if isinstance(call, FileCall)]
    assert [one.sides.after for one in found if one.sides is not None] == [b"2\n", b"3\n", b"4\n"]
