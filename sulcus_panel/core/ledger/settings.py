"""A workspace's settings: their kinds, their ranges, and how a value from a door becomes one."""

import json
import re
from dataclasses import fields

from sulcus_panel.core.errors import BadRequest, UnknownField
from sulcus_panel.core.ledger.database import Database
from sulcus_panel.core.model import Settings

RANGES = {
    "max_entries": (50, 50_000),
    "max_age_days": (1, 3_650),
    "max_snapshot_bytes": (4_096, 10_485_760),
    "max_store_bytes": (1_048_576, 1_099_511_627_776),
}
SWITCHES = (
    *("enabled", "retain_file_snapshots", "always_ask", "llm_cli_undo_enabled", "air_gap"),
    "tell_agents",
)
TEXT_LIMIT = 2_000
_WORDS = {
    "true": True,
    "on": True,
    "yes": True,
    "1": True,
    "false": False,
    "off": False,
    "no": False,
    "0": False,
}
_KEYS = tuple(setting.name for setting in fields(Settings))


def read_settings(db: Database, workspace_id: int) -> Settings:
    """The settings in force; the defaults for what was never set."""
    return db.known(("settings", workspace_id), lambda: _stored(db, workspace_id))


def _stored(db: Database, workspace_id: int) -> Settings:
    rows = db.rows("SELECT key, value FROM setting WHERE workspace_id = ?", (workspace_id,))
    if not rows:
        return Settings()
    stored = {key: json.loads(value) for key, value in rows if key in _KEYS}
    if "exclude" in stored:
        stored["exclude"] = tuple(stored["exclude"])
    return Settings(**stored)


def store_setting(db: Database, workspace_id: int, key: str, value: str | int | bool) -> None:
    """Check one value and store it. Only inside `write()`.

    Raises:
        BadRequest: names the field and its range; nothing is stored.
    """
    db.run(
        "INSERT INTO setting (workspace_id, key, value) VALUES (?, ?, ?)"
        " ON CONFLICT (workspace_id, key) DO UPDATE SET value = excluded.value",
        (workspace_id, key, json.dumps(checked(key, value))),
    )
    db.forget_known()


def checked(key: str, value: str | int | bool) -> str | int | bool | list[str]:
    """The value as it is stored. `exclude` takes patterns, one a line or separated by commas.

    Raises:
        BadRequest: no such setting, or a value out of its range.
    """
    if key in RANGES:
        return _number(key, value)
    if key in SWITCHES:
        return _switch(key, value)
    if key not in _KEYS:
        raise UnknownField("There is no such setting", key, "One of: " + ", ".join(_KEYS), field=key)
    if not isinstance(value, str) or len(value) > TEXT_LIMIT or "\0" in value:
        raise BadRequest(f"{key} takes a text of at most {TEXT_LIMIT} characters", field=key)
    if key == "exclude":
        return [pattern.strip() for pattern in re.split(r"[\n,]", value) if pattern.strip()]
    return "" if value.strip().lower() == "none" else value.strip()


def _number(key: str, value: str | int | bool) -> int:
    low, high = RANGES[key]
    refusal = BadRequest(f"{key} takes a whole number from {low} to {high}", f"Not {value!r:.80}.", field=key)
    if isinstance(value, bool):
        raise refusal
    if isinstance(value, str):
        if not re.fullmatch(r"[0-9]{1,15}", value.strip()):
            raise refusal
        value = int(value)
    if not low <= value <= high:
        raise refusal
    return value


def _switch(key: str, value: str | int | bool) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().lower() in _WORDS:
        return _WORDS[value.strip().lower()]
    raise BadRequest(f"{key} takes true or false", f"Not {value!r:.80}.", field=key)
