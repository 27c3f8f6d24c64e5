"""Every value of the verbs as JSON and back, the same after the journey: by msgspec, from the verbs' own types.

JSON carries neither half characters (names that are no UTF-8 hold them) nor zero bytes, so a text with one of these
travels as its bytes behind a mark; a text that begins with the mark does too, and so nothing is ambiguous.
"""

import base64
import sys
from array import array
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

MARK = "\ue000"


class Ids:
    """The type of an `array[int]` on the wire: ids are many, and travel as 64 bits each, the least byte first."""

    @classmethod
    def __class_getitem__(cls, _item: type) -> type["Ids"]:
        return cls


def packed(value: object) -> Any:
    """Return `value` as what JSON can say."""
    if isinstance(value, array):
        return base64.b64encode(_least_first(value).tobytes()).decode()
    return _each_text(msgspec.to_builtins(value, enc_hook=_plain), _wrapped)


def unpacked(kind: Any, found: Any) -> Any:
    """Return the value of type `kind` that was packed. Raises msgspec.ValidationError, ValueError."""
    if kind is Ids:
        if not isinstance(found, str):
            raise msgspec.ValidationError("Expected ids")
        return _least_first(array("q", base64.b64decode(found, validate=True)))
    return msgspec.convert(_each_text(found, _unwrapped), kind, dec_hook=_made)


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Path):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} has no form on the wire")


def _made(kind: type, found: object) -> object:
    if kind is Path and isinstance(found, str):
        return Path(found)
    if kind is object:  # an event's body, which is JSON already
        return found
    raise NotImplementedError(f"{kind} has no form on the wire")


def _least_first(ids: "array[int]") -> "array[int]":
    if sys.byteorder == "big":
        ids = array("q", ids)
        ids.byteswap()
    return ids


def _each_text(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list | tuple):
        return [_each_text(each, change) for each in value]
    if isinstance(value, dict):
        return {_each_text(key, change): _each_text(each, change) for key, each in value.items()}
    return value


def _wrapped(text: str) -> str:
    if text.isascii() and "\0" not in text:
        return text
    if not text.startswith(MARK) and "\0" not in text and not any("\ud800" <= c <= "\udfff" for c in text):
        return text
    return MARK + base64.b64encode(text.encode("utf-8", "surrogatepass")).decode()


def _unwrapped(text: str) -> str:
    if not text.startswith(MARK):
        return text
    return base64.b64decode(text[1:], validate=True).decode("utf-8", "surrogatepass")
