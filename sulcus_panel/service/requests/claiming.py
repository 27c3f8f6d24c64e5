"""A record's body as a claim: contents decoded, times in UTC, and what is not for this caller refused."""

import base64
import binascii
import json
from datetime import UTC, datetime

from sulcus_panel.core.access import Caller
from sulcus_panel.core.capture.claims import Claim, ClaimedHunk, ClaimedSide
from sulcus_panel.core.model import ActorKind
from sulcus_panel.service.claims import Recorded, Told
from sulcus_panel.service.guards import Refused
from sulcus_panel.service.requests.words import DiffHunk, Encoding, RecordBody, Side

CREATED = 201
OK = 200


def told(caller: Caller, body: RecordBody) -> Told:
    """Return what the caller tells. Raises Refused."""
    _check_inverse(caller, body)
    claim = Claim(
        action_type=body.action_type,
        harness=body.harness,
        session_id=body.session_id,
        tool_name=body.tool_name,
        target_path=body.target_path,
        summary=body.summary,
        before=_side(body.pre_state, body.content_encoding, "pre_state"),
        after=_side(body.post_state, body.content_encoding, "post_state"),
        hunks=tuple(_hunk(hunk, body.content_encoding, at) for at, hunk in enumerate(body.diff_hunks)),
        uid=body.uid or "",
        at=_in_utc(body.at),
        turn_id=body.turn_id or "",
        intent=body.intent or "",
        why=None if body.why is None else _why(body),
        command=body.command,
        cwd=body.cwd,
        exit_code=body.exit_code,
        derived_from=tuple(body.derived_from or ()),
        input="" if body.input is None else json.dumps(body.input, ensure_ascii=False),
    )
    return Told(caller, body.namespace, claim)


def recorded_json(done: Recorded) -> tuple[int, dict[str, object]]:
    """Return status and answer; no `seq_id` where recording is switched off."""
    status = CREATED if done.is_new and done.seq_id is not None else OK
    return status, {"seq_id": done.seq_id, "uid": done.uid, "state": done.state}


def _check_inverse(caller: Caller, body: RecordBody) -> None:
    if body.inverse is None:
        return
    if caller.actor.kind is not ActorKind.MODULE:
        raise Refused(
            403, "inverse_not_allowed", "Only a module's token may name an inverse", field="inverse"
        )
    raise Refused(
        400,
        "not_yet",
        "Inverses of modules are not taken yet",
        "Nothing was recorded.",
        "Record it without `inverse`.",
        field="inverse",
    )


def _why(body: RecordBody) -> dict[str, str]:
    said = {"said": body.why.said, "rule": body.why.rule} if body.why is not None else {}
    return {key: text for key, text in said.items() if isinstance(text, str)}


def _in_utc(at: datetime | None) -> datetime | None:
    try:
        return None if at is None else at.astimezone(UTC)
    except OverflowError:
        raise Refused(400, "bad_request", "at does not fit", "It is out of all time.", field="at") from None


def _side(side: Side | None, encoding: Encoding, field: str) -> ClaimedSide | None:
    if side is None:
        return None
    content = None if side.content is None else _bytes(side.content, encoding, f"{field}.content")
    return ClaimedSide(side.existed, side.sha256, side.size_bytes, content)


def _hunk(hunk: DiffHunk, encoding: Encoding, at: int) -> ClaimedHunk:
    field = f"diff_hunks[{at}]"
    return ClaimedHunk(
        hunk.start_line,
        _bytes(hunk.target_excerpt, encoding, f"{field}.target_excerpt"),
        _bytes(hunk.replacement_excerpt, encoding, f"{field}.replacement_excerpt"),
    )


def _bytes(text: str, encoding: Encoding, field: str) -> bytes:
    if encoding is Encoding.UTF_8:
        return text.encode()
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Refused(400, "bad_request", f"{field} is not base64", field=field) from None
