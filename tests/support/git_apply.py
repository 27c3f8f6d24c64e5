"""The real `git apply`, which decides what is a patch."""

import os
import subprocess
from pathlib import Path


def git_apply(folder: Path, patch: bytes, *options: str) -> str:
    """Run the real git on a folder that is no repository; what it says."""
    quiet = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CEILING_DIRECTORIES": "/"}
    done = subprocess.run(
        ["git", "apply", "--whitespace=nowarn", *options, "-"],
        cwd=folder,
        input=patch,
        capture_output=True,
        env={**os.environ, **quiet},
        check=False,
    )
    return done.stderr.decode(errors="replace") if done.returncode else ""
