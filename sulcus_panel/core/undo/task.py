"""One path that a write brings from one known state to another, and the two ways in which it may not be."""

from dataclasses import dataclass, replace

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.model import FileKind, FileState, LedgerPath
from sulcus_panel.core.safety import plain
from sulcus_panel.core.states import same_bytes


class Refused(SulcusError):
    """This path may not be written: a second name, a foreign owner, a link on the way."""

    code = "refused"


class Overtaken(SulcusError):
    """Somebody else wrote to the path meanwhile; what he wrote stands there."""

    code = "stale_plan"


class Mixed(SulcusError):
    """Somebody else wrote into the file while its own bytes were being changed; nobody can tell them apart."""

    code = "attention"


def overtaken(path: str, detail: str = "") -> Overtaken:
    """The error for a path that is not as it was planned from."""
    return Overtaken(f"{plain(path, 200)} has changed meanwhile", detail)


@dataclass(frozen=True, slots=True)
class Task:
    """One path from `before` to `after`; `content` is what `after` holds, `temp` a name used beside it.

    `displaced` is what `before` holds. `in_place` changes the file's own bytes, for it has other names.
    A new file takes its owner and attributes from the one it replaces, else from the one at `like`.
    """

    path: LedgerPath
    before: FileState
    after: FileState
    content: bytes | None
    temp: str
    in_place: bool = False
    displaced: bytes | None = None
    like: LedgerPath | None = None

    @property
    def only_mode(self) -> bool:
        """True where a file's bytes stay and its permissions change."""
        return self.after.kind is FileKind.FILE and same_bytes(self.before, self.after)

    @property
    def rewrites(self) -> bool:
        """True where the file itself is written to."""
        both = self.before.kind is FileKind.FILE and self.after.kind is FileKind.FILE
        return self.in_place and both and not self.only_mode

    @property
    def is_folder(self) -> bool:
        """True where a folder is made, removed, or gets other permissions."""
        return FileKind.DIRECTORY in {self.before.kind, self.after.kind}

    @property
    def makes_folder(self) -> bool:
        """True where a folder comes."""
        return self.is_folder and self.before.kind is FileKind.ABSENT

    @property
    def removes_folder(self) -> bool:
        """True where a folder goes."""
        return self.is_folder and self.after.kind is FileKind.ABSENT

    @property
    def displaces(self) -> bool:
        """True where a file or link leaves the path and lies beside it until the whole batch is written."""
        leaves = self.before.kind in {FileKind.FILE, FileKind.SYMLINK}
        return leaves and not (self.only_mode or self.rewrites)


def backwards(task: Task) -> Task:
    """Return the way back."""
    return replace(
        task, before=task.after, after=task.before, content=task.displaced, displaced=task.content, like=None
    )
