"""An export is a digest that nothing in a record can turn into markup, or a patch that git applies."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.model import Entry
from sulcus_panel.service.export import (
    ExportFormat,
    clipboard_patch,
    export_changes,
    export_governance,
    export_patch,
    shown_patch,
    span,
    write_private,
)
from sulcus_panel.service.file_diffs import FileDiff, this_change
from tests.support.git_apply import git_apply
from tests.support.ledger_builder import LedgerBuilder


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "`plain`"),
        ("a `tick`", "`` a `tick` ``"),
        ("``` fence", "```` ``` fence ````"),
        ("", "`(none)`"),
    ],
)
def test_a_span_is_closed_only_by_its_own_fence(text: str, shown: str) -> None:
    assert span(text) == shown


def test_a_span_stays_on_one_line() -> None:
    assert "\n" not in span("![x](http://a)\n# heading\x1b[31m")


def test_an_empty_ledger_says_so() -> None:
    assert "No change is recorded." in export_changes((), ExportFormat.MARKDOWN, None)
    assert export_changes((), ExportFormat.JSON, None) == '{\n  "entries": []\n}\n'


def test_an_empty_governance_says_so() -> None:
    assert "Nothing has been decided." in export_governance((), ExportFormat.MARKDOWN)


LARGE = "".join(f"line {number}\n" for number in range(2_000))


def diffs_of(build: LedgerBuilder) -> Callable[[Entry], tuple[FileDiff, ...]]:
    return lambda entry: this_change(build.ledger, build.ledger.entry(entry.seq_id))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"one\r\ntwo\r\n", b"one\r\nTWO\r\n"),
        (b"caf\xe9\nend", b"caf\xe9\nend\n"),
        (b"x" * 9000 + b"\n", b"x" * 9000 + b"y\n"),
        (b"\x1b[31mred\n", b"\x1b[32mgreen\n"),
    ],
)
def test_a_patch_takes_the_change_back_where_git_applies_it(
    build: LedgerBuilder, old: bytes, new: bytes
) -> None:
    build.outside("a b.txt", old)
    patch = export_patch([build.write("a b.txt", new)], diffs_of(build))
    assert git_apply(build.root, patch, "-R", "--check") == ""
    assert git_apply(build.root, patch, "-R") == ""
    assert (build.root / "a b.txt").read_bytes() == old
    assert git_apply(build.root, patch) == ""
    assert (build.root / "a b.txt").read_bytes() == new


def test_a_patch_of_many_changes_goes_back_as_one(build: LedgerBuilder) -> None:
    build.outside("a.txt", "zero\n")
    entries = [build.write("a.txt", "one\n"), build.write("a.txt", "two\n"), build.write("sub/b.txt", "b\n")]
    entries += [build.write("p.png", b"\0")]
    patch = export_patch(entries, diffs_of(build))
    assert b"# #1 2026-" in patch
    assert b"# p.png: a binary file, which this patch leaves out\n" in patch
    assert git_apply(build.root, patch, "-R") == ""
    assert (build.root / "a.txt").read_bytes() == b"zero\n"
    assert not (build.root / "sub" / "b.txt").exists()


def test_a_file_that_comes_and_changes_is_said_to_want_one_run_of_git_each(build: LedgerBuilder) -> None:
    made, changed = build.write("a.txt", "one\n"), build.write("a.txt", "two\n")
    whole = export_patch([made, changed], diffs_of(build))
    assert whole.startswith(
        b"# a.txt: several changes; apply them one by one, to take them back from the last\n"
    )
    for entry in (changed, made):
        assert git_apply(build.root, export_patch([entry], diffs_of(build)), "-R") == ""
    assert os.listdir(build.root) == []


def test_what_is_over_the_cap_is_a_patch_while_it_can_be_derived(build: LedgerBuilder) -> None:
    build.ledger.set_setting(build.workspace.id, "max_snapshot_bytes", 4096)
    build.outside("a.txt", LARGE)
    entry = build.write("a.txt", LARGE.replace("line 7\n", "seven\n"))
    assert git_apply(build.root, export_patch([entry], diffs_of(build)), "-R", "--check") == ""
    build.outside("a.txt", "gone on\n")
    assert b"# a.txt: Only the changed lines are kept" in export_patch([entry], diffs_of(build))
    told = export_changes([entry], ExportFormat.MARKDOWN, diffs_of(build))
    assert "Only the changed lines are kept" in told
    assert "@@ -8 +8 @@\n-line 7\n+seven\n" in told


def test_what_is_not_kept_is_a_line_that_git_passes_over(build: LedgerBuilder) -> None:
    entries = [build.write(".env", "SECRET=1\n"), build.write("a.txt", "one\n")]
    patch = export_patch(entries, diffs_of(build))
    assert b"# .env: The contents are not kept: may hold a secret.\n" in patch
    assert b"SECRET" not in patch
    assert git_apply(build.root, patch, "-R", "--check") == ""


def test_a_patch_on_a_screen_moves_and_hides_nothing(build: LedgerBuilder) -> None:
    build.outside("a.txt", b"one\r\n")
    entry = build.write("a.txt", b"\x1b]0;owned\x07\r\n\xe9\xc2\x9b\n\xe2\x80\xae\n")
    shown = shown_patch(export_patch([entry], diffs_of(build)))
    assert all(char.isprintable() or char in "\t\n" for char in shown)
    assert "+\\x1b]0;owned\\x07\\x0d\n+\\xe9\\x9b\n+\\u202e\n" in shown
    assert export_changes([entry], ExportFormat.PATCH, diffs_of(build)) == shown


def test_a_clipboard_carries_what_is_utf8_and_names_what_is_not(build: LedgerBuilder) -> None:
    entry = build.command("make", {"a.txt": "é\r\n", "b.txt": b"\xe9\n"})
    text = clipboard_patch([entry], diffs_of(build))
    assert "# b.txt: not UTF-8, export it to a file\n" in text
    assert git_apply(build.root, text.encode(), "-R") == ""
    assert sorted(os.listdir(build.root)) == ["b.txt"]


def test_a_private_file_is_its_owners_alone_and_replaces_whole(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "out.patch"
    write_private(file, b"\xff one\n")
    file.chmod(0o644)
    write_private(file, b"two\n")
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (b"two\n", 0o600)
    assert os.listdir(file.parent) == ["out.patch"]


def test_a_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("real")
    write_private(tmp_path / "link", b"x")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"x"


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_what_is_not_a_file_is_not_replaced(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "x")
    with pytest.raises(SulcusError, match="Cannot write"):
        write_private(tmp_path / "x", b"x")
    assert os.listdir(tmp_path) == ["x"]


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SulcusError, match="Cannot write"):
        write_private(tmp_path / "file" / "x", b"x")
