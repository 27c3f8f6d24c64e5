"""What `git add` changed in the index: the two copies that the looks kept, path by path. Pure."""

from sulcus_panel.core.capture.shell.git_index import Tracked, object_id, tracked_files
from sulcus_panel.core.commands.forward import Form, read_forward
from sulcus_panel.core.model import RefMove

MAX_MOVES = 100
EXTENDED = 0x40
"""In an entry's flags: it says more than which object a path has (that it is only intended to be added, say)."""


def asks_for_index(command: str) -> bool:
    """Say whether a command is one whose changes of the index can be taken back."""
    forward = read_forward(command)
    return forward is not None and forward.form is Form.ADD


def index_moves(before: bytes, after: bytes) -> tuple[RefMove, ...]:
    """Return each path whose mode or object changed; nothing where an index is not understood, or too much did."""
    was, now = _entries(before), _entries(after)
    if was is None or now is None:
        return ()
    moves = tuple(
        RefMove(f":{path}", was.get(path, ""), now.get(path, ""))
        for path in sorted(was.keys() | now.keys())
        if was.get(path) != now.get(path)
    )
    return moves if len(moves) <= MAX_MOVES else ()


def _entries(data: bytes) -> dict[str, str] | None:
    """Mode and id by path; None for an index with conflicts, or one that says more than these."""
    found: Tracked = tracked_files(data)
    if len(data) < 12 or int.from_bytes(data[8:12], "big") != len(found):
        return None
    if any(entry[60] & EXTENDED for entry in found.values()):
        return None
    return {
        path: f"{int.from_bytes(entry[24:28], 'big'):o} {object_id(entry)}" for path, entry in found.items()
    }
