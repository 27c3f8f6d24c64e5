"""A grammar as one line, `mv [-n] [-T] [--] PATH PATH`, and whether an argv has that form.

Fixed words first, then options (whole words, each once, before the operands), then operands: as many as named, each
of its kind, none with a dash in front but after `--`. `PATH ABOVE*` is a path and any number of folders around it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePath

from sulcus_panel.core.safety.guard.operands import KINDS
from sulcus_panel.core.safety.guard.verdict import Refused

FITS = ""


@dataclass(frozen=True, slots=True)
class Form:
    """A grammar, read from its line."""

    words: tuple[str, ...]
    options: frozenset[str]
    dashes: bool
    kinds: tuple[str, ...]
    folders: bool


@dataclass(frozen=True, slots=True)
class Fit:
    """How far an argv went along with a form, and the code of what then was wrong; FITS where nothing was."""

    depth: int
    code: str


def read_form(line: str) -> Form:
    """Return the form that `line` describes."""
    parts = line.split()
    optional = {part[1:-1] for part in parts if part.startswith("[")}
    return Form(
        words=tuple(part for part in parts if not part.startswith("[") and part == part.lower()),
        options=frozenset(optional),
        dashes="--" in optional,
        kinds=tuple(part for part in parts if part in KINDS),
        folders="ABOVE*" in parts,
    )


def fit(form: Form, argv: Sequence[str], root: PurePath) -> Fit:
    """Hold `argv`, the program's name first, against `form`."""
    at = 0
    try:
        at = _fixed(form, argv)
        dashed = form.words[-1] == "--"
        seen: set[str] = set()
        while at < len(argv) and argv[at].startswith("-") and not dashed:
            dashed = argv[at] == "--" and form.dashes
            if not dashed:
                _check_option(form, argv[at], seen)
            at += 1
        _check_operands(form, argv[at:], dashed, root)
    except _Misfit as misfit:
        return Fit(misfit.depth, misfit.code)
    except Refused as refused:
        return Fit(at, refused.code)
    return Fit(at, FITS)


class _Misfit(Refused):
    """A fixed word is not there."""

    def __init__(self, depth: int, code: str) -> None:
        super().__init__(code)
        self.depth = depth


def _fixed(form: Form, argv: Sequence[str]) -> int:
    for depth, word in enumerate(form.words):
        if depth >= len(argv):
            raise _Misfit(depth, "form")
        if argv[depth] != word:
            raise _Misfit(depth, "opt.unknown" if argv[depth].startswith("-") else "form")
    return len(form.words)


def _check_option(form: Form, word: str, seen: set[str]) -> None:
    if word == "-":
        raise Refused("opt.injection")
    if word not in form.options:
        raise Refused("opt.unknown")
    if word in seen:
        raise Refused("form")
    seen.add(word)


def _check_operands(form: Form, operands: Sequence[str], dashed: bool, root: PurePath) -> None:
    if not dashed and any(word.startswith("-") for word in operands):
        raise Refused("opt.injection")
    wanted = len(form.kinds)
    if len(operands) < wanted or (len(operands) > wanted and not form.folders):
        raise Refused("form")
    for kind, word in zip(form.kinds, operands, strict=False):
        KINDS[kind](word, root)
    for inner, outer in pairwise(operands) if form.folders else ():
        KINDS["PATH"](outer, root)
        if not inner.startswith(outer + "/"):
            raise Refused("form")
