"""`token`: a key that is shown once, listed without it, ended for good."""

from pathlib import Path

import pytest

from tests.support.terminal import sulcus


def test_a_key_is_shown_once_and_never_listed(tmp_path: Path) -> None:
    home = tmp_path / "home"
    made = sulcus(
        *("token", "create", "--actor", "bot", "--kind", "agent", "--scope", "read,record", "--json"),
        home=home,
    ).json()
    assert set(made) == {"token", "id"}
    listed = sulcus("token", "list", "--json", home=home)
    [token] = listed.json()["tokens"]
    assert (token["id"], token["actor"], token["actor_kind"]) == (made["id"], "bot", "agent")
    assert token["scopes"] == ["read", "record"]
    assert made["token"] not in listed.out + sulcus("token", "list", home=home).out
    assert made["token"].encode() not in (home / "ledger.db").read_bytes()


def test_a_revoked_token_says_so_and_one_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert sulcus("token", "list", home=home).out == "No token was made yet.\n"
    made = sulcus("token", "create", "--actor", "bot", "--kind", "module", "--scope", "undo", home=home)
    assert (made.code, made.out.startswith("sulcus_")) == (0, True)
    assert sulcus("token", "revoke", "1", home=home).code == 0
    assert "revoked" in sulcus("token", "list", home=home).out
    assert sulcus("token", "revoke", "7", home=home).code == 1


@pytest.mark.parametrize(
    "words",
    [
        ("--actor", "bot", "--kind", "agent", "--scope", "everything"),
        ("--actor", "bot", "--kind", "agent", "--scope", ","),
        ("--actor", "bot", "--kind", "robot", "--scope", "read"),
        ("--actor", " ", "--kind", "agent", "--scope", "read"),
        ("--kind", "agent", "--scope", "read"),
    ],
)
def test_what_a_token_cannot_be_is_a_wrong_use(tmp_path: Path, words: tuple[str, ...]) -> None:
    answer = sulcus("token", "create", *words, home=tmp_path / "home")
    assert (answer.code, answer.out) == (2, "")
