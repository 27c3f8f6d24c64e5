"""What the guard reads as words, bash, dash and shlex read as the same words."""

from tests.support.shells import compare, odd_texts


def test_real_shells_read_every_accepted_text_alike() -> None:
    counts, wrong = compare(odd_texts(60_000, seed=1))
    assert not wrong[:5]
    assert counts["compared with bash"] == counts["compared with dash"] == counts["strings read"] > 10_000
