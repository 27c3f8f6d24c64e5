"""Cline, in an editor and on the command line: its hooks, and the runs that it keeps."""
