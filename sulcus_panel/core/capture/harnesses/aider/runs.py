"""aider's past runs, from a workspace's chat history and the commits that aider made in it.

A commit tells both sides of a file exactly: they are its objects and its parent's. Without commits the edits
are those of the chat, at the time when it began, for the history has no other. What the person had not
committed aider commits first; that stays the person's and is no entry of its own: where it lies between two
of aider's, it is a change from outside.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from sulcus_panel.core.capture.harnesses.aider.commits import open_repository
from sulcus_panel.core.capture.harnesses.aider.history import Chat, read_history
from sulcus_panel.core.capture.harnesses.aider.live import Aider
from sulcus_panel.core.capture.harnesses.aider.telling import Source, transcript_of
from sulcus_panel.core.capture.past.entries import Importing, NoBackups, imported_run
from sulcus_panel.core.capture.past.into_ledger import ImportedRun
from sulcus_panel.core.capture.plain_file import open_plain
from sulcus_panel.core.disk import look
from sulcus_panel.core.errors import UnsafePath
from sulcus_panel.core.model import FileKind, LedgerPath
from sulcus_panel.core.safety import plain

HISTORY = ".aider.chat.history.md"
MAX_HISTORY = 256 << 20
LOOKED_AT = 50
"""Among so many of the newest commits one of aider's is looked for, to see whether it works here."""


class AiderRuns:
    """The importer for `aider`."""

    harness = Aider.harness
    files = f"a chat history ({HISTORY}) or the folder of a project"

    def home(self, environment: Mapping[str, str]) -> Path:  # noqa: ARG002 - aider keeps nothing elsewhere
        """Aider keeps its runs in the projects themselves; this is only the person's home."""
        return Path(os.path.expanduser("~"))

    def find(self, home: Path, root: str) -> tuple[Path, ...]:  # noqa: ARG002 - as above
        """The workspace itself, where it has a chat history or a commit of aider's."""
        folder = Path(root)
        if (folder / HISTORY).is_file():
            return (folder,)
        repository = open_repository(folder)
        made = repository is not None and any(one.is_marked for one in repository.commits())
        return (folder,) if made else ()

    def read(self, paths: Sequence[Path], importing: Importing, home: Path | None) -> ImportedRun:  # noqa: ARG002 - as above
        """Read these histories, with the commits that they name; of a folder all of aider's commits as well."""
        return _run([_source(path) for path in paths], importing)

    def follow(self, home: Path, root: str, since: float) -> "GrowingAider":  # noqa: ARG002 - as above
        """Follow one workspace's history and commits; what it holds already counts as far as it is that new."""
        return GrowingAider(Path(root), since)


class GrowingAider:
    """One workspace as aider works in it: read again whenever the history grew or a commit came."""

    def __init__(self, folder: Path, since: float) -> None:
        self._folder = folder
        self._since = since
        self._seen: tuple[object, ...] = ()
        self._is_awake = False

    def read_on(self) -> bool:
        """Whether anything was written since the last time."""
        seen = _mark(self._folder)
        if seen == self._seen:
            return False
        self._seen = seen
        self._is_awake = self._is_awake or _newest(self._folder) >= self._since
        return self._is_awake

    def run(self, importing: Importing) -> ImportedRun:
        """What is that new, but for what may still be committed: the commit will tell more of it.

        A chat is as new as its beginning, the last one always.
        """
        if not self._is_awake:
            return ImportedRun(Aider.harness, (), (), ())
        source = _source(self._folder)
        since = datetime.fromtimestamp(self._since, UTC)
        *old, last = source.chats or (None,)
        chats = tuple(
            one for one in (*old, last) if one is not None and (one is last or one.started >= since)
        )
        source = replace(source, chats=chats, since=since)
        if chats and chats[-1].commits_itself and source.repository is not None:
            # A commit that is there already will be named by the chat in a moment.
            chats = (*chats[:-1], replace(chats[-1], rounds=chats[-1].rounds[:-1]))
            source = replace(source, chats=chats, is_whole=False)
        return _run([source], importing)


def _mark(folder: Path) -> tuple[object, ...]:
    """What tells that the history grew or a commit came."""
    repository = open_repository(folder)
    try:
        found = (folder / HISTORY).stat()
    except OSError:
        return (repository.head if repository is not None else "",)
    return repository.head if repository is not None else "", found.st_size, found.st_mtime_ns


def _newest(folder: Path) -> float:
    """When something was last written, in seconds since 1970; 0 where nothing is there."""
    repository = open_repository(folder)
    latest = repository.commits(LOOKED_AT) if repository is not None else ()
    newest = next((one for one in latest if one.is_marked), None)
    try:
        written = (folder / HISTORY).stat().st_mtime
    except OSError:
        written = 0.0
    return max(written, newest.at.timestamp() if newest is not None else 0.0)


def _run(sources: Sequence[Source], importing: Importing) -> ImportedRun:
    def now(path: str) -> bytes | None:
        return _content(os.path.realpath(importing.root), path)

    return imported_run(transcript_of(sources, now), importing, NoBackups())


def _content(root: str, path: str) -> bytes | None:
    name = os.path.relpath(path, root)
    if name.startswith(os.pardir):
        return None
    try:
        found = look(root, LedgerPath(name.replace(os.sep, "/")))
    except (UnsafePath, ValueError):
        return None
    return found.content if found.state.kind is FileKind.FILE else None


def _source(path: Path) -> Source:
    """A folder, which may lie within a repository, or a history: that stands at the top of its own."""
    is_folder = path.is_dir()
    folder = Path(os.path.realpath(path if is_folder else path.parent))
    repository = open_repository(folder)
    if repository is not None and not is_folder and repository.folder != str(folder):
        repository = None
    history = path
    if is_folder:
        above = Path(repository.folder) if repository is not None else folder
        history = next(
            (one / HISTORY for one in (folder, above) if (one / HISTORY).is_file()), path / HISTORY
        )
    chats, problems = _chats(history, must_exist=not is_folder)
    if repository is None and (folder / ".git").exists():
        problems = (*problems, f"{plain(folder.name)}: its git repository cannot be read, or has no files")
    place = os.path.realpath(history.parent)
    return Source(place, str(history), chats, repository, is_whole=is_folder, problems=problems)


def _chats(path: Path, *, must_exist: bool) -> tuple[tuple[Chat, ...], tuple[str, ...]]:
    name = plain(path.name)
    try:
        with open_plain(path) as file:
            data = file.read(MAX_HISTORY + 1)
    except FileNotFoundError as error:
        return (), ((f"{name}: {error.strerror}",) if must_exist else ())
    except OSError as error:
        return (), (f"{name}: {error.strerror or error}",)
    if len(data) > MAX_HISTORY:
        return (), (f"{name}: larger than {MAX_HISTORY:,} bytes",)
    chats = read_history(data.decode("utf-8", "surrogateescape").replace("\r\n", "\n"))
    return chats, (
        () if chats or not data.strip() else (f"{name}: not a chat history, no chat begins in it",)
    )
