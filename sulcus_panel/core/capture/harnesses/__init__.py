"""One folder a harness: its hooks in our words, and its past runs as records."""
