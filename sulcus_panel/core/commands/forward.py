"""A command's text -> what it asked git for, in few exact forms; anything else is not read, and nothing is guessed.

What really happened is another matter: inverse.py takes it from what was observed. So a text that is read wrongly
can hide an inverse, and never make one.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

BARE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-")
INSIDE = BARE | frozenset("~^")
"""What may stand within a word without quotes (`HEAD~1`), if not at its beginning."""
BLANKS, QUOTES = " \t", "'\""
NOT_PLAIN = frozenset('$`\\"')
"""What has a meaning within double quotes."""
MOST = 8192


class Form(StrEnum):
    """What is asked for."""

    BRANCH = "branch"
    BRANCH_AND_SWITCH = "branch_and_switch"
    RENAME_BRANCH = "rename_branch"
    DELETE_BRANCH = "delete_branch"
    TAG = "tag"
    DELETE_TAG = "delete_tag"
    COMMIT = "commit"
    AMEND = "amend"
    ADD = "add"


@dataclass(frozen=True, slots=True)
class Forward:
    """One request: its form, and the names that it gives (of a renamed branch the old one first, if it is said)."""

    form: Form
    names: tuple[str, ...] = ()


def words_of(text: str) -> tuple[str, ...] | None:
    """The words of one simple command, None where a shell could read anything else in it."""
    if len(text) > MOST or "\0" in text or "\r" in text:
        return None
    words: list[str] = []
    at = 0
    while at < len(text):
        if text[at] in BLANKS:
            at += 1
            continue
        found = _word(text, at)
        if found is None:
            return None
        word, at = found
        words.append(word)
    return tuple(words)


def _word(text: str, at: int) -> tuple[str, int] | None:
    """The word that begins at `at`, and where it ends."""
    start, parts = at, [""]
    while at < len(text) and text[at] not in BLANKS:
        if text[at] in QUOTES:
            end = text.find(text[at], at + 1)
            inner = text[at + 1 : end]
            if end < 0 or (text[at] == '"' and not NOT_PLAIN.isdisjoint(inner)):
                return None
            parts.append(inner)
            at = end + 1
        elif text[at] in (BARE if at == start else INSIDE) or (text[at] > "\x7f" and text[at].isalnum()):
            parts.append(text[at])
            at += 1
        else:
            return None
    return "".join(parts), at


def read_forward(text: str) -> Forward | None:
    """What one command asks git for, None where it is none of the known forms."""
    words = words_of(text)
    if words is None or len(words) < 2 or words[0] != "git":
        return None
    reader = _READERS.get(words[1])
    return None if reader is None else reader(words[2:])


@dataclass(slots=True)
class _Said:
    """The words behind a subcommand, sorted."""

    flags: set[str] = field(default_factory=set)
    values: dict[str, str] = field(default_factory=dict)
    operands: list[str] = field(default_factory=list)


def _sorted(words: Collection[str], flags: Collection[str], values: Mapping[str, str]) -> _Said | None:
    """Sort words into flags, options with a value (by the name that `values` gives them) and operands."""
    said = _Said()
    waiting = list(reversed(list(words)))
    while waiting:
        word = waiting.pop()
        name, equals, value = word.partition("=")
        if word in flags:
            said.flags.add(word)
        elif word in values and waiting:
            said.values[values[word]] = waiting.pop()
        elif equals and name.startswith("--") and name in values:
            said.values[values[name]] = value
        elif word.startswith("-") or not word:
            return None
        else:
            said.operands.append(word)
    return said


QUIET = ("-q", "--quiet")
TRACK = ("-t", "--track", "--no-track")
RENAME, DELETE = ("-m", "-M", "--move"), ("-d", "-D", "--delete")


def _branch(words: Collection[str]) -> Forward | None:
    said = _sorted(words, (*QUIET, *TRACK, *RENAME, *DELETE), {})
    if said is None or not said.operands:
        return None
    count = len(said.operands)
    renames, deletes = (not said.flags.isdisjoint(some) for some in (RENAME, DELETE))
    if renames and not deletes and count <= 2:
        return Forward(Form.RENAME_BRANCH, tuple(said.operands))
    if deletes and not renames and count == 1:
        return Forward(Form.DELETE_BRANCH, tuple(said.operands))
    is_made = not renames and not deletes and count <= 2
    return Forward(Form.BRANCH, (said.operands[0],)) if is_made else None


def _switched(option: str) -> Callable[[Collection[str]], Forward | None]:
    def read(words: Collection[str]) -> Forward | None:
        said = _sorted(words, (*QUIET, *TRACK), {option: "name", "--create": "name"})
        if said is None or "name" not in said.values or len(said.operands) > 1:
            return None
        return Forward(Form.BRANCH_AND_SWITCH, (said.values["name"],))

    return read


def _tag(words: Collection[str]) -> Forward | None:
    values = {"-m": "text", "--message": "text", "-am": "text", "-F": "file", "--file": "file"}
    said = _sorted(words, ("-a", "--annotate", "-s", "--sign", "-d", "--delete"), values)
    if said is None or not said.operands:
        return None
    if not said.flags.isdisjoint(("-d", "--delete")):
        return Forward(Form.DELETE_TAG, tuple(said.operands)) if len(said.operands) == 1 else None
    return Forward(Form.TAG, (said.operands[0],)) if len(said.operands) <= 2 else None


def _commit(words: Collection[str]) -> Forward:
    """Whatever it says: of a commit only the branch is taken back, and that is what was observed."""
    return Forward(Form.AMEND if "--amend" in words else Form.COMMIT)


def _add(words: Collection[str]) -> Forward | None:
    """Name what is to be staged, "." for all of it."""
    flags = ("-A", "--all", "-u", "--update", "-v", "--verbose")
    said = _sorted([word for word in words if word != "--"], flags, {})
    if said is None or not (said.operands or said.flags):
        return None
    return Forward(Form.ADD, tuple(said.operands) or (".",))


_READERS: Mapping[str, Callable[[Collection[str]], Forward | None]] = {
    "branch": _branch,
    "checkout": _switched("-b"),
    "switch": _switched("-c"),
    "tag": _tag,
    "commit": _commit,
    "add": _add,
}
