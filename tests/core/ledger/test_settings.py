import pytest

from sulcus_panel.core.errors import BadRequest, NotFound
from sulcus_panel.core.ledger.settings import RANGES
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Settings, Workspace


def test_what_was_never_set_is_the_default(ledger: Ledger, workspace: Workspace) -> None:
    assert ledger.settings(workspace.id) == Settings()


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("max_entries", "50", 50),
        ("max_entries", 50_000, 50_000),
        ("max_age_days", 7, 7),
        ("max_snapshot_bytes", 4_096, 4_096),
        ("enabled", "off", False),
        ("retain_file_snapshots", "False", False),
        ("llm_cli_undo_enabled", True, True),
        ("exclude", "*.pem, secrets/\n .env*", ("*.pem", "secrets/", ".env*")),
        ("exclude", "", ()),
        ("llm_endpoint", " http://127.0.0.1:1/v1 ", "http://127.0.0.1:1/v1"),
        ("llm_endpoint", "none", ""),
    ],
)
def test_a_value_is_taken_and_stays(
    ledger: Ledger, workspace: Workspace, key: str, value: str | int | bool, expected: object
) -> None:
    assert getattr(ledger.set_setting(workspace.id, key, value), key) == expected
    assert getattr(ledger.settings(workspace.id), key) == expected


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("max_entries", 49),
        ("max_entries", 50_001),
        ("max_entries", True),
        ("max_entries", "many"),
        ("max_entries", "1e3"),
        ("max_entries", "٥٠٠"),
        ("max_snapshot_bytes", 10_485_761),
        ("enabled", 1),
        ("enabled", "perhaps"),
        ("exclude", 5),
        ("llm_endpoint", "x" * 2_001),
        ("nothing", "1"),
    ],
)
def test_a_wrong_value_names_its_field_and_changes_nothing(
    ledger: Ledger, workspace: Workspace, key: str, value: str | int | bool
) -> None:
    with pytest.raises(BadRequest) as caught:
        ledger.set_setting(workspace.id, key, value)
    assert caught.value.field == key
    assert all(str(bound) in caught.value.title for bound in RANGES.get(key, ()))
    assert ledger.settings(workspace.id) == Settings()


def test_settings_belong_to_one_workspace(ledger: Ledger, workspace: Workspace) -> None:
    other = ledger.add_workspace(None, "other")
    ledger.set_setting(other.id, "max_entries", 60)
    assert ledger.settings(workspace.id) == Settings()
    with pytest.raises(NotFound):
        ledger.set_setting(99, "max_entries", 60)
