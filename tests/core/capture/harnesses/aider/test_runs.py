"""aider's past runs become entries, each action once: told by its commit, else by the chat, else unknown."""

from pathlib import Path

import pytest

from sulcus_panel.core.capture.harnesses.aider.live import Aider
from sulcus_panel.core.capture.harnesses.aider.runs import AiderRuns
from sulcus_panel.core.capture.past.entries import Importing
from sulcus_panel.core.capture.past.into_ledger import ImportedEntry, ImportedRun
from sulcus_panel.core.model import FileKind, FileState, Origin
from tests.support.aider_project import HISTORY, START, ChatFile, Repo

ROOT = Path(__file__).parents[5]
SAMPLES = ROOT.parent / "shared" / "samples" / "aider"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "project")
    made.commit({"a.py": b"x = 1\n"}, "first")
    return made


@pytest.fixture
def chat(repo: Repo) -> ChatFile:
    return ChatFile(repo.folder / HISTORY)


def imported(path: Path, root: Path | None = None) -> ImportedRun:
    return AiderRuns().read([path], Importing(Aider(), str(root or path)), None)


def content(one: ImportedEntry, state: FileState) -> bytes | str | None:
    if state.kind is FileKind.ABSENT:
        return None
    return state.reason if state.sha256 is None else one.contents[state.sha256]


def told(run: ImportedRun) -> list[tuple[str, object, object]]:
    return [
        (change.path, content(one, change.before), content(one, change.after))
        for one in run.entries
        for change in one.entry.changes
    ]


def test_a_commit_of_a_chat_has_its_prompt_and_both_sides_from_git(repo: Repo, chat: ChatFile) -> None:
    chat.start()
    chat.ask("make it two")
    chat.block("a.py", "x = 1\n", "x = 2\n")
    chat.applied("a.py")
    chat.committed(repo.aider({"a.py": b"x = 2", "b.py": b""}, "feat: two"), "feat: two")
    run = imported(repo.folder)
    assert told(run) == [("a.py", b"x = 1\n", b"x = 2"), ("b.py", None, b"")]
    one = run.entries[0].entry
    assert (one.intent, one.turn_id, one.session_id) == (
        "make it two",
        "2026-05-04 11:59:00#1",
        "2026-05-04 11:59:00",
    )
    assert one.at.timestamp() == START + 60
    assert run.problems == ()


def test_commits_that_no_chat_names_are_a_session_of_their_own(repo: Repo) -> None:
    repo.aider({"a.py": b"x = 2\n"})
    repo.commit({"a.py": b"x = 3\n"}, "mine")
    repo.aider({"a.py": b"x = 4\n"})
    run = imported(repo.folder)
    assert told(run) == [
        ("a.py", b"x = 1\n", b"x = 2\n"),
        ("a.py", b"x = 2\n", b"x = 3\n"),
        ("a.py", b"x = 3\n", b"x = 4\n"),
    ]
    assert [one.entry.origin for one in run.entries] == [Origin.AGENT, Origin.OUTSIDE, Origin.AGENT]
    assert len({one.entry.turn_id for one in run.entries if one.entry.origin is Origin.AGENT}) == 2


def test_what_the_person_had_not_committed_is_not_aiders_work(repo: Repo, chat: ChatFile) -> None:
    chat.start()
    chat.ask("make it three")
    chat.block("a.py", "x = 2\n", "x = 3\n")
    chat.committed(repo.dirty({"a.py": b"x = 2\n"}), "chore: mine")
    chat.applied("a.py")
    chat.committed(repo.aider({"a.py": b"x = 3\n"}), "feat: a change")
    assert told(imported(repo.folder)) == [("a.py", b"x = 2\n", b"x = 3\n")]


def test_an_unmarked_commit_is_aiders_where_the_chat_shows_it(repo: Repo, chat: ChatFile) -> None:
    chat.start(options="--no-attribute-author --no-attribute-committer")
    chat.ask("make it two")
    chat.block("a.py", "x = 1\n", "x = 2\n")
    chat.applied("a.py")
    chat.committed(repo.commit({"a.py": b"x = 2\n"}, "feat: two"), "feat: two")
    assert told(imported(repo.folder)) == [("a.py", b"x = 1\n", b"x = 2\n")]


