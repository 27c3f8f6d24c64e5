"""A spool file: what a hook saw of one event, as hook.py writes it and the recorder reads it.

Where these files lie, and what becomes of them, is spool_folder.py's matter.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count

from sulcus_panel.core.capture.changes import ABSENT_SIDE, file_side, symlink_side, unknown_side
from sulcus_panel.core.capture.set_aside import WHY
from sulcus_panel.core.errors import BadPayload
from sulcus_panel.core.model import DiskFile, FileKind, FileState, Sha256
from sulcus_panel.core.safety import plain

MAGIC = b"sulcus-spool 1\n"
MAX_HEADER = 65_536
MAX_DIGITS = 18


@dataclass(frozen=True, slots=True)
class Sighting:
    """What the hook saw at a path: the path itself (a symlink's text), and what a symlink leads to."""

    path: str
    own: DiskFile
    behind: DiskFile | None = None


@dataclass(frozen=True, slots=True)
class Looked:
    """What the hook tells of a look at the whole tree; shell/report.py reads it."""

    fields: Mapping[str, str]
    sections: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class SpoolEvent:
    """One event as the hook left it. `payload` is the harness's own JSON, for the adapter alone."""

    name: str
    harness: str
    at: datetime
    payload: Mapping[str, object]
    sighting: Sighting | None = None
    uptime: timedelta | None = None
    """How long the machine had been up; None where the hook did not tell."""
    others: tuple[Sighting, ...] = ()
    """What the hook saw at further paths, where the call names several."""
    looked: Looked | None = None
    stands: tuple[str, str] | None = None
    """HEAD's id and the branch, "" where there is none; None where no repository was seen."""
    lost: tuple[Looked, ...] = ()
    """What the hook saw of the trees of calls that never told their end (shell/lost.py)."""
    told: str = ""
    """The notice that the hook passed on to the agent (notices.py)."""

    def seen_at(self, path: str) -> Sighting | None:
        """What the hook saw at a path as the call spells it, which may be relative to where it ran; None at "".

        A file of the same name in a folder further below is another: the nearest one is meant.
        """
        seen = () if self.sighting is None or not path else (self.sighting, *self.others)
        cwd, below = self.payload.get("cwd"), path.removeprefix("./").replace("\\", "/")
        whole = f"{cwd}/{below}".replace("\\", "/") if isinstance(cwd, str) else path
        ends = [one for one in seen if one.path.replace("\\", "/").endswith("/" + below)]
        exact = (one for one in seen if one.path == path or one.path.replace("\\", "/") == whole)
        return next(exact, None) or min(ends, key=lambda one: len(one.path), default=None)


def bad_event(name: str, why: str) -> BadPayload:
    """The message for an event that cannot be used."""
    detail = f"{plain(name, 200)}: {plain(why, 500)}"
    return BadPayload("An event could not be read", detail, "What may be kept of it is in spool/bad.")


def parse_spool(name: str, data: bytes) -> SpoolEvent:
    """The event in a spool file's bytes; BadPayload says what is wrong with it."""
    header, sections = _split(name, data)
    if WHY in header:
        raise bad_event(name, header[WHY])
    if "cut" in header:
        raise bad_event(name, "the payload was larger than 64 MiB and is cut")
    payload = _parse_json(name, sections.get("payload", b""))
    at = header.get("at", "")
    if not at.isdecimal() or len(at) > 19:
        raise bad_event(name, "it has no time")
    return SpoolEvent(
        name,
        header.get("harness", "unknown"),
        datetime.fromtimestamp(int(at) / 1e9, UTC),
        payload,
        _sighting(header, sections) if "kind" in header else None,
        None if (uptime := _number(header.get("uptime"))) is None else timedelta(microseconds=uptime // 1000),
        tuple(_others(header, sections)),
        _looked(header, sections),
        _stands(sections),
        tuple(_lost(header, sections)),
        header.get("told", ""),
    )


def _stands(sections: Mapping[str, bytes]) -> tuple[str, str] | None:
    head, has_branch, branch = os.fsdecode(sections.get("stands", b"")).partition("\n")
    return (head, branch) if has_branch else None


def _lost(header: Mapping[str, str], sections: Mapping[str, bytes]) -> Iterator[Looked]:
    """The looks at what other calls left: their header keys and sections stand behind `lost<number>.`, from 1."""
    for number in count(1):
        prefix = f"lost{number}."
        if prefix + "tree" not in header:
            return
        fields = {key.removeprefix(prefix): value for key, value in header.items() if key.startswith(prefix)}
        parts = {key.removeprefix(prefix): data for key, data in sections.items() if key.startswith(prefix)}
        yield Looked(fields, parts)


def _looked(header: Mapping[str, str], sections: Mapping[str, bytes]) -> Looked | None:
    if "tree" not in header:
        return None
    fields = {key: value for key, value in header.items() if key.startswith("tree")}
    return Looked(fields, {key: data for key, data in sections.items() if key.startswith("tree")})


def _split(name: str, data: bytes) -> tuple[dict[str, str], dict[str, bytes]]:
    head, blank, body = data.partition(b"\n\n")
    if not data.startswith(MAGIC) or not blank:
        raise bad_event(name, "it is not a spool file, or cut short")
    lines = head.decode("utf-8", "surrogateescape").split("\n")[1:]
    header = dict(line.partition(" ")[::2] for line in lines)
    sections, start = {}, 0
    for key, value in header.items():
        if not key.endswith("_bytes"):
            continue
        if not value.isdecimal() or len(value) > MAX_DIGITS:
            raise bad_event(name, "its header is damaged")
        sections[key.removesuffix("_bytes")] = body[start : start + int(value)]
        start += int(value)
    if start != len(body):
        raise bad_event(name, f"cut short: {len(body)} of {start} bytes")
    return header, sections


def salvaged(name: str, data: bytes) -> tuple[dict[str, str], dict[str, bytes]]:
    """What can be read of an event that cannot be used: of a torn one the header alone, of junk nothing."""
    try:
        return _split(name, data)
    except BadPayload:
        if not data.startswith(MAGIC):
            return {}, {}
    whole_lines = data[len(MAGIC) : MAX_HEADER].partition(b"\n\n")[0].split(b"\n")[:-1]
    lines = [line.decode("utf-8", "surrogateescape") for line in whole_lines]
    return dict(line.partition(" ")[::2] for line in lines), {}


def _parse_json(name: str, payload: bytes) -> Mapping[str, object]:
    try:
        value: object = json.loads(payload.decode("utf-8").lstrip(" \t\r\n\ufeff"), strict=False)
    except (ValueError, RecursionError) as error:
        raise bad_event(name, f"the payload is not JSON ({error})") from error
    if not isinstance(value, dict):
        raise bad_event(name, "the payload is not a JSON object")
    return value


def _others(header: Mapping[str, str], sections: Mapping[str, bytes]) -> Iterator[Sighting]:
    """The further sightings: their header keys and sections are the first one's behind `<number>.`, from 2."""
    for number in count(2):
        prefix = f"{number}."
        own = {key.removeprefix(prefix): value for key, value in header.items() if key.startswith(prefix)}
        if "kind" not in own:
            return
        parts = {key.removeprefix(prefix): data for key, data in sections.items() if key.startswith(prefix)}
        yield _sighting(own, parts)


def _sighting(header: Mapping[str, str], sections: Mapping[str, bytes]) -> Sighting:
    path = os.fsdecode(sections.get("path", b""))
    content = sections.get("content") if "without_content" not in header else None
    if header["kind"] != "symlink":
        return Sighting(path, _side(header, "", content))
    link = sections.get("link", b"")
    own = symlink_side(link, _number(header.get("mode")))
    return Sighting(path, own, _side(header, "target_", content))


def _side(header: Mapping[str, str], prefix: str, content: bytes | None) -> DiskFile:
    kind, mode = header.get(prefix + "kind"), _number(header.get(prefix + "mode"))
    if kind == "absent":
        return ABSENT_SIDE
    if kind == "directory":
        return DiskFile(FileState(FileKind.DIRECTORY, mode=mode), None)
    if kind != "file":
        reason = header.get(prefix + "reason") or "not a regular file"
        return unknown_side(reason)
    digest, size = header.get(prefix + "sha256"), _number(header.get(prefix + "size"))
    if digest:
        why = header.get("why") or "too large to keep"
        return DiskFile(FileState(FileKind.FILE, Sha256(digest), size, mode, reason=why), None)
    return _file_side(digest, size, mode, content)


def _file_side(digest: str | None, size: int | None, mode: int | None, content: bytes | None) -> DiskFile:
    """A regular file that is read whole, or was to be; `digest` is "" where time ran out."""
    if digest is None and content is not None:
        return file_side(content, mode)
    reason = "no room to keep the bytes" if digest is None else "too large to read in time"
    return DiskFile(FileState(FileKind.UNKNOWN, None, size, mode, reason=reason), None)


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdecimal() and len(text) <= MAX_DIGITS else None
