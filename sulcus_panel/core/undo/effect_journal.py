"""After a kill while references were moving: git is asked what was done, and nothing is moved any more.

The journal names every move in its order. What git says now fits after so many of them, and these are recorded;
where it fits nowhere, the person is told and decides.
"""

from collections.abc import Iterator, Sequence

from sulcus_panel.core.commands.inverse import is_staged
from sulcus_panel.core.ledger.journal import UndoJournal
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import EntryState, NewEntry, SeqId
from sulcus_panel.core.undo.git_now import common_folder, git_folder_of, head_of, id_of, opened

Picture = tuple[tuple[tuple[str, str], str | None], ...]
"""References and HEAD's branches by git folder and name, and where each is."""
HEAD = "HEAD"


def settle_effects(ledger: Ledger, journal: UndoJournal) -> str:
    """Record what was done, tell what was not; returns the sentence for the person."""
    what = ", ".join(f"#{entry.reverses}" for entry in journal.entries)
    count = _done(journal)
    left = [entry.reverses for entry in journal.entries[count or 0 :] if entry.reverses is not None]
    with ledger.write(durable=True):
        for entry in journal.entries[: count or 0]:
            ledger.append(journal.workspace_id, entry)
        if count is None:
            for seq_id in left:
                ledger.set_state(seq_id, EntryState.ATTENTION)
        _govern(ledger, journal, count or 0, left)
        if count:
            ledger.complete_undo(journal)
        ledger.finish_undo(journal.op_id)
    if count is None:
        return (
            f"The undo of {what} was interrupted, and its references are neither where they were nor where it was"
            " to move them; nothing more was moved. Please look at them."
        )
    if not left:
        return f"The undo of {what} was interrupted after its last step; it is complete and recorded."
    named = ", ".join(f"#{seq_id}" for seq_id in left)
    return f"The undo of {what} was interrupted; {named} {'is' if len(left) == 1 else 'are'} not undone."


def _govern(ledger: Ledger, journal: UndoJournal, count: int, left: Sequence[SeqId]) -> None:
    actor = journal.entries[0].actor
    detail = {"plan_digest": journal.plan_digest, "op_id": journal.op_id}
    done = tuple(entry.reverses for entry in journal.entries[:count] if entry.reverses is not None)
    told = (
        ("undo.applied", "completed at the next start", done),
        ("undo.failed", "interrupted", tuple(left)),
    )
    for kind, summary, seq_ids in told:
        if seq_ids:
            ledger.record_governance(journal.workspace_id, actor, kind, summary, seq_ids, detail)


def _done(journal: UndoJournal) -> int | None:
    """Return how many of the entries were carried out, None where git says neither."""
    import pygit2

    try:
        pictures = [*_pictures(journal)]
        now = {key: _now(key) for key, _ in pictures[0]}
    except (pygit2.GitError, KeyError, ValueError, OSError):
        return None
    return next((at for at, picture in enumerate(pictures) if dict(picture) == now), None)


def _pictures(journal: UndoJournal) -> Iterator[Picture]:
    """Yield how all stood before the first entry, and how it stands after each. Raises ValueError."""
    steps = [_step(journal.root, entry) for entry in journal.entries]
    picture: dict[tuple[str, str], str | None] = {}
    for before, _ in steps:
        picture = {**before, **picture}
    yield tuple(picture.items())
    for _, after in steps:
        picture = {**picture, **after}
        yield tuple(picture.items())


def _step(
    root: str, entry: NewEntry
) -> tuple[dict[tuple[str, str], str | None], dict[tuple[str, str], str | None]]:
    """Return what one entry moves, before and after."""
    git, problem = git_folder_of(root, entry.cwd)
    if problem or entry.git is None:
        raise ValueError(problem)
    shared = common_folder(git)
    before: dict[tuple[str, str], str | None] = {}
    after: dict[tuple[str, str], str | None] = {}
    for move in entry.git.refs:
        place = git if is_staged(move) else shared
        before[place, move.name], after[place, move.name] = move.before, move.after
    if entry.git.before.branch != entry.git.after.branch:
        before[git, HEAD] = entry.git.before.branch
        after[git, HEAD] = entry.git.after.branch
    return before, after


def _now(key: tuple[str, str]) -> str | None:
    repo = opened(key[0])
    return head_of(repo)[0] if key[1] == HEAD else id_of(repo, key[1])
