"""The hook by real processes: what it leaves, that it says nothing, that nothing stops the agent."""

import json
import os
import py_compile
import signal
import stat
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import platformdirs
import pytest

from sulcus_panel.core.capture import hook, hook_calls
from sulcus_panel.core.capture.install.hook_command import hook_command
from sulcus_panel.core.capture.spool import Sighting, parse_spool
from sulcus_panel.core.model import FileKind
from tests.support.hooks import Payload, run_hook, spooled

HEAVY = ["re", "json", "hashlib", "sqlite3", "argparse", "pathlib", "typing", "asyncio", "os"]


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """Byte code as it is after the first event: a process that may write no large file would leave a part of it."""
    for script in Path(hook.__file__).parent.glob("hook*.py"):
        py_compile.compile(str(script), doraise=True)


@pytest.fixture
def spool(tmp_path: Path) -> Path:
    return tmp_path / "data home" / "spool"


def payload(path: object, tool: str = "Edit", event: str = "PreToolUse", **fields: object) -> Payload:
    given = {"file_path": str(path), "old_string": "a", "new_string": "b"}
    return {"hook_event_name": event, "session_id": "s", "tool_name": tool, "tool_input": given, **fields}


def seen_at(spool: Path, event: Payload) -> Sighting:
    run_hook(event, spool)
    newest = spooled(spool)[-1]
    sighting = parse_spool(newest.name, newest.read_bytes()).sighting
    assert sighting is not None
    return sighting


def test_it_spools_the_payload_and_the_exact_bytes_and_mode_of_the_file(spool: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"\xef\xbb\xbfone\r\n\x00\xff no end")
    file.chmod(0o640)
    event = payload(file)
    sighting = seen_at(spool, event)
    assert sighting.path == str(file)
    assert sighting.own.content == b"\xef\xbb\xbfone\r\n\x00\xff no end"
    assert sighting.own.state.mode == 0o640
    [left] = spooled(spool)
    assert parse_spool(left.name, left.read_bytes()).payload == event


