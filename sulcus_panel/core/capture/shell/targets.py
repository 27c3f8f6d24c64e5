"""Which files a command's own words say that it writes, and whether they say it of all that it can write. Pure.

Nothing is guessed: a word that the shell may still change (a variable, a pattern) names no file, and a command that
is not one of those known here may write anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass

SEPARATORS = ("&&", "||", ";;", "|&", ";", "|", "&", "\n")
REDIRECTS = ("&>>", "&>", ">>", ">|", ">&", ">")
OPERATORS = "<>&|;\n"
ACTS = frozenset("$`(){}*?[#!")
"""What outside quotes may make another word of what is written."""
ACTS_IN_QUOTES = frozenset("$`")
RESERVED = frozenset(
    "{ } if then else elif fi for while until do done case esac function select ! [[ coproc".split()  # noqa: SIM905
)
QUIET = frozenset(
    (
        *("echo", "printf", "cat", "cd", "ls", "grep", "head", "tail", "wc", "sleep", "true", "false", ":"),
        *(
            "test",
            "[",
            "pwd",
            "diff",
            "cut",
            "tr",
            "jq",
            "export",
            "set",
            "exit",
            "date",
            "which",
            "stat",
            "wait",
        ),
    )
)
"""Commands that write nothing but where they are redirected to."""
OPERANDS = frozenset(("rm", "rmdir", "mkdir", "touch", "tee", "unlink", "mv"))
"""Commands that write to their operands."""
LAST_OPERAND = frozenset(("cp", "ln", "install"))
NOWHERE = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty")


@dataclass(frozen=True, slots=True)
class Word:
    """A word as the shell reads it; one that is not `plain` may become another."""

    text: str
    plain: bool = True


@dataclass(frozen=True, slots=True)
class Part:
    """One simple command: its words, and the files that its output goes to. `ends` is what stands behind it."""

    words: tuple[Word, ...]
    outputs: tuple[Word, ...]
    ends: str = ""
    runs_more: bool = False
    """One of its words is what another command prints."""


@dataclass(frozen=True, slots=True)
class Targets:
    """The files as they are written in the command. `is_all`: it writes nothing else."""

    paths: tuple[str, ...]
    is_all: bool


def targets_of(command: str) -> Targets:
    """What a command says that it writes."""
    parts = parts_of(command)
    paths: list[str] = []
    is_all = parts is not None
    for part in parts or ():
        named, known = _written(part)
        paths += [word.text for word in named if word.plain and word.text]
        is_all = is_all and known and not part.runs_more and all(word.plain for word in named)
    return Targets(tuple(dict.fromkeys(paths)), is_all)


def runs_on(command: str) -> bool:
    """Say whether a command leaves something running behind it, by its own words."""
    parts = parts_of(command)
    if parts is None:  # of what is not read word by word only its end is looked at
        end = command.rstrip(" \t\n;)}")
        return end.endswith("&") and not end.endswith("&&")
    waits = any(part.words and part.words[0].text == "wait" for part in parts)
    return any(part.ends == "&" for part in parts) and not waits


def parts_of(command: str) -> "tuple[Part, ...] | None":
    """The simple commands of a text; None where it has more than these, or ends within quotes."""
    return _Reader(command).read()


def _written(part: Part) -> tuple[Sequence[Word], bool]:
    """The words that name files to be written, and whether this command is known to write nothing else."""
    outputs = [word for word in part.outputs if word.text not in NOWHERE]
    if not part.words:
        return outputs, True
    first, *rest = part.words
    if not first.plain or "=" in first.text:
        return outputs, False
    named, known = _by_name(first.text.rpartition("/")[2], rest)
    return outputs + named, known


def _by_name(name: str, rest: Sequence[Word]) -> tuple[list[Word], bool]:
    """The files that a command writes by its operands, and whether it is known to write nothing else."""
    operands = [word for word in rest if not word.text.startswith("-")]
    if name == "sed":
        return _of_sed(rest), _is_plain_sed(rest)
    if name == "chmod":  # a mode may begin with a hyphen as an option does
        return operands[1:], len(operands) == len(rest)
    if name in OPERANDS:
        return operands, not _names_a_folder(rest)
    if name in LAST_OPERAND:
        return operands[-1:], not _names_a_folder(rest) and len(operands) == 2
    return [], name in QUIET


def _names_a_folder(words: Sequence[Word]) -> bool:
    """Whether an option may name another place, as `-t` and `--target-directory=` do."""
    return any(word.text.startswith(("--", "-t", "-S")) for word in words)


def _of_sed(words: Sequence[Word]) -> list[Word]:
    """The files of a `sed -i`: all operands but the script."""
    in_place = any(word.text.startswith("--in-place") or word.text[:2] == "-i" for word in words)
    if not in_place or any(
        word.text[:2] in ("-e", "-f") or word.text[:3] in ("--e", "--f") for word in words
    ):
        return []  # with these, only sed itself knows which words are files
    return [word for word in words if not word.text.startswith("-")][1:]


def _is_plain_sed(words: Sequence[Word]) -> bool:
    """Whether its script is one substitution, which writes to no file of its own, and no copy stays behind."""
    options = [word.text for word in words if word.text.startswith("-")]
    operands = [word for word in words if not word.text.startswith("-")]
    if not operands or set(options) - {"-i", "-n", "-E", "-r"}:
        return False
    script = operands[0].text
    flags = script.rpartition(script[1:2])[2]
    is_one = script[:1] == "s" and script.count(script[1:2]) == 3 and "\\" not in script
    return operands[0].plain and is_one and not set(flags) - set("gIip0123456789")


class _Reader:
    """Reads a command word by word."""

    def __init__(self, command: str) -> None:
        self.text = command
        self.at = 0
        self.parts: list[Part] = []
        self.words: list[Word] = []
        self.outputs: list[Word] = []
        self.waits_for_target = False
        self.runs_more = False
        self.heredocs: list[str] = []

    def read(self) -> tuple[Part, ...] | None:
        """All of it, part by part."""
        while self.at < len(self.text):
            letter = self.text[self.at]
            if letter in " \t":
                self.at += 1
            elif letter in OPERATORS:
                if not self._operator():
                    return None
            elif letter == "#":
                self.at = (self.text + "\n").index("\n", self.at)
            else:
                word = self._word()
                if word is None or (not self.words and word.text in RESERVED):
                    return None
                self._take(word)
        self._end_part("")
        return None if self.waits_for_target or self.heredocs else tuple(self.parts)

    def _take(self, word: Word) -> None:
        next_letter = self.text[self.at : self.at + 1]
        if word.text.isdigit() and next_letter in ("<", ">") and not self.waits_for_target:
            return  # the number of what is redirected
        if self.waits_for_target:
            self.outputs.append(word)
            self.waits_for_target = False
        else:
            self.words.append(word)

    def _operator(self) -> bool:
        """Take an operator; False for one that is not known here."""
        if self.waits_for_target:
            return False
        for mark in REDIRECTS:
            if self.text.startswith(mark, self.at):
                self.at += len(mark)
                return self._redirect(mark)
        if self.text[self.at] == "<":
            return self._input()
        for mark in SEPARATORS:
            if self.text.startswith(mark, self.at):
                self.at += len(mark)
                self._end_part(mark)
                return mark != "\n" or self._skip_heredocs()
        return False

    def _redirect(self, mark: str) -> bool:
        if mark == ">&" and (
            self.text[self.at : self.at + 1].isdigit() or self.text[self.at : self.at + 1] == "-"
        ):
            self.at += 1
            return True
        self.waits_for_target = True
        return True

    def _input(self) -> bool:
        """A file, a text or a document that is read."""
        is_document = self.text.startswith("<<", self.at) and not self.text.startswith("<<<", self.at)
        while self.text[self.at : self.at + 1] == "<":
            self.at += 1
        if is_document and self.text[self.at : self.at + 1] == "-":
            return False  # its end may stand behind tabs
        while self.text[self.at : self.at + 1] in (" ", "\t"):
            self.at += 1
        quoted = self.text[self.at : self.at + 1] in ("'", '"')
        word = self._word()
        if word is None or not word.plain:
            return False
        if is_document:
            if not quoted:
                return False  # what stands in it may run something
            self.heredocs.append(word.text)
        return True

    def _skip_heredocs(self) -> bool:
        for end in self.heredocs:
            lines = self.text[self.at :].split("\n")
            if end not in lines:
                return False
            self.at += sum(len(line) + 1 for line in lines[: lines.index(end) + 1])
        self.heredocs = []
        return True

    def _end_part(self, mark: str) -> None:
        if self.words or self.outputs:
            self.parts.append(Part(tuple(self.words), tuple(self.outputs), mark, self.runs_more))
        self.words, self.outputs, self.runs_more = [], [], False

    def _word(self) -> Word | None:
        """The word that begins here; None where its quotes do not end, or where it holds a command."""
        found, plain = "", True
        while self.at < len(self.text) and (letter := self.text[self.at]) not in " \t" + OPERATORS:
            if letter in "'\"":
                inside = self._quoted(letter)
                if inside is None:
                    return None
                plain = plain and inside.plain and not (found == "" and inside.text.startswith("~"))
                found += inside.text
            elif letter == "\\":
                found += self.text[self.at + 1 : self.at + 2].replace("\n", "")
                self.at += 2
            elif letter in "`()" or self.text.startswith("$(", self.at):
                return None
            else:
                plain = plain and letter not in ACTS
                found += letter
                self.at += 1
        return Word(found, plain)

    def _quoted(self, quote: str) -> Word | None:
        """What stands within the quotes that begin here."""
        end = self._closing(quote)
        if end < 0:
            return None
        inside = self.text[self.at + 1 : end]
        self.at = end + 1
        if quote == "'":
            return Word(inside)
        self.runs_more = self.runs_more or "`" in inside or "$(" in inside
        text = inside.replace('\\"', '"').replace("\\\\", "\\")
        return Word(text, ACTS_IN_QUOTES.isdisjoint(inside))

    def _closing(self, quote: str) -> int:
        """Where the quotes that begin here end, below 0 where they do not."""
        at = self.at + 1
        while at < len(self.text) and self.text[at] != quote:
            at += 2 if quote == '"' and self.text[at] == "\\" else 1
        return at if at < len(self.text) else -1
