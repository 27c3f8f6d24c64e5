"""What two looks come to as changes: real files, looked at before and after, beside a real ledger."""

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sulcus_panel.core.capture.adapter import Scene, ToolCall, ToolFailed, ToolFinished, ToolKind, ToolStarted
from sulcus_panel.core.capture.chains import Chains
from sulcus_panel.core.capture.changes import ABSENT_SIDE, build_change, file_side
from sulcus_panel.core.capture.drafts import outside_entry
from sulcus_panel.core.capture.shell import effects
from sulcus_panel.core.capture.shell.desk import Desk
from sulcus_panel.core.capture.shell.effects import TOO_MANY, Effects, effects_of
from sulcus_panel.core.capture.shell.keeping import Baselines, identity
from sulcus_panel.core.capture.shell.report import FileStat, PathReport, TreeReport
from sulcus_panel.core.capture.shell.scan import Walk, differences
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import CommandFacts, LedgerPath, Origin, Settings, Sha256
from tests.support.ledgers import entries, record

MAKE = ToolCall("Bash", ToolKind.COMMAND, "c1", command="make")


class Command:
    """One command in a tree, from the look before it to its entry's effects."""

    def __init__(self, ledger: Ledger, folder: Path, home: Path) -> None:
        self.ledger, self.folder, self.home = ledger, folder, home
        self.workspace = ledger.add_workspace(str(folder))
        self.began = datetime.now(UTC) - timedelta(seconds=1)
        self.scene = Scene("2-2", datetime.now(UTC) + timedelta(seconds=1), "claude-code", "s", str(folder))
        self.desk = Desk(Chains(ledger), self.scene, self.workspace, Settings(), str(folder), home)
        baselines = Baselines(str(home), str(folder))
        baselines.make()
        self.copies = Path(baselines.copies)
        self.base = Walk(str(folder), {})

    def write(self, name: str, data: bytes) -> None:
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_bytes(data)

    def starts(self) -> None:
        """The first look, which copies every file."""
        self.base.whole()
        for _, path, item in self.base.loose:
            (self.copies / identity(item)).write_bytes((self.folder / path).read_bytes())

    def report(self) -> TreeReport:
        """The second one."""
        now = Walk(str(self.folder), self.base.changed)
        now.whole()
        found, _, _ = differences(self.base.changed, now.changed)
        paths = tuple(
            PathReport(path, before and FileStat(*before), after and FileStat(*after))
            for path, (before, after) in sorted(found.items())
        )
        return TreeReport(str(self.folder), since=self.began, paths=paths)

    def event(self, call: ToolCall = MAKE) -> ToolFinished:
        return ToolFinished(self.scene, call, None)

    def ends(self, event: ToolFinished | ToolFailed | None = None) -> Effects:
        with self.ledger.write():
            return effects_of(self.report(), event or self.event(), self.desk)


@pytest.fixture
def command(ledger: Ledger, tmp_path: Path) -> Command:
    (tmp_path / "tree").mkdir()
    return Command(ledger, tmp_path / "tree", tmp_path / "data")


def contents(found: Effects) -> dict[str, tuple[bytes | None, bytes | None]]:
    """Both sides of every change, as kept."""
    return {
        change.path: (
            found.contents.get(change.before.sha256 or Sha256("")),
            found.contents.get(change.after.sha256 or Sha256("")),
        )
        for change in found.changes
    }


def test_what_a_command_made_changed_and_took_away_are_its_changes(command: Command) -> None:
    command.write("src/a", b"one\n")
    command.write("gone", b"bye\n")
    command.write("kept", b"same\n")
    command.starts()
    command.write("src/a", b"two\n")
    command.write("new", b"hello\n")
    (command.folder / "gone").unlink()
    os.utime(command.folder / "kept")
    found = command.ends()
    assert contents(found) == {
        "gone": (b"bye\n", None),
        "new": (None, b"hello\n"),
        "src/a": (b"one\n", b"two\n"),
    }
    assert (found.facts, found.git) == (None, None)


def test_without_a_look_there_is_only_what_it_printed(command: Command) -> None:
    said = replace(command.event(), output="done\n", background=True)
    assert effects_of(None, said, command.desk) == Effects(facts=CommandFacts("done", in_background=True))
    failed = ToolFailed(command.scene, MAKE, None, "no rule\n")
    assert effects_of(None, failed, command.desk) == Effects(facts=CommandFacts("no rule"))
    assert effects_of(None, command.event(), command.desk) == Effects()


