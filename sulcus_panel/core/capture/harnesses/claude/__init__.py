"""Claude Code: its hooks, transcripts and backups."""
