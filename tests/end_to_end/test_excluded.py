"""What may not be kept is never written down, neither in the spool nor in a baseline."""

import hashlib
import json
from contextlib import suppress
from pathlib import Path

import pytest

from sulcus_panel.core.capture.hook_names import names_alone
from sulcus_panel.core.capture.recorder import Recorder
from sulcus_panel.core.ledger.encoding import utc_now
from sulcus_panel.core.ledger.gaps import OFF
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.model import Entry, FileKind
from sulcus_panel.core.safety import EXCLUDED, MAY_HOLD_A_SECRET
from sulcus_panel.service.operations import LedgerQuery, Operations
from tests.support.commands import sh
from tests.support.heard import until
from tests.support.hooks import Run, run_hook, spooled

WORD = "very-private-word"


class Desk:
    """A workspace with its ledger, and all bytes that stand in its data home."""

    def __init__(self, folder: Path) -> None:
        self.home = DataHome(folder / "data")
        self.project = folder / "project"
        (self.project / ".git").mkdir(parents=True)
        self.operations = Operations.open(self.home)
        self.workspace = self.operations.register(self.project)
        self.run = Run(self.project, self.home.spool)

    def set(self, key: str, value: str | bool) -> None:
        self.operations.set_setting(self.workspace.id, key, value)

    def written(self) -> str:
        """Every byte that hooks have left."""
        baselines = self.home.root / "baselines"
        until(lambda: not list(baselines.rglob("*.tmp")))
        found = []
        for folder in (self.home.spool, baselines):
            for path in folder.rglob("*"):
                with suppress(IsADirectoryError, FileNotFoundError):  # a hook's child may replace one
                    found.append(path.read_bytes().decode("latin-1"))
        return "".join(found)

    def rows(self) -> tuple[Entry, ...]:
        report = Recorder(self.operations.ledger, self.home, utc_now).drain()
        assert (report.set_aside, report.messages) == (0, ())
        return self.operations.find(LedgerQuery(descending=False))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.mark.parametrize(
    ("name", "why"), [("private/a.txt", EXCLUDED), ("deep/.env", MAY_HOLD_A_SECRET), ("link", EXCLUDED)]
)
def test_no_byte_of_such_a_file_is_left_by_a_hook(desk: Desk, name: str, why: str) -> None:
    desk.set("exclude", "private")
    (desk.project / "private").mkdir()
    (desk.project / "private/b.txt").write_text(f"{WORD} 1\n")
    (desk.project / "link").symlink_to("private/b.txt")
    if name != "link":
        desk.run.write(name, f"{WORD} 1\n".encode())
    desk.run.read(name)
    desk.run.edit(name, WORD, f"{WORD}s")
    assert WORD not in desk.written()
    rows = desk.rows()
    change = rows[-1].record.changes[0]
    for side in (change.before, change.after):
        assert (side.kind, side.kept, side.reason) == (FileKind.FILE, False, why)
        assert side.sha256 is not None
    assert change.before.sha256 != change.after.sha256
    assert rows[-1].record.notes == ()


def test_of_a_patch_the_other_files_are_told_whole(desk: Desk) -> None:
    desk.set("exclude", "*.db")
    patch = f"*** Begin Patch\n*** Update File: a.db\n-x\n+{WORD}\n*** Update File: b.py\n-one\n+two\n"
    patch += f"*** Add File: c.db\n+{WORD}\n*** End Patch"
    call = {"session_id": "s", "cwd": str(desk.project), "tool_name": "apply_patch", "tool_use_id": "1"}
    call["tool_input"] = {"command": patch}  # type: ignore[assignment] # one input among the texts
    (desk.project / "a.db").write_text("x\n")
    (desk.project / "b.py").write_text("one\n")
    run_hook({**call, "hook_event_name": "PreToolUse"}, desk.home.spool, harness="codex")
    for name, text in (("a.db", f"{WORD}\n"), ("b.py", "two\n"), ("c.db", f"{WORD}\n")):
        (desk.project / name).write_text(text)
    answer = {"tool_response": f"Success. {WORD}"}
    run_hook({**call, **answer, "hook_event_name": "PostToolUse"}, desk.home.spool, harness="codex")
    assert WORD not in desk.written()
    assert [[change.path for change in row.record.changes] for row in desk.rows()] == [
        ["a.db"],
        ["b.py"],
        ["c.db"],
    ]
    told = desk.rows()[1].record.changes[0]
    assert (told.plus, told.minus, told.after.kept, told.hunks[0].exact) == (1, 1, True, True)


