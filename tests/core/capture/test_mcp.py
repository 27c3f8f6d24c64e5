import pytest

from sulcus_panel.core.capture.mcp import only_reads, server_and_tool


@pytest.mark.parametrize(
    "name",
    ["mcp__github__get_issue", "mcp__db__listTables", "mcp__x_y__search", "mcp__plugin_a_b__fetchURL"],
)
def test_a_verb_of_reading_reads(name: str) -> None:
    assert only_reads(name)


@pytest.mark.parametrize(
    "name",
    [
        "mcp__github__create_issue",
        "mcp__fs__write_file",
        "mcp__x__run",
        "mcp__x__get_or_create",
        "mcp__x__",
        "x",
        "",
    ],
)
def test_every_other_name_may_change_something(name: str) -> None:
    assert not only_reads(name)


@pytest.mark.parametrize("server", ["sulcus-panel", "sulcus_panel", "plugin_x_sulcus-panel"])
def test_a_call_of_our_own_tools_is_no_change_of_its_own(server: str) -> None:
    assert only_reads(f"mcp__{server}__undo_activity")
    assert not only_reads(f"mcp__{server}__drop_tables")
    assert not only_reads("mcp__github__undo_activity")


def test_a_name_falls_into_server_and_tool() -> None:
    assert server_and_tool("mcp__my_server__do_it") == ("my_server", "do_it")
    assert server_and_tool("mcp__plugin_p_s__do") == ("plugin_p_s", "do")
    assert server_and_tool("mcp__alone") == ("", "alone")