def test_an_action_keeps_its_id_when_its_commit_comes_and_when_it_is_rebased(
    repo: Repo, chat: ChatFile
) -> None:
    chat.start()
    chat.ask("make it two")
    chat.block("a.py", "x = 1\n", "x = 2\n")
    chat.applied("a.py")
    (repo.folder / "a.py").write_bytes(b"x = 2\n")
    early = imported(repo.folder)
    chat.committed(repo.aider({"a.py": b"x = 2\n"}, "feat: two"), "feat: two")
    committed = imported(repo.folder)
    chat.path.write_bytes(chat.path.read_bytes().replace(b"Commit ", b"Commit 0000000 feat: two  \n> was "))
    rebased = imported(repo.folder)
    uids = [[one.entry.uid for one in run.entries] for run in (early, committed, rebased)]
    assert uids[0] == uids[1] == uids[2]
    assert len(uids[0]) == 1
    assert told(early) == told(committed) == told(rebased)


def test_without_commits_edits_are_in_order_and_at_the_time_of_the_chat(tmp_path: Path) -> None:
    chat = ChatFile(tmp_path / HISTORY)
    chat.start(options="--no-git")
    chat.ask("make it")
    chat.block("n.py", "", "a = 1\n")
    chat.created("n.py")
    chat.ask("change it")
    chat.block("n.py", "a = 1\n", "a = 2\n")
    chat.applied("n.py")
    chat.block("old.py", "p\n", "q\n")
    chat.applied("old.py")
    (tmp_path / "old.py").write_bytes(b"head\nq\n")
    run = imported(tmp_path)
    assert told(run) == [
        ("n.py", None, b"a = 1\n"),
        ("n.py", b"a = 1\n", b"a = 2\n"),
        ("old.py", b"head\np\n", b"head\nq\n"),
    ]
    times = [one.entry.at for one in run.entries]
    assert times == sorted(set(times))
    assert {at.isoformat(timespec="seconds") for at in times} == {"2026-05-04T11:59:00+00:00"}
    assert [bool(one.entry.notes) for one in run.entries] == [False, False, True]


def test_an_edit_of_a_chat_before_the_last_is_not_worked_back_from_today(tmp_path: Path) -> None:
    chat = ChatFile(tmp_path / HISTORY)
    for day in ("2026-05-04 10:00:00", "2026-05-05 10:00:00"):
        chat.start(day, options="--no-git")
        chat.ask("change it")
        chat.block("old.py", "p\n", "q\n")
        chat.applied("old.py")
    (tmp_path / "old.py").write_bytes(b"q\n")
    first, second = told(imported(tmp_path))
    assert first[1:] == (
        "the chat history does not hold the file as it was before",
        "the chat history does not hold the file as it was after",
    )
    assert second[1:] == (b"p\n", b"q\n")


def test_a_file_of_git_that_is_rewritten_on_checkout_is_unknown_with_why(repo: Repo) -> None:
    (repo.folder / ".gitattributes").write_text("*.py filter=x\n", encoding="utf-8")
    repo.aider({"a.py": b"x = 2\n"})
    ((path, before, after),) = told(imported(repo.folder))
    assert (path, before == after) == ("a.py", True)
    assert "git filters this file" in str(after)


def test_two_chats_of_one_second_do_not_share_their_actions(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        chat = ChatFile(tmp_path / name / HISTORY)
        chat.start()
        chat.ask("make it")
        chat.block("n.py", "", "a = 1\n")
        chat.created("n.py")
    uids = {one.entry.uid for name in ("one", "two") for one in imported(tmp_path / name).entries}
    assert len(uids) == 2


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", 0),
        (b"nothing of the kind", 1),
        (b"\xff\xfe\0", 1),
        (b"# aider chat started at 2026-05-04 10:00:00\n\n#### half a pro", 0),
        (b"# aider chat started at 2026-05-04 10:00:00\n#### \xff  \n> Applied edit to \xff  \n", 0),
        (b"# aider chat started at 2026-05-04 10:00:00\n<<<<<<< SEARCH\n", 0),
    ],
)
def test_a_damaged_history_is_told_and_never_an_error(tmp_path: Path, data: bytes, problem: int) -> None:
    (tmp_path / HISTORY).write_bytes(data)
    assert len(imported(tmp_path).problems) == problem
    assert len(imported(tmp_path / HISTORY, tmp_path).problems) == problem


def test_a_file_that_is_none_is_a_problem(tmp_path: Path) -> None:
    assert len(imported(tmp_path / "missing.md", tmp_path).problems) == 1


