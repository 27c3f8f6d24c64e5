"""The command line as data, read from its parser: what completion scripts and the man page are made of."""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

PLACES = frozenset({"PATH", "FILE", "DIR"})
"""Placeholders that stand for something on the disk."""


@dataclass(frozen=True, slots=True)
class Word:
    """An option (`flags`) or an operand (none); without a placeholder an option takes no value."""

    flags: tuple[str, ...]
    placeholder: str
    choices: tuple[str, ...]
    text: str

    @property
    def is_place(self) -> bool:
        """True where a file or a folder is meant."""
        return self.placeholder in PLACES


@dataclass(frozen=True, slots=True)
class Spoken:
    """A verb, or the program itself (no words), with the verbs below it."""

    words: tuple[str, ...]
    text: str
    usage: str
    more: str
    options: tuple[Word, ...]
    operands: tuple[Word, ...]
    verbs: tuple["Spoken", ...]

    def walk(self) -> "Iterator[Spoken]":
        """Yield this one and all below it."""
        yield self
        for verb in self.verbs:
            yield from verb.walk()

    def taking(self) -> tuple[str, ...]:
        """Return the words of a verb, a blank and a flag, for each flag of it behind which a value stands."""
        return tuple(
            f"{' '.join(verb.words)} {flag}"
            for verb in self.walk()
            for word in verb.options
            for flag in word.flags
            if word.placeholder
        )

    def steps(self) -> tuple[str, ...]:
        """Return for each verb the words before it, a blank, and its own."""
        verbs = (verb.words for verb in self.walk() if verb.words)
        return tuple(f"{' '.join(words[:-1])} {words[-1]}" for words in verbs)


def whole_grammar() -> Spoken:
    """Return everything that the program understands."""
    from sulcus_panel.cli.command_line import parser  # here, for it imports the verbs, one of which asks

    return grammar(parser(["--help"]), (), "")


def grammar(parser: argparse.ArgumentParser, words: tuple[str, ...], text: str) -> Spoken:
    """Return what a parser understands; argparse has no public way to ask it."""
    options: list[Word] = []
    operands: list[Word] = []
    verbs: list[Spoken] = []
    for action in parser._actions:  # noqa: SLF001
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            texts = {each.dest: each.help or "" for each in action._choices_actions}  # noqa: SLF001
            verbs += [grammar(below, (*words, name), texts[name]) for name, below in action.choices.items()]
        elif action.option_strings:
            options.append(_word(action, takes_value=action.nargs != 0))
        else:
            operands.append(_word(action, takes_value=True))
    usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
    more = parser.epilog or ""
    return Spoken(words, text, usage, more, tuple(options), tuple(operands), tuple(verbs))


def _word(action: argparse.Action, *, takes_value: bool) -> Word:
    choices = tuple(str(choice) for choice in action.choices or ())
    placeholder = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    return Word(tuple(action.option_strings), placeholder if takes_value else "", choices, action.help or "")
