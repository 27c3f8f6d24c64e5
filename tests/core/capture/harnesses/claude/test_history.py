from pathlib import Path

from sulcus_panel.core.capture.harnesses.claude.history import FileHistory


def keep(config: Path, session: str, name: str, data: bytes) -> None:
    folder = config / "file-history" / session
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def test_a_blob_is_read_from_the_first_session_that_has_it(tmp_path: Path) -> None:
    keep(tmp_path, "resumed", "abcdef01@v1", b"\xff\r\n")
    history = FileHistory(tmp_path)
    assert history.blob(("first", "resumed"), "abcdef01@v1") == b"\xff\r\n"


def test_the_same_name_of_another_session_is_not_taken(tmp_path: Path) -> None:
    keep(tmp_path, "other", "abcdef01@v1", b"x")
    assert FileHistory(tmp_path).blob(("first",), "abcdef01@v1") is None


def test_links_and_names_that_climb_are_not_followed(tmp_path: Path) -> None:
    keep(tmp_path, "s", "abcdef01@v1", b"x")
    (tmp_path / "file-history/s/abcdef02@v1").symlink_to(tmp_path / "file-history/s/abcdef01@v1")
    history = FileHistory(tmp_path)
    assert history.blob(("s",), "abcdef02@v1") is None
    assert history.blob(("../file-history/s",), "abcdef01@v1") is None
    assert history.blob(("s",), "../s/abcdef01@v1") is None


def test_without_a_config_folder_there_are_no_blobs() -> None:
    assert FileHistory(None).blob(("s",), "abcdef01@v1") is None
