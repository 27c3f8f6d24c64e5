"""Whose work a change is: the time before a command began, the words of it, and every doubt in its order."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from sulcus_panel.core.capture.shell.attribution import (
    LATE,
    LOST,
    NOT_NAMED,
    Whose,
    Window,
    whose,
    within_reach,
)
from sulcus_panel.core.capture.shell.report import FileStat, PathReport

SINCE = datetime(2026, 1, 1, 12, tzinfo=UTC)
QUICK = Window("make", SINCE, SINCE, SINCE + timedelta(seconds=1))
LONG = replace(QUICK, at=SINCE + timedelta(seconds=60), standing=frozenset({"a", "b"}))
FILE, FOLDER = 0o100644, 0o040755


def path(name: str, after: float | None, *, new: bool = False, mode: int = FILE) -> PathReport:
    """A path that changed so many seconds after the first look, or went."""
    before = None if new else FileStat(name, 1, 1, 1, 1, mode)
    if after is None:
        return PathReport(name, before, None)
    changed = 0 if mode == FOLDER else int((SINCE.timestamp() + after) * 1e9)
    return PathReport(name, before, FileStat(name, changed, changed, 2, 1, mode))


def verdicts(window: Window, *paths: PathReport) -> dict[str, Whose]:
    return {name: verdict for name, (verdict, _) in whose(paths, window).items()}


def test_what_changed_in_a_short_run_is_the_commands() -> None:
    assert verdicts(QUICK, path("a", 0.5), path("gone", None)) == {"a": Whose.COMMAND, "gone": Whose.COMMAND}


def test_what_changed_before_the_command_began_is_somebody_elses() -> None:
    window = replace(LONG, began=SINCE + timedelta(seconds=30))
    found = verdicts(window, path("a", 10), path("b", 31), path("c", 29.9), path("folder", 5, mode=FOLDER))
    assert found["a"] is Whose.OUTSIDE
    assert Whose.OUTSIDE not in (found["b"], found["c"], found["folder"])


def test_an_old_file_in_a_folder_that_was_moved_here_is_the_commands() -> None:
    window = replace(LONG, began=SINCE + timedelta(seconds=30))
    found = verdicts(window, path("d", 0, new=True, mode=FOLDER), path("d/x", 5, new=True), path("y", -99))
    assert found == {"d": Whose.COMMAND, "d/x": Whose.COMMAND, "y": Whose.COMMAND}


def test_a_lone_change_of_a_known_file_in_a_long_run_is_unsure_unless_it_is_named() -> None:
    assert verdicts(LONG, path("a", 20), path("b", 40)) == {"a": Whose.UNSURE, "b": Whose.UNSURE}
    assert verdicts(LONG, path("a", 20), path("b", 20.1)) == {"a": Whose.COMMAND, "b": Whose.COMMAND}
    assert verdicts(LONG, path("made", 20, new=True)) == {"made": Whose.COMMAND}
    for command in ("sed -i s/x/y/ a", "tool --out=./a", "cp x '/repo/src/a'"):
        assert verdicts(replace(LONG, command=command), path("a", 20)) == {"a": Whose.COMMAND}
    assert verdicts(replace(LONG, command="rm -r src"), path("src/a", 9)) == {"src/a": Whose.COMMAND}


def test_a_lone_change_of_a_known_file_in_a_short_opaque_run_may_be_a_save_of_the_persons() -> None:
    short = replace(QUICK, standing=frozenset({"src", "a", "b"}))
    build = [path("dist/one", 0.4), path("dist/two", 0.5, new=True)]
    assert verdicts(short, path("src", 0.5), *build) == {
        "src": Whose.UNSURE,  # of what a build makes none stood there as somebody's work
        "dist/one": Whose.COMMAND,
        "dist/two": Whose.COMMAND,
    }
    assert verdicts(short, path("a", 0.3), path("b", 0.4)) == {"a": Whose.COMMAND, "b": Whose.COMMAND}
    assert verdicts(replace(short, command="make src"), path("src", 0.5)) == {"src": Whose.COMMAND}


def test_another_writer_makes_what_is_not_named_unsure() -> None:
    [(verdict, why)] = whose([path("a", 0.5)], replace(QUICK, others=("make b",))).values()
    assert (verdict, why) == (Whose.UNSURE, "another command ran at the same time: make b")
    assert verdicts(replace(QUICK, edited=frozenset({"a"})), path("a", 0.5)) == {"a": Whose.UNSURE}
    assert verdicts(replace(QUICK, backgrounds=frozenset({"a"})), path("a", 0.5)) == {"a": Whose.UNSURE}


def test_what_the_command_names_is_not_given_to_somebody_else_by_the_clock_alone() -> None:
    """A hook that a busy machine started late makes the command seem to have begun late."""
    window = replace(LONG, began=SINCE + timedelta(seconds=30), command="sed -i s/x/y/ a")
    assert verdicts(window, path("a", 10), path("b", 10)) == {"a": Whose.UNSURE, "b": Whose.OUTSIDE}


def test_of_a_command_without_an_end_only_what_it_names_and_changed_at_once_is_its_own() -> None:
    window = replace(LONG, command="sed -i s/x/y/ a b", is_lost=True)
    found = whose([path("a", 2), path("b", 20), path("c", 2), path("gone", None)], window)
    assert found["a"] == (Whose.COMMAND, "")
    assert {found[name] for name in ("b", "c", "gone")} == {(Whose.UNSURE, LOST)}


def test_what_changed_long_after_a_command_without_an_end_is_out_of_its_reach() -> None:
    paths = [path("a", 3599), path("b", 3700), path("gone", None)]
    near = within_reach(paths, replace(LONG, is_lost=True))
    assert [each.path for each in near] == ["a", "gone"]
    assert within_reach(paths, LONG) == tuple(paths)


def test_a_command_that_says_all_that_it_writes_wrote_nothing_else_however_short_it_was() -> None:
    for command in ("echo x > src/a", "cd src && mv b a", "mkdir -p src/a/deep/er; sleep 1"):
        found = whose([path("src/a", 0.5), path("notes", 0.6)], replace(QUICK, command=command))
        assert found == {"src/a": (Whose.COMMAND, ""), "notes": (Whose.UNSURE, NOT_NAMED)}
    assert verdicts(replace(QUICK, command="sh x > src/a"), path("notes", 0.6)) == {"notes": Whose.COMMAND}


def test_what_changed_after_the_command_had_ended_is_unsure_even_where_it_is_named() -> None:
    window = replace(QUICK, command="sed -i s/x/y/ a")
    assert whose([path("a", 1.1)], window) == {"a": (Whose.UNSURE, LATE)}
    assert whose([path("a", 1.1)], replace(window, runs_on=True)) == {"a": (Whose.COMMAND, "")}


def test_what_somebody_else_saved_shortly_before_may_have_been_saved_again() -> None:
    window = replace(QUICK, saved=frozenset({"a"}))
    assert verdicts(window, path("a", 0.5), path("b", 0.5)) == {"a": Whose.UNSURE, "b": Whose.COMMAND}
