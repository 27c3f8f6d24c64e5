"""The terminal door: one verb a file; parses and prints, decides nothing."""
