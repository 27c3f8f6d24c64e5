"""Files that made sense before a merge and do not after it."""

import pytest

from sulcus_panel.core.undo.parses import stops_parsing

FILLER = b"".join(b"def filler_%d():\n    return %d\n\n\n" % (at, at) for at in range(50))
SOURCE = FILLER + b"def last():\n    if True:\n        return 1\n"


@pytest.mark.parametrize(
    ("path", "before", "after", "broken"),
    [
        ("a.py", SOURCE, SOURCE.replace(b"        return 1\n", b""), True),
        ("a.py", SOURCE, SOURCE.replace(b"return 1\n", b"return 2\n"), False),
        ("a.py", b"x = (\n", b"x = ((\n", False),
        ("a.py", SOURCE, SOURCE.replace(b"return 7\n", b'return """7\n'), True),
        ("a.py", FILLER + b'"""\ndef a(): 1\n"""\n', FILLER + b'"""\ndef a(): 1"""\n"""\n', True),
        ("a.json", b'{"a": 1, "b": 2}', b'{"a": 1 "b": 2}', True),
        ("a.json", b'{"a": 1} // with a remark', b'{"a": 1 // with a remark', False),
        ("pyproject.toml", b"a = 1\n", b"a = \n", True),
        ("notes.md", b"a", b"(", False),
        ("Makefile", b"a", b"(", False),
    ],
)
def test_only_what_parsed_before_and_not_after_is_broken(
    path: str, before: bytes, after: bytes, broken: bool
) -> None:
    assert stops_parsing(path, before, after) is broken


def test_a_warning_of_the_parser_is_nobodys_business() -> None:
    assert not stops_parsing("a.py", b"x = 1 is 1\n", b"x = 2 is 1\n")
