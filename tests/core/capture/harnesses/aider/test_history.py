"""A chat history tells chats, prompts, and what each reply did."""

from pathlib import Path

import pytest

from sulcus_panel.core.capture.harnesses.aider.blocks import Block
from sulcus_panel.core.capture.harnesses.aider.history import Chat, read_history
from tests.support.aider_project import ChatFile, block


@pytest.fixture
def chat(tmp_path: Path) -> ChatFile:
    file = ChatFile(tmp_path / "history.md")
    file.start()
    return file


def only(chat: ChatFile) -> Chat:
    (found,) = read_history(chat.path.read_text(encoding="utf-8"))
    return found


def test_a_prompt_of_several_lines_is_one_and_a_heading_of_the_reply_is_none(chat: ChatFile) -> None:
    chat.ask("first line\nsecond line")
    chat.reply("#### A heading\n\n> a quotation\n\nand words")
    chat.ask("/add a.py")
    chat.ask("more")
    assert only(chat).prompts == ("first line\nsecond line", "/add a.py", "more")


def test_prompts_are_found_where_an_editor_took_the_spaces_away(chat: ChatFile) -> None:
    chat.ask("change it")
    chat.block("a.py", "a\n", "b\n")
    chat.applied("a.py")
    lines = chat.path.read_text(encoding="utf-8").split("\n")
    (found,) = read_history("\n".join(line.rstrip() for line in lines))
    assert found.prompts == ("change it",)
    assert [one.applied for one in found.rounds] == [("a.py",)]


def test_a_reply_with_two_files_is_one_round_and_its_commit_belongs_to_it(chat: ChatFile) -> None:
    chat.ask("change both")
    chat.reply(block("src/a.py", "a\n", "b\n") + "\n\n" + block("`b.py`:", "", "new\n"))
    chat.say("b.py", "Create new file? (Y)es/(N)o [Yes]: y")
    chat.applied("src/a.py", "b.py")
    chat.say("Commit 1234abc feat: both files", "You can use /undo to undo")
    (found,) = only(chat).rounds
    assert (found.number, found.prompt, found.applied) == (1, 1, ("src/a.py", "b.py"))
    assert (found.commit, found.subject, found.created) == (
        "1234abc",
        "feat: both files",
        frozenset(["b.py"]),
    )
    assert found.blocks_of("src/a.py") == (Block("src/a.py", "a\n", "b\n"),)
    assert found.blocks_of("b.py") == (Block("b.py", "", "new\n"),)


def test_a_commit_before_the_edits_is_a_round_of_its_own(chat: ChatFile) -> None:
    chat.ask("change it")
    chat.block("a.py", "a\n", "b\n")
    chat.say("Commit aaaaaaa chore: mine")
    chat.applied("a.py")
    chat.say("Commit bbbbbbb feat: its")
    chat.say("Commit ccccccc style: lint")
    found = only(chat).rounds
    assert [(one.number, one.commit, one.applied) for one in found] == [
        (1, "aaaaaaa", ()),
        (2, "bbbbbbb", ("a.py",)),
        (3, "ccccccc", ()),
    ]
    assert found[1].blocks_of("a.py") == (Block("a.py", "a\n", "b\n"),)


def test_rounds_keep_their_numbers_while_the_file_grows(chat: ChatFile) -> None:
    chat.ask("change it")
    chat.block("a.py", "a\n", "b\n")
    chat.applied("a.py")
    before = only(chat)
    assert before.commits_itself
    chat.say("Commit bbbbbbb feat: its")
    chat.ask("again")
    chat.block("a.py", "b\n", "c\n")
    chat.applied("a.py")
    after = only(chat)
    assert [one.number for one in before.rounds] == [1]
    assert [(one.number, one.prompt) for one in after.rounds] == [(1, 1), (2, 2)]


