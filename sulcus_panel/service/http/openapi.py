"""The description of the API, generated from the table of doors and the types of their words: true by birth."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from sulcus_panel import __version__
from sulcus_panel.service.http.routes import DOORS
from sulcus_panel.service.http.table import Door, Way

Json = dict[str, Any]
REF = "#/components/schemas/{name}"
ALWAYS = {"421": "Another host was asked for", "403": "A page in a browser, or a token without the scope"}
WITH_TOKEN = {"401": "No valid token", "429": "Too much at once; try again later"}
WITH_BODY = {"411": "The length is not said", "413": "The body is too large", "415": "The body is no JSON"}
MEANINGS = {
    200: "Done",
    201: "Recorded",
    202: "Held: it waits for the person",
    400: "The request cannot be meant; `field` names the culprit",
    404: "There is no such thing",
    409: "It cannot be done as things stand",
}
ERROR = {
    "type": "object",
    "required": ["error", "title", "detail", "hint", "field"],
    "properties": {name: {"type": "string"} for name in ("error", "title", "detail", "hint", "field")},
}


@cache
def description() -> Json:
    """Return the whole description."""
    kinds = [door.words for door in DOORS if door.has_body]
    _, components = msgspec.json.schema_components(kinds, ref_template=REF)
    paths: Json = {}
    for door in DOORS:
        paths.setdefault(door.path, {})[door.method.lower()] = _operation(door)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Sulcus Panel", "version": __version__},
        "paths": paths,
        "components": {
            "schemas": components | {"Error": ERROR},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(door: Door) -> Json:
    body: Json = {"summary": door.summary, "operationId": _name(door), "responses": _responses(door)}
    if door.scopes:
        body["security"] = [{"token": sorted(door.scopes)}]
    if door.has_body:
        schema = {"$ref": REF.format(name=door.words.__name__)}
        body["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    elif door.words.__struct_fields__:
        body["parameters"] = _parameters(door)
    return body


def _name(door: Door) -> str:
    return f"{door.method.lower()}_" + "_".join(
        part.strip("{}").replace("-", "_").replace(".", "_")
        for part in door.path.split("/")[3:] or [door.path[1:]]
    )


def _parameters(door: Door) -> list[Json]:
    _, components = msgspec.json.schema_components([door.words], ref_template=REF)
    schema = components[door.words.__name__]
    inlined = {name: _inlined(value, components) for name, value in schema["properties"].items()}
    found = []
    for name, value in inlined.items():
        is_in_path = f"{{{name}}}" in door.path
        found.append(
            {
                "name": name,
                "in": "path" if is_in_path else "query",
                "required": is_in_path or name in schema.get("required", ()),
                "schema": value,
            }
        )
    return found


def _inlined(schema: Json, components: Mapping[str, Any]) -> Json:
    """Return a parameter's schema without null, which a query cannot say, and without references."""
    if "$ref" in schema:
        return dict(components[schema["$ref"].rsplit("/", 1)[1]])
    kinds = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
    if not kinds:
        return schema
    return _inlined(kinds[0], components)


def _responses(door: Door) -> Json:
    responses: Json = {str(status): _answer(door, status) for status in door.statuses}
    errors = dict(ALWAYS)
    errors |= {str(status): MEANINGS[status] for status in door.errors}
    errors |= {} if not door.scopes else WITH_TOKEN
    errors |= WITH_BODY if door.has_body else {}
    if door.way in {Way.RECORDS, Way.WRITES, Way.READS}:
        errors.setdefault("409", MEANINGS[409])
    for status, meaning in errors.items():
        schema = {"$ref": REF.format(name="Error")}
        responses[status] = {"description": meaning, "content": {"application/json": {"schema": schema}}}
    return responses


def _answer(door: Door, status: int) -> Json:
    if door.way is Way.EVENTS:
        return {"description": "A stream", "content": {"text/event-stream": {"schema": {"type": "string"}}}}
    nullable = {"seq_id", "state", "next_before"}
    properties = {
        name: {"type": [kind, "null"] if name in nullable else kind} for name, kind in door.answer.items()
    }
    schema = {"type": "object", "required": list(door.answer), "properties": properties}
    return {"description": MEANINGS[status], "content": {"application/json": {"schema": schema}}}
