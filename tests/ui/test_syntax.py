"""A text is lexed by its name to spans that fit its lines, or not at all."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.ui.syntax import MAX_LINE, TokenClass, lex

CODE = 'def f(x):\n    """Doc\n    more."""\n    return "a" + 12  # why\n'


def marked(text: str, path: str = "a.py") -> list[tuple[str, TokenClass]]:
    return [
        (line[start : start + length], kind)
        for line, spans in zip(text.split("\n"), lex(path, text), strict=True)
        for start, length, kind in spans
    ]


def test_python_is_marked_word_by_word() -> None:
    found = marked(CODE)
    assert ("def", TokenClass.KEYWORD) in found
    assert ("f", TokenClass.NAME) in found
    assert ("12", TokenClass.NUMBER) in found
    assert ("# why", TokenClass.COMMENT) in found


def test_a_string_over_several_lines_is_a_string_on_each() -> None:
    assert lex("a.py", CODE)[2] == ((4, 8, TokenClass.STRING),) or ("more.", TokenClass.STRING) in [
        (text.strip('" '), kind) for text, kind in marked(CODE)
    ]


def test_a_carriage_return_keeps_its_column() -> None:
    assert len(lex("a.py", "x = 1\r\ny = 2\r\n")) == 3
    assert ("2", TokenClass.NUMBER) in marked("x = 1\r\ny = 2\r\n")


def test_only_the_name_chooses_the_lexer() -> None:
    assert lex("notes.unknown-kind", "#!/usr/bin/python\nimport os\n") == ()
    assert lex("sub/folder/Makefile", "all:\n\techo $(X)\n") != ()


def test_blank_first_lines_keep_their_numbers() -> None:
    assert lex("a.py", "\n\nimport os\n")[2][0] == (0, 6, TokenClass.KEYWORD)


def test_what_is_too_long_stays_uncoloured() -> None:
    assert lex("a.py", CODE, max_chars=10) == ()
    assert lex("a.js", "x" * (MAX_LINE + 1)) == ()
    assert lex("a.py", "") == ()


def test_lexing_gives_up_at_its_time_limit() -> None:
    clock = itertools.count()
    assert lex("a.py", CODE * 500, time_limit=2.5, clock=lambda: float(next(clock))) == ()


@given(st.text(), st.sampled_from(["a.py", "a.rb", "a.md", "a.html", "a.json", "a.sh"]))
def test_spans_lie_within_their_lines_and_do_not_overlap(text: str, path: str) -> None:
    lines = text.split("\n")
    for line, spans in zip(lines, lex(path, text), strict=False):
        edges = [edge for start, length, _ in spans for edge in (start, start + length)]
        assert edges == sorted(edges)
        assert all(0 <= edge <= len(line) for edge in edges)
