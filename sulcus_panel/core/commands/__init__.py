"""Commands and their inverses: what was asked in words, what was seen to happen, what would take it back. Pure."""
