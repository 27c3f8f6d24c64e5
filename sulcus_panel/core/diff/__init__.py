"""Texts compared: exact hunks for the ledger and the undo, rows and word marks for whoever shows them."""

from sulcus_panel.core.diff.comparison import Comparison, DiffSide, compare
from sulcus_panel.core.diff.hunks import (
    apply_hunks,
    carry_texts,
    count_lines,
    diff_hunks,
    is_binary,
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
    "render_hunks",
    "render_patch",
    "render_unified",
    "split_lines",
]
