"""May this path be written, may its contents be kept, how is a foreign string shown, is this command safe?

One answer for all doors and all stages (record, preview, apply), so that no door is laxer than another. Pure text,
no disk. The guard of commands is a room of its own that is entered only when a command is judged.
"""

from pathlib import PurePath
from typing import TYPE_CHECKING

from sulcus_panel.core.safety.paths import (
    DRIVES,
    EXCLUDED,
    HARMLESS,
    MAX_NAME_BYTES,
    MAX_PATH_BYTES,
    MAY_HOLD_A_SECRET,
    WITHHELD,
    WITHHELD_REASONS,
    check_path,
    content_withheld,
    folded,
    names_a_drive,
)
from sulcus_panel.core.safety.texts import MAX_COMBINING, escaped, plain

if TYPE_CHECKING:
    from sulcus_panel.core.safety.guard.verdict import Verdict

__all__ = [
    "DRIVES",
    "EXCLUDED",
    "HARMLESS",
    "MAX_COMBINING",
    "MAX_NAME_BYTES",
    "MAX_PATH_BYTES",
    "MAY_HOLD_A_SECRET",
    "WITHHELD",
    "WITHHELD_REASONS",
    "check_path",
    "content_withheld",
    "escaped",
    "folded",
    "is_command_safe",
    "names_a_drive",
    "plain",
]


def is_command_safe(text: str, *, root: PurePath) -> "Verdict":
    """Say whether `text` is one plain command of the known inverses, below the workspace `root`.

    Total and pure: never raises, looks nothing up, and the default is no. A yes means "may go on to be bound to
    what was observed, checked on disk, shown and confirmed", never "may run".
    """
    from sulcus_panel.core.safety.guard.judge import judge

    return judge(text, root)
