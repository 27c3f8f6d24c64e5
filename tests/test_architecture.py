"""The house rules that a linter does not know. Layers and their contracts: test_layers.py."""

import ast
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "sulcus_panel"
MOST_LINES = 400
MOST_LINES_OF_A_FUNCTION = 50
CATCH_ALL_PLACES = {
    "ui/errors.py",  # the excepthook
    "cli/main.py",
    "service/http/api.py",  # the server boundary, one file a protocol
    "service/mcp/server.py",
    "core/capture/hook.py",
}
WITHOUT_A_TEST_FILE = {
    "core/model.py": "data only",
    "core/errors.py": "data only",
    "core/events.py": "data only",
    "core/holds.py": "data only",
    "core/safety/guard/characters.py": "each code by a row: test_judge.py",
    "core/safety/guard/dangers.py": "each code by a row: test_judge.py",
    "core/safety/guard/forms.py": "each form by a row: test_judge.py, test_rules.py",
    "core/safety/guard/operands.py": "each code by a row: test_judge.py",
    "core/safety/guard/verdict.py": "data only",
    "core/undo/model.py": "data only",
    "core/commands/now.py": "data only",
    "core/undo/question.py": "the parts of every answer: test_paths.py, test_by_lines.py",
    "core/undo/gone.py": "what is closed and what is not: test_closing.py, test_records.py",
    "core/undo/by_lines.py": "test_paths.py, test_text.py",
    "core/capture/adapter.py": "data, and a protocol that mypy checks",
    "core/capture/registry.py": "two tables, each read by every test of a recorder or an import",
    "core/capture/install/hook_home.py": "data, and a protocol that mypy checks",
    "core/capture/install/cursor.py": "data: test_json_home.py",
    "core/capture/install/windsurf.py": "data: test_json_home.py",
    "core/capture/hook_names.py": "by the hook itself: end_to_end/test_excluded.py",
    "core/capture/hook_trees.py": "by the hook itself: end_to_end/test_shell.py, test_hook.py",
    "core/capture/hook_notices.py": "by the hook itself: service/test_telling.py",
    "core/capture/notices.py": "from the undo to the hook and back: service/test_telling.py",
    "core/capture/sight.py": "by what recording.py finds on the disk at a turn's end",
    "core/capture/unended.py": "by real hooks that are followed by none: end_to_end/test_unended.py",
    "core/capture/trees.py": "what real commands did: end_to_end/test_shell.py",
    "core/capture/whereabouts.py": "a call's folder, by every way in which it is found: test_recording.py",
    "core/capture/past/importer.py": "a protocol that mypy checks",
    "core/capture/past/records.py": "data only",
    "core/capture/past/entries.py": "the generic half of every import: claude/test_runs.py",
    "core/capture/shell/look.py": "the hook's half, by real hooks: end_to_end/test_shell.py and its neighbours",
    "core/capture/shell/git_delta.py": "as above: a branch, a rebase, a working tree",
    "core/ledger/checking.py": "each kind of damage: service/test_verifying.py",
    "core/ledger/mending.py": "as above, and what a repair does about it",
    "core/ledger/notices.py": "who is told and who is not: service/test_telling.py",
    "core/ledger/queries.py": "data only",
    "core/ledger/activity.py": "who is at work: test_sessions.py, service/test_telling.py",
    "core/ledger/tables.py": "the imports of each table: by every test of a table",
    "core/ledger/upkeep.py": "when retention is due: test_retention.py",
    "core/ledger/schema.py": "three numbers, checked by test_migrations.py and test_ledger_format.py",
    "core/ledger/rules.py": "by what rules do: service/test_triggers.py, test_webhooks.py",
    "core/ledger/entry_rows.py": "the writing half of entries.py: test_entries.py reads all of it back",
    "core/ledger/rare_fields.py": "one column of an entry: test_entries.py reads all of it back",
    "service/authority.py": "by every door's own questions: test_asking.py",
    "service/beginning.py": "what an opening finds: test_operations.py, core/undo/test_recover.py, test_trash.py",
    "service/changes.py": "data only",
    "service/rule_watch.py": "the thread around triggers.py and webhooks.py: test_webhooks.py",
    "service/verb_groups.py": "the imports of each group: by every test of a group",
    "service/holds.py": "who asks and who decides: test_asking.py",
    "service/http/replies.py": "every answer: test_api.py, by real requests; test_fuzz.py",
    "service/http/table.py": "data only",
    "service/requests/asked.py": "data only",
    "service/requests/claiming.py": "what a record's body says: http/test_api.py, by real requests",
    "service/requests/failing.py": "as above, every error; http/test_fuzz.py",
    "service/requests/reading.py": "as claiming.py",
    "service/requests/words.py": "data: test_understanding.py, http/test_openapi.py",
    "service/requests/writing.py": "as claiming.py",
    "service/mcp/words.py": "what the tools take: test_calls.py, test_table.py",
    "service/mcp/doing.py": "what the tools answer: test_stdio.py, test_holds.py",
    "service/mcp/decisions.py": "who waits is told: test_holds.py",
    "service/mcp/streaming.py": "the SDK's half of over_http.py: test_over_http.py",
    "service/requests/guest.py": "a protocol that mypy checks: mcp/test_over_http.py",
    "service/interface.py": "a protocol that mypy checks",
    "service/far_errors.py": "each error as a server sends it: test_link.py",
    "service/later_work.py": "two answers of Operations: test_operations.py",
}
"""Modules of core and service without a test file of their name, each with the reason."""
DRAWERS = re.compile(r"^(utils?|helpers?|common|misc|tools|stuff)$")
UNCLEAR_CLASS = re.compile(r"(Manager|Helper|Handler)s?$")
STATIC_DIALOGS = re.compile(
    r"^(QMessageBox\.(question|information|warning|critical|about|aboutQt)"
    r"|QFileDialog\.get\w+|QInputDialog\.get\w+|QColorDialog\.getColor|QFontDialog\.getFont)$"
)

