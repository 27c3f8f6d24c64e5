"""Small changes to the guard's code, one at a time: do its fast tests see each of them?

A mutant is a module of the guard with one operator, constant, comparison, condition, returned value or statement
changed. It is loaded in place of the real one, in this process, and asked all of tests/support/guard_rows.py.
"""

import ast
import copy
import signal
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import FrameType, ModuleType, TracebackType

from tests.support.guard_rows import wrong_answers, wrong_classes, wrong_rows, wrong_tables

PACKAGE = "sulcus_panel.core.safety.guard"
FOLDER = Path(__file__).resolve().parents[1].joinpath(*PACKAGE.split("."))
ORDER = ("verdict", "characters", "words", "operands", "forms", "rules", "dangers", "judge")
"""The guard's modules, each after those that it imports."""

SECONDS_A_MUTANT = 5
_OTHER: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.BitOr: ast.BitAnd,
}
_DROPPED = (ast.Assign, ast.AugAssign, ast.Raise, ast.Return)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One changed module; `what` says where and how."""

    module: str
    what: str
    tree: ast.Module


class Noticed(AbstractContextManager[None]):
    """Whether its block raised; a mutant may raise anything."""

    raised = False

    def __enter__(self) -> None:
        self.raised = False

    def __exit__(
        self, kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> bool:
        self.raised = kind is not None
        return kind is not None and issubclass(kind, Exception)


def mutants() -> Iterator[Mutant]:
    """Every mutant of every module of the guard."""
    for module in ORDER:
        tree = ast.parse(FOLDER.joinpath(f"{module}.py").read_bytes())
        silent = {id(node) for node in ast.walk(tree) for node in _never_run(node)}
        for index, node in enumerate(ast.walk(tree)):
            if id(node) in silent:
                continue
            for count, changed in enumerate(_changes(node)):
                new = copy.deepcopy(tree)
                target = list(ast.walk(new))[index]
                _put(new, target, copy.deepcopy(changed))
                line = getattr(node, "lineno", 0)
                what = f"{module}.py:{line} {ast.unparse(node)[:60]!r} -> {ast.unparse(changed)[:60]!r} ({count})"
                yield Mutant(module, what, ast.fix_missing_locations(new))


def _never_run(node: ast.AST) -> Iterator[ast.AST]:
    """Docstrings, annotations and the examples of rules, with all that is in them."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "_rule":
        for example in node.args[2:]:
            yield from ast.walk(example)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield from ast.walk(node)
    for field in ("annotation", "returns"):
        if isinstance(part := getattr(node, field, None), ast.AST):
            yield from ast.walk(part)


def _put(tree: ast.Module, old: ast.AST, new: ast.AST) -> None:
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, field, new)
            elif isinstance(value, list):
                value[:] = [new if part is old else part for part in value]


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Constant):
        yield from _constants(node)
    elif isinstance(node, ast.expr):
        yield from _expressions(node)
    elif isinstance(node, ast.If | ast.While):
        changed = copy.copy(node)
        changed.test = ast.UnaryOp(ast.Not(), node.test)
        yield changed
    elif isinstance(node, ast.Return) and node.value is not None:
        yield ast.Return(ast.Constant(None))
    if isinstance(node, _DROPPED) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        yield ast.Pass()


def _constants(node: ast.Constant) -> Iterator[ast.AST]:
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
        yield ast.Constant(node.value - 1)
    elif isinstance(node.value, str) and "\n" in node.value:
        words = node.value.split()
        for at in range(len(words)):
            yield ast.Constant(" ".join([*words[:at], *words[at + 1 :]]))
    elif isinstance(node.value, str):
        yield ast.Constant(node.value + "XX")


def _expressions(node: ast.expr) -> Iterator[ast.AST]:
    if isinstance(node, ast.Compare):
        for at, operator in enumerate(node.ops):
            changed = copy.copy(node)
            changed.ops = [*node.ops[:at], _OTHER[type(operator)](), *node.ops[at + 1 :]]
            yield changed
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.And() if isinstance(node.op, ast.Or) else ast.Or(), node.values)
        for at in range(len(node.values)):
            rest = [*node.values[:at], *node.values[at + 1 :]]
            yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        yield ast.BinOp(node.left, _ARITHMETIC[type(node.op)](), node.right)
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)


def is_seen(mutant: Mutant) -> bool:
    """Whether the guard's fast tests fail, raise or never end on `mutant`."""
    kept = {name: sys.modules[name] for name in map(_name, ORDER) if name in sys.modules}
    found: list[str] = []
    noticed = Noticed()
    signal.signal(signal.SIGALRM, _too_long)
    signal.setitimer(signal.ITIMER_REAL, SECONDS_A_MUTANT)
    try:
        with noticed:
            judge, rules = _loaded(mutant)
            wrong = chain(
                wrong_classes(judge, rules),
                wrong_tables(rules),
                wrong_answers(judge.judge),
                wrong_rows(judge.judge),
            )
            found.extend([first for first in [next(wrong, "")] if first])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.modules.update(kept)
    return noticed.raised or bool(found)


def _too_long(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError


def _name(module: str) -> str:
    return f"{PACKAGE}.{module}"


def _loaded(mutant: Mutant) -> tuple[ModuleType, ModuleType]:
    for module in ORDER:
        fresh = ModuleType(_name(module))
        sys.modules[fresh.__name__] = fresh
        path = FOLDER / f"{module}.py"
        source = mutant.tree if module == mutant.module else ast.parse(path.read_bytes())
        exec(compile(source, str(path), "exec"), fresh.__dict__)
    return sys.modules[_name("judge")], sys.modules[_name("rules")]
