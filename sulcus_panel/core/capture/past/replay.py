"""A transcript's strings as a file's bytes, exactly or not at all.

An edit is asked for with LF line ends and written back with the ends that the file had, as Claude Code does. A
display diff is only good for checking a result, since it shows tabs as two spaces; an exact patch is the change.
"""

from collections.abc import Sequence

from sulcus_panel.core.capture.adapter import TextEdit
from sulcus_panel.core.capture.edits import CRLF, LF, NOT_UNICODE, Unknown, apply_edits
from sulcus_panel.core.capture.past.patches import apply_chunks, apply_exact
from sulcus_panel.core.capture.past.records import FileCall, PatchHunk

TWO_WAYS = Unknown("what was replaced does not follow from what was left")
MIXED_ENDS = Unknown("the file's line ends are mixed and the transcript does not hold them")


def encode(text: str) -> bytes | Unknown:
    """The UTF-8 bytes of a transcript's string; half a surrogate pair stands for lost bytes."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return NOT_UNICODE


def replay_call(call: FileCall, base: bytes | None) -> bytes | Unknown:
    """The bytes after a call that ran on `base`, None: on no file, or, for a whole text, on one not known."""
    content = call.applied.content
    if content is not None:
        return encode(content) if call.is_exact else whole_text(content, base)
    known = base or b""
    if call.is_exact and call.patch:
        return apply_exact(known, call.patch)
    if call.chunks:
        return apply_chunks(known, call.chunks)
    if call.applied.moved_to and not call.applied.edits:
        return known
    return replay_edits(known, call.applied.edits, call.patch)


def replay_edits(base: bytes, edits: Sequence[TextEdit], patch: Sequence[PatchHunk]) -> bytes | Unknown:
    """The bytes after all edits, in order; `patch` shows whether a deletion took its line's end along."""
    if not edits:
        return Unknown("the transcript does not tell what was replaced")
    spelling = CRLF if b"\r\n" in base else LF
    if spelling is CRLF and base.count(b"\r\n") != base.count(b"\n"):
        return MIXED_ENDS
    plain = apply_edits(base, edits, spelling)
    if not patch or (isinstance(plain, bytes) and agrees(base, plain, patch)):
        return plain
    taken = apply_edits(base, edits, spelling, whole_lines=True)
    return taken if isinstance(taken, bytes) and agrees(base, taken, patch) else plain


def take_back_edits(after: bytes, edits: Sequence[TextEdit], patch: Sequence[PatchHunk]) -> bytes | Unknown:
    """The bytes before all edits, where each put its text in the one place that has it, and the diff agrees."""
    spelling = CRLF if b"\r\n" in after else LF
    before: bytes | Unknown = after
    for edit in reversed(edits):
        if isinstance(before, Unknown) or edit.every or not edit.old or not edit.new:
            return TWO_WAYS
        before = apply_edits(before, (TextEdit(edit.new, edit.old),), spelling)
    if isinstance(before, Unknown) or not edits or replay_edits(before, edits, patch) != after:
        return TWO_WAYS
    return before if agrees(before, after, patch) else TWO_WAYS


def whole_text(content: str, base: bytes | None) -> bytes | Unknown:
    """The bytes of a file written anew; `base` is what stood there, None where nothing or unknown."""
    if base is not None and b"\r\n" in base and "\r\n" not in content and "\n" in content:
        return Unknown("the transcript does not tell with which line ends it was written")
    return encode(content)


def same_text(one: bytes, other: bytes) -> bool:
    """Equal but for what a transcript loses: a byte order mark and the kind of line ends."""
    return one == other or _unmarked(one) == _unmarked(other)


def agrees(old: bytes, new: bytes, patch: Sequence[PatchHunk]) -> bool:
    """False where the harness's own display diff contradicts these texts. No diff contradicts nothing."""
    old_lines, new_lines = _shown_lines(old), _shown_lines(new)
    for hunk in patch:
        removed = [_shown(line[1:]) for line in hunk.lines if line[:1] in (" ", "-")]
        added = [_shown(line[1:]) for line in hunk.lines if line[:1] in (" ", "+")]
        if not _stands(removed, old_lines, hunk.old_start) or not _stands(added, new_lines, hunk.new_start):
            return False
    return True


def _stands(shown: Sequence[str], lines: Sequence[str], start: int) -> bool:
    first = max(start - 1, 0)
    return not shown or list(lines[first : first + len(shown)]) == list(shown)


def _shown_lines(data: bytes) -> list[str]:
    lines = data.decode("utf-8", "replace").removeprefix("\ufeff").split("\n")
    return [_shown(line) for line in lines]


def _shown(line: str) -> str:
    return line.rstrip("\r").removeprefix("\ufeff").replace("\t", "  ")


def _unmarked(data: bytes) -> bytes:
    return data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
