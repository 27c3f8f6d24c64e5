"""The hook of every harness by real processes: several files of a call, what is answered, what is left out."""

import json
import os
import py_compile
import subprocess
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from sulcus_panel.core.capture import hook
from sulcus_panel.core.capture.install.hook_command import hook_command
from sulcus_panel.core.capture.spool import parse_spool
from sulcus_panel.core.model import FileKind
from tests.support.hooks import REPLIES, Payload, run_hook, spooled


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


def test_every_file_of_a_call_is_looked_at_and_found_as_the_call_spells_it(
    spool: Path, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_bytes(b"1\n\n2")
    (tmp_path / "link").symlink_to("a.py")
    patch = (
        "*** Begin Patch\n*** Update File: a.py\n*** Add File: new.py\n*** Delete File: link\n*** End Patch"
    )
    given = {"command": patch}
    run_hook(
        {**payload("", "apply_patch"), "cwd": str(tmp_path), "tool_input": given}, spool, harness="codex"
    )
    [left] = spooled(spool)
    event = parse_spool(left.name, left.read_bytes())
    first, new, link = event.seen_at("a.py"), event.seen_at("new.py"), event.seen_at("./link")
    assert (event.sighting, event.others) == (first, (new, link))
    assert first is not None
    assert new is not None
    assert link is not None
    assert link.behind is not None
    assert (first.own.content, new.own.state.kind, link.own.content, link.behind.content) == (
        b"1\n\n2",
        FileKind.ABSENT,
        b"a.py",
        b"1\n\n2",
    )


def test_more_files_than_a_hook_looks_at_are_named_and_said_not_to_be_looked_at(
    spool: Path, tmp_path: Path
) -> None:
    for number in range(hook.MAX_FILES + 2):
        (tmp_path / str(number)).write_bytes(b"x")
    files = [str(number) for number in range(hook.MAX_FILES + 2)]
    given = {"files": files}
    run_hook({**payload("", "editFiles"), "cwd": str(tmp_path), "tool_input": given}, spool)
    [left] = spooled(spool)
    event = parse_spool(left.name, left.read_bytes())
    seen = [event.seen_at(str(tmp_path / name)) for name in files]
    kept = [one.own.content if one else None for one in seen]
    assert kept == [b"x"] * hook.MAX_FILES + [None, None]
    last = seen[-1]
    assert last is not None
    assert last.own.state.reason == hook.NOT_LOOKED_AT


def test_several_files_that_find_no_room_leave_their_names(spool: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"x" * 100_000)
    event = {**payload("", "editFiles"), "cwd": str(tmp_path), "tool_input": {"files": ["a", "b"]}}
    shell = 'ulimit -f 20; trap "" XFSZ; exec "$@"'
    environment = {key: value for key, value in os.environ.items() if key != "SULCUS_HOME"}
    argv = ["sh", "-c", shell, "sh", *hook_command("claude-code", spool)]
    subprocess.run(argv, input=json.dumps(event).encode(), env=environment, check=True)
    [left] = spooled(spool)
    read = parse_spool(left.name, left.read_bytes())
    reasons = [one.own.state.reason for one in (read.sighting, *read.others) if one is not None]
    assert reasons == ["no room to keep the bytes"] * 2


@pytest.mark.parametrize(
    ("harness", "reply"), [*REPLIES.items(), *((name, b"") for name in ("claude-code", "codex", "windsurf"))]
)
@pytest.mark.parametrize("data", [b"{}", b"", b"no json", b'{"tool_name": "Write", "tool_input": 7}'])
def test_a_harness_hears_what_it_waits_for_and_nothing_else(
    spool: Path, harness: str, reply: bytes, data: bytes
) -> None:
    done = subprocess.run(hook_command(harness, spool), input=data, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, reply, b"")


def test_the_reply_comes_also_where_nothing_can_be_spooled(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    argv = hook_command("cursor", tmp_path / "file" / "spool")
    environment = {key: value for key, value in os.environ.items() if key != "SULCUS_HOME"}
    done = subprocess.run(argv, input=b"{}", capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"{}", b"")


def test_without_the_script_beside_it_the_payload_is_kept(spool: Path, tmp_path: Path) -> None:
    alone = tmp_path / "hook.py"
    alone.write_bytes(Path(hook.__file__).read_bytes())
    argv = [str(alone) if word == hook.__file__ else word for word in hook_command("cursor", spool)]
    environment = {key: value for key, value in os.environ.items() if key != "SULCUS_HOME"}
    done = subprocess.run(argv, input=b'{"a": 1}', capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"{}", b"")
    assert b'{"a": 1}' in spooled(spool)[0].read_bytes()


def test_a_look_that_cannot_even_begin_leaves_a_gap_that_shows(spool: Path, tmp_path: Path) -> None:
    for name in ("hook.py", "hook_calls.py", "hook_trees.py"):  # and nothing of what looks
        (tmp_path / name).write_bytes((Path(hook.__file__).parent / name).read_bytes())
    argv = [
        str(tmp_path / "hook.py") if word == hook.__file__ else word
        for word in hook_command("claude-code", spool)
    ]
    event = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(tmp_path), "tool_name": "Bash"}
    data = json.dumps({**event, "tool_input": {"command": "make"}}).encode()
    environment = {key: value for key, value in os.environ.items() if key != "SULCUS_HOME"}
    done = subprocess.run(argv, input=data, capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    (left,) = spooled(spool)
    looked = parse_spool(left.name, left.read_bytes()).looked
    assert looked is not None
    assert looked.fields["tree_gap"] == "the look at the folder failed"


def test_a_mail_address_is_never_spooled(spool: Path, tmp_path: Path) -> None:
    event = {**payload(tmp_path / "none"), "user_email": "someone@example.org"}
    run_hook(event, spool, harness="cursor")
    [left] = spooled(spool)
    assert b"someone" not in left.read_bytes()
    assert parse_spool(left.name, left.read_bytes()).payload == {**event, "user_email": ""}


def test_a_config_with_the_launcher_of_an_earlier_version_still_sees_the_file(
    spool: Path, tmp_path: Path
) -> None:
    (tmp_path / "a").write_bytes(b"x")
    earlier = (
        "# sulcus-panel hook\nimport sys\nsys.argv = sys.argv[1:]\n"
        "from _frozen_importlib_external import SourceFileLoader\n"
        'exec(SourceFileLoader("hook", sys.argv[0]).get_code("hook"), {"__name__": "__main__"})\n'
    )
    argv = [earlier if "\n" in word else word for word in hook_command("claude-code", spool)]
    environment = {key: value for key, value in os.environ.items() if key != "SULCUS_HOME"}
    data = json.dumps(payload(tmp_path / "a")).encode()
    subprocess.run(argv, input=data, env=environment, check=True)
    [left] = spooled(spool)
    sighting = parse_spool(left.name, left.read_bytes()).sighting
    assert sighting is not None
    assert sighting.own.content == b"x"


@pytest.mark.parametrize("damaged", ["hook.py", "hook_calls.py"])
def test_byte_code_that_a_full_disk_has_cut_short_stops_nothing(
    spool: Path, tmp_path: Path, damaged: str
) -> None:
    (tmp_path / "a").write_bytes(b"x")
    for script in Path(hook.__file__).parent.glob("hook*.py"):
        copy = tmp_path / script.name
        copy.write_bytes(script.read_bytes())
        py_compile.compile(str(copy), doraise=True)
    cached = Path(cache_from_source(str(tmp_path / damaged)))
    os.truncate(cached, 1000)
    argv = [
        str(tmp_path / "hook.py") if word == hook.__file__ else word for word in hook_command("codex", spool)
    ]
    environment = {key: value for key, value in os.environ.items() if key != "SULCUS_HOME"}
    data = json.dumps(payload(tmp_path / "a")).encode()
    done = subprocess.run(argv, input=data, capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    [left] = spooled(spool)
    sighting = parse_spool(left.name, left.read_bytes()).sighting
    assert sighting is not None
    assert sighting.own.content == b"x"
