"""Other things to look at in the middle of the window."""
