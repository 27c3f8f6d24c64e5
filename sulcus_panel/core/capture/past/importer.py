"""What every harness's importer can be asked: where its runs lie, and what they say."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

from sulcus_panel.core.capture.past.entries import Importing
from sulcus_panel.core.capture.past.into_ledger import ImportedRun

Wanted = Callable[[Path], bool]
"""Whether a file is worth opening, by what a look at its folder tells."""


def every_file(_path: Path) -> bool:
    """Each is wanted."""
    return True


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


class Growth(Protocol):
    """Which files of one folder's runs may tell of calls that no hook told of."""

    def suspects(self, is_known: Callable[[str], bool], ripe: datetime) -> tuple[Path, ...]:
        """Files that may tell of such calls up to `ripe`; `is_known`: whether this uid's call is told already.

        What has not grown is not opened. A file is named again until it is settled.
        """

    def settle(self, paths: Sequence[Path]) -> None:
        """These were read as a whole, and what they told until then is recorded."""


class TwiceTold(Importer, Protocol):
    """A harness whose calls are told twice: by its hooks, and by files that grow with them."""

    def growth(self, home: Path, root: str, since: datetime) -> Growth:
        """Watch the files of runs at or below `root` for calls since then."""
