"""Completion scripts, one file a shell; each is made from the grammar and asks nothing while one types."""
