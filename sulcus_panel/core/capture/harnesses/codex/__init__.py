"""Codex CLI: its hooks and rollouts."""
