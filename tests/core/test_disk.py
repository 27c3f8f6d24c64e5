"""Looking at one path: every kind of file, no links followed, nothing waited for."""

import os
import socket
import stat
import sys
import tempfile
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path

import pytest

from sulcus_panel.core import disk
from sulcus_panel.core.disk import (
    Unreachable,
    fingerprint,
    has_other_names,
    is_named_so,
    is_out_of_sight,
    look,
    look_as_named,
    names_in,
    parent_of,
    read_still,
)
from sulcus_panel.core.model import ABSENT, FileKind, LedgerPath
from tests.support.children import holds_for_nobody


def at(root: Path, path: str) -> tuple[FileKind, str]:
    state = look(str(root), LedgerPath(path)).state
    return state.kind, state.reason


def test_a_file_is_read_with_hash_size_and_mode(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    target = tmp_path / "sub/x"
    target.write_bytes(b"a\r\n\0\xff")
    target.chmod(0o640)
    found = look(str(tmp_path), LedgerPath("sub/x"))
    assert found.content == b"a\r\n\0\xff"
    assert (found.state.sha256, found.state.size_bytes) == (sha256(b"a\r\n\0\xff").hexdigest(), 5)
    assert found.state.mode == 0o640


def test_a_large_file_is_hashed_and_not_held(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"0" * 100)
    found = look(str(tmp_path), LedgerPath("x"), max_bytes=99)
    assert found.content is None
    assert found.state.sha256 == sha256(b"0" * 100).hexdigest()


def test_absent_is_said_only_where_it_is_proven(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert look(str(tmp_path), LedgerPath("no")).state == ABSENT
    assert look(str(tmp_path), LedgerPath("no/such/thing")).state == ABSENT
    assert at(tmp_path, "file/x") == (FileKind.UNKNOWN, "a folder on the way is a file")
    assert at(tmp_path / "gone", "x")[0] is FileKind.UNKNOWN


def test_links_are_looked_at_and_never_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/x").write_bytes(b"secret")
    os.symlink("real", tmp_path / "door")
    os.symlink("real/x", tmp_path / "link")
    link = look(str(tmp_path), LedgerPath("link"))
    assert (link.state.kind, link.content) == (FileKind.SYMLINK, b"real/x")
    assert at(tmp_path, "door/x") == (FileKind.UNKNOWN, "a folder on the way is a link")
    assert fingerprint(str(tmp_path), LedgerPath("door/x")) is None


def test_what_is_no_file_is_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "folder").mkdir()
    with socket.socket(socket.AF_UNIX) as listener:
        here = Path.cwd()
        os.chdir(tmp_path)  # a socket's path is short
        try:
            listener.bind("sock")
        finally:
            os.chdir(here)
        assert at(tmp_path, "fifo") == (FileKind.UNKNOWN, "not a regular file")
        assert at(tmp_path, "sock") == (FileKind.UNKNOWN, "not a regular file")
    assert at(tmp_path, "folder")[0] is FileKind.DIRECTORY


@pytest.mark.parametrize("name", ["new\nline", "-x", " ", "ä", "\udcff\udcfe", "n" * 255])
def test_any_name_can_be_looked_at(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"x")
    assert look(str(tmp_path), LedgerPath(name)).content == b"x"


def test_a_second_name_is_seen(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"x")
    assert not has_other_names(str(tmp_path), LedgerPath("x"))
    os.link(tmp_path / "x", tmp_path / "y")
    assert has_other_names(str(tmp_path), LedgerPath("x"))


def test_a_fingerprint_moves_with_mode_and_bytes(tmp_path: Path) -> None:
    target = tmp_path / "x"
    target.write_bytes(b"x")
    first = fingerprint(str(tmp_path), LedgerPath("x"))
    target.chmod(0o600)
    second = fingerprint(str(tmp_path), LedgerPath("x"))
    assert first is not None
    assert second is not None
    assert first != second
    assert stat.S_IMODE(second[3]) == 0o600


def test_a_folder_is_listed_and_nothing_else_is(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "b").write_bytes(b"")
    (folder / "a").mkdir()
    (tmp_path / "link").symlink_to(folder)
    root = str(tmp_path)
    assert names_in(root, LedgerPath("folder")) == ("a", "b")
    assert names_in(root, LedgerPath("folder/a")) == ()
    for other in ("link", "link/a", "folder/b", "nothing", "nothing/deeper"):
        assert names_in(root, LedgerPath(other)) is None


@pytest.fixture(params=["openat2", "walk"])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The kernel's one call, and the walk of kernels that have none."""
    if request.param == "walk":
        monkeypatch.setattr(disk, "_openat2", lambda: None)
    elif disk._openat2() is None:
        pytest.skip("this platform has no openat2")
    return str(request.param)


@pytest.mark.usefixtures("either_way")
def test_the_folder_of_a_path_is_opened_and_named_why_not_the_same_either_way(tmp_path: Path) -> None:
    (tmp_path / "a/b/c").mkdir(parents=True)
    (tmp_path / "a/b/c/x").write_bytes(b"x")
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "a/link").symlink_to("b")
    (tmp_path / "a/out").symlink_to(tmp_path.parent)
    (tmp_path / "a/loop").symlink_to("loop")
    with parent_of(str(tmp_path), "a/b/c/x") as (folder, name):
        assert os.stat(name, dir_fd=folder).st_size == 1
    reasons = {}
    for path in ("a/link/c/x", "a/out/y/x", "a/loop/z/x", "file/b/x", "a/none/c/x", "a/../../x/y"):
        with pytest.raises(Unreachable) as error, parent_of(str(tmp_path), path):
            pass
        reasons[path] = (error.value.reason, error.value.absent)
    assert list(reasons.values()) == [
        *[("a folder on the way is a link", False)] * 3,
        ("a folder on the way is a file", False),
        ("a folder on the way is missing", True),
        ("the path climbs up", False),
    ]


