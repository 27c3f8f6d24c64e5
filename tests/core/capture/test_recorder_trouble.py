"""What goes wrong between a hook and the ledger: told once, and nobody else is hindered."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from filelock import FileLock

from sulcus_panel.core.capture.recorder import Recorder
from sulcus_panel.core.ledger.encoding import utc_now
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.store import Ledger
from tests.support.hooks import Run, spooled
from tests.support.ledgers import entries


def test_two_recorders_at_once_record_each_event_once(run: Run, ledger: Ledger, data_home: DataHome) -> None:
    for number in range(12):
        run.write(f"f{number}", b"x")

    def drain(_: int) -> int:
        with Ledger.open(data_home) as own:
            return len(Recorder(own, data_home, utc_now).drain(wait=20).recorded)

    with ThreadPoolExecutor(3) as pool:
        counts = list(pool.map(drain, range(3)))
    assert sum(counts) == 12
    assert len(entries(ledger)) == 12


def test_a_drain_beside_another_says_so_and_does_nothing(
    run: Run, recorder: Recorder, data_home: DataHome
) -> None:
    run.write("a", b"1")
    with FileLock(str(data_home.lock / "drain")):
        assert recorder.drain().busy
    assert len(spooled(run.spool)) == 2


def test_nothing_is_recorded_while_recording_is_off_and_the_gap_is_counted(
    run: Run, recorder: Recorder, ledger: Ledger, project: Path
) -> None:
    workspace = ledger.add_workspace(str(project))
    run.write("a", b"1")
    recorder.drain()
    ledger.set_setting(workspace.id, "enabled", value=False)
    run.write("a", b"2")
    recorder.drain()
    assert len(entries(ledger)) == 1
    assert [gap.events for gap in ledger.gaps(workspace.id)] == [1]


def test_bad_events_are_set_aside_told_once_and_hinder_nobody(
    run: Run, recorder: Recorder, ledger: Ledger, data_home: DataHome
) -> None:
    run.write("a", b"1")
    for number, data in enumerate((b"", b"{", b"[]", b'{"no": "name"}')):
        event = b"sulcus-spool 1\nat 1\nharness claude-code\npayload_bytes %d\n\n" % len(data) + data
        (data_home.spool_new / f"1-{number}").write_bytes(event)
    (data_home.spool_new / "2-1").write_bytes(b"garbage")
    (data_home.spool_new / "2-2").mkdir()
    (data_home.spool_new / "2-3").symlink_to("/etc/passwd")
    os.mkfifo(data_home.spool_new / "2-4")
    (data_home.spool_new / "2-5").write_bytes(b"sulcus-spool 1\nat 1\nharness who\npayload_bytes 2\n\n{}")
    report = recorder.drain()
    assert (len(report.recorded), report.set_aside) == (1, 9)
    assert len(report.messages) == 9
    assert len(list(data_home.spool_bad.iterdir())) == 9
    assert len(ledger.governance(None, kind_prefix="capture.set_aside")) == 9
    assert recorder.drain().set_aside == 0


def test_drops_are_told_once_as_a_gap(recorder: Recorder, ledger: Ledger, data_home: DataHome) -> None:
    (data_home.spool / "dropped").write_bytes(b"...")
    report = recorder.drain()
    assert (report.dropped, report.gaps) == (3, 3)
    assert recorder.drain().gaps == 0
    assert len(ledger.governance(None, kind_prefix="capture.dropped")) == 1


def test_what_a_killed_hook_began_is_set_aside(recorder: Recorder, data_home: DataHome) -> None:
    torn = data_home.spool_tmp / "1-1"
    torn.write_bytes(b"sulcus-spool 1\n")
    assert recorder.drain().set_aside == 0
    os.utime(torn, (0, 0))
    assert recorder.drain().set_aside == 1
    assert (data_home.spool_bad / "1-1").exists()


def test_a_kill_between_commit_and_unlink_repeats_nothing(
    run: Run, recorder: Recorder, ledger: Ledger
) -> None:
    run.prompt("one")
    run.write("a", b"1")
    copies = [(path, path.read_bytes()) for path in spooled(run.spool)]
    recorder.drain()
    for path, data in copies:
        path.write_bytes(data)
    run.prompt("two")
    run.write("a", b"2")
    recorder.drain()
    assert [entry.record.turn_id for entry in entries(ledger)] == ["s1#1", "s1#2"]
