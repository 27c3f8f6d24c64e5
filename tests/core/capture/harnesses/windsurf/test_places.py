"""Paths and addresses of files."""

import pytest

from sulcus_panel.core.capture.harnesses.windsurf.places import path_of


@pytest.mark.parametrize(
    ("named", "path"),
    [
        ("/w/a.py", "/w/a.py"),
        ("file:///w/a%20b.py", "/w/a b.py"),
        ("file:///w/100%.py", "/w/100%.py"),
        ("file:///w/%C3%A4.py", "/w/ä.py"),
        ("file:///c%3A/w/a.py", "c:/w/a.py"),
        ("", ""),
    ],
)
def test_an_address_of_a_file_is_its_path(named: str, path: str) -> None:
    assert path_of(named) == path
