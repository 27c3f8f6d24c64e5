"""Only regular files are opened, whatever has their name."""

import os
from pathlib import Path

import pytest

from sulcus_panel.core.capture.plain_file import NOT_PLAIN, open_plain


def test_a_file_is_opened_and_a_link_to_it_where_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a\r\n")
    (tmp_path / "link").symlink_to("a")
    for name in ("a", "link"):
        with open_plain(tmp_path / name) as file:
            assert file.read() == b"a\r\n"
    with pytest.raises(OSError, match="symbolic links"):
        open_plain(tmp_path / "link", follow=False)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
def test_what_is_no_file_is_refused_at_once_and_let_go_of(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "fifo", tmp_path / "folder", Path(os.devnull)):
        for _ in range(2000):
            with pytest.raises(OSError, match=NOT_PLAIN):
                open_plain(path)
