"""Lines that a turn cut, and that stand in the text again: to put them in once more would double them.

They came back at their place, or as a part of what replaced their neighbours; later work may have moved or changed
them since. Told by what each later step put in, not by likeness.
"""

from collections.abc import Iterator, Sequence

from sulcus_panel.core.diff import split_lines
from sulcus_panel.core.diff.alignments import Edit
from sulcus_panel.core.model import Hunk
from sulcus_panel.core.undo.blame import Passage, born_in, comes_of, mapped, touching
from sulcus_panel.core.undo.places import TELLING, Text
from sulcus_panel.core.undo.turn import Lines, Run, Turn, Verdict, span


class Returns:
    """What each later step put in where a turn had cut lines."""

    def __init__(self, turn: Turn, passages: Sequence[Passage], after: Text, now: Text) -> None:
        self.turn, self.passages = turn, passages
        self.after, self.now = after, now

    def came_back(self, hunk: Hunk) -> list[Run]:
        """Find where lines are now that a later step put back just as the hunk took them out, if any are left."""
        if hunk.after_lines or not hunk.before_lines:
            return []
        return [
            mapped(put, self.passages[number + 1 :])
            for number, point, edit in touching(span(hunk), self.passages)
            for put in _put_back(hunk, edit, point)
            if self._is_left(hunk, number, put)
        ]

    def are_back(self, hunk: Hunk) -> bool:
        """Say whether lines that the hunk cut came back in part, or elsewhere."""
        return self._went_elsewhere(hunk) or self.came_back_in_part(hunk)

    def came_back_in_part(self, hunk: Hunk) -> bool:
        """Say whether a line that the hunk cut came back at its place with others, and something of it is left."""
        cut = {line for line in self.turn.restores(hunk) if len(line.strip()) >= TELLING}
        gone = {line for line in cut if not self.after.count((line,), 1)}
        return bool(gone) and any(
            line in gone and self._stays(number, (at, at + 1))
            for number, _, edit in touching(span(hunk), self.passages)
            for at, line in enumerate(self._put_in(number, (edit.b0, edit.b1)), edit.b0)
        )

    def stand_anew(self, restored: Lines) -> bool:
        """Say whether lines that were gone after the turn stand somewhere: would they come back, or be doubled?"""
        telling = any(line.strip() for line in restored)
        return telling and self.now.count(restored, 1) > self.after.count(restored, 1)

    def stand_beside(self, index: int, best: Verdict) -> bool:
        """Say whether lines that would come back stand right there, as they did not when the turn had cut them."""
        if not any(line.strip() for line in best.restored):
            return False
        at, room = self.turn.hunks[index].after_start, self.turn.room(index)
        stood = any(_beside(best.restored, self.turn.after, at + slid) for slid in (0, *room))
        return not stood and _beside(best.restored, self.now.lines, best.start)

    def _went_elsewhere(self, hunk: Hunk) -> bool:
        """Say whether lines that the hunk cut stand elsewhere: an undo put them there, or they had come back.

        An undo of another part of the same entry puts lines of its own there, however equal they are.
        """
        restored = self.turn.restores(hunk)
        if hunk.after_lines or not self.stand_anew(restored):
            return False
        born = {born_in(line, self.passages) for line in self.now.places(restored)}
        if any(
            self.passages[number].undo and not self.passages[number].kin
            for number in born
            if number is not None
        ):
            return True
        return any(_puts_in(hunk, edit, point) for _, point, edit in touching(span(hunk), self.passages))

    def _is_left(self, hunk: Hunk, number: int, put: tuple[int, int]) -> bool:
        """Say whether lines that a passage put in are those that the hunk took out, and have not all gone since.

        A blank line is nobody's in particular, unless an undo brought it back.
        """
        restored = self.turn.restores(hunk)
        if not (self.passages[number].undo or any(line.strip() for line in restored)):
            return False
        return self._stays(number, put) and self._put_in(number, put) == restored

    def _stays(self, number: int, put: Run) -> bool:
        """Say whether something is left of lines that a passage put in."""
        later = self.passages[number + 1 :]
        return any(comes_of(line, *put, later) for line in range(*mapped(put, later)))

    def _put_in(self, number: int, put: Run) -> Lines:
        """Return the lines that a passage put in; what has come of them, where its texts are not known."""
        texts = self.passages[number].texts
        if texts is None:
            return self.now.lines[slice(*mapped(put, self.passages[number + 1 :]))]
        return tuple(split_lines(texts[1])[slice(*put)])


def _puts_in(hunk: Hunk, edit: Edit, point: int) -> bool:
    """Say whether an edit puts as many lines in at a point as a hunk cut, and takes nothing."""
    return edit.a0 == edit.a1 == point and edit.b1 - edit.b0 == hunk.before_lines


def _put_back(hunk: Hunk, edit: Edit, point: int) -> Iterator[Run]:
    """Yield the lines of an edit that may be those which a hunk cut at a point.

    All of them; or of what replaced the lines beside the place those that begin or end there.
    """
    size = hunk.before_lines
    if _puts_in(hunk, edit, point):
        yield edit.b0, edit.b1
    if edit.a0 == edit.a1 or edit.b1 - edit.b0 < size:
        return
    if edit.a0 == point:
        yield edit.b0, edit.b0 + size
    if edit.a1 == point:
        yield edit.b1 - size, edit.b1


def _beside(run: Sequence[bytes], lines: Sequence[bytes], at: int) -> bool:
    """Say whether a run of lines stands right above a place, or right below."""
    return run in (lines[max(0, at - len(run)) : at], lines[at : at + len(run)])
