"""Which warnings must be read before deciding and which are good to know, the gravest first. No Qt."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.model import UndoPlan, Warning

SAID_ELSEWHERE = frozenset({"drift", "deletes", "comes_back", "moves_back"})
"""Kinds that the sheet says by itself: its banners, its ticks, its list of what becomes of the disk."""
MOST_OF_A_KIND = 4
HEADINGS = {
    "look_first": "Look at it first",
    "late_write": "Written meanwhile",
    "session_active": "Still at work",
    "later_same_lines": "On the same lines",
    "unverified_pre_image": "Not seen by us",
    "before_unknown": "Not known",
    "not_kept": "Not kept",
    "hard_link": "More than one name",
    "not_race_free": "Replaced in two steps",
    "not_alone": "Changed in place",
    "unsure": "Not sure whose",
    "unseen": "Not all seen",
    "command": "A command",
    "git_moved": "Git stays",
    "effect_stays": "Stays as it is",
    "command_stays": "Stays as it is",
    "folder_kept": "A folder stays",
    "later_kept": "Later work stays",
    "read_by": "Also look at",
}
"""What stands before the sentences of each kind, in the order of their weight."""
OTHER = "Please note"
QUIET = ("folder_kept", "later_kept", "read_by")
"""Kinds that change nothing about what happens to these files."""
_WEIGHTS = {code: weight for weight, code in enumerate(HEADINGS)}


@dataclass(frozen=True, slots=True)
class Told:
    """One kind of warning: its heading and its sentences, of which only the first are shown."""

    heading: str
    sentences: tuple[str, ...]
    grave: bool


def told(plan: UndoPlan) -> tuple[Told, ...]:
    """Return what the plan warns of, the gravest kind first; drift is told by its own banner."""
    return _by_kind(warning for warning in plan.warnings if warning.code not in SAID_ELSEWHERE)


def news(warnings: Iterable[Warning], known: Iterable[Warning]) -> tuple[Told, ...]:
    """Return what is warned of now and was not before."""
    before = {warning.text for warning in known}
    return _by_kind(warning for warning in warnings if warning.text not in before)


def _by_kind(warnings: Iterable[Warning]) -> tuple[Told, ...]:
    kinds: dict[str, list[Warning]] = {}
    for warning in warnings:
        kinds.setdefault(HEADINGS.get(warning.code, OTHER), []).append(warning)
    ordered = sorted(kinds.items(), key=lambda kind: _weight(kind[1][0].code))
    return tuple(
        Told(heading, tuple(_sentences(of_kind)), of_kind[0].code not in QUIET)
        for heading, of_kind in ordered
    )


def _weight(code: str) -> float:
    """Weigh a kind; one that is not known here stands before those that are only good to know."""
    return _WEIGHTS.get(code, _WEIGHTS[QUIET[0]] - 0.5)


def _sentences(warnings: list[Warning]) -> Iterator[str]:
    shown = len(warnings) if len(warnings) <= MOST_OF_A_KIND + 1 else MOST_OF_A_KIND
    for warning in warnings[:shown]:
        text = plain(warning.text, 600)
        yield text if text[-1:] in ".!?…" else f"{text}."
    if rest := len(warnings) - shown:
        yield f"And {rest:,} more of this kind."
