"""What the diff pane shows of one entry, made on a worker: which files, and one of them compared."""

from dataclasses import dataclass

from sulcus_panel.core.diff import DiffSide
from sulcus_panel.core.model import Entry, LedgerPath, SeqId
from sulcus_panel.core.safety import plain
from sulcus_panel.service.interface import Verbs
from sulcus_panel.service.operations import DiffView, FileDiff
from sulcus_panel.ui.syntax import SyntaxLines, lex
from sulcus_panel.ui.views.diff_document import DiffDocument, build_document

MAX_COLOURED = 1_000_000
COLOUR_SECONDS = 1.5
NOTHING_CHANGED = "This change touched no file whose contents are known."


@dataclass(frozen=True, slots=True)
class Asked:
    """What the person wants to see."""

    seq_id: SeqId
    view: DiffView = DiffView.CHANGE
    file: int | None = None
    """Which of its files; None: the first of which there is something to see."""
    ignore_blanks: bool = False


@dataclass(frozen=True, slots=True)
class ShownChange:
    """The answer: the entry, its paths, and the document of the path asked for."""

    asked: Asked
    entry: Entry
    files: tuple[LedgerPath, ...]
    document: DiffDocument
    file: int = 0


def read_change(operations: Verbs, asked: Asked) -> ShownChange:
    """Read one entry and compare the file asked for. Raises NotFound."""
    entry = operations.entry(asked.seq_id)
    diffs = operations.diff(asked.seq_id, asked.view)
    files = tuple(diff.path for diff in diffs)
    if not diffs:
        return ShownChange(asked, entry, (), DiffDocument("", message=NOTHING_CHANGED))
    first = next((at for at, diff in enumerate(diffs) if not diff.message), 0)
    file = first if asked.file is None else min(asked.file, len(diffs) - 1)
    document = _document(diffs[file], ignore_blanks=asked.ignore_blanks)
    return ShownChange(asked, entry, files, document, file)


def colour(document: DiffDocument) -> dict[DiffSide, SyntaxLines]:
    """Lex both sides; empty where it would take too long."""
    if document.comparison is None:
        return {}
    return {
        side: lex(document.path, document.text(side), max_chars=MAX_COLOURED, time_limit=COLOUR_SECONDS)
        for side in DiffSide
    }


def _document(diff: FileDiff, *, ignore_blanks: bool) -> DiffDocument:
    labels = plain(diff.old_label, 120), plain(diff.new_label, 120)
    if diff.hunks:  # joined, they are no file: the labels say so, and the numbers are theirs among themselves
        old, new = (b"".join(text or b"" for text in side) for side in _texts(diff))
        noted = (
            f"{labels[0]}: only the changed lines are kept",
            f"{labels[1]}: only the changed lines are kept",
        )
        return build_document(diff.path, old, new, labels=noted, ignore_whitespace=ignore_blanks)
    if diff.message:
        return DiffDocument(diff.path, None, plain(diff.message, 600), *labels)
    return build_document(diff.path, diff.old, diff.new, labels=labels, ignore_whitespace=ignore_blanks)


def _texts(diff: FileDiff) -> tuple[list[bytes | None], list[bytes | None]]:
    return [hunk.old for hunk in diff.hunks], [hunk.new for hunk in diff.hunks]
