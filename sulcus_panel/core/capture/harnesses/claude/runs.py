"""Past runs of Claude Code, from its transcripts and file-history, so that the panel is full on the first day."""

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from sulcus_panel.core.capture.harnesses.claude.history import FileHistory
from sulcus_panel.core.capture.harnesses.claude.live import ClaudeCode
from sulcus_panel.core.capture.harnesses.claude.places import config_of, find_transcripts, with_subagents
from sulcus_panel.core.capture.harnesses.claude.tails import TranscriptTails
from sulcus_panel.core.capture.harnesses.claude.transcript import read_transcripts
from sulcus_panel.core.capture.past.entries import Importing, imported_run
from sulcus_panel.core.capture.past.into_ledger import ImportedRun


class ClaudeRuns:
    """The importer for `claude-code`."""

    harness = ClaudeCode.harness
    files = "transcript files (.jsonl) or their folder"

    def home(self, environment: Mapping[str, str]) -> Path:
        """CLAUDE_CONFIG_DIR, else `~/.claude`."""
        given = environment.get("CLAUDE_CONFIG_DIR")
        return Path(given) if given else Path(os.path.expanduser("~")) / ".claude"

    def find(self, home: Path, root: str) -> tuple[Path, ...]:
        """The transcripts of all sessions that ran at or below `root`, subagents included, oldest file first."""
        return find_transcripts(home, root)

    def growth(self, home: Path, root: str, since: datetime) -> TranscriptTails:
        """Read these as they grow, each from about then on."""
        return TranscriptTails(partial(find_transcripts, home, root), since)

    def read(self, paths: Sequence[Path], importing: Importing, home: Path | None) -> ImportedRun:
        """Read these transcripts, each session with its subagents'; the backups lie in `home`."""
        files = with_subagents(paths)
        backups = FileHistory(home or config_of(files))
        return imported_run(read_transcripts(files), importing, backups)
