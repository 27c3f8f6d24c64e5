"""What the guard answers, and the one way in which its rooms say no to each other."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verdict:
    """`code` names the inverse where `ok`, else why not; `argv` is what would run, empty where not `ok`."""

    ok: bool
    code: str
    argv: tuple[str, ...] = ()


class Refused(Exception):
    """The text is no command that the guard knows; never leaves the guard."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
