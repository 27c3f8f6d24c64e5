"""The one line that has come of another, or none."""

from sulcus_panel.core.undo.heirs import heir

OLD = [b"fn main() {\n", b'    eprintln!("{}", err);\n', b"}\n"]


def test_a_line_is_known_again_among_rewritten_ones() -> None:
    new = [
        b"fn run(flags: Flags) -> Code {\n",
        b"    for cause in chain {\n",
        b'        eprintln!("{:#}", err);\n',
        b"}\n",
    ]
    assert heir(OLD, 1, new) == 2


def test_of_two_lines_alike_neither_is_the_heir() -> None:
    assert heir(OLD, 1, [b'    eprintln!("{:#}", err);\n', b'    eprintln!("{:?}", err);\n']) is None


def test_a_brace_is_nobodys_heir() -> None:
    assert heir(OLD, 2, [b"}\n"]) is None
