"""Looking at one path: every kind of file, no links followed, nothing waited for."""

import os
import socket
import stat
from hashlib import sha256
from pathlib import Path

import pytest

from sulcus_panel.core.disk import fingerprint, has_other_names, look
from sulcus_panel.core.model import ABSENT, FileKind, LedgerPath


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
