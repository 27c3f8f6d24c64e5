"""Lines become events in the spool, files are looked at before they change, and nobody waits for the scribe."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.capture.shell.rules import EXCLUDED, NOT_RECORDED, RULES, encode_rules
from sulcus_panel.core.capture.spool import SpoolEvent, parse_spool
from sulcus_panel.core.capture.spool_folder import Spool
from sulcus_panel.service import acp_scribe
from sulcus_panel.service.acp_scribe import Scribe


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "home" / "spool"


@pytest.fixture
def scribe(folder: Path) -> Iterator[Scribe]:
    made = Scribe(folder)
    made.start()
    yield made
    made.close()


def line(**message: object) -> bytes:
    return json.dumps(message).encode() + b"\n"


def write(path: Path, number: int = 1) -> bytes:
    params = {"sessionId": "s", "path": str(path), "content": "x"}
    return line(id=number, method="fs/write_text_file", params=params)


def spooled(folder: Path) -> list[SpoolEvent]:
    spool = Spool(folder)
    return [parse_spool(name, spool.read(name)) for name in spool.names()]


def test_a_file_has_been_looked_at_when_a_write_is_passed_on_and_when_its_answer_is(
    scribe: Scribe, folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"before\xff")
    scribe.line(write(path), from_agent=True)
    path.write_bytes(b"x")
    scribe.line(line(id=1, result=None), from_agent=False)
    path.write_bytes(b"later")
    scribe.close()
    first, second, _ = spooled(folder)
    assert first.sighting is not None
    assert second.sighting is not None
    assert (first.sighting.own.content, second.sighting.own.content) == (b"before\xff", b"x")
    assert (first.harness, first.sighting.path, first.at <= second.at) == ("acp", str(path), True)


def test_all_files_of_a_call_are_looked_at(scribe: Scribe, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "l").symlink_to("a")
    content = [
        {"type": "diff", "path": str(tmp_path / name), "oldText": "1", "newText": "2"}
        for name in ("a", "l", "none")
    ]
    call = {"toolCallId": "t", "kind": "edit", "content": content}
    params = {"sessionId": "s", "toolCall": call}
    scribe.line(line(id=1, method="session/request_permission", params=params), from_agent=True)
    scribe.close()
    event = spooled(folder)[0]
    assert event.sighting is not None
    kinds = [(one.own.state.kind.value, one.own.content) for one in (event.sighting, *event.others)]
    assert kinds == [("file", b"1"), ("symlink", b"a"), ("absent", None)]
    assert event.others[0].behind is not None
    assert event.others[0].behind.content == b"1"


def test_junk_is_no_event_and_stops_nothing(scribe: Scribe, folder: Path) -> None:
    for junk in (b"\n", b"\xff\n", b"[" * 100_000 + b"\n", b"3\n", b"null\n", b'["a", {}]\n', b'{"id":{}}\n'):
        scribe.line(junk, from_agent=True)
        scribe.line(junk, from_agent=False)
    scribe.line(line(id=0, method="session/new", params={"cwd": "/w"}), from_agent=False)
    scribe.line(line(id=0, result={"sessionId": "s"}), from_agent=True)
    scribe.close()
    assert [event.payload["event"] for event in spooled(folder)] == ["session/new", "end"]


def test_messages_of_a_batch_are_noted_one_by_one(scribe: Scribe, folder: Path, tmp_path: Path) -> None:
    batch = b"[" + write(tmp_path / "a", 1).strip() + b"," + write(tmp_path / "b", 2).strip() + b"]\n"
    scribe.line(batch, from_agent=True)
    scribe.close()
    assert [event.payload["event"] for event in spooled(folder)][:2] == ["fs/write_text_file"] * 2


def test_what_cannot_be_spooled_is_counted_and_what_cannot_even_be_counted_is_let_go(
    scribe: Scribe, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.mkdir(parents=True)
    (folder / "new").write_bytes(b"")
    scribe.line(write(tmp_path / "a"), from_agent=True)
    scribe.missed()
    assert Spool(folder).dropped() == 2
    monkeypatch.setattr(acp_scribe, "MAX_BEHIND", 10)
    scribe.line(write(tmp_path / "b"), from_agent=True)
    assert Spool(folder).dropped() == 3


def test_after_the_end_nobody_waits(folder: Path, tmp_path: Path) -> None:
    scribe = Scribe(folder)
    scribe.start()
    scribe.close()
    scribe.line(write(tmp_path / "a"), from_agent=True)
    assert Spool(folder).names() == ()
    assert Spool(folder).dropped() == 0


def test_who_has_waited_in_vain_once_waits_no_more(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acp_scribe, "WAIT_SECONDS", 0.2)
    scribe = Scribe(folder)
    began = time.monotonic()
    for number in range(100):
        scribe.line(write(tmp_path / "a", number), from_agent=True)
    assert time.monotonic() - began < 5
    scribe.start()
    scribe.close()
    assert len(spooled(folder)) == 101


def test_of_a_file_that_is_excluded_no_byte_is_left(scribe: Scribe, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "private"
    path.write_bytes(b"very-private")
    folder.parent.mkdir(parents=True)
    (folder.parent / RULES).write_bytes(encode_rules([(str(tmp_path.resolve()), True, ("private",))]))
    params = {"sessionId": "s", "path": str(path), "content": "very-private too"}
    scribe.line(line(id=1, method="fs/write_text_file", params=params), from_agent=True)
    scribe.close()
    assert not [file for file in folder.rglob("*") if file.is_file() and b"very-private" in file.read_bytes()]
    event = spooled(folder)[0]
    assert event.sighting is not None
    assert (event.sighting.path, event.sighting.own.state.reason) == (str(path), EXCLUDED)
    assert event.sighting.own.state.sha256 is not None


def test_where_recording_is_off_nothing_is_looked_at(scribe: Scribe, folder: Path, tmp_path: Path) -> None:
    folder.parent.mkdir(parents=True)
    (folder.parent / RULES).write_bytes(encode_rules([(str(tmp_path.resolve()), False, ())]))
    scribe.line(write(tmp_path / "a"), from_agent=True)
    scribe.close()
    event = spooled(folder)[0]
    assert event.sighting is not None
    assert event.sighting.own.state.reason == NOT_RECORDED
    assert "content" not in str(event.payload)
