"""Disks that are full or small, and files that even root cannot replace; a machine without them skips the test."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest


@contextmanager
def immutable(path: Path) -> Iterator[None]:
    """A file that even root cannot replace."""
    tool = shutil.which("chattr")
    if tool is None or subprocess.run([tool, "+i", path], check=False, capture_output=True).returncode:
        pytest.skip("no immutable files here")
    try:
        yield
    finally:
        subprocess.run([tool, "-i", path], check=True)


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """A file system of 256 KB of its own, mounted at `folder`: also a mount point inside the workspace."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


def fill(path: Path) -> None:
    """Write to a file until its disk has no room left."""
    with path.open("wb", buffering=0) as full, suppress(OSError):
        while full.write(b"z" * 4096):
            continue