@pytest.mark.parametrize("options", ["--no-auto-commits", "--yes"])
def test_whether_a_commit_may_follow_is_told_by_the_options(tmp_path: Path, options: str) -> None:
    chat = ChatFile(tmp_path / "h.md")
    chat.start(options=options)
    chat.ask("change it")
    chat.block("a.py", "a\n", "b\n")
    chat.applied("a.py")
    assert only(chat).commits_itself == (options == "--yes")


@pytest.mark.parametrize("quoted", [False, True], ids=["as one text", "line by line"])
def test_blocks_that_failed_are_not_taken_for_the_next_reply(chat: ChatFile, *, quoted: bool) -> None:
    chat.ask("change it")
    chat.reply(block("a.py", "x\n", "y\n") + "\n" + block("a.py", "p\n", "q\n"))
    chat.say("The LLM did not conform to the edit format.")
    failure = "# 1 SEARCH/REPLACE block failed to match!\n\n## SearchReplaceNoExactMatch: in a.py\n"
    failure += "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n\n"
    failure += "The SEARCH section must exactly match an existing block of lines"
    chat.say(*(failure.split("\n") if quoted else [failure]))
    chat.block("a.py", "a\n", "b\n")
    chat.applied("a.py")
    failed, done = only(chat).rounds
    assert (failed.failed, failed.applied, len(failed.blocks)) == (True, (), 2)
    assert done.blocks == (Block("a.py", "a\n", "b\n"),)


def test_a_reply_that_breaks_off_within_a_block_swallows_nothing(chat: ChatFile) -> None:
    chat.ask("change it")
    chat.reply("a.py\n```\n<<<<<<< SEARCH\na\n=======\nhalf")
    chat.ask("go on")
    chat.block("a.py", "a\n", "b\n")
    chat.applied("a.py")
    found = only(chat)
    assert found.prompts == ("change it", "go on")
    assert [one.blocks for one in found.rounds] == [(Block("a.py", "a\n", "b\n"),)]


def test_whole_files_are_read_in_a_chat_of_that_format(tmp_path: Path) -> None:
    chat = ChatFile(tmp_path / "h.md")
    chat.start(style="whole")
    chat.ask("write it")
    chat.reply("Two files:\n\na.py\n```python\nprint(1)\n```\n\n**b/c.md**\n````\n```\nx\n```\n````")
    chat.applied("a.py", "b/c.md")
    (found,) = only(chat).rounds
    assert found.blocks == (Block("a.py", None, "print(1)\n"), Block("b/c.md", None, "```\nx\n```\n"))


def test_suggested_commands_that_ran_are_told_and_other_words_are_not(chat: ChatFile) -> None:
    chat.ask("run it")
    chat.reply("```bash\npytest\n```")
    chat.say("Running out of words")
    chat.say("pytest", "Run shell command? (Y)es/(N)o/(D)on't ask again [Yes]: y", "Running pytest")
    (found,) = only(chat).rounds
    assert found.commands == ("pytest",)


def test_several_chats_and_junk_before_them_are_kept_apart() -> None:
    text = "junk\n#### none  \n# aider chat started at 2026-01-01 10:00:00\n#### one  \n"
    text += "# aider chat started at 2026-13-01 10:00:00\n#### never  \n"
    text += "# aider chat started at 2026-01-02 10:00:00\n#### two  \n"
    assert [(one.name, one.prompts) for one in read_history(text)] == [
        ("2026-01-01 10:00:00", ("one",)),
        ("2026-01-02 10:00:00", ("two",)),
    ]


def test_a_long_history_takes_time_by_its_length_alone(chat: ChatFile) -> None:
    chat.ask("\n".join(["a line"] * 50_000))
    chat.say("Applied edit to a" + " " * 1_000_000 + "b", "Commit 1234567 a" + " " * 1_000_000 + "b")
    (found,) = only(chat).rounds
    assert (len(found.applied[0]), len(found.subject)) == (1_000_002, 1_000_002)
    assert only(chat).prompts[0].count("\n") == 49_999
