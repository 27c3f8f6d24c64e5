"""Keys are known by their whole shape; what only speaks of keys is no key."""

import time

import pytest

from sulcus_panel.core.credentials import HIDDEN, holds_a_key, redacted

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


@pytest.mark.parametrize("text", KEYS)
def test_no_key_is_shown(text: bytes) -> None:
    shown = redacted(f"deploy {text.decode()} now")
    assert not holds_a_key(shown.encode())
    assert HIDDEN in shown


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("PGPASSWORD=hunter2 psql -h db", f"PGPASSWORD={HIDDEN} psql -h db"),
        ("export API_KEY='a b c'; run", f"export API_KEY={HIDDEN}; run"),
        ('curl -H "X-Token: abcdef" x', f'curl -H "X-Token: {HIDDEN}" x'),
        ("curl -u ann:hunter2 https://x", f"curl -u ann:{HIDDEN} https://x"),
        ("curl --user 'ann:hunter2' https://x", f"curl --user 'ann:{HIDDEN}' https://x"),
        (
            "git clone https://ann:hunter2@example.org/x.git",
            f"git clone https://ann:{HIDDEN}@example.org/x.git",
        ),
        ("mysql -u root -phunter2 shop", f"mysql -u root -p{HIDDEN} shop"),
        ("tool --password hunter2 --verbose", f"tool --password {HIDDEN} --verbose"),
        ("tool --api-key=hunter2", f"tool --api-key={HIDDEN}"),
        (
            "curl -H 'Authorization: Bearer abcdefghijklmnopqrstuvwxyz'",
            f"curl -H 'Authorization: Bearer {HIDDEN}'",
        ),
        ("echo eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl", f"echo {HIDDEN}"),
        ("docker run -e DB_PASSWORD=x y", f"docker run -e DB_PASSWORD={HIDDEN} y"),
    ],
)
def test_a_command_is_shown_without_what_it_gives_away(command: str, shown: str) -> None:
    assert redacted(command) == shown
    assert redacted(shown) == shown


@pytest.mark.parametrize(
    "command",
    [
        "git status",
        "sed -i s/password/secret/ README.md",
        "grep -rn token src",
        "tool --password $DB_PASSWORD",
        "PASSWORD=$(cat file) run",
        "pytest -k secrets",
    ],
)
def test_a_command_without_a_secret_is_shown_as_it_is(command: str) -> None:
    assert redacted(command) == command


def test_a_long_hostile_command_is_shown_in_no_time() -> None:
    began = time.process_time()
    redacted("password" * 5_000 + " -u " * 5_000 + "a://b" * 5_000 + "mysql " * 5_000)
    assert time.process_time() - began < 2
