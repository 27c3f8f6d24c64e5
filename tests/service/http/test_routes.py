"""The table of doors: whole, and the page that people read says the same."""

import re
from pathlib import Path

from sulcus_panel.service.http import panel
from sulcus_panel.service.http.openapi import description
from sulcus_panel.service.http.routes import DOORS
from sulcus_panel.service.http.table import Way
from sulcus_panel.service.mcp.over_http import INSTALL, OverHttp
from sulcus_panel.service.panel_verbs import CHANGES, PANEL, WRITES
from sulcus_panel.service.requests.words import PanelBody

PAGE = (Path(__file__).parents[3] / "docs" / "api.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(GET|POST) (/[^`]*)` \| ([^|]+) \| ([^|]+) \| ([\d, ]+) \|$", re.M)


def test_the_page_names_every_route_with_its_scope_fields_and_statuses() -> None:
    told = {
        (method, path): (scopes, re.findall(r"`(\w+)`", fields), statuses.split(", "))
        for method, path, scopes, fields, statuses in ROW.findall(PAGE)
    }
    assert told == {
        (door.method, door.path): (
            " or ".join(sorted(door.scopes)) or "none",
            [name for name in door.words.__struct_fields__ if f"{{{name}}}" not in door.path],
            sorted(description()["paths"][door.path][door.method.lower()]["responses"]),
        )
        for door in DOORS
    }


def test_the_page_names_every_verb_of_the_attached_window_and_which_change_something() -> None:
    section = PAGE.split("## The attached window", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\| (`[^|]+) \| (no|only|yes)", section, re.M)
    told = {change: set(re.findall(r"`([\w.]+)`", verbs)) for verbs, change in rows}
    verbs = {door.path.removeprefix(f"{PANEL}/") for door in panel.DOORS}
    assert told == {"no": verbs - WRITES, "only": set(WRITES - CHANGES), "yes": set(CHANGES)}
    assert f"`POST {PANEL}/VERB`" in section
    assert {tuple(sorted(door.scopes)) for door in panel.DOORS} == {("admin",)}
    assert all(f'"{name}"' in section for name in PanelBody.__struct_fields__)


def test_the_page_says_where_mcp_is_and_who_is_let_in() -> None:
    section = PAGE.split("## MCP", 1)[1].split("\n## ", 1)[0]
    assert f"`{OverHttp.path}` takes `GET`, `POST` and `DELETE`" in section
    assert all(f"`{scope}`" in section for scope in OverHttp.scopes)
    assert INSTALL in section


def test_a_route_stands_once_and_one_without_words_in_it_comes_first() -> None:
    routes = [(door.method, door.path) for door in DOORS]
    assert len(set(routes)) == len(routes)
    paths = [door.path for door in DOORS if door.path.startswith("/api/v1/agent/ledger/")]
    assert paths == sorted(paths, key=lambda path: "{" in path)


def test_whoever_works_for_a_door_is_named() -> None:
    assert all((door.run is not None) == (door.way in {Way.READS, Way.WRITES}) for door in DOORS)


def test_each_timeline_is_found_beside_the_ledger_and_below_it() -> None:
    doors = {door.path: door for door in DOORS}
    for name in ("undo-history", "governance", "recipes", "holds"):
        beside, below = doors[f"/api/v1/agent/{name}"], doors[f"/api/v1/agent/ledger/{name}"]
        assert (beside.run, beside.words, beside.scopes) == (below.run, below.words, below.scopes)
