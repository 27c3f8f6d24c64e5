"""One suite for all adapters: what every harness's payloads become, from its hook's stdin to ledger entries.

A case is two files in tests/data/payloads/<harness>/ (the harness's name in the registry):

`<name>.json`: a list of what the hook gets on stdin, in order; an object as JSON, a string as it is. `$ROOT` in
any string is the folder where the run takes place (a repository); `$ROOT_JSON` in a raw string is the same.

`<name>.expected.json`:
- `events`: for each payload a list of the events that the adapter makes of it, at least one. An event is an
  object of what is to be true of it: `kind` (the class's name, required), and any attribute of the event, of its
  `call` or its `scene` by name: tool, call_id, path, moved_to, content, command, exit_code, original, created,
  staged, output, background, error, prompt, what, session_id, turn, agent_id, caller, cwd, transcript …;
  `tool_kind` is the call's ToolKind, `edits` a list of [old, new] or [old, new, true]. `seen` and `moved_seen`
  are what the hook saw there: the file's text, null for no file, false where it did not look. A payload that is
  to be refused (BadPayload) has "bad" instead of the list.
- `files` (optional): {path below $ROOT: text} as they stand before the first payload.
- `writes` (optional): {"<index>": {path: text or null}}: what is written or deleted before that payload.
- `entries` (optional): [[action_type, tool, target_path, harness], …]: what the ledger has after a drain.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import pytest

from sulcus_panel.core.capture.adapter import Adapter, CaptureEvent, ToolFinished, ToolStarted, part_id
from sulcus_panel.core.capture.recorder import Recorder
from sulcus_panel.core.capture.registry import ADAPTERS, IMPORTERS
from sulcus_panel.core.capture.spool import Sighting, SpoolEvent, parse_spool
from sulcus_panel.core.errors import BadPayload
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import FileKind
from tests.support.hooks import run_hook, spooled

PAYLOADS = Path(__file__).parents[3] / "data" / "payloads"
AT = datetime(2026, 1, 1, tzinfo=UTC)
OURS = {"at", "head", "branch"}
"""What of a scene is not the harness's word."""
WITHOUT_HOOKS = {"acp", "aider"}
"""Harnesses that tell nothing to hooks: their sources have tests of their own."""
WRONG: Sequence[object] = (
    None,
    True,
    7,
    -1.5,
    "",
    "x",
    "\ud800",
    "a\0b",
    [],
    {},
    [[]],
    [{}],
    {"x": None},
    "x" * 9999,
)
"""What may stand where something else is expected."""

Json = Any


def cases() -> list[Any]:
    """Every case of every harness."""
    return [
        pytest.param(path, id=f"{path.parent.name}-{path.stem}")
        for path in sorted(PAYLOADS.glob("*/*.json"))
        if not path.name.endswith(".expected.json")
    ]


def said(value: object, root: str) -> object:
    """A fixture's value with the run's folder in it."""
    if isinstance(value, str):
        return value.replace("$ROOT_JSON", root).replace("$ROOT", root)
    if isinstance(value, list):
        return [said(one, root) for one in value]
    if isinstance(value, dict):
        return {str(said(key, root)): said(one, root) for key, one in value.items()}
    return value


def read_case(path: Path, root: str) -> tuple[list[Json], Json]:
    """The payloads and what is expected of them."""
    payloads = said(json.loads(path.read_bytes()), root)
    expected = said(json.loads(path.with_suffix(".expected.json").read_bytes()), root)
    assert isinstance(payloads, list)
    return payloads, expected


def put(root: Path, files: Mapping[str, str | None]) -> None:
    """What the harness, or somebody else, has written meanwhile."""
    for name, text in files.items():
        path = root / name
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())


def stdin_of(payload: object) -> bytes:
    """What the hook gets."""
    return payload.encode() if isinstance(payload, str) else json.dumps(payload).encode()


def told(event: CaptureEvent) -> dict[str, object]:
    """An event as plain values, by the names that a case may use."""
    values: dict[str, object] = {"kind": type(event).__name__}
    for part in (event.scene, getattr(event, "call", None), event):
        if is_dataclass(part):
            values |= {one.name: getattr(part, one.name) for one in fields(part)}
    call = getattr(event, "call", None)
    if call is not None:
        values["tool_kind"] = call.kind.value
        values["edits"] = [
            [one.old, one.new, True] if one.every else [one.old, one.new] for one in call.edits
        ]
    values["kind"] = type(event).__name__
    values["seen"] = seen(getattr(event, "sighting", None))
    values["moved_seen"] = seen(getattr(event, "moved", None))
    return values


def seen(sighting: Sighting | None) -> object:
    """The text that the hook saw, None for no file, False where it did not look."""
    if sighting is None:
        return False
    side = sighting.behind or sighting.own
    if side.state.kind is FileKind.ABSENT:
        return None
    return side.content.decode("utf-8", "replace") if side.content is not None else side.state.kind.value