@pytest.mark.usefixtures("either_way")
def test_no_folder_stays_open_whatever_happens(tmp_path: Path) -> None:
    (tmp_path / "a/b/c/d").mkdir(parents=True)
    (tmp_path / "a/b/link").symlink_to("c")
    with ExitStack() as stack:
        stack.enter_context(parent_of(str(tmp_path), "a/b/c/d/x"))
    before = os.listdir("/proc/self/fd") if sys.platform == "linux" else []
    for path in ("a/b/c/d/x", "a/b/link/d/x", "a/none/c/x"):
        try:
            with parent_of(str(tmp_path), path):
                pass
        except Unreachable:
            continue
    assert len(os.listdir("/proc/self/fd") if before else []) == len(before)


def test_an_open_file_is_read_from_where_it_stands(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"abc")
    with (tmp_path / "x").open("rb", buffering=0) as file:
        found = read_still(file.fileno())
        assert found is not None
        assert found.content == b"abc"
        assert read_still(file.fileno()) is None  # nothing is left, though the file has three bytes


def test_a_name_is_its_own_spelling(tmp_path: Path) -> None:
    for name in ("Read.me", "123", "a"):
        (tmp_path / name).write_bytes(b"x")
        assert look_as_named(str(tmp_path), LedgerPath(name)).content == b"x"
    os.link(tmp_path / "a", tmp_path / "A")
    handle = os.open(tmp_path, os.O_RDONLY)
    try:
        assert [is_named_so(handle, name) for name in ("a", "A", "Read.me", "nothing")] == [True] * 4
        assert not is_named_so(handle, "456")
        assert is_named_so(None, str(tmp_path / "123"))
    finally:
        os.close(handle)
    assert look_as_named(str(tmp_path), LedgerPath("READ.ME")).state is ABSENT
    assert look_as_named(str(tmp_path), LedgerPath("gone/x")).state is ABSENT


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_what_cannot_be_read_is_out_of_sight_and_what_is_no_file_is_seen_to_be_none() -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        root.chmod(0o755)
        for path in ("shut/x", "closed", "plain"):
            (root / path).parent.mkdir(exist_ok=True)
            (root / path).write_bytes(b"x")
        (root / "closed").chmod(0)
        os.mkfifo(root / "fifo")
        os.symlink("shut", root / "link")
        (root / "shut").chmod(0)

        def hidden() -> bool:
            names = ("shut/x", "closed", "plain", "plain/x", "fifo", "link/x", "gone")
            states = {name: look(str(root), LedgerPath(name)).state for name in names}
            return [name for name in names if is_out_of_sight(states[name])] == ["shut/x", "closed"]

        assert holds_for_nobody(hidden)
