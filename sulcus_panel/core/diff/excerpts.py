"""Which lines a unified diff shows: the differences near each other with the unchanged lines around them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sulcus_panel.core.model import Hunk

UNCHANGED, REMOVED, ADDED = " ", "-", "+"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Differences that share their context, and the lines they stand in; from 0, ends half-open."""

    hunks: tuple[Hunk, ...]
    old: tuple[int, int]
    new: tuple[int, int]

    @property
    def header(self) -> str:
        """The line that says where it stands, from 1, as every patch tool reads it."""
        return f"@@ -{_range(*self.old)} +{_range(*self.new)} @@"

    def lines(self) -> Iterator[tuple[str, int]]:
        """Give each line with its sign: an added one by its number in the new text, others in the old."""
        at = self.old[0]
        for hunk in self.hunks:
            end = hunk.before_start + hunk.before_lines
            yield from ((UNCHANGED, line) for line in range(at, hunk.before_start))
            yield from ((REMOVED, line) for line in range(hunk.before_start, end))
            yield from (
                (ADDED, line) for line in range(hunk.after_start, hunk.after_start + hunk.after_lines)
            )
            at = end
        yield from ((UNCHANGED, line) for line in range(at, self.old[1]))


def excerpts(hunks: Sequence[Hunk], old_lines: int, context: int) -> list[Excerpt]:
    """Put hunks together whose `context` lines would touch; the old text has `old_lines` lines."""
    groups: list[list[Hunk]] = []
    end = 0
    for hunk in hunks:
        if groups and hunk.before_start - end <= 2 * context:
            groups[-1].append(hunk)
        else:
            groups.append([hunk])
        end = hunk.before_start + hunk.before_lines
    return [_excerpt(tuple(group), old_lines, context) for group in groups]


def _excerpt(hunks: tuple[Hunk, ...], old_lines: int, context: int) -> Excerpt:
    first, last = hunks[0], hunks[-1]
    old_end, new_end = last.before_start + last.before_lines, last.after_start + last.after_lines
    above, below = min(context, first.before_start), min(context, old_lines - old_end)
    return Excerpt(
        hunks,
        (first.before_start - above, old_end + below),
        (first.after_start - above, new_end + below),
    )


def _range(start: int, end: int) -> str:
    count = end - start
    first = start + 1 if count else start
    return f"{first}" if count == 1 else f"{first},{count}"
