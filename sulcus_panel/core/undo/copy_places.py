"""Where old copies could go: the first name beside a file that is free on the disk, or holds the copy already."""

from collections.abc import Collection, Sequence

from sulcus_panel.core.disk import look, names_in
from sulcus_panel.core.model import DiskFile, Entry, FileKind, FileState, LedgerPath
from sulcus_panel.core.safety import content_withheld
from sulcus_panel.core.states import same_state
from sulcus_panel.core.undo.beside import alike, copied, copy_name

MOST_TRIED = 100
"""Names; who has so many copies of one state beside a file does not need another."""


def copy_places(
    root: str, entry: Entry, disk: Collection[LedgerPath], exclude: Sequence[str]
) -> dict[LedgerPath, tuple[LedgerPath, DiskFile]]:
    """Return for each file among `disk` that an entry changed where its old copy would go, and what stands there.

    A name is free only where the folder holds none that any disk would take for it. Where the copy's contents
    might not be kept (`exclude`), it has no place, for it could not be taken back.
    """
    places: dict[LedgerPath, tuple[LedgerPath, DiskFile]] = {}
    taken = {alike(path) for path in disk}
    for change in entry.record.changes:
        if change.before.kind is not FileKind.FILE or change.path not in disk:
            continue
        found = _place(root, entry, change.path, copied(change.before), taken)
        if found is not None and not content_withheld(found[0], exclude):
            places[change.path] = found
            taken.add(alike(found[0]))
    return places


def _place(
    root: str, entry: Entry, path: LedgerPath, copy: FileState, taken: Collection[str]
) -> tuple[LedgerPath, DiskFile] | None:
    folder, slash, name = path.rpartition("/")
    names = {alike(each) for each in names_in(root, LedgerPath(folder or ".")) or ()}
    for number in range(1, MOST_TRIED + 1):
        wanted = copy_name(name, entry.seq_id, number)
        place = LedgerPath(f"{folder}{slash}{wanted}")
        if alike(place) in taken:
            continue
        there = look(root, place)
        is_free = there.state.kind is FileKind.ABSENT and alike(wanted) not in names
        if is_free or same_state(there.state, copy):
            return place, there
    return None
