"""What a thousand real edits take in the ledger, against git's own packs of the same edits.

The edits are those of a repository's history: for each changed text file of each commit, oldest first, the file
before and after. The ledger file is measured whole, after packing and vacuuming, and its snapshots alone; git
packs blobs, trees and commits. Exits 1 where a limit is missed.

    python -m benchmarks.store [REPOSITORY]
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.edits import edit_of
from benchmarks.history import git_environment
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.model import LedgerPath
from sulcus_panel.service.operations import Operations

EDITS = 1_000
MOST_BYTES = 262_144
OF_RAW, OF_GIT = 0.08, 1.3
BATCH = 50


@dataclass(frozen=True, slots=True)
class RealEdit:
    """One file's change in one commit."""

    path: str
    before: bytes
    after: bytes


def main(arguments: list[str]) -> int:
    """Collect, record, pack, compare."""
    repository = Path(arguments[0] if arguments else Path(__file__).parents[1])
    edits = list(real_edits(repository))
    if len(edits) < EDITS // 2:
        raise SystemExit(f"{repository} holds only {len(edits)} edits of text files; give another repository")
    raw = sum(len(edit.before) + len(edit.after) for edit in edits)
    with tempfile.TemporaryDirectory() as folder:
        snapshots, whole = in_ledger(edits, Path(folder))
        packed = in_git(edits, Path(folder) / "git")
    print(f"{len(edits)} edits, {raw / 2**20:.1f} MB before and after")
    rows = (
        ("snapshots / raw", snapshots / raw, OF_RAW),
        ("snapshots / git repack -adf", snapshots / packed, OF_GIT),
        ("whole ledger file / raw", whole / raw, None),
        ("whole ledger file / git repack -adf", whole / packed, None),
    )
    for name, ratio, limit in rows:
        told = "" if limit is None else f"; limit {limit}: {'met' if ratio <= limit else 'MISSED'}"
        print(f"{name}: {ratio:.3f}{told}")
    return int(any(limit is not None and ratio > limit for _, ratio, limit in rows))


def real_edits(repository: Path) -> Iterator[RealEdit]:
    """The first EDITS edits of the history's first parents, binary and large files left out."""
    log = git(
        repository, "log", "--first-parent", "--reverse", "--no-renames", "--raw", "--no-abbrev", "--format="
    )
    count = 0
    for line in log.decode("utf-8", "surrogateescape").splitlines():
        fields, _, path = line.partition("\t")
        words = fields.split()
        if len(words) != 5 or words[4] != "M" or count >= EDITS:
            continue
        before, after = (git(repository, "cat-file", "blob", words[at]) for at in (2, 3))
        if b"\0" in before + after or max(len(before), len(after)) > MOST_BYTES:
            continue
        count += 1
        yield RealEdit(path, before, after)


def in_ledger(edits: list[RealEdit], folder: Path) -> tuple[int, int]:
    """The bytes of the packed snapshots, and of the ledger file around them."""
    home, root = DataHome(folder / "data"), folder / "work"
    root.mkdir()
    began = datetime.now(UTC) - timedelta(days=1)
    with Operations.open(home) as operations:
        workspace = operations.register(root)
        operations.ledger.set_setting(workspace.id, "max_entries", 50_000)
        for at in range(0, len(edits), BATCH):
            with operations.ledger.write():
                for number, edit in enumerate(edits[at : at + BATCH], start=at):
                    entry, contents = edit_of(LedgerPath(edit.path), edit.before, edit.after)
                    entry = replace(entry, uid=f"edit-{number}", at=began + timedelta(seconds=number))
                    operations.ledger.append(workspace.id, entry, contents=contents)
        while not operations.ledger.blobs.pack().is_done:
            pass
        snapshots = operations.store_size()
    subprocess.run([sys.executable, "-c", VACUUM, home.database], check=True)
    return snapshots, home.database.stat().st_size


VACUUM = "import sqlite3, sys; base = sqlite3.connect(sys.argv[1]); base.execute('VACUUM'); base.close()"


def in_git(edits: list[RealEdit], folder: Path) -> int:
    """The bytes of one pack with a commit for each state."""
    folder.mkdir()
    git(folder, "init", "-q")
    commands = bytearray()
    for number, edit in enumerate(edits):
        for step, data in enumerate((edit.before, edit.after)):
            at = 1_700_000_000 + 2 * number + step
            commands += b"commit refs/heads/main\ncommitter a <a@example.org> %d +0000\ndata 1\nx\n" % at
            name = os.fsencode(edit.path).replace(b"\\", b"\\\\").replace(b'"', b'\\"')
            commands += b'M 644 inline "%s"\ndata %d\n%s\n' % (name, len(data), data)
    git(folder, "fast-import", "--quiet", data=bytes(commands))
    git(folder, "repack", "-adfq")
    return sum(path.stat().st_size for path in (folder / ".git" / "objects" / "pack").glob("*.pack"))


def git(folder: Path, *arguments: str, data: bytes | None = None) -> bytes:
    """One git command's answer."""
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, input=data, env=git_environment(), capture_output=True, check=True).stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