def test_why_nothing_was_seen_is_told(command: Command) -> None:
    found = effects_of(TreeReport("/x", "too large"), command.event(), command.desk)
    assert found == Effects(facts=CommandFacts(unseen=("too large",)))


def test_a_folder_that_could_not_be_listed_is_told(command: Command) -> None:
    command.starts()
    report = replace(command.report(), unseen=("shut\n",))
    assert effects_of(report, command.event(), command.desk).facts == CommandFacts(
        unseen=("shut\\n could not be listed",)
    )


def test_where_recording_is_off_nothing_is_taken(command: Command) -> None:
    command.starts()
    command.write("a", b"one\n")
    command.desk = replace(command.desk, settings=Settings(enabled=False))
    assert command.ends() == Effects()


def test_what_came_before_the_command_began_is_an_entry_from_outside(command: Command) -> None:
    command.write("a", b"one\n")
    command.starts()
    command.write("a", b"two\n")
    at = command.scene.at + timedelta(minutes=1)
    command.scene = replace(command.scene, at=at)
    assert command.ends(replace(command.event(), took=timedelta(0))) == Effects()
    [entry] = entries(command.ledger)
    assert (entry.record.origin, entry.record.target_path, entry.record.at) == (Origin.OUTSIDE, "a", at)


def test_what_another_entry_has_already_is_not_taken_twice(command: Command) -> None:
    command.write("a", b"one\n")
    command.starts()
    command.write("a", b"two\n")
    sides = file_side(b"one\n", 0o644), file_side(b"two\n", 0o644)
    change, kept = build_change(LedgerPath("a"), *sides, Settings())
    with command.ledger.write():
        at = command.began + timedelta(milliseconds=1)
        command.desk.chains.append(command.workspace, outside_entry("1-1", at, change), kept)
    assert command.ends() == Effects()


def test_bytes_beyond_one_commands_share_are_not_kept_and_it_is_said(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(effects, "MAX_CONTENTS", 8)
    command.starts()
    for name in ("a", "b", "c"):
        command.write(name, name.encode() * 5)
    found = command.ends()
    assert contents(found) == {"a": (None, b"aaaaa"), "b": (None, None), "c": (None, None)}
    assert [change.after.reason for change in found.changes] == ["", TOO_MANY, TOO_MANY]
    assert all(change.after.sha256 for change in found.changes)


def another_runs(command: Command) -> None:
    scene = replace(command.scene, at=command.began)
    command.desk = replace(command.desk, running=(ToolStarted(scene, replace(MAKE, command="serve"), None),))


def another_ran(command: Command) -> None:
    ran = record("u", at=datetime.now(UTC), command="serve", tool_name="Bash")
    command.desk = replace(command.desk, recent=(ran,))


def an_editor_has_it_open(command: Command) -> None:
    command.write(".a.swp", b"")


def one_in_the_background_wrote_it(command: Command) -> None:
    change, _ = build_change(LedgerPath("a"), ABSENT_SIDE, file_side(b"x"), Settings())
    facts = CommandFacts(in_background=True)
    ran = record("u", change, at=command.began - timedelta(hours=1), command="serve", ran=facts)
    command.desk = replace(command.desk, recent=(ran,))


@pytest.mark.parametrize(
    ("meanwhile", "why", "others"),
    [
        (another_runs, "another command ran at the same time: serve", ("serve",)),
        (another_ran, "another command ran at the same time: serve", ("serve",)),
        (an_editor_has_it_open, "an editor has it open", ()),
        (one_in_the_background_wrote_it, "a command in the background writes to it too", ()),
    ],
)
def test_a_doubt_stands_beside_the_change(
    command: Command, meanwhile: Callable[[Command], None], why: str, others: tuple[str, ...]
) -> None:
    command.write("a", b"one\n")
    meanwhile(command)
    command.starts()
    command.write("a", b"two\n")
    found = command.ends()
    assert contents(found) == {"a": (b"one\n", b"two\n")}
    assert found.facts == CommandFacts(at_once=others, unsure={"a": why})
    named = command.ends(command.event(replace(MAKE, command="make a"))).facts or CommandFacts()
    assert (named.unsure, named.at_once) == ({}, others), "who names a path is taken at its word"


def test_a_tree_below_the_workspace_is_told_in_the_workspaces_words(command: Command) -> None:
    command.starts()
    command.write("a", b"one\n")
    above = command.ledger.add_workspace(str(command.folder.parent))
    command.desk = replace(command.desk, workspace=above)
    assert contents(command.ends()) == {"tree/a": (None, b"one\n")}
