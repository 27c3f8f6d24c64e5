"""Texts compared: exact hunks for the ledger and the undo, rows and word marks for whoever shows them.

The modules are imported as their names are asked for: an undo needs the hunks, not what a window shows of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sulcus_panel.core.diff.comparison import Comparison, DiffSide, compare
    from sulcus_panel.core.diff.hunks import (
        apply_hunks,
        carry_texts,
        count_lines,
        diff_hunks,
        is_binary,
        lines_in,
        split_lines,
    )
    from sulcus_panel.core.diff.patch import render_patch
    from sulcus_panel.core.diff.rows import DiffRow, DiffRows, RowKind, diff_rows
    from sulcus_panel.core.diff.unified import render_hunks, render_unified

__all__ = [
    "Comparison",
    "DiffRow",
    "DiffRows",
    "DiffSide",
    "RowKind",
    "apply_hunks",
    "carry_texts",
    "compare",
    "count_lines",
    "diff_hunks",
    "diff_rows",
    "is_binary",
    "lines_in",
    "render_hunks",
    "render_patch",
    "render_unified",
    "split_lines",
]

_HOMES = {
    "comparison": ("Comparison", "DiffSide", "compare"),
    "hunks": (
        "apply_hunks",
        "carry_texts",
        "count_lines",
        "diff_hunks",
        "is_binary",
        "lines_in",
        "split_lines",
    ),
    "patch": ("render_patch",),
    "rows": ("DiffRow", "DiffRows", "RowKind", "diff_rows"),
    "unified": ("render_hunks", "render_unified"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import a name's module with the first use of the name."""
    module = _HOME_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = found
    return found
