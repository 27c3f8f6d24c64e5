"""One suite for all importers: whatever stands where something else is expected, nothing breaks and much is kept.

Every value of every transcript in tests/data is replaced, one at a time, by what is wrong there.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from sulcus_panel.core.capture.past.entries import Importing
from sulcus_panel.core.capture.registry import ADAPTERS, IMPORTERS

TRANSCRIPTS = Path(__file__).parents[3] / "data" / "transcripts"
WRONG: Sequence[object] = (
    None,
    True,
    7,
    -1.5,
    10**30,
    "",
    "x",
    "\ud800",
    "a\0b",
    [],
    {},
    [[]],
    [{}],
    {"x": None},
    "file://%",
    "/",
)

Json = Any


def files() -> list[Any]:
    """Every transcript that is JSON, with its harness."""
    found = sorted(path for end in ("json", "jsonl") for path in TRANSCRIPTS.rglob(f"*.{end}"))
    return [
        pytest.param(path, path.relative_to(TRANSCRIPTS).parts[0], id=f"{path.parent.name}-{path.stem}")
        for path in found
    ]


def damaged(path: Path) -> Iterator[str]:
    """The file's text with one value after the other replaced, each by the next wrong one."""
    text = path.read_text(encoding="utf-8")
    wrong = cycle(WRONG)
    if path.suffix == ".json":
        yield from (json.dumps(one) for one in replaced(json.loads(text), wrong))
        return
    lines = text.split("\n")
    for at, line in enumerate(lines):
        try:
            value = json.loads(line)
        except ValueError:
            continue  # damaged on purpose, or the end of the file
        for one in replaced(value, wrong):
            yield "\n".join([*lines[:at], json.dumps(one), *lines[at + 1 :]])


def replaced(value: Json, wrong: Iterator[object]) -> Iterator[Json]:
    """The value with each of its parts replaced, and itself."""
    yield next(wrong)
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from ({**value, key: one} for one in replaced(inner, wrong))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from ([*value[:at], one, *value[at + 1 :]] for one in replaced(inner, wrong))


@pytest.mark.parametrize(("path", "harness"), files())
def test_a_wrong_value_anywhere_breaks_nothing(path: Path, harness: str, tmp_path: Path) -> None:
    importer, adapter = IMPORTERS[harness], ADAPTERS[harness]
    copy = tmp_path / path.name
    for text in damaged(path):
        copy.write_text(text, encoding="utf-8")
        run = importer.read([copy], Importing(adapter, str(tmp_path)), None)
        assert run.harness == harness


@pytest.mark.parametrize(("path", "harness"), files())
def test_a_file_that_is_cut_off_anywhere_is_read_as_far_as_it_goes(
    path: Path, harness: str, tmp_path: Path
) -> None:
    importer, adapter = IMPORTERS[harness], ADAPTERS[harness]
    data = path.read_bytes()
    copy = tmp_path / path.name
    for size in range(0, len(data), max(1, len(data) // 40)):
        copy.write_bytes(data[:size])
        assert importer.read([copy], Importing(adapter, str(tmp_path)), None).harness == harness
