"""Drift is what a hash proves: changed, missing, re-created, of another kind, unreadable."""

import os
from pathlib import Path

import pytest

from sulcus_panel.core.disk import look
from sulcus_panel.core.drift import Fingerprints, Glances, glance, measure_drift
from sulcus_panel.core.model import ABSENT, DriftKind, FileKind, FileState, LedgerPath

X = LedgerPath("x")


@pytest.fixture
def known(tmp_path: Path) -> dict[LedgerPath, FileState]:
    (tmp_path / "x").write_bytes(b"one\n")
    return {X: look(str(tmp_path), X).state}


def test_nothing_changed_is_no_drift(tmp_path: Path, known: dict[LedgerPath, FileState]) -> None:
    assert measure_drift(str(tmp_path), known, {}) == {X: None}


def test_a_touched_file_with_the_same_bytes_is_no_drift(
    tmp_path: Path, known: dict[LedgerPath, FileState]
) -> None:
    cache: Fingerprints = {}
    measure_drift(str(tmp_path), known, cache)
    os.utime(tmp_path / "x", ns=(1, 1))
    assert measure_drift(str(tmp_path), known, cache) == {X: None}


def test_a_change_of_the_same_length_right_after_a_look_is_seen(
    tmp_path: Path, known: dict[LedgerPath, FileState]
) -> None:
    cache: Fingerprints = {}
    measure_drift(str(tmp_path), known, cache)
    (tmp_path / "x").write_bytes(b"two\n")
    assert measure_drift(str(tmp_path), known, cache) == {X: DriftKind.CHANGED}


def test_a_settled_file_is_not_read_again(tmp_path: Path, known: dict[LedgerPath, FileState]) -> None:
    os.utime(tmp_path / "x", ns=(1_000, 1_000))
    cache: Fingerprints = {}
    measure_drift(str(tmp_path), known, cache)
    seen, _ = cache[X]
    cache[X] = (seen, ABSENT)
    assert measure_drift(str(tmp_path), known, cache) == {X: DriftKind.MISSING}


def test_each_kind_of_drift_has_its_name(tmp_path: Path, known: dict[LedgerPath, FileState]) -> None:
    target = tmp_path / "x"
    target.chmod(0o600)
    assert measure_drift(str(tmp_path), known, {}) == {X: DriftKind.CHANGED}
    target.unlink()
    assert measure_drift(str(tmp_path), known, {}) == {X: DriftKind.MISSING}
    target.mkdir()
    assert measure_drift(str(tmp_path), known, {}) == {X: DriftKind.TYPE_CHANGED}
    assert measure_drift(str(tmp_path), {X: ABSENT}, {}) == {X: DriftKind.RECREATED}
    target.rmdir()
    os.mkfifo(target)
    assert measure_drift(str(tmp_path), known, {}) == {X: DriftKind.UNREADABLE}


def test_what_was_never_known_cannot_drift_and_outside_is_not_watched(tmp_path: Path) -> None:
    known = {X: FileState(FileKind.UNKNOWN, reason="busy"), LedgerPath("/etc/hosts"): ABSENT}
    assert measure_drift(str(tmp_path), known, {}) == {X: None}


@pytest.mark.usefixtures("known")
def test_a_glance_names_what_has_moved_since_the_last_one(tmp_path: Path) -> None:
    gone, odd = LedgerPath("gone"), LedgerPath("a\0b")
    os.utime(tmp_path / "x", ns=(1_000, 1_000))
    seen: Glances = {}
    assert glance(str(tmp_path), (X, gone, odd), seen) == {X, gone, odd}
    assert glance(str(tmp_path), (X, gone, odd), seen) == set()
    (tmp_path / "gone").mkdir()
    (tmp_path / "x").unlink()
    assert glance(str(tmp_path), (X, gone), seen) == {X, gone}


@pytest.mark.usefixtures("known")
def test_a_file_just_written_gets_another_glance(tmp_path: Path) -> None:
    seen: Glances = {}
    for _ in range(2):
        (tmp_path / "x").write_bytes(b"one\n")
        assert glance(str(tmp_path), (X,), seen) == {X}
