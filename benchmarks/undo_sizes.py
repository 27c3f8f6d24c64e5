"""Sizes at which merge tools break: the text engine beside `git merge-file` as a process, wall time and answer.

Every input has a known truth, or must end in a conflict. Usage: undo_sizes.py [name…]
"""

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sulcus_panel.core.model import SeqId
from sulcus_panel.core.undo.blame import Passage
from sulcus_panel.core.undo.lines import edits_between
from sulcus_panel.core.undo.text import Turn, take_back


@dataclass(frozen=True, slots=True)
class Size:
    """One input; `truth` is None where nothing but a conflict is right. `limit` is a multiple of git's time."""

    name: str
    before: bytes
    after: bytes
    disk: bytes
    truth: bytes | None
    limit: float


def sizes() -> Iterator[Size]:
    """Yield every input of the table."""
    chance = random.Random(7)
    yield long_file("160,000 lines, 200 later edits", 160_000, 200, 1.1, chance)
    yield long_file("100,000 lines, 1,000 later edits", 100_000, 1_000, 5, chance)
    yield long_file("100,000 lines, 20,000 later edits", 100_000, 20_000, 5, chance)
    for name, count in (("100 KB", 2_500), ("2 MB", 50_000)):
        values = [b'"key%d": "value number %d"' % (at, at) for at in range(count)]
        yield one_line_json(f"{name} of JSON in one line", values)
    yield from awkward(chance)


def long_file(name: str, lines: int, edits: int, limit: float, chance: random.Random) -> Size:
    """Return a long file with later edits all over it, the turn's own line excepted."""
    text = [b"line %d of a long file, with some words in it\n" % at for at in range(lines)]
    own = lines // 2
    after = list(text)
    after[own] = b"the turn was here\n"
    disk = list(after)
    for at in chance.sample([at for at in range(lines) if at != own], edits):
        disk[at] = b"later edit at %d\n" % at
    truth = list(disk)
    truth[own] = text[own]
    return Size(name, b"".join(text), b"".join(after), b"".join(disk), b"".join(truth), limit)


def one_line_json(name: str, values: list[bytes]) -> Size:
    """Return JSON without line breaks, another of its values edited later."""
    before, after, disk = list(values), list(values), list(values)
    after[len(values) // 3] = disk[len(values) // 3] = b'"key": "by the turn"'
    disk[2 * len(values) // 3] = before[2 * len(values) // 3].replace(b"number", b"later")
    truth = list(disk)
    truth[len(values) // 3] = before[len(values) // 3]
    written = [b"{" + b", ".join(each) + b"}" for each in (before, after, disk, truth)]
    return Size(name, written[0], written[1], written[2], written[3], limit=400)


def awkward(chance: random.Random) -> Iterator[Size]:
    """Yield texts without landmarks, and such as are not the same text any more."""
    blank = [b"\n"] * 100_000
    after = [*blank[:50_000], b"the turn\n", *blank[50_000:]]
    disk = [b"later\n", *after]
    truth = b"".join([b"later\n", *blank])
    yield Size("100,000 blank lines", b"".join(blank), b"".join(after), b"".join(disk), truth, 5)
    text = [b"line %d\n" % at for at in range(20_000)]
    after = [*text[:10_000], b"the turn\n", *text[10_001:]]
    rewritten = [b"another %d\n" % at for at in range(20_000)]
    before, left = b"".join(text), b"".join(after)
    yield Size("20,000 lines all rewritten", before, left, b"".join(rewritten), None, 5)
    shuffled = list(after)
    chance.shuffle(shuffled)
    yield Size("20,000 lines shuffled", before, left, b"".join(shuffled), None, 5)
    disk_crlf, truth = left.replace(b"\n", b"\r\n"), before.replace(b"\n", b"\r\n")
    yield Size("20,000 lines with other line ends", before, left, disk_crlf, truth, 20)


def by_engine(size: Size) -> bytes | None:
    """Undo as the product does, the later version known but not how it came about."""
    turn = Turn.of(size.before, size.after, ())
    step = Passage(edits_between(size.after, size.disk), (SeqId(2),), texts=(size.after, size.disk))
    answer = take_back(turn, size.disk, [step], range(len(turn.hunks)))
    return answer.result if all(verdict.clean for verdict in answer.verdicts) else None


def by_git(size: Size) -> bytes | None:
    """Undo as `git revert` does to one file."""
    with tempfile.TemporaryDirectory() as folder:
        names = [Path(folder, name) for name in ("ours", "base", "theirs")]
        for name, data in zip(names, (size.disk, size.after, size.before), strict=True):
            name.write_bytes(data)
        done = subprocess.run(["git", "merge-file", "-p", "-q", *names], capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None


def measured(undo: Callable[[Size], bytes | None], size: Size) -> tuple[str, float]:
    """Return the answer in a word, and the best wall time of three in milliseconds."""
    best, word = float("inf"), ""
    for _ in range(3):
        start = time.perf_counter()
        found = undo(size)
        best = min(best, (time.perf_counter() - start) * 1e3)
        word = "conflict" if found is None else "right" if found == size.truth else "WRONG"
    return word, best


def main() -> int:
    """Print the table; a wrong answer or a missed limit fails."""
    failed = 0
    for size in sizes():
        if len(sys.argv) > 1 and not any(word in size.name for word in sys.argv[1:]):
            continue
        (own, ms), (git, git_ms) = measured(by_engine, size), measured(by_git, size)
        late = ms > size.limit * git_ms
        failed += late or own == "WRONG" or (own == "conflict" and size.truth is not None)
        print(
            f"{size.name:36} {own:8} {ms:8.1f} ms   git {git:8} {git_ms:8.1f} ms   "
            f"{ms / git_ms:5.2f} of {size.limit:g}{' LATE' if late else ''}"
        )
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
