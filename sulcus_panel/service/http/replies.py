"""Bytes that go back, with the headers that every answer has."""

from typing import Any

import msgspec

from sulcus_panel.service.requests.asked import Answered

HEADERS = (
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'"),
)
JSON_HEADERS = (*HEADERS, (b"content-type", b"application/json"))
_encode = msgspec.json.Encoder().encode

Message = dict[str, Any]


def encoded(answered: Answered) -> tuple[Message, Message]:
    """Return the two messages of an answer, for ASGI's `send`."""
    body = _encode(answered.body)
    headers = [*JSON_HEADERS, (b"content-length", b"%d" % len(body))]
    if answered.retry_after:
        headers.append((b"retry-after", b"%d" % answered.retry_after))
    if answered.allow:
        headers.append((b"allow", answered.allow.encode()))
    return (
        {"type": "http.response.start", "status": answered.status, "headers": headers},
        {"type": "http.response.body", "body": body},
    )
