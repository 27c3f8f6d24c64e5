"""Copilot's agents in VS Code: their hooks and the chat sessions that VS Code keeps."""
