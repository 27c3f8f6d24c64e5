"""Sulcus Panel: see what coding agents did to your files, take back exactly one thing of it."""

__version__ = "0.1.0"
