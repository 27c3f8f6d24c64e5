"""Copilot CLI: its hooks and its session events."""
