"""Errors in the one JSON form that every door answers with."""

from typing import Any

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.safety import escaped

OUR_BUG = {
    "error": "internal",
    "title": "This is a bug in Sulcus Panel",
    "detail": "What was under way is settled at the next start.",
    "hint": "",
    "field": "",
}


def error_json(error: SulcusError) -> dict[str, Any]:
    """An expected error: its stable code, what, why, what to do, and the field that is at fault, if one is."""
    return {
        "error": error.code,
        "title": escaped(error.title),
        "detail": escaped(error.detail),
        "hint": escaped(error.hint),
        "field": escaped(getattr(error, "field", "")),
    }
