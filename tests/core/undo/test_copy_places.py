"""Where an old copy would go: a name that is free on this disk, and of which no disk would make another."""

import os
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from sulcus_panel.core.model import LedgerPath, SeqId
from sulcus_panel.core.undo.copy_places import MOST_TRIED, copy_places
from tests.support.bench import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.close()


def changed(bench: Bench, path: str, data: bytes = b"old\0") -> SeqId:
    bench.put(path, data, 0o644)
    return bench.agent(b"new\0", path)


def places(bench: Bench, seq_id: SeqId, exclude: Sequence[str] = ()) -> dict[LedgerPath, LedgerPath]:
    entry = bench.entry(seq_id)
    found = copy_places(str(bench.root), entry, entry.paths, exclude)
    return {path: place for path, (place, _) in found.items()}


def test_the_first_free_name_is_taken_without_regard_to_capitals_and_spellings(bench: Bench) -> None:
    first = changed(bench, "Bücher.bin")
    assert places(bench, first) == {"Bücher.bin": f"Bücher (before #{first}).bin"}
    bench.put(unicodedata.normalize("NFD", f"bücher (before #{first}).BIN"), b"x")
    assert places(bench, first) == {"Bücher.bin": f"Bücher (before #{first}) 2.bin"}


def test_the_copy_that_is_there_already_is_found_only_with_its_own_mode(bench: Bench) -> None:
    first = changed(bench, "a.bin")
    bench.put(f"a (before #{first}).bin", b"old\0", 0o600)
    assert places(bench, first) == {"a.bin": f"a (before #{first}) 2.bin"}
    bench.put(f"a (before #{first}).bin", b"old\0", 0o644)
    assert places(bench, first) == {"a.bin": f"a (before #{first}).bin"}


def test_two_long_names_that_are_shortened_to_one_get_two_places(bench: Bench) -> None:
    names = ["x" * 250 + end for end in ("a", "b")]
    for name in names:
        bench.put(name, name.encode() + b"\0")
    turn = bench.turn(dict.fromkeys(names, b"new\0"))
    assert len(set(places(bench, turn).values())) == len(names)


def test_a_link_under_the_name_is_neither_free_nor_followed(bench: Bench) -> None:
    first = changed(bench, "a.bin")
    bench.put("target", b"old\0", 0o644)
    os.symlink("target", bench.root / f"a (before #{first}).bin")
    assert places(bench, first) == {"a.bin": f"a (before #{first}) 2.bin"}


def test_there_is_an_end_to_trying_and_no_place_for_what_may_not_be_kept(bench: Bench) -> None:
    first = changed(bench, "a.bin")
    assert places(bench, first, ["*before*"]) == {}
    for number in range(2, MOST_TRIED + 1):
        bench.put(f"a (before #{first}) {number}.bin", b"x")
    bench.put(f"a (before #{first}).bin", b"x")
    assert places(bench, first) == {}


def test_a_file_that_was_created_has_no_old_copy(bench: Bench) -> None:
    assert places(bench, bench.agent(b"new\0", "made.bin")) == {}
