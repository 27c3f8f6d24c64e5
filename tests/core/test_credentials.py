"""Keys are known by their whole shape; what only speaks of keys is no key."""

import time

import pytest

from sulcus_panel.core.credentials import holds_a_key

BODY = b"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n" * 3
KEYS = [
    b"aws_access_key_id = AKIA" + b"ABCDEFGHIJKLMNOP",
    b"token: ghp_" + b"a1B2" * 9,
    b"GITHUB=github_pat_" + b"a" * 22 + b"_" + b"b" * 59,
    b"glpat-" + b"x" * 20,
    b"xoxb-" + b"1234567890-abc",
    b"stripe.api_key = 'sk_live_" + b"a" * 24 + b"'",
    b"ANTHROPIC_API_KEY=sk-ant-api03-" + b"a" * 90,
    b"key=AIza" + b"a" * 35,
    b"//registry/:_authToken=npm_" + b"a" * 36,
    b"-----BEGIN RSA PRIVATE KEY-----\n" + BODY + b"-----END RSA PRIVATE KEY-----\n",
    b"-----BEGIN OPENSSH PRIVATE KEY-----\r\n" + BODY.replace(b"\n", b"\r\n"),
]
NO_KEYS = [
    b"",
    b"AKIA is how they begin",
    b"ghp_short",
    b"the prefix is sk_live_ and the rest is secret",
    b'if line == "-----BEGIN PRIVATE KEY-----":\n    raise ValueError\n',
    b"mark = b'PRIVATE KEY'\n",
]


@pytest.mark.parametrize("text", KEYS)
def test_a_key_is_found_wherever_it_stands(text: bytes) -> None:
    assert holds_a_key(text)
    assert holds_a_key(b"a = 1\n" * 100 + text + b"\nb = 2\n")


@pytest.mark.parametrize("text", NO_KEYS)
def test_what_only_speaks_of_keys_is_none(text: bytes) -> None:
    assert not holds_a_key(text)


def test_a_large_hostile_text_takes_no_more_than_a_look() -> None:
    text = b"-----BEGIN PRIVATE KEY-----\n" * 20_000 + b"xoxb-" * 20_000 + b"sk-ant-" * 20_000
    began = time.process_time()
    holds_a_key(text)
    assert time.process_time() - began < 1
