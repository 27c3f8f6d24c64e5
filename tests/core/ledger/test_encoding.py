import os
import random
import zlib
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.errors import BadRequest, LedgerCorrupt
from sulcus_panel.core.ledger.encoding import (
    decode_hunks,
    decode_path,
    decode_sha,
    deflated,
    encode_hunks,
    encode_path,
    encode_raw_text,
    encode_sha,
    encode_text,
    folded,
    from_micros,
    to_micros,
)
from sulcus_panel.core.model import Hunk

numbers = st.integers(0, 2**40)
texts = st.none() | st.binary(max_size=400)
hunks = st.builds(Hunk, numbers, numbers, numbers, numbers, texts, texts, st.booleans())


@given(st.lists(hunks, max_size=8))
def test_hunks_come_back_as_they_were(given_hunks: list[Hunk]) -> None:
    assert decode_hunks(encode_hunks(given_hunks)) == tuple(given_hunks)


def test_hunks_of_entries_from_before_the_flag_were_found_by_comparing() -> None:
    assert decode_hunks(b"\x00\x01\x01\x01\x02\x00") == (Hunk(1, 1, 1, 2),)
    assert decode_hunks(b"\x00\x01\x01\x01\x02\x04") == (Hunk(1, 1, 1, 2, exact=True),)


@given(st.binary(min_size=1, max_size=200))
def test_damaged_hunks_are_an_error_that_can_be_shown_or_are_hunks(data: bytes) -> None:
    with suppress(LedgerCorrupt):
        decode_hunks(data)


@given(st.binary(min_size=1).filter(lambda name: b"\0" not in name))
def test_every_file_name_survives(name: bytes) -> None:
    path = os.fsdecode(name)
    stored = encode_path(path)
    assert decode_path(stored) == path
    assert (stored if isinstance(stored, bytes) else stored.encode()) == name


def test_a_surrogate_that_is_no_byte_is_no_path_but_may_stand_in_a_text() -> None:
    with pytest.raises(BadRequest):
        encode_path("\ud800")
    assert encode_text("a\ud800b") == "a?b"
    assert encode_raw_text("echo \ud800") == "echo ?"
    assert encode_raw_text("echo \udcff") == b"echo \xff"


def test_a_long_text_is_cut_with_a_mark() -> None:
    assert encode_text("abcdef", 4) == "abc…"


@given(st.datetimes(timezones=st.just(UTC)))
def test_times_come_back_to_the_microsecond(at: datetime) -> None:
    assert from_micros(to_micros(at)) == at
    assert to_micros(at + timedelta(microseconds=1)) == to_micros(at) + 1


@pytest.mark.parametrize("wrong", ["", "ab", "AB" * 32, "zz" * 32, "ab" * 33, " " + "ab" * 32])
def test_what_is_no_hash_is_refused(wrong: str) -> None:
    with pytest.raises(BadRequest):
        encode_sha(wrong)


def test_a_hash_comes_back() -> None:
    assert decode_sha(encode_sha("0a" * 32)) == "0a" * 32
    assert decode_sha(encode_sha(None)) is None


def test_what_is_searched_has_no_case_and_no_odd_bytes() -> None:
    assert folded("ÄRGER", "Straße") == "ärger\x1fstrasse"
    assert folded("x\udcff") == "x\ufffd"
    assert folded("x\ud800") == "x?"


@pytest.mark.parametrize("size", [0, 1, 511, 512, 513, 4_095, 4_096, 4_097, 70_000])
def test_bytes_of_every_size_are_packed_for_any_zlib(size: int) -> None:
    told = b"def answer():\n    return 42\n" * (size // 28 + 1)
    odd = random.Random(size).randbytes(size)
    for data in (told[:size], odd):
        assert zlib.decompress(deflated(data)) == data
