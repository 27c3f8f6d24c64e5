"""Cursor: its hooks, and the little that its transcripts hold."""
