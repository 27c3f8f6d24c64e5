from datetime import UTC, datetime

from sulcus_panel.core.capture.adapter import ToolKind
from sulcus_panel.core.capture.harnesses.codex.asked import Asked, arguments_of, done, patch_of, read_asked
from sulcus_panel.core.capture.harnesses.codex.shell import Ending
from sulcus_panel.core.capture.past.records import CommandCall, FileCall, Stamp

STAMP = Stamp(datetime(2026, 5, 4, tzinfo=UTC), 1, "s", "", "/w", "t")
PATCH = "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch"
APPLIED = Ending(ran=True, exit_code=0, text="Success. Updated the following files:\nM a\n")


def test_every_shell_tool_is_a_command() -> None:
    for name, key in (("shell", "command"), ("exec_command", "cmd"), ("unified_exec", "input")):
        asked = read_asked(name, {key: ["ls"], "workdir": "web"}, STAMP)
        assert asked is not None
        assert (asked.words, asked.stamp.cwd) == (("ls",), "/w/web")


def test_other_tools_are_left_out() -> None:
    assert read_asked("update_plan", {"plan": []}, STAMP) is None
    assert read_asked("exec", {"input": "tools.exec_command({cmd: 'rm'})"}, STAMP) is None


def test_input_to_a_running_command_names_it() -> None:
    for session in (42, "42"):
        assert read_asked("write_stdin", {"session_id": session}, STAMP) == Asked(STAMP, session="42")


def test_arguments_are_json_in_a_string_or_nothing() -> None:
    assert arguments_of({"arguments": '{"cmd": "ls"}'}) == {"cmd": "ls"}
    for broken in ('{"cmd": ', "[1]", 5, None):
        assert arguments_of({"arguments": broken}) == {}


def test_a_patch_may_come_through_a_shell() -> None:
    through = Asked(STAMP, ("bash", "-lc", f"cd web && apply_patch <<'EOF'\n{PATCH}\nEOF\n"))
    assert patch_of(through) == PATCH
    (call,) = done("c", through, STAMP, APPLIED)
    assert isinstance(call, FileCall)
    assert (call.stamp.cwd, call.applied.path, call.applied.kind) == ("/w/web", "a", ToolKind.EDIT)
    assert patch_of(Asked(STAMP, ("ls",))) == ""
    assert patch_of(None) == ""


def test_a_patch_that_failed_did_nothing_and_was_no_command() -> None:
    failed = Ending(ran=True, exit_code=1, text="Failed to find expected lines in a")
    assert done("c", Asked(STAMP, ("apply_patch", PATCH)), STAMP, failed) == ()
    assert done("c", Asked(STAMP, patch=PATCH), STAMP, failed) == ()


def test_a_command_has_its_own_folder_and_the_code_of_its_answer() -> None:
    asked = read_asked("shell", {"command": ["bash", "-lc", "make"], "workdir": "/x"}, STAMP)
    assert asked is not None
    (call,) = done("c", asked, STAMP, Ending(ran=True, exit_code=2))
    assert isinstance(call, CommandCall)
    assert (call.applied.command, call.exit_code, call.stamp.cwd) == ("make", 2, "/x")
    assert done("c", asked, STAMP, Ending(ran=False)) == ()
    assert done("c", Asked(STAMP), STAMP, Ending(ran=True)) == ()
