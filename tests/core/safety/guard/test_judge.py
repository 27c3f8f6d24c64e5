"""The whole guard by what it answers: our rows, the shared table, any object, and real runs of what it let by."""

import json
import os
import random
import shlex
import shutil
import subprocess
import time
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.safety import is_command_safe
from sulcus_panel.core.safety.guard.judge import judge
from tests.support.guard_rows import ROOT, rows, wrong_answers, wrong_rows

SHARED = Path(__file__).resolve().parents[5] / "shared" / "cases" / "commands.tsv"


def test_every_row_of_ours_has_its_verdict_and_its_code() -> None:
    assert not list(wrong_rows(judge))


def test_a_verdict_cannot_be_changed() -> None:
    verdict = judge("rm a", ROOT)
    with pytest.raises(AttributeError):
        verdict.ok = False  # type: ignore[misc]  # that it cannot is what is asked


def test_odd_questions_are_answered_too() -> None:
    assert not list(wrong_answers(judge))


@pytest.mark.skipif(not SHARED.exists(), reason="the shared table is not here")
def test_every_row_of_the_shared_table_has_its_verdict_and_its_code() -> None:
    lines = [line for line in SHARED.read_bytes().decode().split("\n") if line and not line.startswith("#")]
    wrong = []
    for line in lines:
        text, expected, why = line.split("\t")
        verdict = is_command_safe(json.loads(text), root=PurePosixPath("/w/proj"))
        if (verdict.ok, verdict.code) != (expected == "safe", why[1 : why.index("]")]):
            wrong.append((text, expected, why, verdict))
    assert len(lines) > 300
    assert not wrong


COMMANDS = st.sampled_from(["mv ", "rm -- ", "git ", "git branch -d ", "rmdir ", "sqlx migrate ", ""])


@given(COMMANDS, st.text(st.characters(codec=None) | st.sampled_from("ab/.-'\" \t\0\ud800\u202e")))
def test_a_yes_is_what_shlex_reads_and_nothing_raises(command: str, text: str) -> None:
    verdict = is_command_safe(command + text, root=ROOT)
    assert verdict.ok == verdict.code.startswith("inv.")
    if verdict.ok:
        assert list(verdict.argv) == shlex.split(command + text)
        assert all(word.isprintable() for word in verdict.argv)
    else:
        assert not verdict.argv


@given(st.one_of(st.none(), st.binary(), st.integers(), st.lists(st.text())))
def test_what_is_no_text_is_refused(thing: object) -> None:
    assert judge(thing, ROOT).code == "type"


WRAPPED = (
    "env {}",
    "sh -c '{}'",
    "sudo {}",
    "xargs {}",
    "{} ; true",
    "{} && true",
    "({})",
    "$({})",
    "{} #",
    "x={} {}",
)


@pytest.mark.parametrize("around", WRAPPED)
def test_nothing_wrapped_or_followed_is_safe(around: str) -> None:
    yes = [text for text, code in rows() if code.startswith("inv.")]
    assert not [text for text in yes if is_command_safe(around.replace("{}", text), root=ROOT).ok]


@pytest.mark.parametrize(
    "text",
    [
        "mv " + "'" * 4093,
        "mv " + "日" * 4000,
        "".join(map(chr, range(0x4E00, 0x4E00 + 4096))),
        "rm 'x" + "\u0301a" * 2000 + "'",
        "rm " + "a " * 2000,
        "rm " + "''" * 2000,
        "rm " + "a~" * 2000,
        "rm '" + "é/" * 2000 + "b'",
        "rmdir " + " ".join("a/" * n + "a" for n in range(60, 0, -1)),
    ],
    ids=range(9),
)
def test_the_longest_texts_take_no_longer_than_a_few_milliseconds(text: str) -> None:
    def seconds() -> float:
        began = time.thread_time()
        is_command_safe(text, root=ROOT)
        return time.thread_time() - began

    assert min(seconds() for _ in range(20)) < 0.005


NAMES = [
    *(
        "a",
        "b",
        "c.txt",
        "d",
        "d/e",
        "d/f.txt",
        "-x",
        "--",
        "-n",
        "-T",
        "-rf",
        "'x y'",
        "é",
        ".",
        "..",
        "../o",
    ),
    *(
        "/etc",
        ".git",
        "d/.git/x",
        "~",
        "*",
        "link",
        "link/x",
        "link/secret",
        "d/up/x",
        "d/up",
        "d/../../o",
        "''",
    ),
    *('"q r"', "./a", "a/", "d/.", "new", "d/new"),
]
FILES = (
    "w/d/.git/x",
    "w/d/e/y",
    "w/a",
    "w/b",
    "w/c.txt",
    "w/d/f.txt",
    "w/x y",
    "w/q r",
    "w/é",
    "o/secret",
    "o/x",
)


def planted(top: Path) -> Path:
    shutil.rmtree(top, ignore_errors=True)
    for name in FILES:
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_bytes(name.encode())
    (top / "w/link").symlink_to("../o")
    (top / "w/d/up").symlink_to("../../o")
    return top / "w"


def below(top: Path) -> dict[str, bytes | None]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in sorted(top.rglob("*"))}


def goes_through_a_link(work: Path, argv: tuple[str, ...]) -> bool:
    """What no text can show and a runner must look for: a folder on the way, or the target, is a link."""
    ways = [work / word for word in argv[1:]]
    folders = [folder for way in ways for folder in way.parents if folder.is_relative_to(work)]
    return any(path.is_symlink() for path in (*folders, ways[-1])) and argv[0] != "rmdir"


@pytest.mark.slow
def test_what_was_let_by_changes_nothing_outside_when_it_really_runs(tmp_path: Path) -> None:
    chance = random.Random(5)
    ran = stopped = 0
    work = planted(tmp_path / "top")
    outside = below(tmp_path / "top/o")
    environment = {"PATH": os.defpath, "LC_ALL": "C.UTF-8"}
    while ran < 2500:
        words = [chance.choice(["mv", "mv", "rm", "rmdir"]), *chance.choices(NAMES, k=chance.randint(1, 4))]
        verdict = is_command_safe(" ".join(words), root=work)
        if not verdict.ok:
            continue
        if goes_through_a_link(work, verdict.argv):
            stopped += 1
            continue
        ran += 1
        subprocess.run(verdict.argv, cwd=work, env=environment, capture_output=True, check=False)
        assert below(tmp_path / "top/o") == outside, verdict
        assert sorted(path.name for path in (tmp_path / "top").iterdir()) == ["o", "w"]
        if ran % 5 == 0:
            planted(tmp_path / "top")
    assert stopped > 100
