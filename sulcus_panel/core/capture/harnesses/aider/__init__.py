"""aider: its chat history and the commits that it makes."""