def test_where_git_stands_around_the_file_is_told(spool: Path, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/HEAD").write_text("ref: refs/heads/side\n")
    run_hook(payload(tmp_path / "a"), spool)
    [left] = spooled(spool)
    assert parse_spool(left.name, left.read_bytes()).stands == ("", "side")


def test_the_spool_is_made_when_missing_and_private(spool: Path, tmp_path: Path) -> None:
    run_hook(payload(tmp_path / "none"), spool)
    assert stat.S_IMODE((spool / "new").stat().st_mode) == 0o700
    assert stat.S_IMODE(spooled(spool)[0].stat().st_mode) == 0o600
    assert not list((spool / "tmp").iterdir())


def test_only_enoent_is_absent(spool: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert seen_at(spool, payload(tmp_path / "none")).own.state.kind is FileKind.ABSENT
    below_a_file = seen_at(spool, payload(tmp_path / "file" / "x")).own.state
    assert (below_a_file.kind, below_a_file.reason) == (FileKind.UNKNOWN, "Not a directory")
    empty = seen_at(spool, payload(tmp_path / "file")).own
    assert (empty.state.kind, empty.content) == (FileKind.FILE, b"")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_unknown(spool: Path, tmp_path: Path) -> None:
    (tmp_path / "shut").write_bytes(b"x")
    (tmp_path / "shut").chmod(0)
    assert seen_at(spool, payload(tmp_path / "shut")).own.state.reason == "Permission denied"


def test_a_fifo_a_directory_and_a_device_are_named_and_never_waited_for(spool: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to("fifo")
    assert seen_at(spool, payload(tmp_path / "fifo")).own.state.reason == "not a regular file"
    behind = seen_at(spool, payload(tmp_path / "link")).behind
    assert behind is not None
    assert behind.state.reason == "not a regular file"
    assert seen_at(spool, payload(tmp_path)).own.state.kind is FileKind.DIRECTORY
    assert seen_at(spool, payload("/dev/zero")).own.state.kind is FileKind.UNKNOWN


def test_a_symlink_is_recorded_with_its_text_and_what_it_leads_to(spool: Path, tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"inside")
    (tmp_path / "link").symlink_to("target")
    (tmp_path / "dangling").symlink_to("nowhere")
    link = seen_at(spool, payload(tmp_path / "link"))
    assert (link.own.state.kind, link.own.content) == (FileKind.SYMLINK, b"target")
    assert link.behind is not None
    assert link.behind.content == b"inside"
    dangling = seen_at(spool, payload(tmp_path / "dangling"))
    assert dangling.behind is not None
    assert dangling.behind.state.kind is FileKind.ABSENT


def test_a_large_file_keeps_size_and_hash_only(spool: Path, tmp_path: Path) -> None:
    file = tmp_path / "large"
    file.write_bytes(b"x" * (hook.MAX_CONTENT + 1))
    side = seen_at(spool, payload(file)).own
    assert side.content is None
    assert side.state.size_bytes == hook.MAX_CONTENT + 1
    assert (
        side.state.sha256
        == subprocess.run(
            [
                sys.executable,
                "-c",
                f"import hashlib;print(hashlib.sha256(b'x'*{hook.MAX_CONTENT + 1}).hexdigest())",
            ],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
    )
    assert spooled(spool)[0].stat().st_size < 5000


def test_relative_paths_are_taken_against_the_payloads_cwd(spool: Path, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"here")
    assert seen_at(spool, payload("a", cwd=str(tmp_path))).own.content == b"here"


def test_names_that_are_not_utf8_are_found(spool: Path, tmp_path: Path) -> None:
    name = os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe")
    Path(name).write_bytes(b"odd")
    assert seen_at(spool, payload(name)).own.content == b"odd"


@pytest.mark.parametrize("tool", ["Write", "Edit", "MultiEdit", "NotebookEdit"])
@pytest.mark.parametrize("event", ["PreToolUse", "PostToolUse", "PostToolUseFailure"])
def test_file_tools_carry_the_file(spool: Path, tmp_path: Path, tool: str, event: str) -> None:
    (tmp_path / "a").write_bytes(b"x")
    given = {"notebook_path" if tool == "NotebookEdit" else "file_path": str(tmp_path / "a")}
    sighting = seen_at(spool, {**payload("", tool, event), "tool_input": given})
    assert sighting.own.content == b"x"


@pytest.mark.parametrize("tool", ["Bash", "Read", "Glob"])
def test_other_tools_carry_the_payload_only(spool: Path, tmp_path: Path, tool: str) -> None:
    (tmp_path / "a").write_bytes(b"x")
    run_hook(payload(tmp_path / "a", tool), spool)
    [left] = spooled(spool)
    assert parse_spool(left.name, left.read_bytes()).sighting is None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"not json",
        b"[]",
        b"null",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b'{"hook_event_name": 7, "tool_input": []}',
        b'{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":"a\\u0000b"}}',
        b'{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":"/\\ud800"}}',
        b'{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":""}}',
    ],
)
def test_a_bad_payload_is_spooled_as_it_is(spool: Path, data: bytes) -> None:
    run_hook(data, spool)
    [left] = spooled(spool)
    assert data in left.read_bytes()


def test_twenty_megabytes_go_through(spool: Path, tmp_path: Path) -> None:
    event = payload(tmp_path / "none", filler="x" * 20_000_000)
    run_hook(event, spool)
    [left] = spooled(spool)
    assert parse_spool(left.name, left.read_bytes()).payload == event


@pytest.mark.slow
def test_more_than_the_limit_is_cut_and_marked_and_the_writer_is_not_broken(spool: Path) -> None:
    run_hook(b"x" * (hook.MAX_PAYLOAD + 5), spool)
    [left] = spooled(spool)
    head, _, body = left.read_bytes().partition(b"\n\n")
    assert b"\ncut 1" in head
    assert len(body) == hook.MAX_PAYLOAD


def test_it_loads_no_heavy_module(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x")
    source = Path(hook.__file__).read_text()
    probe = (
        "import sys\n"
        f"source = {source!r}\n"
        f"names = {{'__name__': 'hook', '__file__': {hook.__file__!r}}}\n"
        "exec(compile(source, 'hook.py', 'exec'), names)\n"
        f"names['record'](['hook.py', 'claude-code', {str(tmp_path / 'spool')!r}])\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    environment = {key: value for key, value in os.environ.items() if key != "SULCUS_HOME"}
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-E", "-c", probe],
        input=json.dumps(payload(tmp_path / "a")).encode(),
        capture_output=True,
        env=environment,
        check=True,
    )
    assert done.stdout == b"[]\n"
    assert len(spooled(tmp_path / "spool")) == 1


def test_two_hooks_of_one_number_at_one_moment_leave_two_events(
    spool: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SULCUS_HOME", raising=False)
    monkeypatch.setattr(hook, "time_ns", lambda: 1_796_000_000 * 10**9)
    monkeypatch.setattr(hook, "read_stdin", lambda: (b"{}", False))
    for _ in range(2):
        hook.record(["hook.py", "claude-code", str(spool)])
    first, second = spooled(spool)
    assert first.name.split("-")[:2] == second.name.split("-")[:2]


def test_an_event_has_the_time_at_which_its_hook_began(spool: Path, tmp_path: Path) -> None:
    earliest, latest = datetime.now(UTC), time.monotonic_ns()
    run_hook(payload(tmp_path / "none"), spool)
    (left,) = spooled(spool)
    event = parse_spool(left.name, left.read_bytes())
    assert event.at.timestamp() * 1e9 == pytest.approx(int(left.name.split("-")[0]), abs=1e6)
    assert earliest - timedelta(milliseconds=1) <= event.at <= datetime.now(UTC)
    assert event.uptime is not None
    assert timedelta(microseconds=latest // 1000) <= event.uptime


def test_json_is_read_without_the_c_scanner_too(monkeypatch: pytest.MonkeyPatch) -> None:
    text = '\ufeff {"a": [1, 2.5, "x\\u00e9\\ud83d\\ude00", null, true, NaN]}'
    by_scanner = hook_calls.parse_json(text)
    monkeypatch.setitem(sys.modules, "_json", None)
    assert repr(hook_calls.parse_json(text.lstrip("\ufeff"))) == repr(by_scanner)


def test_sulcus_home_comes_before_the_command_line(spool: Path, tmp_path: Path) -> None:
    run_hook(payload("x"), spool, SULCUS_HOME=str(tmp_path / "other"))
    assert not spooled(spool)
    assert len(spooled(tmp_path / "other" / "spool")) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="the registry decides there")
@pytest.mark.parametrize("state", ["/var/state", "", "relative"])
def test_the_default_home_is_what_platformdirs_says(monkeypatch: pytest.MonkeyPatch, state: str) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", state)
    assert hook.default_home(sys.platform, hook.environment()) == str(
        platformdirs.user_state_path("sulcus-panel")
    )


def test_a_moved_or_removed_package_costs_the_agent_nothing(tmp_path: Path) -> None:
    argv = [
        "/nowhere/hook.py" if word.endswith("hook.py") else word
        for word in hook_command("claude-code", tmp_path / "spool")
    ]
    done = subprocess.run(argv, input=b"{}", capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_it_runs_as_a_plain_script_too(spool: Path) -> None:
    argv = [sys.executable, "-I", "-S", "-E", hook.__file__, "claude-code", str(spool)]
    environment = {key: value for key, value in os.environ.items() if key != "SULCUS_HOME"}
    done = subprocess.run(argv, input=b"{}", capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(spooled(spool)) == 1


def test_closed_streams_and_an_unwritable_home_end_well(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for spool in (tmp_path / "file" / "spool", tmp_path / "spool"):
        argv = hook_command("claude-code", spool)
        shell = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *argv]
        assert subprocess.run(shell, check=False).returncode == 0
        assert subprocess.run(argv, input=b"{}", capture_output=True, check=False).returncode == 0
        reader, writer = os.pipe()
        os.close(reader)
        broken = subprocess.run(
            argv,
            input=b"{}",
            stdout=writer,
            check=False,
            preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL),
        )
        os.close(writer)
        assert broken.returncode == 0


def test_what_finds_no_room_is_tried_without_the_bytes_and_then_counted(spool: Path, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 100_000)

    def limited(blocks: int) -> None:
        shell = f'ulimit -f {blocks}; trap "" XFSZ; exec "$@"'
        argv = ["sh", "-c", shell, "sh", *hook_command("claude-code", spool)]
        environment = {key: value for key, value in os.environ.items() if key != "SULCUS_HOME"}
        data = json.dumps(payload(tmp_path / "a")).encode()
        done = subprocess.run(argv, input=data, capture_output=True, env=environment, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

    limited(20)
    [left] = spooled(spool)
    sighting = parse_spool(left.name, left.read_bytes()).sighting
    assert sighting is not None
    assert sighting.own.state.reason == "no room to keep the bytes"
    left.unlink()
    (spool / "new").rmdir()
    (spool / "new").write_bytes(b"in the way")
    limited(2000)
    assert (spool / "dropped").read_bytes() == b"."
    assert not list((spool / "tmp").iterdir())


def test_a_spool_that_nobody_empties_keeps_no_contents_and_then_only_counts(
    spool: Path, tmp_path: Path
) -> None:
    (tmp_path / "a").write_bytes(b"x")
    run_hook(payload(tmp_path / "a"), spool)
    for number in range(hook.MAX_WAITING):
        (spool / "new" / f"0000000000000000000-{number:07}").touch()
    if (spool / "new").stat().st_size <= hook.LARGE_FOLDER:
        pytest.skip("this file system does not tell how large a folder is")
    sighting = seen_at(spool, payload(tmp_path / "a"))
    assert sighting.own.state.reason == "no room to keep the bytes"
    assert not (spool / "dropped").exists()
    for number in range(hook.MAX_WAITING):
        (spool / "new" / f"0000000000000000001-{number:07}").touch()
    waiting = len(spooled(spool))
    run_hook(payload(tmp_path / "a"), spool)
    assert (len(spooled(spool)), (spool / "dropped").read_bytes()) == (waiting, b".")


def test_too_many_bytes_count_as_a_full_spool(spool: Path, tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"x" * hook.LARGE_EVENT)
    run_hook(payload(tmp_path / "large"), spool)
    with (spool / "new" / "0").open("wb") as sparse:
        sparse.truncate(hook.MAX_WAITING_BYTES)
    sighting = seen_at(spool, payload(tmp_path / "large"))
    assert sighting.own.state.reason == "no room to keep the bytes"
    (tmp_path / "small").write_bytes(b"x")
    assert seen_at(spool, payload(tmp_path / "small")).own.content == b"x"
