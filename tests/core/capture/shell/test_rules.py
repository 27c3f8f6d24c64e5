"""What a hook may keep, by the rules as safety has them: every pattern, every name of a file, every damage."""

import fnmatch
import random
from pathlib import Path

import pytest

from sulcus_panel.core.capture.shell.rules import (
    EXCLUDED,
    NOT_RECORDED,
    RULES,
    SECRET,
    encode_rules,
    judge_of,
    judged,
    matches,
    read_rules,
)
from sulcus_panel.core.model import LedgerPath
from sulcus_panel.core.safety import EXCLUDED as SAFETY_EXCLUDED
from sulcus_panel.core.safety import MAY_HOLD_A_SECRET, content_withheld


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path.resolve() / "tree"
    (folder / "inner/deep").mkdir(parents=True)
    return folder


def told(home: Path, *rules: tuple[Path, bool, tuple[str, ...]]) -> None:
    data = encode_rules((str(root), is_on, patterns) for root, is_on, patterns in rules)
    (home / RULES).write_bytes(data)


def why(home: Path, *paths: Path) -> list[str]:
    names = [str(path) for path in paths]
    found = judged(str(home), "", names)[1]
    return [found.get(name, "") for name in names]


def test_the_words_are_those_of_safety() -> None:
    assert (SECRET, EXCLUDED) == (MAY_HOLD_A_SECRET, SAFETY_EXCLUDED)


def test_patterns_mean_what_fnmatch_means() -> None:
    chance = random.Random(7)
    for _ in range(20_000):
        glob = "".join(chance.choice("ab-][*?c/") for _ in range(chance.randint(1, 7)))
        name = "".join(chance.choice("ab-][c/") for _ in range(chance.randint(0, 6)))
        assert matches(name, glob) == fnmatch.fnmatchcase(name, glob), (name, glob)
    for glob in ("[!a]b", "[!!]x", "[a-c]*", "[]]", "[!]]", "[", "a[", "*.[ch]"):
        for name in ("ab", "bb", "!x", "ax", "cx", "]", "x", "[", "a[", "m.c", ""):
            assert matches(name, glob) == fnmatch.fnmatchcase(name, glob), (name, glob)


def test_a_path_is_excluded_as_safety_says(home: Path, tree: Path) -> None:
    patterns = ("*.db", "/build/", "in*r/x", "a b", " ")
    told(home, (tree, True, patterns))
    for name in (
        "a.db",
        "build/x/y",
        "deep/build/x",
        "inner/x",
        "inner/xx",
        "x/inner/x",
        "a b/c",
        "free",
        "é.db",
    ):
        expected = content_withheld(LedgerPath(name), patterns) or ""
        assert why(home, tree / name) == [expected], name
        assert judge_of(str(home), str(tree))(str(tree / name)) == expected, name


def test_the_innermost_workspace_decides(home: Path, tree: Path) -> None:
    told(home, (tree, True, ("*.log",)), (tree / "inner", True, ()), (tree / "inner/deep", False, ("x",)))
    paths = (tree / "a.log", tree / "inner/a.log", tree / "inner/deep/a", tree / "inner/deep.log")
    assert why(home, *paths) == [EXCLUDED, "", NOT_RECORDED, ""]
    judge = judge_of(str(home), str(tree))
    assert [judge(str(path)) for path in paths] == [EXCLUDED, "", NOT_RECORDED, ""]
    assert why(home, tree.parent / "elsewhere.log") == [""]


def test_a_file_is_judged_by_every_name_that_leads_to_it(home: Path, tree: Path) -> None:
    told(home, (tree, True, ("private",)))
    (tree / "private").mkdir()
    (tree / "private/a").write_bytes(b"")
    (tree / "link").symlink_to("private/a")
    (tree / "folder").symlink_to("private")
    (tree / "twice").symlink_to("link")
    (tree / "innocent").symlink_to(".env")
    (tree / "loop").symlink_to("loop")
    names = ("link", "folder/a", "twice", "inner/../private/a", "innocent", "loop", "a")
    assert why(home, *(tree / name for name in names)) == [EXCLUDED] * 4 + [SECRET, "", ""]
    by_link = tree.parent / "by link"
    by_link.symlink_to(tree)
    assert why(home, by_link / "private/a", by_link / "a") == [EXCLUDED, ""]
    assert judge_of(str(home), str(by_link))(str(by_link / "private/a")) == EXCLUDED


def test_where_recording_is_off_nothing_is_looked_at(home: Path, tree: Path) -> None:
    told(home, (tree, True, ()), (tree / "inner", False, ()))
    inner, free = str(tree / "inner/a"), str(tree / "a")
    assert judged(str(home), str(tree / "inner/deep"), []) == (True, {})
    assert judged(str(home), str(tree), []) == judged(str(home), "", []) == (False, {})
    assert judged(str(home), str(tree), [inner]) == (True, {inner: NOT_RECORDED})
    assert judged(str(home), str(tree / "inner"), [inner, free]) == (False, {inner: NOT_RECORDED})


def test_without_a_rule_there_is_nothing_to_be_told(tree: Path) -> None:
    assert encode_rules([(str(tree), True, ())]) == encode_rules([]) == b""


def test_odd_roots_and_patterns_come_back_as_they_are(home: Path) -> None:
    rules = [("/a\nb/\udcff", True, ("x\ny", "\u00e9*")), ("/", False, ())]
    (home / RULES).write_bytes(encode_rules([rules[0], ("/a", True, ("\ud800",)), rules[1]]))
    assert read_rules(str(home)) == [rules[0], ("/a", True, ()), rules[1]]


def test_a_damaged_or_missing_file_says_nothing_and_secrets_are_known(home: Path, tree: Path) -> None:
    told(home, (tree, False, ("x",)), (tree / "inner", True, ("y",)))
    whole = (home / RULES).read_bytes()
    for end in range(len(whole)):
        (home / RULES).write_bytes(whole[:end])
        assert read_rules(str(home)) == []
    for damaged in (b"\xff" * 99, b"\0" * 99, whole.replace(b"off", b"of"), whole.replace(b"1", b"2", 1)):
        (home / RULES).write_bytes(damaged)
        assert read_rules(str(home)) == []
    assert why(home, tree / ".env", tree / "x") == [SECRET, ""]
    (home / RULES).unlink()
    (home / RULES).mkdir()
    assert read_rules(str(home)) == []
