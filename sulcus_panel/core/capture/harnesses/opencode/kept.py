"""A session of OpenCode as it is kept: one shape for its database, its older files, and what people export."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from sulcus_panel.core.capture.payload import NOTHING, JsonObject, model_of, number_of, object_of, text_of

MAX_MILLISECONDS = 253_000_000_000_000


@dataclass(slots=True)
class Message:
    """One message. `parent` is, for an answer, the id of the message that it answers."""

    key: str
    role: str
    at: datetime | None = None
    parent: str = ""
    cwd: str = ""
    parts: list[JsonObject] = field(default_factory=list)
    model: str = ""


@dataclass(slots=True)
class Session:
    """One session, its messages in the order in which they came."""

    key: str
    source: str
    directory: str = ""
    parent: str | None = None
    created: datetime | None = None
    messages: list[Message] = field(default_factory=list)


def message_of(key: str, data: JsonObject) -> Message:
    """The message whose own JSON this is."""
    time = object_of(data, "time")
    return Message(
        key,
        text_of(data, "role"),
        moment(number_of(time, "created")),
        text_of(data, "parentID"),
        text_of(object_of(data, "path"), "cwd"),
        model=model_of(data),
    )


def session_of(key: str, data: JsonObject, source: str) -> Session:
    """The session whose own JSON this is, without its messages."""
    created = moment(number_of(object_of(data, "time"), "created"))
    return Session(key, source, text_of(data, "directory"), text_of(data, "parentID") or None, created)


def exported(data: JsonObject, source: str) -> Session | None:
    """The session of `opencode export`, None where this is something else."""
    info, messages = data.get("info"), data.get("messages")
    if not isinstance(info, dict) or not isinstance(messages, list):
        return None
    session = session_of(text_of(info, "id"), info, source)
    for one in messages:
        if isinstance(one, dict):
            told = object_of(one, "info")
            message = message_of(text_of(told, "id"), told)
            parts = one.get("parts")
            message.parts += (
                [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
            )
            session.messages.append(message)
    return session


def from_rows(key: str, rows: list[JsonObject], source: str) -> Session:
    """The session of which only the parts are there, one a row, each with whose it was, where and when."""
    session = Session(key, source)
    for row in rows:
        role, at = text_of(row, "_role"), moment(number_of(row, "_ts"))
        cwd = text_of(row, "_cwd")
        session.directory = session.directory or cwd
        session.created = session.created or at
        if role == "user" or not session.messages or session.messages[-1].role != role:
            session.messages.append(Message("", role, at, "", cwd))
        session.messages[-1].parts.append(row)
    return session


def moment(milliseconds: int | None) -> datetime | None:
    """A time of OpenCode's, None where it is none of this era."""
    if milliseconds is None or not 0 < milliseconds < MAX_MILLISECONDS:
        return None
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def state_of(part: JsonObject) -> Mapping[str, object]:
    """How far a tool's part has come."""
    return object_of(part, "state") if part.get("type") == "tool" else NOTHING
