"""Events as an enemy would leave them: none stops the drain, none holds up the one behind it."""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from sulcus_panel.core.capture.hook import spool_data
from sulcus_panel.core.capture.recorder import Recorder
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.ledger.store import Ledger
from tests.support.hooks import Run, spooled

BIG = "x" * 2**20
HOSTILE: tuple[object, ...] = (
    "\ud800",
    "a\ud800b\udfff",
    "a\0b",
    "\0",
    "",
    "..",
    "/" * 5000,
    "C:\\\ud800\0",
    "\\\\\ud800\\x",
    "/proc/self/cwd",
    "~",
    2**70,
    -(2**70),
    float("nan"),
    float("inf"),
    True,
    None,
    [],
    {},
    [[[[[["deep"]]]]]],
    {"file_path": {"file_path": ["\ud800"]}},
)
HUGE: tuple[object, ...] = (BIG, "/a" * 2**19, "../" * 2**18, "\ud800" * 2**18)
COMMON = ("hook_event_name", "session_id", "cwd", "prompt_id", "agent_id", "transcript_path", "tool_use_id")
INPUT = (
    "file_path",
    "notebook_path",
    "content",
    "old_string",
    "new_string",
    "replace_all",
    "edits",
    "command",
)
ANSWER = (
    "type",
    "content",
    "originalFile",
    "oldString",
    "newString",
    "edits",
    "staged",
    "updated_file",
    "interrupted",
)
EVENTS: Mapping[str, tuple[str, ...]] = {
    "UserPromptSubmit": ("prompt",),
    "Stop": ("stop_hook_active",),
    "SubagentStop": ("agent_type",),
    "SessionStart": ("source",),
    "SessionEnd": ("reason",),
    "PreToolUse": ("tool_name", "tool_input"),
    "PostToolUse": ("tool_name", "tool_input", "tool_response"),
    "PostToolUseFailure": ("tool_name", "tool_input", "error", "is_interrupt"),
}
TOOLS = ("Write", "Edit", "NotebookEdit", "Bash", "Read")
SEEN = {"kind": "file", "mode": "420", "size": "3"}


def spoilt(name: str, project: Path, values: tuple[object, ...]) -> Iterator[dict[str, object]]:
    """This event with each of its fields in turn, the inner ones too, holding each of these values."""
    tools = TOOLS if "tool_name" in EVENTS[name] else ("",)
    for tool in tools:
        given = {"file_path": str(project / "a"), "old_string": "x", "new_string": "y", "command": "ls"}
        whole: dict[str, object] = {"hook_event_name": name, "session_id": "s", "cwd": str(project)}
        if tool:
            whole |= {"tool_name": tool, "tool_input": given, "tool_use_id": f"{name}-{tool}"}
        for value in values:
            yield from ({**whole, field: value} for field in (*COMMON, *EVENTS[name]))
            if tool:
                yield from ({**whole, "tool_input": {**given, field: value}} for field in INPUT)
                yield from ({**whole, "tool_response": {field: value}} for field in ANSWER)


def leave(home: DataHome, number: int, payload: Mapping[str, object], *, seen: bool) -> None:
    """One spool file; `seen`: with a file's state, as the hook adds it."""
    header = {"at": str(1_800_000_000_000_000_000 + number), "harness": "claude-code"}
    sections = {"payload": json.dumps(payload).encode()}
    if seen:
        sections |= {"path": b"/x", "link": b"", "content": b"%03d" % (number % 1000)}
    data = spool_data(header | (SEEN if seen else {}), sections)
    (home.spool_new / f"{number:08d}-1").write_bytes(data)


def paths(ledger: Ledger) -> set[str]:
    return {entry.record.target_path for entry in ledger.find(LedgerQuery(limit=100_000))}


