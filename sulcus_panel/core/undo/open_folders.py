"""The folders that a write works in, each opened once by a walk that follows no link: the last used stay open.

A batch may touch more folders than a process may have open. One that was let go of is walked to again.
"""

from contextlib import ExitStack
from dataclasses import dataclass, field

from sulcus_panel.core.disk import parent_of
from sulcus_panel.core.undo.fs import Folder
from sulcus_panel.core.undo.spare import Place, place_in
from sulcus_panel.core.undo.task import Task

MOST_OPEN = 64
"""A quarter of what the least generous system lets a process have open."""


@dataclass(slots=True, eq=False, repr=False)
class OpenFolders:
    """Folders below one root, to be let go of by close()."""

    root: str
    _open: dict[str, tuple[Folder, ExitStack]] = field(default_factory=dict)
    """By path, the last used at the end."""

    def place(self, task: Task) -> Place:
        """Return where a task is done; raises Unreachable."""
        above, _, name = task.path.rpartition("/")
        folder, opened = self._open.pop(above, (None, None))
        if opened is None or folder is None:  # full paths, where there is no dir_fd, are walked each time
            opened = ExitStack()
            folder, name = opened.enter_context(parent_of(self.root, task.path))
        self._open[above] = folder, opened
        if len(self._open) > MOST_OPEN:
            self._open.pop(next(iter(self._open)))[1].close()
        return place_in(folder, name, task.temp)

    def close(self) -> None:
        """Let go of all."""
        for _, opened in self._open.values():
            opened.close()
        self._open.clear()