Trees = dict[str, ast.Module]


def parse(folder: Path) -> Trees:
    return {
        path.relative_to(folder).as_posix(): ast.parse(path.read_bytes(), str(path))
        for path in sorted(folder.rglob("*.py"))
    }


@pytest.fixture(scope="module")
def package() -> Trees:
    return parse(PACKAGE)


@pytest.fixture(scope="module")
def suite() -> Trees:
    return parse(ROOT / "tests")


def found(trees: Trees, wanted: Callable[[ast.AST], bool], under: str = "") -> list[str]:
    """Where nodes stand for which `wanted` is true, as file:line."""
    return [
        f"{name}:{getattr(node, 'lineno', 0)}"
        for name, tree in trees.items()
        if name.startswith(under)
        for node in ast.walk(tree)
        if wanted(node)
    ]


def calls(node: ast.AST) -> str:
    """The dotted name that this node calls, or ""."""
    return ast.unparse(node.func) if isinstance(node, ast.Call) else ""


def handlers(tree: ast.Module) -> Iterator[tuple[ast.ExceptHandler, set[str]]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            kinds = [] if node.type is None else getattr(node.type, "elts", [node.type])
            yield node, {ast.unparse(kind) for kind in kinds} or {"BaseException"}


def goes_on(handler: ast.ExceptHandler) -> bool:
    """Whether the error ends here: cleaning up and raising it again is no catch-all."""
    last = handler.body[-1]
    return not (isinstance(last, ast.Raise) and last.exc is None)


def test_no_file_is_longer_than_one_can_read() -> None:
    long = {
        path.relative_to(ROOT).as_posix(): lines
        for folder in (PACKAGE, ROOT / "tests", ROOT / "benchmarks")
        for path in folder.rglob("*.py")
        if (lines := len(path.read_bytes().split(b"\n")) - 1) > MOST_LINES
    }
    assert not long


def test_no_function_is_longer_than_a_screen(package: Trees) -> None:
    def long(node: ast.AST) -> bool:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return False
        return (node.end_lineno or node.lineno) - node.lineno + 1 > MOST_LINES_OF_A_FUNCTION

    assert not found(package, long)


def test_every_file_says_why_it_exists(package: Trees) -> None:
    assert not [name for name, tree in package.items() if not ast.get_docstring(tree)]


def test_no_file_sends_its_reader_to_a_page_that_is_not_here() -> None:
    root = Path(__file__).parents[1]
    ours = [
        path for folder in ("sulcus_panel", "tests", "benchmarks") for path in (root / folder).rglob("*.py")
    ]
    pages = {page.name for page in (*root.glob("*.md"), *root.glob("docs/*.md"))}
    named = {
        (path.name, name)
        for path in ours
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for name in re.findall(r"\b[\w-]+\.md\b", str(node.value.value))
    }
    assert not sorted((path, name) for path, name in named if name not in pages)


def test_no_module_is_a_drawer(package: Trees) -> None:
    parts = {(name, part) for name in package for part in name.removesuffix(".py").split("/")}
    assert not [name for name, part in parts if DRAWERS.match(part)]


def test_no_class_is_called_after_a_job_not_understood(package: Trees) -> None:
    assert not found(
        package, lambda node: isinstance(node, ast.ClassDef) and bool(UNCLEAR_CLASS.search(node.name))
    )


def test_everything_is_caught_in_the_few_named_places_only(package: Trees) -> None:
    everything = {"Exception", "BaseException"}
    caught = {
        name
        for name, tree in package.items()
        for handler, kinds in handlers(tree)
        if kinds & everything and goes_on(handler)
    }
    assert caught <= CATCH_ALL_PLACES
    assert not found(
        package,
        lambda node: (
            bool(re.match(r"(contextlib\.)?suppress\((Base)?Exception\b", ast.unparse(node)))
            if isinstance(node, ast.Call)
            else False
        ),
    )


def test_no_dialog_runs_a_loop_of_its_own(package: Trees) -> None:
    """Under qasync, exec() and the static dialogs stop every coroutine, or hang for good."""
    assert not found(package, lambda node: calls(node).endswith((".exec", ".exec_")))
    assert not found(package, lambda node: bool(STATIC_DIALOGS.match(calls(node))))


def test_what_a_record_says_is_never_rich_text(package: Trees) -> None:
    rich = (".setHtml", ".insertHtml", ".appendHtml", ".setMarkdown", ".insertMarkdown")
    assert not found(package, lambda node: calls(node).endswith(rich), under="ui/")


def test_signals_are_connected_to_named_slots(package: Trees) -> None:
    def anonymous(node: ast.AST) -> bool:
        if not isinstance(node, ast.Call) or not calls(node).endswith(".connect"):
            return False
        return any(isinstance(part, ast.Lambda) for argument in node.args for part in ast.walk(argument))

    assert not found(package, anonymous, under="ui/")


def test_tests_wait_for_facts_and_fake_only_edges(suite: Trees) -> None:
    def sleeps_or_patches(node: ast.AST) -> bool:
        if isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            return bool(names & {"time.sleep", "unittest.mock"}) or (node.module or "").startswith(
                "unittest.mock"
            )
        if isinstance(node, ast.Import):
            return any(alias.name in ("unittest.mock", "mock") for alias in node.names)
        return calls(node) in ("time.sleep", "mock.patch", "qtbot.wait", "QTest.qSleep", "QTest.qWait")

    assert not found(suite, sleeps_or_patches)


def test_every_module_below_the_screen_has_a_test_file_of_its_name(package: Trees, suite: Trees) -> None:
    modules = {
        name
        for name in package
        if name.startswith(("core/", "service/")) and not name.endswith("__init__.py")
    }
    missing = {name for name in modules if re.sub(r"([^/]+)$", r"test_\1", name) not in suite}
    assert not sorted(missing - set(WITHOUT_A_TEST_FILE)), "add the test file, or the reason in this file"
    assert not sorted(set(WITHOUT_A_TEST_FILE) - missing), "no longer true: take it off the list"


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal there")
@pytest.mark.usefixtures("qapp")
def test_void_qt_calls_drop_no_reference_to_none() -> None:
    """PySide6 6.12.0 on Python 3.11 aborts after some 6,400 of them."""
    from PySide6.QtCore import QObject
    from PySide6.QtWidgets import QWidget

    widget, thing = QWidget(), QObject()
    before = sys.getrefcount(None)
    for _ in range(2000):
        widget.update()
        thing.setObjectName("x")
    assert abs(sys.getrefcount(None) - before) < 100
