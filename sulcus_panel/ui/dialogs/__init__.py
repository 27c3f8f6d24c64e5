"""One main class a file: dialogs."""
