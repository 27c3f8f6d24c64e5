"""Rows F020 to F029: whatever stands at the path now, an undo ends in the recorded state or does nothing."""

import os
import shutil
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sulcus_panel.core.model import Entry
from sulcus_panel.core.undo.model import Outcome
from tests.support.scene import L10, Scene, sight, with_line

CHANGED = with_line(L10, 2, b"two")
Make = Callable[[Path], object]
Seen = tuple[object, ...] | None


def gone(path: Path) -> None:
    """Leave nothing there."""


def file(content: bytes, mode: int = 0o644) -> Make:
    def make(path: Path) -> None:
        path.write_bytes(content)
        path.chmod(mode)

    return make


def folder_with_a_file(path: Path) -> None:
    path.mkdir()
    (path / "inside").write_bytes(b"x\n")


def a_socket(path: Path) -> None:
    here = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(f"/proc/self/fd/{here}/{path.name}")
    finally:
        os.close(here)


RECORDED: dict[str, Make] = {
    "missing": gone,
    "text": file(L10),
    "executable": file(L10, 0o755),
    "empty": file(b""),
    "link": lambda path: path.symlink_to("beside"),
    "binary": file(bytes(range(256))),
}
NOW: dict[str, Make] = RECORDED | {
    "folder": Path.mkdir,
    "full folder": folder_with_a_file,
    "fifo": os.mkfifo,
    "socket": a_socket,
    "other text": file(b"mine\n"),
}


def clear(path: Path) -> None:
    if path.is_symlink() or path.exists():
        path.unlink()


def seen(path: Path) -> Seen:
    """Kind, mode and content of what is at `path`."""
    if not os.path.lexists(path):
        return None
    whole = sight(path)
    return (whole[0], whole[-1]) if len(whole) > 3 else (whole[0], None)


def turned(scene: Scene, before: str, after: str) -> tuple[Path, Entry, Seen, Seen]:
    """An agent's tool turns one kind into another; the path, the entry, and both sides."""
    name = f"{before}-{after}"
    path = scene.path(name)
    RECORDED[before](path)
    start = seen(path)

    def act(at: Path) -> None:
        clear(at)
        RECORDED[after](at)

    turn = scene.does("Write", name, act)
    return path, turn, start, seen(path)


@pytest.mark.parametrize("before", RECORDED)
def test_f020_every_kind_goes_back_from_every_other_and_forth_again(scene: Scene, before: str) -> None:
    scene.person("beside", b"beside\n")
    for after in RECORDED:
        if after != before:
            path, turn, start, left = turned(scene, before, after)
            scene.undo(turn)
            assert seen(path) == start, after
            scene.redo(turn)
            assert seen(path) == left, after


@pytest.mark.parametrize(("before", "after"), [("text", "binary"), ("missing", "text"), ("text", "missing")])
def test_f020_whatever_stands_there_now_there_is_no_third_outcome(
    scene: Scene, before: str, after: str
) -> None:
    path, turn, start, left = turned(scene, before, after)
    for name, make in NOW.items():
        clear(path)
        make(path)
        now = seen(path)
        plan = scene.plan(turn)
        assert (plan.outcome is Outcome.UNDONE) == (now == left), name
        if now != left:
            scene.operations.apply(plan)
            assert seen(path) == now, name
        if plan.outcome is Outcome.ALREADY_UNDONE:
            assert now == start or (now is not None and start is not None and now[1] == start[1]), name
        if path.is_dir():
            shutil.rmtree(path)


@pytest.mark.parametrize("kind", ["fifo", "socket", "folder", "full folder"])
def test_f021_f022_f024_what_is_no_file_is_refused_at_once_and_named(scene: Scene, kind: str) -> None:
    path = scene.person("a.txt", L10)
    turn = scene.puts("a.txt", CHANGED)
    path.unlink()
    NOW[kind](path)

    plan = scene.changes_nothing(turn)

    assert plan.outcome in {Outcome.REFUSED, Outcome.CONFLICT}
    reason = plan.entries[0].reason
    assert ("folder" in reason) if path.is_dir() else ("not a regular file" in reason)


def test_f021_a_tool_call_on_a_fifo_keeps_nobody_waiting_and_invents_nothing(scene: Scene) -> None:
    os.mkfifo(scene.path("pipe"))
    given = {"file_path": str(scene.path("pipe")), "content": "x"}
    for event in ("PreToolUse", "PostToolUse"):
        scene.agent.tool(event, "Write", given, tool_use_id="f1")
    assert scene.rows() == ()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes devices")
def test_f023_a_device_is_not_opened(scene: Scene) -> None:
    path = scene.person("a.txt", L10)
    turn = scene.puts("a.txt", CHANGED)
    path.unlink()
    try:
        os.mknod(path, 0o020666, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("no devices in this container")
    assert scene.changes_nothing(turn).outcome is Outcome.REFUSED


def test_f029_a_program_that_runs_is_replaced_under_its_feet(scene: Scene) -> None:
    path = scene.person("tool", Path("/bin/cat").read_bytes(), 0o755)
    scene.set("max_snapshot_bytes", 10_485_760)
    start = path.read_bytes()

    def act(at: Path) -> None:
        at.unlink()
        at.write_bytes(start + b"\0more")
        at.chmod(0o755)

    turn = scene.does("Write", "tool", act)
    with subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        scene.undo(turn)
        out, _ = running.communicate(b"still here")
    assert out == b"still here"
    assert path.read_bytes() == start
