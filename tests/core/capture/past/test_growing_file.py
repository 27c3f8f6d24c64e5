"""A file that grows is read on from where it ended, whole lines only, and begun near a time."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sulcus_panel.core.capture.past import growing_file
from sulcus_panel.core.capture.past.growing_file import GrowingFile, offset_before

START = datetime(2026, 5, 4, 9, tzinfo=UTC)


def nothing() -> None:
    """A file that is not replaced."""


def test_only_whole_lines_are_given_and_each_once(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one\ntw")
    file = GrowingFile(path)
    assert list(file.parts(nothing)) == [b"one\n"]
    assert list(file.parts(nothing)) == []
    with path.open("ab") as more:
        more.write(b"o\nthree\n")
    assert list(file.parts(nothing)) == [b"two\nthree\n"]


def test_a_file_that_became_shorter_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one\ntwo\n")
    file = GrowingFile(path)
    told: list[str] = []
    assert list(file.parts(lambda: told.append("anew"))) == [b"one\ntwo\n"]
    path.write_bytes(b"1\n")
    assert list(file.parts(lambda: told.append("anew"))) == [b"1\n"]
    assert told == ["anew"]


def test_a_line_longer_than_any_record_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(growing_file, "MAX_LINE", 10)
    path = tmp_path / "a"
    path.write_bytes(b"x" * 25)
    file = GrowingFile(path)
    assert b"".join(file.parts(nothing)).strip() == b""
    with path.open("ab") as more:
        more.write(b"xx\nok\n")
    assert b"".join(file.parts(nothing)).strip() == b"ok"


def test_a_file_that_is_gone_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        list(GrowingFile(tmp_path / "a").parts(nothing))


@pytest.mark.parametrize("minutes", [-5, 0, 1, 499, 998, 2_000])
def test_reading_begins_before_the_first_line_of_a_time_and_not_far_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, minutes: int
) -> None:
    monkeypatch.setattr(growing_file, "NEAR", 1_000)
    path = tmp_path / "a"
    lines = []
    for number in range(1_000):
        at = (START + timedelta(minutes=number)).isoformat()
        lines.append(json.dumps({"timestamp": at, "n": number, "pad": "x" * (number % 7) * 20}) + "\n")
        lines.append('{"type": "summary"}\n')
    path.write_text("".join(lines), encoding="utf-8")
    offset = offset_before(path, START + timedelta(minutes=minutes))
    rest = path.read_bytes()[offset:]
    begun = [json.loads(line) for line in rest.split(b"\n") if line]
    numbers = [one["n"] for one in begun if "n" in one]
    wanted = [number for number in range(1_000) if number >= minutes]
    assert numbers[len(numbers) - len(wanted) :] == wanted
    assert len(numbers) - len(wanted) <= 40


def test_a_small_file_is_read_from_its_start(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"{}\n")
    assert offset_before(tmp_path / "a", START) == 0
