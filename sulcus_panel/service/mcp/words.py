"""What only MCP's tools are asked: one entry with its contents, and what became of a hold."""

from typing import Any

from msgspec import Struct, json

from sulcus_panel.service.requests.words import Id, UndoBody

NAMESPACE = "namespace"


class UndoCall(UndoBody, frozen=True, forbid_unknown_fields=True):
    """An undo as over HTTP; or with `hold_id` alone: what became of one that was held."""

    hold_id: Id | None = None


def input_schema(words: type[Struct], *, has_namespace: bool) -> dict[str, Any]:
    """Return what a tool takes, as JSON Schema; `has_namespace`: the server knows which workspace is meant."""
    (_,), parts = json.schema_components([words], ref_template="#/$defs/{name}")
    schema: dict[str, Any] = parts.pop(words.__name__)
    schema.pop("title", None)
    schema.pop("description", None)
    if has_namespace:
        required = [name for name in schema.pop("required", ()) if name != NAMESPACE]
        schema |= {"required": required} if required else {}
    return schema | ({"$defs": parts} if parts else {})
