"""The SEARCH/REPLACE blocks of `replace_in_file`. Pure.

Each block's lines end with a newline. The tool finds them less and less exactly; what is read here is only what
was asked for.
"""

import re

from sulcus_panel.core.capture.adapter import TextEdit

_SEARCH = re.compile(r"(?:-{3,}|<{3,}) SEARCH>?\s*")
_MIDDLE = re.compile(r"={3,}\s*")
_REPLACE = re.compile(r"(?:\+{3,}|>{3,}) REPLACE>?\s*")


def read_blocks(text: str) -> tuple[TextEdit, ...]:
    """The replacements in order, none where the text is no whole list of blocks."""
    edits: list[TextEdit] = []
    old: list[str] = []
    new: list[str] = []
    place = ""
    for line in (line.removesuffix("\r") for line in text.split("\n")):
        if place == "" and _SEARCH.fullmatch(line):
            place, old, new = "old", [], []
        elif place == "old" and _MIDDLE.fullmatch(line):
            place = "new"
        elif place == "new" and _REPLACE.fullmatch(line):
            edits.append(TextEdit(_joined(old), _joined(new)))
            place = ""
        elif place == "old":
            old.append(line)
        elif place == "new":
            new.append(line)
        elif line.strip():
            return ()
    return tuple(edits) if place == "" else ()


def _joined(lines: list[str]) -> str:
    return "".join(line + "\n" for line in lines)