@pytest.mark.parametrize("values", [HOSTILE, HUGE], ids=["odd", "huge"])
@pytest.mark.parametrize("name", EVENTS)
def test_no_value_in_any_field_stops_the_drain(
    name: str, values: tuple[object, ...], run: Run, recorder: Recorder, ledger: Ledger, data_home: DataHome
) -> None:
    if values is HUGE and name not in ("PostToolUse", "UserPromptSubmit"):
        values = values[:2]
    for number, payload in enumerate(spoilt(name, run.folder, values)):
        if values is not HOSTILE and payload.get("tool_name") not in ("Write", None):
            continue
        leave(data_home, number, payload, seen=number % 2 == 0)
    run.write("behind", b"1")
    recorder.drain()
    assert "behind" in paths(ledger)
    assert not spooled(run.spool)


@pytest.mark.parametrize(
    "fields",
    [
        {"hook_event_name": "Stop", "cwd": "\ud800"},
        {"hook_event_name": "Stop", "cwd": "a\0b"},
        {"hook_event_name": "UserPromptSubmit", "session_id": "\ud800", "prompt": "\ud800"},
        {"hook_event_name": "Stop", "transcript_path": "/t/\ud800.jsonl", "agent_id": "\ud800"},
    ],
)
def test_an_odd_text_costs_no_event(
    fields: dict[str, object], run: Run, recorder: Recorder, data_home: DataHome, project: Path
) -> None:
    run.event("", **{"cwd": str(project), **fields})
    for _ in range(2):
        report = recorder.drain()
        assert (report.set_aside, report.messages) == (0, ())
    assert not list(data_home.spool_bad.iterdir())


def test_turns_of_a_session_with_an_odd_name_survive_between_drains(
    run: Run, recorder: Recorder, ledger: Ledger
) -> None:
    run.session = "s\ud800"
    for number in (1, 2):
        run.prompt(f"prompt {number}")
        recorder.drain()
        run.write("a", str(number).encode())
        recorder.drain()
    found = ledger.find(LedgerQuery(descending=False))
    assert [(entry.record.turn_id, entry.record.intent) for entry in found] == [
        ("s?#1", "prompt 1"),
        ("s?#2", "prompt 2"),
    ]


def test_an_event_that_cannot_be_recorded_at_all_is_set_aside_and_told(
    run: Run, recorder: Recorder, ledger: Ledger, data_home: DataHome, project: Path
) -> None:
    for number in range(2000):
        (project / f"l{number}").symlink_to(f"l{number + 1}")
    run.write("before", b"1")
    leave(data_home, 1, {"hook_event_name": "Stop", "cwd": "x/" * 4000}, seen=False)
    run.event("Stop", cwd=str(project / "l0"))
    run.write("behind", b"1")
    report = recorder.drain()
    assert paths(ledger) == {"before", "behind"}
    assert report.set_aside >= 1
    told = ledger.governance(None, kind_prefix="capture.set_aside")
    assert len(told) == report.set_aside
    assert "too long" in told[-1].summary.lower()
    assert len(list(data_home.spool_bad.iterdir())) == report.set_aside


def test_spool_names_that_are_not_utf8_are_recorded_and_told(
    run: Run, recorder: Recorder, ledger: Ledger, data_home: DataHome
) -> None:
    run.write("a", b"1")
    for path in spooled(run.spool):
        path.rename(path.with_name(path.name + os.fsdecode(b"\xff")))
    (data_home.spool_new / os.fsdecode(b"9\xff")).write_bytes(b"junk")
    report = recorder.drain()
    assert paths(ledger) == {"a"}
    assert report.set_aside == 1
    assert report.messages[0].isprintable()
    report.messages[0].encode("utf-8")


def test_headers_with_endless_numbers_are_bad(recorder: Recorder, data_home: DataHome) -> None:
    digits = b"9" * 5000
    for number, line in enumerate((b"size " + digits, b"payload_bytes " + digits, b"mode " + digits)):
        data = b"sulcus-spool 1\nat 1\nharness claude-code\nkind file\n" + line + b"\npayload_bytes 2\n\n{}"
        (data_home.spool_new / f"1-{number}").write_bytes(data)
    assert recorder.drain().set_aside == 3
