"""Two programs that have the same number over their types understand each other."""

from dataclasses import dataclass
from enum import StrEnum

from sulcus_panel.service import panel_verbs
from sulcus_panel.service.panel_verbs import Signature, forms, signatures


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Inner:
    colour: Colour


@dataclass(frozen=True)
class Outer:
    inner: tuple[Inner, ...]


def test_a_signature_knows_what_is_needed() -> None:
    found = signatures()["governance"]
    assert found.required == {"workspace_id"}
    assert set(found.parameters) == {"workspace_id", "limit", "kind_prefix"}


def test_the_number_stays_the_same_in_another_process() -> None:
    before = forms()
    forms.cache_clear()
    signatures.cache_clear()
    assert forms() == before


def test_every_type_at_any_depth_counts() -> None:
    seen: dict[str, str] = {}
    panel_verbs._look_into(Outer, seen)
    assert set(seen) == {"Outer", "Inner", "Colour"}
    assert seen["Colour"] == "red"


def test_a_verb_without_parameters_has_none() -> None:
    def verb() -> int:
        return 1

    assert Signature.of(verb) == Signature({}, frozenset(), int)
