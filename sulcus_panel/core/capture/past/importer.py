"""What every harness's importer can be asked: where its runs lie, and what they say."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from sulcus_panel.core.capture.past.into_ledger import ImportedRun
from sulcus_panel.core.capture.past.run import Importing


class Importer(Protocol):
    """One harness's past runs."""

    harness: str
    files: str
    """What a person may give: `transcript files (.jsonl) or their folder`."""

    def home(self, environment: Mapping[str, str]) -> Path:
        """The folder in which the harness keeps its runs, whether it is there or not."""

    def find(self, home: Path, root: str) -> tuple[Path, ...]:
        """The files of all runs at or below `root`, oldest first; none where the harness keeps none."""

    def read(self, paths: Sequence[Path], importing: Importing, home: Path | None) -> ImportedRun:
        """Read these files; a folder stands for all in it. `home` None: the one around the files.

        What cannot be read is among the run's problems, never an error.
        """


class GrowingRuns(Protocol):
    """The runs of one folder that still go on, read as their files grow."""

    def read_on(self) -> bool:
        """Read what was written since the last time, whole lines only; whether there was anything."""

    def run(self, importing: Importing) -> ImportedRun:
        """Everything read so far, without what `importing` says is known."""


class GrowingImporter(Importer, Protocol):
    """A harness whose files grow while it works."""

    def follow(self, home: Path, root: str, since: float) -> GrowingRuns:
        """Follow the files of runs at or below `root` that were written to since then (seconds since 1970)."""
