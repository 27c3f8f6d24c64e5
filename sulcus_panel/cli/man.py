"""`man`: the manual page, made from the parser, so that it says what the program understands."""

import argparse
from collections.abc import Iterator, Sequence

from sulcus_panel import __version__
from sulcus_panel.cli.context import Context
from sulcus_panel.cli.grammar import Spoken, Word, whole_grammar

EXITS = (
    ("0", "Done; or you said no, or later; or there was nothing left to do."),
    ("1", "Not possible, not found, a conflict, or only a part was done."),
    ("2", "The words on the command line cannot be meant."),
    ("70", "A bug of Sulcus Panel."),
)
ABOUT = (
    "Sulcus Panel records what coding agents do to the files of a folder, and takes back exactly one thing of it"
    " while all later work stays.",
    "With no verb, the window opens on the workspace of the current folder.",
    "The answer goes to standard output, everything else to standard error.",
)
HOME = "The folder of the data, in place of the user's own."


def add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the verb."""
    verb = verbs.add_parser(
        "man",
        parents=[common],
        help="print the manual page",
        epilog="sulcus-panel man | man -l -  shows it; as sulcus-panel.1 in a man1 folder it is found by its name.",
    )
    verb.set_defaults(run=run)


def run(args: argparse.Namespace, context: Context) -> int:  # noqa: ARG001 - every verb takes both
    """Print the page."""
    page = manual(whole_grammar())
    if context.json:
        context.print_json({"page": page})
    else:
        print(page, end="")
    return 0


def manual(program: Spoken) -> str:
    """Return the page in the language of man(7), in ASCII."""
    return "\n".join(_lines(program)) + "\n"


def _lines(program: Spoken) -> Iterator[str]:
    yield f'.TH SULCUS\\-PANEL 1 "" "Sulcus Panel {_plain(__version__)}" "User Commands"'
    yield ".ad l"
    yield ".nh"
    yield ".SH NAME"
    yield "sulcus\\-panel \\- see what coding agents did to your files, and take back exactly one thing of it"
    yield ".SH SYNOPSIS"
    yield ".B sulcus\\-panel"
    yield _plain("[VERB] [options]")
    yield ".SH DESCRIPTION"
    for paragraph in ABOUT:
        yield ".PP"
        yield _plain(paragraph)
    yield ".SH OPTIONS"
    yield "These stand before or behind any verb."
    yield from _words(program.options)
    yield ".SH VERBS"
    shared = {each.flags for each in program.options}
    for verb in program.walk():
        if verb.words and not verb.verbs:
            yield from _verb(verb, shared)
    yield ".SH EXIT STATUS"
    for code, text in EXITS:
        yield from _item(code, text)
    yield ".SH ENVIRONMENT"
    yield from _item("SULCUS_HOME", HOME)


def _verb(verb: Spoken, shared: set[tuple[str, ...]]) -> Iterator[str]:
    yield f'.SS "{_plain(" ".join(verb.words))}"'
    yield f"{_plain(verb.text[:1].upper() + verb.text[1:])}."
    yield ".PP"
    yield f".B {_plain(verb.usage)}"
    yield from _words([*verb.operands, *(each for each in verb.options if each.flags not in shared)])
    if verb.more:
        yield ".PP"
        yield _plain(verb.more)


def _words(words: Sequence[Word]) -> Iterator[str]:
    for word in words:
        value = word.placeholder if not word.choices else "|".join(word.choices)
        name = ", ".join(word.flags)
        yield from _item(f"{name} {value}".strip(), word.text)


def _item(name: str, text: str) -> Iterator[str]:
    yield ".TP"
    yield f".B {_plain(name)}"
    yield _plain(text) or "\\&"


def _plain(text: str) -> str:
    """Return text of which the formatter obeys nothing, on one line and in ASCII."""
    marked = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    marked = marked.replace("|", "|\\:").replace(",", ",\\:")  # where a long list of choices may be broken
    ascii_only = "".join(char if char.isascii() else f"\\[u{ord(char):04X}]" for char in marked)
    return f"\\&{ascii_only}" if ascii_only.startswith((".", "'")) else ascii_only