def test_a_workspace_is_found_by_its_history_or_by_a_commit(repo: Repo, tmp_path: Path) -> None:
    runs, home = AiderRuns(), Path("/")
    assert runs.find(home, str(repo.folder)) == ()
    repo.aider({"a.py": b"2\n"})
    assert runs.find(home, str(repo.folder)) == (repo.folder,)
    assert runs.find(home, str(tmp_path)) == ()
    (tmp_path / HISTORY).write_bytes(b"")
    assert runs.find(home, str(tmp_path)) == (tmp_path,)


def test_a_run_is_followed_and_what_may_still_be_committed_waits_for_its_commit(
    repo: Repo, chat: ChatFile
) -> None:
    importing = Importing(Aider(), str(repo.folder))
    growing = AiderRuns().follow(Path("/"), str(repo.folder), since=1.0)
    assert (growing.read_on(), growing.run(importing).entries) == (False, ())
    chat.start()
    chat.ask("make it two")
    chat.block("a.py", "x = 1\n", "x = 2\n")
    chat.applied("a.py")
    assert (growing.read_on(), growing.read_on()) == (True, False)
    assert told(growing.run(importing)) == []
    name = repo.aider({"a.py": b"x = 2\n"}, "feat: two")
    assert growing.read_on()
    assert told(growing.run(importing)) == []
    chat.say(f"Commit {name} feat: two")
    assert growing.read_on()
    assert told(growing.run(importing)) == [("a.py", b"x = 1\n", b"x = 2\n")]


def test_what_is_followed_is_no_older_than_asked_for(repo: Repo, chat: ChatFile) -> None:
    repo.aider({"a.py": b"old\n"})
    chat.start("2026-05-03 10:00:00", options="--no-auto-commits")
    chat.ask("make it")
    chat.block("n.py", "", "a = 1\n")
    chat.created("n.py")
    repo.now = START + 86_400
    repo.aider({"a.py": b"new\n"})
    growing = AiderRuns().follow(Path("/"), str(repo.folder), since=START + 80_000)
    importing = Importing(Aider(), str(repo.folder))
    assert growing.read_on()
    assert told(growing.run(importing)) == [("n.py", None, b"a = 1\n"), ("a.py", b"old\n", b"new\n")]
    chat.start("2026-05-05 13:00:00", options="--no-auto-commits")
    assert growing.read_on()
    assert told(growing.run(importing)) == [("a.py", b"old\n", b"new\n")]


def test_a_project_without_aider_is_not_read_again_and_again(repo: Repo) -> None:
    growing = AiderRuns().follow(Path("/"), str(repo.folder), since=1.0)
    repo.commit({"a.py": b"mine\n"})
    assert not growing.read_on()
    repo.aider({"a.py": b"its\n"})
    assert growing.read_on()


def test_a_repository_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / HISTORY).write_bytes(b"# aider chat started at 2026-05-04 10:00:00\n")
    (problem,) = imported(tmp_path).problems
    assert "git repository cannot be read" in problem


def test_after_a_commit_of_the_person_the_chat_alone_is_not_believed(tmp_path: Path) -> None:
    chat = ChatFile(tmp_path / HISTORY)
    chat.start()
    chat.ask("make it")
    chat.block("n.py", "", "a = 1\n")
    chat.created("n.py")
    chat.ask("change it")
    chat.block("n.py", "a = 1\n", "a = 2\n")
    chat.committed("1234567", "chore: mine")
    chat.applied("n.py")
    (tmp_path / "n.py").write_bytes(b"a = 2\nmine = 1\n")
    assert told(imported(tmp_path)) == [
        ("n.py", None, b"a = 1\n"),
        ("n.py", b"a = 1\n", b"a = 1\nmine = 1\n"),
        ("n.py", b"a = 1\nmine = 1\n", b"a = 2\nmine = 1\n"),
    ]


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recordings are not here")
def test_the_recordings_of_others_are_read() -> None:
    run = imported(SAMPLES / "irr_2-4_history.md", Path("/elsewhere/ws"))
    plain = b"def add(a, b):\n    return a + b\n"
    (made, typed, back) = told(run)
    assert made == ("solution.py", None, plain)
    assert typed[1] == plain
    assert back == ("solution.py", typed[2], plain)
    assert [one.entry.action_type.value for one in run.entries] == ["file_create", "file_edit", "file_edit"]
    assert {one.entry.intent[:22] for one in run.entries} == {"Create a new file solu"}
    assert run.problems == ()
