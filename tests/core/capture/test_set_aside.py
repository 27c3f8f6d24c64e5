"""What is left of an event that could not be used, and for how long."""

import json
import os
from pathlib import Path

import pytest

from sulcus_panel.core.capture.hook import spool_data
from sulcus_panel.core.capture.recorder import Recorder
from sulcus_panel.core.capture.set_aside import MAX_TEXT, reduced
from sulcus_panel.core.capture.spool import parse_spool
from sulcus_panel.core.capture.spool_folder import KEPT_BAD
from sulcus_panel.core.errors import BadPayload
from sulcus_panel.core.ledger.encoding import utc_now
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.store import Ledger
from tests.support.hooks import Run

SECRET = "hunter2-hunter2"


def left(home: DataHome) -> bytes:
    """Every byte that the data folder holds."""
    return b"".join(path.read_bytes() for path in home.root.rglob("*") if path.is_file())


@pytest.mark.parametrize("name", [".env", "notes.txt"])
def test_no_contents_of_an_event_set_aside_are_kept(
    name: str, run: Run, recorder: Recorder, project: Path, data_home: DataHome
) -> None:
    (project / name).write_bytes(SECRET.encode())
    texts = {"content": SECRET, "old_string": SECRET, "new_string": SECRET, "new_source": SECRET}
    given = {"file_path": str(project / name), **texts, "edits": [texts], "deep": {"x": [[SECRET]]}}
    for tool in ("Write", "Edit", "NotebookEdit"):
        run.tool("PostToolUse", tool, given, cwd="x" * 9000, tool_response={"stdout": SECRET, **texts})
    run.event("", prompt=SECRET)
    report = recorder.drain()
    assert report.set_aside == 4
    data = left(data_home)
    assert SECRET.encode() not in data
    assert str(project / name).encode() in data


@pytest.mark.parametrize("cut", [1, 40, 200])
def test_of_a_torn_event_only_its_header_is_kept(cut: int, recorder: Recorder, data_home: DataHome) -> None:
    sections = {
        "payload": SECRET.encode() * 20,
        "path": b"/w/.env",
        "link": b"",
        "content": b"TOKEN=" + b"x" * 99,
    }
    whole = spool_data({"at": "17", "harness": "claude-code", "kind": "file"}, sections)
    (data_home.spool_tmp / "1-1").write_bytes(whole[:-cut])
    os.utime(data_home.spool_tmp / "1-1", (0, 0))
    (data_home.spool_new / "2-2").write_bytes(SECRET.encode())
    assert recorder.drain().set_aside == 2
    data = left(data_home)
    assert SECRET.encode() not in data
    assert b"TOKEN" not in data
    assert b"\nat 17\n" in (data_home.spool_bad / "1-1").read_bytes()


def test_what_is_left_names_the_event_and_is_small() -> None:
    payload: dict[str, object] = {
        "tool_name": "Write",
        "cwd": "/w" * 9000,
        "tool_input": {"file_path": "/w/a", "content": "x" * 1234},
    }
    payload |= {f"key {number}" * 100: number for number in range(999)}
    data = reduced({"at": "1"}, {"payload": json.dumps(payload).encode(), "path": b"/w/a"}, "no\nroom")
    with pytest.raises(BadPayload, match=r"n: no\\nroom"):
        parse_spool("n", data)
    shape = json.loads(data.partition(b"\n\n")[2].removesuffix(b"/w/a"))
    assert shape["tool_input"] == {"file_path": "/w/a", "content": "… 1,234 characters"}
    assert len(shape["cwd"]) < MAX_TEXT + 40
    assert len(data) < 20_000


def test_what_was_set_aside_goes_after_ninety_days_and_the_count_stays(
    ledger: Ledger, data_home: DataHome
) -> None:
    for name in ("1", "2", "3"):
        (data_home.spool_new / name).write_bytes(b"junk")
    (data_home.spool_new / "4").mkdir()
    (data_home.spool_new / "4" / "inside").write_bytes(b"")
    Recorder(ledger, data_home, utc_now).drain()
    soon = utc_now() + KEPT_BAD / 2
    Recorder(ledger, data_home, lambda: soon).drain()
    assert len(list(data_home.spool_bad.iterdir())) == 4
    later = utc_now() + KEPT_BAD * 1.1
    Recorder(ledger, data_home, lambda: later).drain()
    assert not list(data_home.spool_bad.iterdir())
    assert len(ledger.governance(None, kind_prefix="capture.set_aside")) == 4
    (gone,) = ledger.governance(None, kind_prefix="capture.expired")
    assert gone.summary == "4 events set aside more than 90 days ago were deleted"
