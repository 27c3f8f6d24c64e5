"""What is packed is unpacked the same, whatever bytes a name has."""

import json
from array import array
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.ledger.queries import Facets
from sulcus_panel.core.model import (
    ActionType,
    EntryState,
    FileState,
    GitDelta,
    GitState,
    Hunk,
    LedgerPath,
    RefMove,
    SeqId,
)
from sulcus_panel.core.undo.model import EffectPlan, Outcome, Warning
from sulcus_panel.service.panel_codec import MARK, Ids, packed, unpacked


def through(kind: Any, value: object) -> Any:
    return unpacked(kind, json.loads(json.dumps(packed(value)).encode()))


ANY_TEXT = st.text(st.characters(codec=None, categories=None))


@given(ANY_TEXT | ANY_TEXT.map(lambda text: MARK + text))
def test_every_text_survives(text: str) -> None:
    assert through(dict[str, str], {text: text}) == {text: text}
    assert b"\0" not in packed(text).encode()


@given(st.binary())
def test_every_name_on_a_disk_survives(name: bytes) -> None:
    path = LedgerPath(name.decode("utf-8", "surrogateescape"))
    assert through(Warning, Warning("code", "text", path)) == Warning("code", "text", path)


@given(st.lists(st.integers(0, 2**63 - 1)))
def test_ids_survive_as_one_text(ids: list[int]) -> None:
    found = through(Ids, array("q", ids))
    assert found == array("q", ids)


def test_bytes_times_numbers_and_names_of_kinds_survive() -> None:
    hunk = Hunk(1, 2, 3, 4, b"\xff\x00", None, exact=True)
    assert through(Hunk, hunk) == hunk
    now = datetime(2026, 1, 2, 3, 4, 5, 678_901, UTC)
    assert through(datetime, now) == now
    facets = Facets(3, {"a": 1}, {ActionType.FILE_EDIT: 2}, {EntryState.UNDONE: 1}, 0)
    assert through(Facets, facets) == facets
    assert through(Path, Path("/a/b")) == Path("/a/b")
    assert through(FileState | None, None) is None


def test_an_effect_with_a_name_that_is_no_utf_8_survives_and_an_older_plan_has_none() -> None:
    here = GitState("a" * 40, "main", {})
    delta = GitDelta(here, here, (RefMove("refs/heads/\udcff", "", "a" * 40),))
    words = (("git", "update-ref", "-d", "refs/heads/\udcff"), ("git", "x"))
    effect = EffectPlan(SeqId(1), "was", "will", Outcome.UNDONE, "", words, "/w/.git", delta)
    assert through(EffectPlan, effect) == effect
    older = packed(GitDelta(here, here))
    del older["refs"]
    assert unpacked(GitDelta, older) == GitDelta(here, here)


def test_what_does_not_fit_is_refused() -> None:
    for kind, found in ((Hunk, {"before_start": "x"}), (Ids, [1]), (Ids, "***"), (str, MARK + "***")):
        with pytest.raises((msgspec.ValidationError, ValueError)):
            unpacked(kind, found)
