"""Reading untrusted JSON objects of a payload or transcript: the wrong type counts as missing, nothing raises."""

from collections.abc import Mapping
from datetime import UTC, datetime

JsonObject = Mapping[str, object]

NOTHING: JsonObject = {}
MAX_MODEL = 200


def text_of(record: JsonObject, *keys: str) -> str:
    """The first of these keys that holds a string, else the empty string."""
    return optional_text(record, *keys) or ""


def optional_text(record: JsonObject, *keys: str) -> str | None:
    """The first of these keys that holds a string, else None."""
    return next((value for key in keys if isinstance(value := record.get(key), str)), None)


def model_of(record: JsonObject) -> str:
    """The model that a payload or a record names, by itself or as an object; empty where none does."""
    told = record.get("model")
    found = text_of(told, "slug", "id", "modelID") if isinstance(told, dict) else text_of(record, "model")
    found = found or text_of(record, "model_name", "modelID", "modelId")
    return "" if found.startswith("<") else found.strip()[:MAX_MODEL]


def object_of(record: JsonObject, key: str) -> JsonObject:
    """The object under this key, an empty one where there is none."""
    value = record.get(key)
    return value if isinstance(value, dict) else NOTHING


def objects_of(record: JsonObject, key: str) -> list[JsonObject]:
    """The objects in the list under this key; anything else in it is left out."""
    value = record.get(key)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def number_of(record: JsonObject, key: str) -> int | None:
    """The whole number under this key, else None."""
    value = record.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def time_of(record: JsonObject, key: str) -> datetime | None:
    """The ISO time under this key in UTC, None where it is missing, is no time, or none of this era."""
    try:
        moment = datetime.fromisoformat(text_of(record, key))
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return moment if 1970 <= moment.year < 9999 else None


def block_text(content: object) -> str:
    """The text of a message's content: a string, or the text blocks of a list."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = (
        block.get("text") for block in content if isinstance(block, dict) and block.get("type") == "text"
    )
    return "\n".join(text for text in texts if isinstance(text, str))
