"""A host's config with our server and without it: nothing else of the text changes."""

import json
import tomllib

import pytest

from sulcus_panel.core.capture.install.jsonc import parse
from sulcus_panel.core.capture.install.server_text import json_with, json_without, toml_with, toml_without
from sulcus_panel.core.errors import SulcusError

SERVER = {"command": "/usr/bin/python3", "args": ["-P", "-m", "sulcus_panel", "mcp", "--actor", 'Zoë "Q"']}
COMMENTED = """{
    // mine
    "theme": "dark", /* stays */
    "mcpServers": {
        "other": {"command": "x"}, // theirs
    },
}
"""
CODEX = """model = "gpt" # mine

[mcp_servers.other]
command = "x"

[profiles.a]
note = '''
[mcp_servers.sulcus-panel]
'''
"""


def test_comments_blanks_and_order_stay_as_they_are_written() -> None:
    text = json_with(COMMENTED, "mcpServers", SERVER)
    assert [line for line in COMMENTED.split("\n") if line not in text.split("\n")] == []
    assert "// theirs" in text
    left = json_without(text, "mcpServers")
    assert parse(left).value == parse(COMMENTED).value
    assert [note for note in ("// mine", "/* stays */", "// theirs") if note not in left] == []


@pytest.mark.parametrize("text", [None, "", "\ufeff{}", '{"a": 1}', '{"mcpServers": {}}', COMMENTED])
def test_a_second_installation_changes_nothing(text: str | None) -> None:
    once = json_with(text, "mcpServers", SERVER)
    assert json_with(once, "mcpServers", SERVER) == once
    moved = json_with(once, "mcpServers", {**SERVER, "command": "/elsewhere"})
    assert moved.count('"sulcus-panel"') == 1


@pytest.mark.parametrize("text", ["{", "[]", '{"mcpServers": []}', "nothing"])
def test_a_config_that_is_not_what_it_should_be_is_refused(text: str) -> None:
    with pytest.raises(SulcusError):
        json_with(text, "mcpServers", SERVER)


@pytest.mark.parametrize("text", [None, "", CODEX, CODEX.replace("\n", "\r\n"), 'model = "x"'])
def test_a_table_is_added_and_taken_out_of_toml(text: str | None) -> None:
    once = toml_with(text, "mcp_servers", SERVER | {"env": {"A": "b"}})
    added = tomllib.loads(once)["mcp_servers"]["sulcus-panel"]
    assert added == SERVER | {"env": {"A": "b"}}
    assert toml_with(once, "mcp_servers", SERVER | {"env": {"A": "b"}}) == once
    assert tomllib.loads(toml_without(once, "mcp_servers")) == tomllib.loads(text or "")
    if (text or "").endswith("\n"):
        assert toml_without(once, "mcp_servers") == text


def test_an_entry_in_the_middle_goes_with_its_subtables_alone() -> None:
    ours = '[mcp_servers."sulcus-panel"]\ncommand = "x"\n\n[mcp_servers.sulcus-panel.env]\nC = "d"\n\n'
    text = f"[a]\nb = 1\n\n{ours}# of z\n[z]\n"
    assert toml_without(text, "mcp_servers") == "[a]\nb = 1\n\n# of z\n[z]\n"


def test_what_cannot_be_cut_out_is_left_to_the_person() -> None:
    text = 'mcp_servers = { sulcus-panel = { command = "x" }, other = { command = "y" } }\n'
    with pytest.raises(SulcusError, match="not written as a table"):
        toml_without(text, "mcp_servers")
    with pytest.raises(SulcusError, match="not TOML"):
        toml_with("= 1", "mcp_servers", SERVER)


def test_what_is_written_is_plain_json_too() -> None:
    assert json.loads(json_with(None, "servers", SERVER)) == {"servers": {"sulcus-panel": SERVER}}
