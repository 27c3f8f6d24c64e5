"""A project in which aider works, as far as it leaves traces: commits, and the lines of its chat history."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pygit2
from pygit2.enums import FileMode

HISTORY = ".aider.chat.history.md"
START = int(datetime(2026, 5, 4, 12, tzinfo=UTC).timestamp())
CO_AUTHOR = "\n\nCo-authored-by: aider (a/model) <noreply@aider.chat>"

Files = dict[str, bytes | None]


class Repo:
    """A repository whose files and commits this writes; `now` is the next commit's time."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.git = pygit2.init_repository(str(folder))
        self.now = START

    def commit(
        self, files: Files, subject: str = "a change", *, author: str = "Tess", committer: str = "Tess"
    ) -> str:
        """Write these files (None: delete), commit them, and give the commit's short id."""
        index = self.git.index
        for name, data in files.items():
            if data is None:
                (self.folder / name).unlink()
                index.remove(name)
                continue
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_bytes(data)
            index.add(pygit2.IndexEntry(name, self.git.create_blob(data), FileMode.BLOB))
        index.write()
        who, by = (pygit2.Signature(name, "t@example.org", self.now) for name in (author, committer))
        parents = [] if self.git.head_is_unborn else [self.git.head.target]
        made = self.git.create_commit("HEAD", who, by, subject, index.write_tree(), parents)
        self.now += 60
        return str(made)[:7]

    def aider(self, files: Files, subject: str = "feat: a change") -> str:
        """A commit of aider's own edits."""
        return self.commit(files, subject, author="Tess (aider)", committer="Tess (aider)")

    def dirty(self, files: Files, subject: str = "chore: mine") -> str:
        """What the person had not committed, committed by aider before its own edits."""
        return self.commit(files, subject, committer="Tess (aider)")


class ChatFile:
    """A chat history that grows."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def start(self, when: str = "2026-05-04 11:59:00", *, style: str = "diff", options: str = "") -> None:
        """A chat begins."""
        self._add(f"\n# aider chat started at {when}\n\n")
        self.say(f"/usr/bin/aider {options}".rstrip(), "Aider v0.86.2", f"Model: m with {style} edit format")
        self.say("Git repo: .git with 1 files")

    def ask(self, text: str) -> None:
        """A prompt, perhaps of several lines."""
        self._add("\n#### " + "  \n#### ".join(text.split("\n")) + "  \n")

    def reply(self, text: str) -> None:
        """What the model answers, ended by aider's count of tokens."""
        self._add(f"\n{text}\n")
        self.say("Tokens: 1k sent, 1 received.")

    def block(self, path: str, old: str, new: str) -> None:
        """A reply of one SEARCH/REPLACE block."""
        self.reply(block(path, old, new))

    def say(self, *lines: str) -> None:
        """Lines of aider's own."""
        self._add("".join(f"> {line}  \n" for line in lines))

    def applied(self, *paths: str) -> None:
        """The edits of a reply were applied."""
        self.say(*(f"Applied edit to {path}" for path in paths))

    def committed(self, name: str, subject: str) -> None:
        """A commit was made."""
        self.say(f"Commit {name} {subject}")

    def created(self, path: str) -> None:
        """The edit of a new file was allowed and applied."""
        self.say(path, "Create new file? (Y)es/(N)o [Yes]: y")
        self.applied(path)

    def _add(self, text: str) -> None:
        with self.path.open("ab") as file:
            file.write(text.encode("utf-8", "surrogateescape"))
            file.flush()
            os.fsync(file.fileno())


def block(path: str, old: str, new: str) -> str:
    """A SEARCH/REPLACE block in a model's words."""
    return f"Here it is:\n\n{path}\n```python\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n```"
