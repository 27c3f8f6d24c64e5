"""What the baselines let go of: copies of what is no more or forgotten, old looks, trees nobody looks at."""

import hashlib
import marshal
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sulcus_panel.core.capture.shell.keeping import Baselines, identity
from sulcus_panel.core.capture.shell.scan import Walk, items_of
from sulcus_panel.core.capture.shell.tidying import forget, forget_copies, tidy
from sulcus_panel.core.model import Sha256

NOW = datetime.now(UTC)


def planted(tmp_path: Path) -> Baselines:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "a").write_bytes(b"a")
    walk = Walk(str(tree), {})
    walk.whole()
    baselines = Baselines(str(tmp_path), str(tree))
    baselines.make()
    baselines.write("last", marshal.dumps(walk.changed))
    needed = identity(items_of(walk.changed[""])["a"])
    kept = (f"copies/{needed}", f"copies/{needed}.sha256", "copies/1-2-3-4")
    for name in (*kept, "index-1-1-1-1", "index-2-2-2-2", "scan-x"):
        (Path(baselines.folder) / name).write_bytes(b"x")
    os.utime(Path(baselines.folder) / "index-1-1-1-1", (1, 1))
    return baselines


def names(baselines: Baselines) -> set[str]:
    folder = Path(baselines.folder)
    return {path.name.partition("-")[0] for path in folder.rglob("*") if path.is_file()}


def test_within_the_hour_nothing_goes_but_an_old_index(tmp_path: Path) -> None:
    baselines = planted(tmp_path)
    assert tidy(tmp_path, NOW) == 1
    assert (Path(baselines.copies) / "1-2-3-4").exists()


def test_a_copy_of_what_is_no_more_goes_after_an_hour_and_a_look_after_a_week(tmp_path: Path) -> None:
    baselines = planted(tmp_path)
    tidy(tmp_path, NOW + timedelta(hours=2))
    assert not (Path(baselines.copies) / "1-2-3-4").exists()
    assert len(list(Path(baselines.copies).iterdir())) == 2
    assert "scan" in names(baselines)
    tidy(tmp_path, NOW + timedelta(days=8))
    assert "scan" not in names(baselines)


def test_a_tree_that_nobody_looked_at_for_a_month_goes_whole(tmp_path: Path) -> None:
    baselines = planted(tmp_path)
    assert tidy(tmp_path / "none", NOW) == 0
    tidy(tmp_path, NOW + timedelta(days=31))
    assert not Path(baselines.folder).exists()


def test_copies_with_forgotten_bytes_go_whatever_tree_they_are_of_and_no_others(tmp_path: Path) -> None:
    for tree in ("one", "other"):
        baselines = Baselines(str(tmp_path), tree)
        baselines.make()
        (Path(baselines.copies) / "1-1-1-7").write_bytes(b"secret\n")
        (Path(baselines.copies) / "2-1-1-6").write_bytes(b"other\n")
    digest = Sha256(hashlib.sha256(b"secret\n").hexdigest())
    assert forget_copies(tmp_path, {digest}) == 2
    assert {path.read_bytes() for path in tmp_path.rglob("copies/*")} == {b"other\n"}
    assert forget_copies(tmp_path / "none", {digest}) == 0


def test_a_copy_that_a_running_call_goes_on_from_stays(tmp_path: Path) -> None:
    baselines = planted(tmp_path)
    before = {"": marshal.dumps([("a", 2, 3, 4, 1, 0o100644, "")], 2)}
    baselines.write("base-x", marshal.dumps(before))
    tidy(tmp_path, NOW + timedelta(hours=2))
    assert (Path(baselines.copies) / "1-2-3-4").exists()


def test_a_forgotten_file_takes_its_copies_and_those_of_nobody(tmp_path: Path) -> None:
    baselines = planted(tmp_path)
    listing = marshal.dumps([("a", 2, 3, 4, 1, 0o100644, ""), ("b", 2, 3, 5, 9, 0o100644, "")], 2)
    baselines.write("last", marshal.dumps({"": listing}))
    (Path(baselines.copies) / "9-2-3-5").write_bytes(b"b")
    assert forget(tmp_path, str(tmp_path / "elsewhere/a")) == 0
    assert forget(tmp_path, str(tmp_path / "tree/a")) == 3
    assert [path.name for path in Path(baselines.copies).iterdir()] == ["9-2-3-5"]
    (Path(baselines.folder) / "root").unlink()
    assert forget(tmp_path, str(tmp_path / "elsewhere/a")) == 1
