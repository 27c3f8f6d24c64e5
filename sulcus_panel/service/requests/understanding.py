"""From what was sent to a request of a known type; what does not fit is refused by the name of its field."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar
from urllib.parse import parse_qsl

import msgspec
from msgspec import Struct, inspect

from sulcus_panel.core.safety import plain
from sulcus_panel.service.guards import Refused

MAX_QUERY = 8_192
MAX_FIELDS = 50
Kind = TypeVar("Kind", bound=Struct)
_PLACE = re.compile(r"^(?P<what>.*?)(?: - at `\$\.?(?P<where>.*)`)?$", re.DOTALL)
_NAMED = re.compile(r"(?:missing required field|contains unknown field) `(.*)`", re.DOTALL)


def words_of_query(query: bytes) -> dict[str, Any]:
    """Return the fields of a query string. Raises Refused (400)."""
    if len(query) > MAX_QUERY:
        raise _bad("The query is too long", f"At most {MAX_QUERY:,} bytes.")
    try:
        pairs = parse_qsl(
            query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MAX_FIELDS
        )
    except ValueError as error:
        raise _bad("The query cannot be read", "It is no UTF-8, or has too many fields.") from error
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(name for name in found if sum(name == other for other, _ in pairs) > 1)
        raise _bad(f"{plain(twice, 80)} is given twice", field=twice)
    for name, value in pairs:
        if "\0" in name or "\0" in value:
            raise _bad("A field holds a zero byte", field=name)
    return found


def understood(kind: type[Kind], found: Mapping[str, Any], *, strict: bool = True) -> Kind:
    """Return the request; not `strict` reads numbers and switches from texts. Raises Refused (400)."""
    unknown = sorted(set(found) - set(kind.__struct_fields__))
    if unknown:
        names = ", ".join(plain(name, 80) for name in unknown[:10])
        raise Refused(400, "unknown_field", f"Unknown: {names}", _known(kind), field=unknown[0])
    try:
        made = msgspec.convert(found, kind, strict=strict)
    except msgspec.ValidationError as error:
        raise _not_fitting(kind, str(error)) from error
    if not strict:
        _check_texts(made, found)
    return made


def _check_texts(made: Struct, found: Mapping[str, Any]) -> None:
    """Refuse a text that was read as nothing: a query cannot say null."""
    for name in found:
        if getattr(made, name) is None:
            raise _bad(f"{name} does not fit", "Leave it out.", field=name)


def _known(kind: type[Struct]) -> str:
    return "Known are " + ", ".join(kind.__struct_fields__) + "." if kind.__struct_fields__ else ""


def _not_fitting(kind: type[Struct], message: str) -> Refused:
    parts = _PLACE.match(message)
    what, where = (parts["what"], parts["where"] or "") if parts else (message, "")
    named = _NAMED.search(what)
    if named:
        name = ".".join(part for part in (where, named[1]) if part)
        if "missing" in what:
            return _bad(f"{plain(name, 80)} is missing", field=name)
        return Refused(400, "unknown_field", f"Unknown: {plain(name, 80)}", field=name)
    spoken = _range_of(kind, where) or f"{plain(what.replace('`', ''), 200)}."
    return _bad(f"{plain(where, 80) or 'The request'} does not fit", spoken, field=where)


def _range_of(kind: type[Struct], name: str) -> str:
    """Say the range of a number of ours, "" for anything else."""
    for field in inspect.type_info(kind).fields:  # type: ignore[attr-defined]  # of a Struct, it has fields
        kinds = getattr(field.type, "types", (field.type,))
        for one in kinds if field.encode_name == name else ():
            if isinstance(one, inspect.IntType) and None not in {one.ge, one.le}:
                return f"It takes a whole number from {one.ge} to {one.le}."
    return ""


def _bad(title: str, detail: str = "", *, field: str = "") -> Refused:
    return Refused(400, "bad_request", title, detail, field=field)
