"""What is left of an event that could not be used: enough to see why, nothing of what files or outputs held.

Nobody could judge whether its contents may be kept, so none are. Of the payload stay its shape, and the texts
of the few keys that name things; every other text becomes its length.
"""

import json
from collections.abc import Mapping

from sulcus_panel.core.safety import plain

WHY = "set_aside"
"""The header line that says why."""
MAX_TEXT, MAX_ITEMS, MAX_DEPTH = 500, 50, 6

_NAMING_KEYS = frozenset(
    (
        "hook_event_name",
        "session_id",
        "cwd",
        "tool_name",
        "tool_use_id",
        "prompt_id",
        "agent_id",
        "agent_type",
        "transcript_path",
        "file_path",
        "notebook_path",
        "filePath",
        "type",
    )
)
_HEADER_KEYS = frozenset(("at", "harness", "kind", "mode", "size", "reason", "cut", "without_content"))


def reduced(header: Mapping[str, str], sections: Mapping[str, bytes], why: str) -> bytes:
    """A spool file that names the event and says why it was set aside, in place of the event itself.

    `header` and `sections` are what could be read of it, nothing where it is no spool file.
    """
    kept = {"payload": _payload(sections.get("payload", b""))}
    kept |= {key: sections[key][: MAX_TEXT * 8] for key in ("path", "link") if key in sections}
    lines = ["sulcus-spool 1", f"{WHY} {plain(why, MAX_TEXT)}"]
    lines += [
        f"{key} {plain(value, MAX_TEXT)}"
        for key, value in header.items()
        if key.removeprefix("target_") in _HEADER_KEYS
    ]
    lines += [f"{key}_bytes {len(data)}" for key, data in kept.items()]
    return "\n".join(lines).encode() + b"\n\n" + b"".join(kept.values())


def _payload(data: bytes) -> bytes:
    try:
        value: object = json.loads(data.decode("utf-8"), strict=False)
    except (ValueError, RecursionError):
        return b""
    return json.dumps(_shape(value, "", MAX_DEPTH)).encode("ascii")


def _shape(value: object, key: str, depth: int) -> object:
    if isinstance(value, str):
        return plain(value, MAX_TEXT) if key in _NAMING_KEYS else f"… {len(value):,} characters"
    if isinstance(value, dict) and depth:
        items = list(value.items())[:MAX_ITEMS]
        return {plain(name, 80): _shape(one, name, depth - 1) for name, one in items}
    if isinstance(value, list) and depth:
        return [_shape(one, "", depth - 1) for one in value[:MAX_ITEMS]]
    return value if isinstance(value, bool) or value is None else "…"
