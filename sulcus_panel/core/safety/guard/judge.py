"""The guard itself: a text is read, held against the table, and refused under a name where it does not fit."""

from pathlib import PurePath

from sulcus_panel.core.safety.guard.characters import check_characters
from sulcus_panel.core.safety.guard.dangers import name_danger, name_program
from sulcus_panel.core.safety.guard.forms import FITS, fit
from sulcus_panel.core.safety.guard.rules import TABLE
from sulcus_panel.core.safety.guard.verdict import Refused, Verdict
from sulcus_panel.core.safety.guard.words import read_words

MOST_CHARACTERS = 4096


def judge(text: object, root: object) -> Verdict:
    """Return whether `text` is a known inverse below `root`; any object gets an answer."""
    if type(text) is not str:
        return Verdict(False, "type")
    if not isinstance(root, PurePath) or not root.is_absolute() or ".." in root.parts:
        return Verdict(False, "root")
    if len(text) > MOST_CHARACTERS:
        return Verdict(False, "limit.length")
    try:
        check_characters(text)
        words = read_words(text)
        code = _code(words.argv, root)
    except Refused as refused:
        return Verdict(False, refused.code)
    if words.unsure:
        return Verdict(False, "syntax.expand")
    return Verdict(True, code, words.argv)


def _code(argv: tuple[str, ...], root: PurePath) -> str:
    """The code of the rule that `argv` fits; Refused under the name of a danger or of the nearest rule's misfit."""
    rules = TABLE.get(argv[0], ())
    tried = [(fit(rule.form, argv, root), rule.code) for rule in rules]
    for fitting, code in tried:
        if fitting.code == FITS:
            return code
    if not tried:
        raise Refused(name_danger(argv) or name_program(argv[0]))
    nearest = max((fitting for fitting, _ in tried), key=lambda fitting: fitting.depth)
    raise Refused(name_danger(argv) or nearest.code)
