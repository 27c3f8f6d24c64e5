import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.ledger.delta import decode_delta, encode_delta

TEXTS = st.lists(st.sampled_from([b"a\n", b"bb\n", b"", b"\0", b"x" * 3_000])).map(b"".join)


@given(base=TEXTS, data=TEXTS)
def test_a_delta_leads_back_to_the_very_bytes(base: bytes, data: bytes) -> None:
    assert decode_delta(base, encode_delta(base, data), len(data)) == data


@given(base=TEXTS, data=TEXTS, other=TEXTS)
def test_with_another_base_it_is_nothing_or_of_the_same_size(base: bytes, data: bytes, other: bytes) -> None:
    found = decode_delta(other, encode_delta(base, data), len(data))
    assert found is None or len(found) == len(data)


@pytest.mark.parametrize(
    "delta",
    [b"", b"\n", b"1\n", b"x 1\n", b"-1 1\n", b"9999999999 1\n", b"3 3\n\x03\0", b"0 0\nnonsense", b"1 1\n"],
)
def test_what_is_no_delta_of_this_base_gives_nothing(delta: bytes) -> None:
    assert decode_delta(b"abcd", delta, 5) is None


def test_one_changed_line_of_a_large_file_takes_little_room() -> None:
    rng = random.Random(3)
    lines = [b"value_%d = %d\n" % (number, rng.random() * 10**9) for number in range(3_000)]
    base = b"".join(lines)
    lines[1_500] = b"changed = True\n"
    assert len(encode_delta(base, b"".join(lines))) < 60
