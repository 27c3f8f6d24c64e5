import sys
from importlib import import_module
from pathlib import Path

import pytest

from sulcus_panel.core.capture.harnesses.codex.rollout import (
    NO_ZSTD,
    open_rollout,
    read_rollouts,
    thread_id_of,
)
from sulcus_panel.core.capture.past.records import CommandCall, FileCall

DATA = Path(__file__).parents[4] / "data" / "transcripts" / "codex"


def test_a_rollouts_name_ends_with_its_threads_id() -> None:
    thread = "019e56cf-8743-7b32-8ee0-3815a3e23047"
    assert thread_id_of(f"/h/sessions/2026/05/23/rollout-2026-05-23T23-48-21-{thread}.jsonl") == thread
    assert thread_id_of(f"C:\\h\\rollout-x-{thread.upper()}.jsonl") == thread
    assert thread_id_of("") == ""
    assert thread_id_of("/h/notes.jsonl") == ""


def test_a_copy_of_a_rollout_is_the_same_run(tmp_path: Path) -> None:
    copy = tmp_path / "archived.jsonl"
    copy.write_bytes((DATA / "patches_2026.jsonl").read_bytes())
    once, twice = (
        read_rollouts([DATA / "patches_2026.jsonl"]),
        read_rollouts([copy, DATA / "patches_2026.jsonl"]),
    )
    assert [one.applied for one in once.calls if isinstance(one, FileCall | CommandCall)] == [
        one.applied for one in twice.calls if isinstance(one, FileCall | CommandCall)
    ]
    assert len(twice.sessions) == 1


def test_each_stamp_has_a_place_of_its_own() -> None:
    for path in sorted(DATA.glob("*.jsonl")):
        orders = [call.stamp.order for call in read_rollouts([path, *DATA.glob("*.jsonl")]).calls]
        assert len(set(orders)) == len(orders)


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    empty, junk = tmp_path / "empty.jsonl", tmp_path / "junk.jsonl"
    empty.touch()
    junk.write_bytes(b'nonsense\n[1]\n{"type":"event_msg","payload":{"type":"x"}}\n{"type": "ev')
    assert read_rollouts([tmp_path / "gone.jsonl", empty, junk]).problems == (
        "gone.jsonl: No such file or directory",
        "empty.jsonl: not a rollout, it holds no JSON record",
        "junk.jsonl, line 1: not a JSON object",
        "junk.jsonl, line 2: not a JSON object",
        "junk.jsonl, line 4: cut off",
    )


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="this Python unpacks it")
def test_a_packed_rollout_is_told_where_nothing_can_unpack_it(tmp_path: Path) -> None:
    packed = tmp_path / "rollout-x.jsonl.zst"
    packed.write_bytes(b"(\xb5/\xfd")
    assert read_rollouts([packed]).problems == (f"rollout-x.jsonl.zst: {NO_ZSTD}",)


@pytest.mark.skipif(sys.version_info < (3, 14), reason="this Python cannot unpack it")
def test_a_packed_rollout_is_read(tmp_path: Path) -> None:
    packed = tmp_path / "rollout-x.jsonl.zst"
    data = (DATA / "patches_2026.jsonl").read_bytes()
    packed.write_bytes(import_module("compression.zstd").compress(data))
    with open_rollout(packed) as file:
        assert file.read() == data
    packed.write_bytes(b"not packed")
    assert read_rollouts([packed]).problems == ("rollout-x.jsonl.zst: it is no whole zstd file",)
