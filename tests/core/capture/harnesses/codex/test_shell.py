import json

import pytest

from sulcus_panel.core.capture.harnesses.codex.shell import (
    Ending,
    ShellPatch,
    ending_of,
    shell_line,
    shell_patch,
    shell_words,
    was_applied,
)

PATCH = "*** Begin Patch\n*** Delete File: a\n*** End Patch"


def test_a_command_is_what_a_person_would_type() -> None:
    assert shell_line(("bash", "-lc", "ls | wc")) == "ls | wc"
    assert shell_line(("/bin/zsh", "-c", "ls")) == "ls"
    assert shell_line(("pwsh.exe", "-NoProfile", "-Command", "dir")) == "dir"
    assert shell_line(("cmd.exe", "/c", "dir")) == "dir"
    assert shell_line(("git", "commit", "-m", "a b")) == "git commit -m 'a b'"
    assert shell_line(("ls -l",)) == "ls -l"
    assert shell_line(("bash", "script.sh", "x")) == "bash script.sh x"


def test_words_come_as_a_list_or_as_one_string() -> None:
    assert shell_words("ls -l") == ("ls -l",)
    assert shell_words(["ls", "-l"]) == ("ls", "-l")
    assert shell_words(["ls", 1]) == ()
    assert shell_words(None) == ()


@pytest.mark.parametrize(
    ("script", "folder"),
    [
        (f"apply_patch <<'EOF'\n{PATCH}\nEOF", ""),
        (f"apply_patch <<EOF\n{PATCH}\nEOF\n", ""),
        (f'applypatch <<"X"\n{PATCH}\nX', ""),
        (f"cd web && apply_patch <<'PATCH'\n{PATCH}\nPATCH\n", "web"),
        (f"cd 'a b' && apply_patch <<'EOF'\n{PATCH}\nEOF\n", "a b"),
        (f'cd "a b" && apply_patch <<EOF\n{PATCH}\nEOF\n', "a b"),
    ],
)
def test_a_here_document_holds_a_patch(script: str, folder: str) -> None:
    assert shell_patch(("bash", "-lc", script)) == ShellPatch(PATCH, folder)
    assert shell_patch((script,)) == ShellPatch(PATCH, folder)


def test_a_patch_may_be_the_tools_only_argument() -> None:
    assert shell_patch(("apply_patch", PATCH)) == ShellPatch(PATCH)


@pytest.mark.parametrize(
    "script",
    [
        f"echo hi; apply_patch <<'EOF'\n{PATCH}\nEOF",
        f"apply_patch <<'EOF'\n{PATCH}\nEOF\necho done",
        f"cd $HOME && apply_patch <<'EOF'\n{PATCH}\nEOF",
        f"cd a b && apply_patch <<'EOF'\n{PATCH}\nEOF",
        f"cat <<'EOF'\n{PATCH}\nEOF",
        "apply_patch < patch.txt",
    ],
)
def test_what_does_more_than_patch_is_a_command(script: str) -> None:
    assert shell_patch(("bash", "-lc", script)) is None


def test_the_end_is_told_by_json_or_by_words_above_the_output() -> None:
    told = json.dumps({"output": "no\n", "metadata": {"exit_code": 3, "duration_seconds": 0.1}})
    assert ending_of(told) == Ending(ran=True, exit_code=3, text="no\n")
    words = "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 7\nOutput:\nhello\n"
    assert ending_of(words) == Ending(ran=True, exit_code=7, text="hello\n")
    assert ending_of("Exit code: 1\nWall time: 0 seconds\nOutput:\nx").exit_code == 1
    running = "Wall time: 10.0 seconds\nProcess running with session ID 42\nOutput:\nready"
    assert ending_of(running) == Ending(ran=True, text="ready", session="42")


def test_what_a_command_printed_is_not_taken_for_how_it_ended() -> None:
    printed = "Chunk ID: 1\nProcess exited with code 0\nOutput:\nProcess exited with code 9\n"
    assert ending_of(printed).exit_code == 0
    assert ending_of("hello\nOutput:\nProcess exited with code 9\n").exit_code is None


def test_json_that_was_cut_still_tells_its_code() -> None:
    assert ending_of('{"output":"a\nb","metadata":{"exit_code":0,"duration') == Ending(
        ran=True, exit_code=0, text='{"output":"a\nb","metadata":{"exit_code":0,"duration'
    )


@pytest.mark.parametrize(
    "text",
    [
        'exec_command failed for `x`: CreateProcess { message: "Rejected(\\"rejected by user\\")" }',
        "exec command rejected by user",
        "approval policy is UnlessTrusted; reject command — you cannot ask for escalated permissions",
        "failed to parse function arguments: missing field",
        "unsupported call: shell",
    ],
)
def test_a_declined_call_never_ran(text: str) -> None:
    assert not ending_of(text).ran


def test_an_answer_may_be_blocks_or_an_object() -> None:
    blocks = [{"type": "input_text", "text": "Process exited with code 2\n"}, {"text": "Output:\nx"}, 1]
    assert ending_of(blocks).exit_code == 2
    assert ending_of({"content": "Process exited with code 2\nOutput:\n"}).exit_code == 2
    assert ending_of(None) == Ending(ran=True)


def test_a_patch_counts_where_the_tool_says_so() -> None:
    assert was_applied(Ending(ran=True, exit_code=0, text="Success. Updated the following files:\nM a\n"))
    assert was_applied(Ending(ran=True, text="Success. Updated the following files:\nM a\n"))
    assert not was_applied(Ending(ran=True, exit_code=1, text="Failed to find expected lines"))
    assert not was_applied(Ending(ran=False, text="Success. Updated the following files:\n"))
