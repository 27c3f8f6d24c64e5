import os
from dataclasses import replace
from pathlib import Path

import pytest

from sulcus_panel.core.errors import BadRequest, NotFound
from sulcus_panel.core.ledger.folder_ids import folder_id
from sulcus_panel.core.ledger.governance import PANEL
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.ledger.workspaces import normalised
from sulcus_panel.core.model import PERSON


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Thor", "thor"),
        ("  Payments Rails ", "payments-rails"),
        ("my_app  v2", "my-app-v2"),
        ("--a--b--", "a-b"),
        ("Größe!", "gre"),
        ("日本", "default"),
        ("", "default"),
        ("x" * 300, "x" * 100),
    ],
)
def test_a_namespace_is_spelled_one_way(name: str, expected: str) -> None:
    assert normalised(name) == expected
    assert normalised(expected) == expected


def test_a_folder_is_one_workspace_however_it_is_reached(ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "link").symlink_to("app")
    first = ledger.add_workspace(str(tmp_path / "app"))
    assert ledger.add_workspace(str(tmp_path / "link")) == first
    assert ledger.add_workspace(f"{tmp_path}/./app/", "other-name") == first
    assert (first.namespace, first.root) == ("app", str(tmp_path / "app"))


def test_names_are_made_unique(ledger: Ledger, tmp_path: Path) -> None:
    for folder in ("a/App", "b/app", "c/APP"):
        ledger.add_workspace(str(tmp_path / folder))
    assert [workspace.namespace for workspace in ledger.workspaces()] == ["app", "app-2", "app-3"]


def test_a_name_without_a_folder_waits_for_one(ledger: Ledger, tmp_path: Path) -> None:
    made = ledger.add_workspace(None, "Payments Rails")
    assert made.root is None
    assert ledger.add_workspace(None, "payments-rails") == made
    given = ledger.add_workspace(str(tmp_path / "x"), "payments_rails")
    assert (given.id, given.root) == (made.id, str(tmp_path / "x"))
    assert ledger.add_workspace(str(tmp_path / "y"), "payments-rails").namespace == "payments-rails-2"
    assert ledger.add_workspace(None, "PAYMENTS rails") == given


def test_neither_a_folder_nor_a_name_is_a_bad_request(ledger: Ledger) -> None:
    with pytest.raises(BadRequest):
        ledger.add_workspace(None)


def test_the_nearest_workspace_above_wins(ledger: Ledger, tmp_path: Path) -> None:
    inner = tmp_path / "outer" / "inner"
    inner.mkdir(parents=True)
    big = ledger.add_workspace(str(tmp_path / "outer"))
    small = ledger.add_workspace(str(inner))
    assert ledger.workspace_above(str(inner / "not" / "there.py")) == small
    assert ledger.workspace_above(str(inner)) == small
    assert ledger.workspace_above(str(tmp_path / "outer" / "inner2" / "f")) == big
    assert ledger.workspace_above(str(tmp_path)) is None


@pytest.mark.parametrize("name", [b"outer", b"o\xff"])
def test_workspaces_inside_a_folder_are_found_whatever_their_names(
    ledger: Ledger, tmp_path: Path, name: bytes
) -> None:
    outer = os.fsdecode(os.fsencode(tmp_path) + b"/" + name)
    inner = [f"{outer}/a", f"{outer}/b/c", os.fsdecode(os.fsencode(outer) + b"/\xe9")]
    for root in (outer, *inner, f"{outer}2/a", f"{outer}.d", str(tmp_path)):
        ledger.add_workspace(root)
    assert [workspace.root for workspace in ledger.workspaces(below=outer)] == inner
    assert [workspace.root for workspace in ledger.workspaces(below=f"{outer}/")] == inner
    assert len(ledger.workspaces(below="/")) == 7


def test_a_link_at_the_end_belongs_to_where_it_lies(ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "elsewhere").write_text("x")
    (tmp_path / "app" / "link").symlink_to(tmp_path / "elsewhere")
    app = ledger.add_workspace(str(tmp_path / "app"))
    assert ledger.workspace_above(str(tmp_path / "app" / "link")) == app


def test_a_folder_whose_name_is_not_utf8(ledger: Ledger, tmp_path: Path) -> None:
    root = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")
    made = ledger.add_workspace(root)
    assert made.root == root
    assert ledger.workspace(made.id) == made == ledger.add_workspace(root)


def test_an_unknown_workspace_is_not_found(ledger: Ledger) -> None:
    with pytest.raises(NotFound):
        ledger.workspace(9)


def test_a_new_workspace_is_told_once_on_governance_with_who_registered_it(
    ledger: Ledger, tmp_path: Path
) -> None:
    by_event = ledger.add_workspace(str(tmp_path / "app"))
    by_person = ledger.add_workspace(str(tmp_path / "web"), actor=PERSON)
    ledger.add_workspace(str(tmp_path / "app"), actor=PERSON)

    told = ledger.governance(None)
    assert [record.kind for record in told] == ["workspace.added", "workspace.added"]
    assert [record.actor for record in told] == [PERSON, PANEL]
    assert [record.namespace for record in told] == [by_person.namespace, by_event.namespace]
    assert str(tmp_path / "app") in told[1].summary


def test_f041_another_folder_in_the_place_of_a_known_one_is_not_taken_for_it_unasked(
    ledger: Ledger, tmp_path: Path
) -> None:
    root = tmp_path / "app"
    root.mkdir()
    known = ledger.add_workspace(str(root))
    assert known.folder == folder_id(str(root))
    root.rename(tmp_path / "moved")
    root.mkdir()
    assert ledger.add_workspace(str(root)) == known == ledger.workspace(known.id)

    accepted = ledger.add_workspace(str(root), actor=PERSON, anew=True)

    assert (accepted.id, accepted.folder) == (known.id, folder_id(str(root)))
    assert ledger.workspace(known.id) == accepted
    told = ledger.governance(known.id)[0]
    assert (told.kind, told.actor) == ("workspace.accepted", PERSON)
    assert str(root) in told.summary
    ledger.add_workspace(str(root), actor=PERSON, anew=True)
    assert len(ledger.governance(known.id)) == 2


def test_f041_a_folder_that_comes_later_is_taken_at_first_sight(ledger: Ledger, tmp_path: Path) -> None:
    root = tmp_path / "app"
    assert ledger.add_workspace(str(root)).folder is None
    root.mkdir()
    assert ledger.add_workspace(str(root)).folder == folder_id(str(root))
    assert [told.kind for told in ledger.governance(None)] == ["workspace.added"]
    ledger.add_workspace(None, "waiting")
    (tmp_path / "late").mkdir()
    assert ledger.add_workspace(str(tmp_path / "late"), "waiting").folder == folder_id(str(tmp_path / "late"))


def test_f041_a_ledger_from_before_anyone_looked_is_still_read(ledger: Ledger, tmp_path: Path) -> None:
    known = ledger.add_workspace(str(tmp_path))
    ledger._db.run("ALTER TABLE workspace DROP COLUMN folder")
    assert ledger.workspaces() == (replace(known, folder=None),)
