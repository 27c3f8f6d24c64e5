"""Real processes: an editor, the panel between, an agent. Not a byte is changed, and what was done goes back."""

import signal
import sys
from pathlib import Path

import pytest

from tests.support.acp_editor import Editor
from tests.support.terminal import sulcus

DEEDS = (
    ("write new.txt one", "edit old.txt two zwei", "run sh -c true"),
    ("babble 300000", "write new.txt uno"),
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def a_run(folder: Path, project: Path, *, between: bool) -> Editor:
    (project / "old.txt").write_bytes(b"one\ntwo\r\nthree")
    (project / "new.txt").unlink(missing_ok=True)
    editor = Editor(folder, project, between=between)
    editor.open()
    for deeds in DEEDS:
        editor.prompt(*deeds)
    assert editor.close() == (0, b"")
    return editor


def test_both_ends_get_the_bytes_that_they_would_get_without_it(tmp_path: Path, project: Path) -> None:
    found = {between: a_run(tmp_path / str(between), project, between=between) for between in (True, False)}
    for between, editor in found.items():
        folder = tmp_path / str(between)
        assert (folder / "heard").read_bytes() == editor.said
        assert (folder / "said").read_bytes() == editor.heard
    assert found[True].heard == found[False].heard
    assert found[True].said == found[False].said


def test_what_was_done_is_on_record_and_goes_back_byte_for_byte(tmp_path: Path, project: Path) -> None:
    a_run(tmp_path / "agent", project, between=True)
    answer = sulcus("ledger", "list", "--workspace", str(project), "--json")
    entries = answer.json()["entries"]
    shown = sorted(
        (one["action_type"], one["target_path"], one["intent"].split("\n")[0].split(" ")[0])
        for one in entries
    )
    assert shown == [
        ("file_create", "new.txt", "write"),
        ("file_edit", "old.txt", "write"),
        ("file_write", "new.txt", "babble"),
        ("run_command", "", "write"),
    ]
    edit = next(str(one["seq_id"]) for one in entries if one["target_path"] == "old.txt")
    assert (project / "old.txt").read_bytes() == b"one\nzwei\r\nthree"
    assert sulcus("ledger", "rollback", edit, stdin="y\n").code == 0
    assert (project / "old.txt").read_bytes() == b"one\ntwo\r\nthree"


def test_the_files_of_a_command_are_in_its_entry_and_go_back(tmp_path: Path, project: Path) -> None:
    (project / "old.txt").write_bytes(b"one\ntwo\n")
    (project / "gone.txt").write_bytes(b"here\n")
    editor = Editor(tmp_path / "agent", project)
    editor.open()
    editor.prompt("run sed -i s/one/eins/ old.txt", "run rm gone.txt", "run cat old.txt")
    assert editor.close() == (0, b"")
    answer = sulcus("ledger", "list", "--workspace", str(project), "--json")
    entries = {tuple(one["paths"]): one for one in answer.json()["entries"]}
    assert set(entries) == {("old.txt",), ("gone.txt",), ()}
    for path in ("old.txt", "gone.txt"):
        assert entries[path,]["undoability"] == "fully"
        assert sulcus("ledger", "rollback", str(entries[path,]["seq_id"]), stdin="y\n").code == 0
    assert (project / "old.txt").read_bytes() == b"one\ntwo\n"
    assert (project / "gone.txt").read_bytes() == b"here\n"


@pytest.mark.parametrize("between", [True, False])
def test_half_a_line_stderr_and_the_exit_code_are_the_agents_own(
    tmp_path: Path, project: Path, *, between: bool
) -> None:
    editor = Editor(tmp_path / "agent", project, between=between)
    editor.open()
    editor.tell("leave 7")
    assert editor.close() == (7, b"said on stderr\n")
    assert editor.heard.endswith(b"half a line")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_reaches_the_agent_and_ends_both_alike(
    tmp_path: Path, project: Path, number: signal.Signals
) -> None:
    editor = Editor(tmp_path / "agent", project)
    editor.open()
    editor.tell("wait")
    editor.read_until(b"_waiting")
    editor.process.send_signal(number)
    assert editor.process.wait(60) == -number
    editor.close()


def test_where_nothing_can_be_spooled_the_agent_works_as_ever(tmp_path: Path, project: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    editor = Editor(tmp_path / "agent", project, home=tmp_path / "file")
    editor.open()
    editor.prompt("write new.txt one")
    assert editor.close() == (0, b"")
    assert (project / "new.txt").read_bytes() == b"one\n"


def test_a_command_that_is_not_there_is_said_and_none_at_all_is_a_mistake() -> None:
    assert sulcus("acp", "--", "no-such-agent").code == 1
    assert sulcus("acp").code == 2
