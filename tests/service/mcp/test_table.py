"""docs/mcp.md and the program say the same: tools with their arguments and rights, hosts with their files."""

import re
from pathlib import Path

from sulcus_panel.core.capture.install.hook_home import Machine
from sulcus_panel.core.capture.install.server_homes import SERVER_HOMES
from sulcus_panel.core.capture.mcp import OUR_TOOLS
from sulcus_panel.service.mcp.table import BY_NAME, TOOLS

PAGE = (Path(__file__).parents[3] / "docs" / "mcp.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `([\w-]+)` \| ([^|]+) \| ([^|]+) \|(?: ([^|]+) \|)?$", PAGE, flags=re.M)


def test_the_page_names_each_tool_with_its_arguments_and_what_it_needs() -> None:
    told = {
        name: (re.findall(r"`(\w+)`", arguments), needs, changes) for name, arguments, needs, changes in ROWS
    }
    for tool in TOOLS:
        needs = " ".join(sorted(tool.real_scopes or tool.scopes))
        changes = "yes" if tool.is_destructive else "no"
        assert told.pop(tool.name) == (list(tool.words.__struct_fields__), needs, changes)
    assert set(told) == set(SERVER_HOMES)


def test_the_recorder_knows_our_own_tools() -> None:
    assert frozenset(BY_NAME) == OUR_TOOLS


def test_the_page_names_each_host_with_its_files() -> None:
    machine = Machine({}, Path("/home"), "linux")
    told = {name: (users, projects) for name, users, projects, _ in ROWS if name not in BY_NAME}
    for host, home in SERVER_HOMES.items():
        users = f"`~/{home.place(machine, None).relative_to('/home').as_posix()}`"
        projects = f"`{home.place(machine, Path('/p')).relative_to('/p').as_posix()}`"
        assert told[host] == (users, projects)
