"""One main class a file: models."""
