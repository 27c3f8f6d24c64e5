"""What git says now of the references that a command had moved: undo/git_now.py reads it, undo/effects.py plans."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class GitNow:
    """One repository, as far as one command concerns it. `problem`: why it may not be touched, or was not read."""

    git: str = ""
    """The git folder of the working tree."""
    problem: str = ""
    branch: str | None = None
    """HEAD's branch, None where it stands on none."""
    head: str = ""
    refs: Mapping[str, str] = field(default_factory=dict)
    """The ids of the references that are there, of those asked about."""
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    """References that another working tree has checked out, and which."""
    missing: frozenset[str] = frozenset()
    """Ids that the repository does not hold."""
    parents: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of commits."""
    pushed: Mapping[str, str] = field(default_factory=dict)
    """Commits that a remote's branch holds, and which."""
