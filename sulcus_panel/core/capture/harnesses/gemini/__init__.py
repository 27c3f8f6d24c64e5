"""Gemini CLI: its hooks and its chats."""
