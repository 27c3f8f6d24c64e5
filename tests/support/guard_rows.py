"""What the guard must answer: our own rows, and all else that its fast tests ask of it: one function a question."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath
from types import ModuleType
from typing import Any

ROWS = Path(__file__).resolve().parents[1] / "data" / "commands.tsv"
ROOT = PurePosixPath("/srv/app")

Judge = Callable[[Any, Any], Any]


def rows() -> Iterator[tuple[str, str]]:
    """Each text of ours with the code of its verdict."""
    for line in ROWS.read_bytes().decode().split("\n"):
        if line and not line.startswith("#"):
            code, _, text = line.partition("\t")
            yield json.loads(text), code


def wrong_rows(judge: Judge) -> Iterator[str]:
    """Each row that `judge` answers otherwise."""
    for text, code in rows():
        verdict = judge(text, ROOT)
        if (verdict.code, verdict.ok) != (code, code.startswith("inv.")):
            yield f"{text[:80]!a}: {verdict.code}, not {code}"
        if bool(verdict.argv) != verdict.ok:
            yield f"{text[:80]!a}: argv"


_ASKED: tuple[tuple[object, object, str], ...] = (
    (None, ROOT, "type"),
    (b"rm a", ROOT, "type"),
    (["rm", "a"], ROOT, "type"),
    ("rm a", "/srv/app", "root"),
    ("rm a", None, "root"),
    ("rm a", PurePosixPath("srv/app"), "root"),
    ("rm a", PurePosixPath("/srv/../app"), "root"),
    ("rm a", PurePosixPath("/"), "inv.rm-created"),
    ("rm a", PurePosixPath("/srv/appX"), "inv.rm-created"),
    ("rm ..", PurePosixPath("/"), "path.root"),
    ("rm ../a", PurePosixPath("/"), "path.dotdot"),
    ("rm .", PurePosixPath("/"), "path.root"),
    ("rm a", PureWindowsPath("C:/w"), "inv.rm-created"),
    ("rm ../w", PureWindowsPath("C:/w"), "path.root"),
    ("rm '" + "x" * 4091 + "'", ROOT, "limit.name"),
    ("rm '" + "x" * 4092 + "'", ROOT, "limit.length"),
    ("rm " + "x" * 10_000_000, ROOT, "limit.length"),
)
_READ = (
    ("mv -n -- 'a b'c\t\"d\" ", ("mv", "-n", "--", "a bc", "d")),
    ("  rm  a''b", ("rm", "ab")),
    ("rm '$x'\"y\"z", ("rm", "$xyz")),
    ("mv '' é", ()),
)


def wrong_answers(judge: Judge) -> Iterator[str]:
    """Each odd question that `judge` answers otherwise, and each argv that is not what was written."""
    for text, root, code in _ASKED:
        verdict = judge(text, root)
        if (verdict.code, verdict.ok) != (code, code.startswith("inv.")):
            yield f"{str(text)[:40]!a} below {root}: {verdict.code}, not {code}"
    for text, argv in _READ:
        if judge(text, ROOT).argv != argv:
            yield f"{text!a}: {judge(text, ROOT).argv}"


def wrong_classes(judge: ModuleType, rules: ModuleType) -> Iterator[str]:
    """Each class of data that could be changed after it was made."""
    words, forms = judge.read_words.__globals__["Words"], rules.fit.__globals__["Fit"]
    for kind in (judge.Verdict, rules.Rule, rules.Form, words, forms):
        if not kind.__dataclass_params__.frozen or "__slots__" not in vars(kind):
            yield kind.__name__


def wrong_tables(rules: ModuleType) -> Iterator[str]:
    """Each rule whose examples do not hold, and each bad example that would not be found."""
    for rule in rules.RULES:
        if any(";" in text for text in (*rule.like, *rule.not_like)):
            yield f"{rule.code}: two examples in one"
        if not rules.holds(rule) or rule not in rules.TABLE.get(rule.program, ()):
            yield f"{rule.code}: its own examples"
        bad = (type(rule)(rule.code, rule.form, rule.like, (*rule.not_like, rule.like[0])),
               type(rule)(rule.code, rule.form, (*rule.like, rule.not_like[0]), rule.not_like))  # fmt: skip
        if any(map(rules.holds, bad)) or rules.by_program(bad):
            yield f"{rule.code}: bad examples are not seen"