def test_a_command_leaves_the_hash_alone(desk: Desk) -> None:
    desk.set("exclude", "*.db")
    (desk.project / "a.db").write_text(f"{WORD} 1\n")
    (desk.project / "b").write_text("free\n")
    desk.run.event("SessionStart", source="startup")
    desk.run.tool("PreToolUse", "Bash", {"command": "make"}, tool_use_id="1")
    assert until(lambda: bool(list(desk.home.root.glob("baselines/*/copies/*.sha256"))))
    assert until(lambda: bool(list(desk.home.root.glob("baselines/*/last"))))
    sh(desk.project, f"echo {WORD} 2 > a.db; echo bound > b")
    answer = {"stdout": "", "stderr": ""}
    desk.run.tool("PostToolUse", "Bash", {"command": "make"}, tool_use_id="1", tool_response=answer)
    assert WORD not in desk.written()
    changes = {str(change.path): change for change in desk.rows()[-1].record.changes}
    assert changes["b"].before.kept
    assert not changes["a.db"].before.kept
    assert changes["a.db"].before.reason == EXCLUDED
    assert changes["a.db"].before.sha256 != changes["a.db"].after.sha256


def test_where_recording_is_off_nothing_is_kept_and_the_gap_is_counted(desk: Desk) -> None:
    desk.set("enabled", value=False)
    (desk.project / "b").write_text(WORD)
    desk.run.event("SessionStart", source="startup")
    desk.run.write("a", WORD.encode())
    desk.run.bash("make")
    assert WORD not in desk.written()
    assert not (desk.home.root / "baselines").exists()
    assert desk.rows() == ()
    assert [(gap.reason, gap.events) for gap in desk.operations.gaps(desk.workspace.id)] == [(OFF, 2)]


def test_a_workspace_inside_one_that_is_off_is_recorded(desk: Desk) -> None:
    desk.set("enabled", value=False)
    (desk.project / "inner").mkdir()
    desk.operations.register(desk.project / "inner")
    desk.run.write("inner/a", b"1\n")
    desk.run.write("b", WORD.encode())
    assert WORD not in desk.written()
    [row] = desk.rows()
    assert row.record.changes[0].after.kept


def test_without_the_file_all_is_as_before(desk: Desk) -> None:
    desk.set("exclude", "a")
    (desk.home.root / "hook-rules").write_bytes(b"nonsense")
    desk.run.write("a", b"plain\n")
    kept = spooled(desk.home.spool)[-1].read_bytes()
    assert b"project/aplain\n" in kept
    assert not desk.rows()[0].record.changes[0].after.kept


def test_a_payload_without_contents_has_its_names() -> None:
    given = {"id": WORD, "nested": {"name": WORD}}
    payload = {
        "session_id": "s",
        "tool_input": {"path": "a/.env", "content": json.dumps(given), "edits": [given]},
    }
    left = json.loads(names_alone(payload, lambda _: True))
    assert left == {"session_id": "s", "tool_input": {"path": "a/.env", "edits": [{"id": WORD}]}}


def test_what_an_older_look_kept_goes_when_it_is_excluded(desk: Desk) -> None:
    for name in ("a.db", "b"):
        (desk.project / name).write_text(f"{WORD} {name}\n")
    desk.run.event("SessionStart", source="startup")
    assert until(lambda: len(list(desk.home.root.glob("baselines/*/copies/*"))) == 2)
    assert until(lambda: bool(list(desk.home.root.glob("baselines/*/last"))))
    assert desk.written().count(WORD) == 2
    desk.set("exclude", "*.db")
    assert f"{WORD} a.db" not in desk.written()
    assert f"{WORD} b" in desk.written()
    digest = hashlib.sha256(f"{WORD} a.db\n".encode()).hexdigest()
    assert digest in desk.written()
    desk.set("enabled", value=False)
    assert WORD not in desk.written()
