"""What must be ticked, one by one, before a yes: what the plan wants consent to, and what it would lead to."""

from dataclasses import dataclass

from sulcus_panel.core.model import FileKind, LedgerPath
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.model import UndoPlan
from sulcus_panel.ui.dialogs import undo_words as words
from sulcus_panel.ui.dialogs.moves import written_moves
from sulcus_panel.ui.models.wording import listed

FEW = 5
SHORT_PATH = 90


@dataclass(frozen=True, slots=True)
class Demand:
    """A sentence to tick. `key` is the consent that the tick gives, "" for a consequence.

    `digest` is the plan that it was asked of where a tick holds for that one only.
    """

    text: str
    key: str = ""
    digest: str = ""


def demands(plan: UndoPlan) -> tuple[Demand, ...]:
    """Return what must be ticked, the plan's own consents first; empty for a plain single undo."""
    if not plan.can_apply:
        return ()
    asked = [Demand(plain(each.text, 600), each.key, plan.digest) for each in plan.consents]
    return (*asked, *map(Demand, consequences(plan)))


def consequences(plan: UndoPlan) -> tuple[str, ...]:
    """Return what else the person should know by name before a yes."""
    named = []
    moved = {move.new for move in written_moves(plan)}
    gone = [w for w in plan.writes if w.result.kind is FileKind.ABSENT and w.path not in moved]
    if files := [write.path for write in gone if write.disk.kind is not FileKind.DIRECTORY]:
        named.append(f"{_paths(files)} will be deleted")
    if folders := [write.path for write in gone if write.disk.kind is FileKind.DIRECTORY]:
        noun = "The empty folder" if len(folders) == 1 else "The empty folders"
        named.append(f"{noun} {_paths(folders)} will be removed")
    if plan.drift:
        verb = "was" if len(plan.drift) == 1 else "were"
        named.append(f"I know that {_paths(list(plan.drift))} {verb} changed outside the agents")
    if len(plan.running) > 1:
        named.append("They go back newest first; the first that cannot stops those before it in time")
    elif len(plan.entries) > 1:
        named.append(f"All {len(plan.entries)} changes in {words.files(plan)} go together, or none does")
    return tuple(named)


def still_to_tick(ticked: int, count: int) -> str:
    """Say why a yes is not possible yet; empty where it is."""
    if ticked >= count:
        return ""
    if count == 1:
        return "Tick the line above first."
    return f"Tick what stands above first: {count - ticked} of {count} still to go."


def _paths(paths: list[LedgerPath]) -> str:
    more = f" and {len(paths) - FEW} more" if len(paths) > FEW else ""
    return listed([_short(path) for path in paths[:FEW]]) + more


def _short(path: LedgerPath) -> str:
    text = words.path_text(path)
    half = SHORT_PATH // 2
    return text if len(text) <= SHORT_PATH else f"{text[: half - 1]}…{text[-half:]}"
