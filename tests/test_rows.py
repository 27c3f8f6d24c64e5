"""Every row of the list of odd files and disks is named by a test, or says here why it cannot be shown."""

import re
from pathlib import Path

import pytest

ROWS = Path(__file__).resolve().parents[2] / "shared" / "cases" / "files.tsv"
TESTS = Path(__file__).resolve().parent
NOT_SHOWN_HERE = {
    "F050": "names that only Windows cannot have are plain names here",
    "F116": "only Windows refuses to replace a file that another program has open",
    "F123": "nothing walks a workspace: only the folders of recorded paths are watched, and these are few",
}
NAMED = re.compile(r"^\s*def (test_\w+)", re.MULTILINE)
RANGE = re.compile(r"f(\d{3})_to_f(\d{3})")
ONE = re.compile(r"(?<![a-z0-9])f(\d{3})(?!\d)")


def rows_named_by(name: str) -> set[str]:
    """The rows that a test's name speaks of: `f001`, and `f052_to_f066` for all between."""
    rows = {f"F{number}" for number in ONE.findall(name)}
    for first, last in RANGE.findall(name):
        rows |= {f"F{number:03}" for number in range(int(first), int(last) + 1)}
    return rows


def test_a_name_speaks_of_single_rows_and_of_ranges() -> None:
    assert rows_named_by("test_f001_f003_it_works") == {"F001", "F003"}
    assert rows_named_by("test_f009_to_f011_it_works") == {"F009", "F010", "F011"}
    assert rows_named_by("test_c01_of2345_conf001") == set()


@pytest.mark.skipif(not ROWS.exists(), reason="the list of rows is not here")
def test_every_row_is_named_by_a_test_or_says_why_not() -> None:
    wanted = {line[:4] for line in ROWS.read_text().splitlines() if line.startswith("F")}
    named: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        for name in NAMED.findall(path.read_text()):
            named |= rows_named_by(name)
    assert sorted(wanted - named - NOT_SHOWN_HERE.keys()) == []
    assert all(NOT_SHOWN_HERE.values())
