"""One main class a file: views."""
