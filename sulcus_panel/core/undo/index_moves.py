"""Entries of the index put back as they were, all or none, under git's own lock, only from how they are said to be.

The work tree is not touched. A copy of the index is changed and put in its place by one rename.
"""

import os
import tempfile
from contextlib import suppress

import pygit2

from sulcus_panel.core.model import RefMove
from sulcus_panel.core.undo.git_now import staged

NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def move_entries(git: str, moves: tuple[RefMove, ...]) -> None:
    """Change the index of a git folder. Raises OSError, ValueError, pygit2.GitError: it is as it was."""
    place = os.path.join(git, "index")
    lock = os.open(place + ".lock", NEW, os.lstat(place).st_mode & 0o777)
    try:
        data = _changed(place, moves)
        with open(lock, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(place + ".lock", place)
    except BaseException:
        with suppress(OSError):
            os.unlink(place + ".lock")
        raise


def _changed(place: str, moves: tuple[RefMove, ...]) -> bytes:
    """Return the bytes of the index with these entries changed."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "index")
        with open(place, "rb") as old, open(copy, "wb") as new:
            new.write(old.read())
        index = pygit2.Index(copy)
        index.read()
        for move in moves:
            path = move.name[1:]
            if staged(index, path) != move.before:
                raise ValueError("it has changed meanwhile")
            if move.after:
                mode, _, oid = move.after.partition(" ")
                kind = pygit2.enums.FileMode(int(mode, 8))
                index.add(pygit2.IndexEntry(path, pygit2.Oid(hex=oid), kind))
            else:
                index.remove(path)
        index.write()
        with open(copy, "rb") as file:
            return file.read()
