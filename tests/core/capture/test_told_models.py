"""Which model asked for a call, by the transcript's own line of it; nothing else counts."""

import json
import os
from pathlib import Path

import pytest

from sulcus_panel.core.capture import told_models
from sulcus_panel.core.capture.recorder import Recorder
from sulcus_panel.core.capture.told_models import ToldModels
from sulcus_panel.core.ledger.store import Ledger
from tests.support.hooks import Run
from tests.support.ledgers import entries


def spoken(call: str, model: str, kind: str = "assistant") -> str:
    block = {"type": "tool_use", "id": call, "name": "Write", "input": {}}
    return json.dumps({"type": kind, "message": {"model": model, "content": [block]}}) + "\n"


def test_the_line_of_the_call_tells_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    told = spoken("a", "one") + spoken("b", "two") + spoken("c", "three", "user") + spoken("d", "<synthetic>")
    path.write_text(told + '{"type": "assistant", "id": "e", cut\n[]\n' + spoken("f", "six").strip())
    models = ToldModels()
    assert [models.of_call(str(path), call) for call in "abcdefg"] == ["one", "two", "", "", "", "six", ""]
    assert models.of_call("", "a") == models.of_call(str(path), "") == models.of_call(str(path), "\xe9") == ""


def test_of_a_long_transcript_the_end_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told_models, "TAIL", 300)
    path = tmp_path / "t.jsonl"
    path.write_text("".join(spoken(f"c{number}", f"m{number}") for number in range(9)))
    models = ToldModels()
    assert (models.of_call(str(path), "c8"), models.of_call(str(path), "c0")) == ("m8", "")


def test_what_is_no_file_tells_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path / "fifo", tmp_path, tmp_path / "none", "no\0name"):
        assert ToldModels().of_call(str(path), "a") == ""


def test_a_call_s_entry_bears_the_model_of_its_transcript(
    run: Run, recorder: Recorder, ledger: Ledger, tmp_path: Path
) -> None:
    transcript = tmp_path / "t.jsonl"
    transcript.write_text(spoken("toolu_1", "before") + spoken("toolu_2", "after"))
    run.extra = {"transcript_path": str(transcript)}
    run.write("a", b"1\n")
    run.write("a", b"2\n")
    run.bash("make")
    recorder.drain()
    assert [row.record.model for row in entries(ledger)] == ["before", "after", ""]
