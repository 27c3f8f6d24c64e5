"""Whether a command can only read, judged strictly: what is not known to read writes. Runs inside the hook."""

_READERS = (
    "cat cd cmp cut df diff dirname du echo egrep false fgrep file grep head id jq ls nl printf ps pwd readlink"
    " realpath rg stat tail test tr true tty type uname uptime wc which whoami basename md5sum sha1sum sha256sum"
    " Get-ChildItem Get-Content Get-Location Select-String Test-Path"
)
_GIT_READERS = "status diff log show rev-parse ls-files ls-tree cat-file blame describe"
READERS, GIT_READERS = frozenset(_READERS.split()), frozenset(_GIT_READERS.split())
ACTS, ACTS_IN_QUOTES = frozenset("$`><(){}\\\n\r!#"), frozenset("$`\\!\n\r")
"""What may make a command do more than its words say: bare, and within double quotes."""
GLOBS = frozenset("*?[")
"""They may bring in an option by a file's name."""
SEPARATORS = ("&&", "||", ";", "|")
TO_NOWHERE = ("2>/dev/null", ">/dev/null", "2>&1")
DANGEROUS = (
    "--pre",
    "--hostname-bin",
    "-z",
    "--search-zip",
    "-C",
    "--compile",
    "--output",
    "--ext",
    "--text",
    "-O",
)
"""Options by which rg, file and git run or write something, spelled as far as it takes."""
BUNDLED = frozenset("CzO")


def only_reads(command: str) -> bool:
    """Say whether every part of a command is one that only reads."""
    parts = _Words(command).parts() if command.strip() and command.isascii() else None
    return parts is not None and all(_reads(words) for words in parts)


class _Words:
    """The words of a command, part by part."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.found: list[list[str]] = [[]]
        self.word = ""
        self.has_word = False

    def parts(self) -> list[list[str]] | None:
        """The words of each part, None where more is written than words."""
        at = 0
        while at < len(self.command):
            letter = self.command[at]
            if letter in "'\"":
                end = self.command.find(letter, at + 1)
                inside = self.command[at + 1 : end]
                if end < 0 or (letter == '"' and ACTS_IN_QUOTES.intersection(inside)):
                    return None
                self.word, self.has_word, at = self.word + inside, True, end + 1
                continue
            step = self._bare(at, letter)
            if step == 0:
                return None
            at += step
        self._end_word()
        return self.found

    def _bare(self, at: int, letter: str) -> int:
        """Take what stands outside quotes; how many letters it has, 0 where it acts."""
        if letter in " \t":
            self._end_word()
            return 1
        for mark in SEPARATORS:
            if self.command.startswith(mark, at):
                self._end_word()
                self.found.append([])
                return len(mark)
        if not self.has_word:
            for mark in TO_NOWHERE:
                after = self.command[at + len(mark) : at + len(mark) + 1]
                if self.command.startswith(mark, at) and after in ("", " ", "\t", ";", "|"):
                    return len(mark)
        if letter in ACTS or letter == "&":
            return 0
        self.word, self.has_word = self.word + letter, True
        return 1

    def _end_word(self) -> None:
        if self.has_word:
            self.found[-1].append(self.word)
        self.word, self.has_word = "", False


def _reads(words: list[str]) -> bool:
    if not words or "=" in words[0]:
        return False
    name, rest = words[0], words[1:]
    if name == "git":
        if not rest or rest[0] not in GIT_READERS:
            return False
        if rest[0] == "cat-file" and any(word.startswith("--") for word in rest):
            return (
                False  # filters and textconv run what the repository names, by any beginning of their names
            )
    elif name not in READERS:
        return False
    if name not in ("git", "rg", "file"):
        return True
    return not any(
        word.startswith(DANGEROUS) or GLOBS.intersection(word) or _is_bundled(word) for word in rest
    )


def _is_bundled(word: str) -> bool:
    """Whether one of the dangerous letters may stand among others: `file -bC` compiles as `file -C` does."""
    return word.startswith("-") and not word.startswith("--") and not BUNDLED.isdisjoint(word)