def is_as_expected(event: CaptureEvent, expected: Json) -> None:
    """Compare the named values only."""
    values = told(event)
    assert {name: values.get(name, "no such attribute") for name in expected} == expected


@pytest.mark.parametrize("path", cases())
def test_a_recorded_run_becomes_the_expected_events_and_entries(
    path: Path, project: Path, data_home: DataHome, recorder: Recorder, ledger: Ledger
) -> None:
    harness = path.parent.name
    payloads, expected = read_case(path, str(project))
    assert len(payloads) == len(expected["events"])
    put(project, expected.get("files", {}))
    for index, (payload, wanted) in enumerate(zip(payloads, expected["events"], strict=True)):
        put(project, expected.get("writes", {}).get(str(index), {}))
        run_hook(stdin_of(payload), data_home.spool, harness=harness)
        newest = spooled(data_home.spool)[-1]
        if wanted == "bad":
            with pytest.raises(BadPayload):
                ADAPTERS[harness].read(parse_spool(newest.name, newest.read_bytes()))
            newest.unlink()
            continue
        found = ADAPTERS[harness].read(parse_spool(newest.name, newest.read_bytes()))
        assert [told(event)["kind"] for event in found] == [one["kind"] for one in wanted], f"payload {index}"
        for event, one in zip(found, wanted, strict=True):
            is_as_expected(event, one)
    report = recorder.drain()
    assert (report.set_aside, report.messages) == (0, ())
    records = [one.record for one in ledger.find(LedgerQuery(limit=1000, descending=False))]
    assert not [one.uid for one in records if records.count(one) > 1]
    if "entries" in expected:
        assert [
            [one.action_type.value, one.tool_name, one.target_path, one.harness] for one in records
        ] == expected["entries"]


@pytest.mark.parametrize("path", cases())
def test_a_payload_with_anything_else_in_it_is_an_event_or_a_message(path: Path) -> None:
    adapter = ADAPTERS[path.parent.name]
    for payload in read_case(path, "/w")[0]:
        if not isinstance(payload, dict):
            continue
        for broken in broken_payloads(payload):
            answered(adapter, broken)


@pytest.mark.parametrize("path", cases())
def test_what_a_later_version_adds_changes_nothing(path: Path) -> None:
    adapter = ADAPTERS[path.parent.name]
    for payload in read_case(path, "/w")[0]:
        if isinstance(payload, dict):
            assert answered(adapter, {**payload, "novel_key": {"x": [1]}}) == answered(adapter, payload)


@pytest.mark.parametrize("harness", sorted(ADAPTERS))
def test_every_adapter_says_who_it_is_and_has_cases(harness: str) -> None:
    adapter = ADAPTERS[harness]
    assert (adapter.harness, bool(adapter.actor)) == (harness, True)
    if harness not in WITHOUT_HOOKS:
        assert list(PAYLOADS.glob(f"{harness}/*.json"))
    if harness in IMPORTERS:
        assert IMPORTERS[harness].harness == harness


@pytest.mark.parametrize("harness", sorted(ADAPTERS))
def test_an_empty_payload_is_refused_and_an_unknown_event_is_ignored_or_refused(harness: str) -> None:
    adapter = ADAPTERS[harness]
    answered(adapter, {})
    for key in ("hook_event_name", "hookEventName", "hookName", "agent_action_name"):
        found = answered(adapter, {key: "SomethingOfNextYear", "session_id": "s"})
        assert all(type(event).__name__ == "Ignored" for event in found)


def answered(adapter: Adapter, payload: Mapping[str, object]) -> tuple[CaptureEvent, ...]:
    """The adapter's answer, held to what every answer must be; nothing for a refusal."""
    spool = SpoolEvent("1-1", adapter.harness, AT, payload)
    try:
        found = adapter.read(spool)
    except BadPayload:
        return ()
    assert found
    for event in found:
        assert isinstance(event, get_args(CaptureEvent))
        scene = event.scene
        assert (scene.spool_name, scene.at, scene.harness) == ("1-1", AT, adapter.harness)
        assert all(isinstance(getattr(scene, one.name), str) for one in fields(scene) if one.name not in OURS)
    calls = [one.call for one in found if isinstance(one, ToolStarted | ToolFinished)]
    if len(calls) > 1:
        assert [one.call_id for one in calls] == [part_id(calls[0].call_id, n) for n in range(len(calls))]
    return found


def broken_payloads(payload: Mapping[str, Json]) -> Iterator[dict[str, object]]:
    """The payload without each of its values, and with each replaced by what is wrong there, two levels deep."""
    for key, value in payload.items():
        yield {one: other for one, other in payload.items() if one != key}
        for wrong in WRONG:
            yield {**payload, key: wrong}
        if isinstance(value, dict):
            for inner in broken_payloads(value):
                yield {**payload, key: inner}
