"""The spool: what hooks leave behind, read once, in order; nothing in it is ever dropped silently.

`new` holds whole events, `tmp` those being written, `bad` what is left of those that cannot be used (no file's
contents, for KEPT_BAD at most), `late` which files a turn named (hook_late.py's, for KEPT_LATE at most), and the
size of the file `dropped` counts the events that found no room at all. The file format is hook.py's.
"""

import json
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from sulcus_panel.core.capture.changes import ABSENT_SIDE, file_side, symlink_side, unknown_side
from sulcus_panel.core.capture.plain_file import open_plain
from sulcus_panel.core.capture.set_aside import WHY, reduced
from sulcus_panel.core.errors import BadPayload, UnsafePath
from sulcus_panel.core.model import DiskFile, FileKind, FileState, Sha256
from sulcus_panel.core.safety import plain

MAGIC = b"sulcus-spool 1\n"
TORN_AFTER_SECONDS = 120
"""A file that a hook began longer ago than this will not be finished: the hook was killed."""
MAX_TEMP_LISTED = 100_000
KEPT_BAD = timedelta(days=90)
KEPT_LATE = timedelta(days=7)
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


class Spool:
    """The spool folder of one data home."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> tuple[str, ...]:
        """The events waiting, in the order in which they began."""
        return _listed(self._folder / "new")

    def read(self, name: str) -> bytes:
        """One event's bytes; OSError where it is gone or not a plain file."""
        return _read_plain(self._folder / "new" / name)

    def remove(self, name: str) -> None:
        """Forget an event whose record is committed."""
        (self._folder / "new" / name).unlink(missing_ok=True)

    def set_aside(self, name: str, why: str) -> None:
        """Keep what may be kept of an event that cannot be used, where it hinders nobody."""
        self._reduce("new", name, why)

    def rescue_torn(self, now: datetime) -> tuple[str, ...]:
        """Set aside what hooks began and, being killed, never finished; returns the names."""
        torn = []
        for name in _listed(self._folder / "tmp")[:MAX_TEMP_LISTED]:
            try:
                age = now.timestamp() - (self._folder / "tmp" / name).lstat().st_mtime
            except FileNotFoundError:
                continue
            if age > TORN_AFTER_SECONDS:
                self._reduce("tmp", name, TORN)
                torn.append(name)
        return tuple(torn)

    def expire(self, now: datetime) -> int:
        """Let go of what was set aside longer than KEPT_BAD ago; how many there were.

        A turn that nobody ended (hook_late.py) is forgotten with it, and not counted: its events are recorded.
        """
        for name in _listed(self._folder / "late"):
            memory = self._folder / "late" / name
            with suppress(OSError):
                if now.timestamp() - memory.lstat().st_mtime > KEPT_LATE.total_seconds():
                    memory.unlink()
        gone = 0
        for name in _listed(self._folder / "bad"):
            path = self._folder / "bad" / name
            try:
                found = path.lstat()
                if now.timestamp() - found.st_mtime <= KEPT_BAD.total_seconds():
                    continue
                if stat.S_ISDIR(found.st_mode):
                    shutil.rmtree(path)
                else:
                    path.unlink()
            except OSError:
                continue  # it is tried again at the next drain
            gone += 1
        return gone

    def bad(self) -> tuple[BadPayload, ...]:
        """Why each event that was set aside could not be read."""
        return tuple(self._complaint(name) for name in _listed(self._folder / "bad"))

    def dropped(self) -> int:
        """How many events found no room, ever since the spool was made."""
        try:
            return (self._folder / "dropped").lstat().st_size
        except OSError:
            return 0

    def _reduce(self, where: str, name: str, why: str) -> None:
        """Write what may be kept into `bad` and remove the event; what is no file is moved as it is."""
        bad, source = self._folder / "bad", self._folder / where / name
        bad.mkdir(mode=0o700, exist_ok=True)
        target = _free_name(bad, name)
        try:
            data = _read_plain(source)
        except FileNotFoundError:
            return  # somebody took it away: there is nothing to keep
        except OSError:
            source.rename(target)
            os.utime(target, follow_symlinks=os.utime not in os.supports_follow_symlinks)
            return
        handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with open(handle, "wb") as file:
            file.write(reduced(*_salvaged(name, data), why))
        source.unlink(missing_ok=True)

    def _complaint(self, name: str) -> BadPayload:
        try:
            parse_spool(name, _read_plain(self._folder / "bad" / name))
        except BadPayload as error:
            return error
        except OSError as error:
            return bad_event(name, error.strerror or "unreadable")
        return bad_event(name, "it says nothing that we know")


TORN = "the hook was stopped before it had written it"


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
    )


def _stands(sections: Mapping[str, bytes]) -> tuple[str, str] | None:
    head, has_branch, branch = os.fsdecode(sections.get("stands", b"")).partition("\n")
    return (head, branch) if has_branch else None


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


def _salvaged(name: str, data: bytes) -> tuple[dict[str, str], dict[str, bytes]]:
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
    return _file_side(header.get(prefix + "sha256"), _number(header.get(prefix + "size")), mode, content)


def _file_side(digest: str | None, size: int | None, mode: int | None, content: bytes | None) -> DiskFile:
    """A regular file; `digest` stands in the header of a file too large to keep, "" where time ran out."""
    if digest:
        state = FileState(FileKind.FILE, Sha256(digest), size, mode, reason="too large to keep")
        return DiskFile(state, None)
    if digest is None and content is not None:
        return file_side(content, mode)
    reason = "no room to keep the bytes" if digest is None else "too large to read in time"
    return DiskFile(FileState(FileKind.UNKNOWN, None, size, mode, reason=reason), None)


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdecimal() and len(text) <= MAX_DIGITS else None


def _listed(folder: Path) -> tuple[str, ...]:
    try:
        return tuple(sorted(os.listdir(folder)))
    except FileNotFoundError:
        return ()
    except OSError as error:
        hint = "Move it away: the panel and the hooks make a new folder."
        raise UnsafePath(
            "The spool is not a folder that can be read", f"{folder}: {error.strerror}", hint
        ) from error


def _free_name(folder: Path, name: str) -> Path:
    """`name` in `folder`, or with a number behind it where that is taken: nothing is written over."""
    if not os.path.lexists(folder / name):
        return folder / name
    return next(path for number in count(2) if not os.path.lexists(path := folder / f"{name}-{number}"))


def _read_plain(path: Path) -> bytes:
    with open_plain(path, follow=False) as file:
        return file.read()
