"""The capture hook: reads one event on stdin, adds the state of the files it is about, leaves one spool file.

A harness waits for this script at every tool call, so it imports nothing but built-in modules, opens no
database, says only what its harness must hear (REPLIES) and always exits 0. `hook_command` starts it through a
launcher that uses the cached byte code; a plain start does the same, slower. What an event names: hook_calls.py.

The spool file is header lines `key value`, an empty line, then the sections whose lengths the header names:
payload, path, link, content; a second file's keys and sections begin with `2.` (read by `spool.parse_spool`).
"""

import sys
from time import monotonic, monotonic_ns, time_ns

if sys.platform == "win32":
    import nt as system
else:
    import posix as system

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would cost more than all that this does
    from typing import Any

MAX_PAYLOAD = 64 << 20
MAX_CONTENT = 10 << 20
MAX_HASH_SECONDS = 1.5
# One call may name many files: beyond these each is named and said not to have been looked at.
MAX_FILES, MAX_CONTENTS, MAX_LOOK_SECONDS = 50, 64 << 20, 2.0
CHUNK = 1 << 20
# Beyond these, events wait without contents; beyond twice as much they are only counted.
MAX_WAITING, MAX_WAITING_BYTES = 10_000, 256 << 20
# Counting what waits costs time: only a folder this large can hold so many, only a large event adds much.
LARGE_FOLDER, LARGE_EVENT = 150_000, 64 << 10
NOT_LOOKED_AT = "not looked at: the call names too many files"
NOT_RECORDED = "recording is off here"
# Harnesses that want an answer get the one that decides nothing; all others are told nothing at all.
REPLIES = {"gemini": b"{}", "cursor": b"{}", "cline": b'{"cancel":false}'}
KINDS = {0o100000: "file", 0o120000: "symlink", 0o040000: "directory"}
# Constants that this system does not have count as no flag; O_NONBLOCK keeps a FIFO from holding us.
READ_FLAGS = system.O_RDONLY
for _flag in ("O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY"):
    READ_FLAGS |= getattr(system, _flag, 0)
WRITE_FLAGS = READ_FLAGS & ~getattr(system, "O_NONBLOCK", 0) | system.O_WRONLY | system.O_CREAT


def read_stdin() -> tuple[bytes, bool]:
    """All of stdin, and whether more came than is kept; the rest is read too, so that no writer breaks.

    A closed stdin is an empty payload, which the reader sets aside: an event that is lost is told.
    """
    parts, total = [], 0
    try:
        while part := system.read(0, CHUNK):
            if total < MAX_PAYLOAD:
                parts.append(part)
            total += len(part)
    except OSError:
        pass
    return b"".join(parts)[:MAX_PAYLOAD], total > MAX_PAYLOAD


def beside(name: str) -> "dict[str, Any]":
    """The names of a script beside this one, from its cached byte code, without a search for it."""
    from _frozen_importlib_external import SourceFileLoader

    # An older launcher, still in somebody's config, names the script on the command line alone.
    path = globals().get("__file__", sys.argv[0]).removesuffix("hook.py") + name
    names: dict[str, Any] = {"__name__": name, "__file__": path}
    loader = SourceFileLoader(name, path)
    try:
        code = loader.get_code(name)
    except (EOFError, ValueError, TypeError):  # byte code cut short, as Python leaves it on a full disk
        code = loader.source_to_code(loader.get_data(path), path)
    exec(code or "", names)
    return names


def look(path: str, most: int = MAX_CONTENT) -> tuple[dict[str, str], bytes, bytes]:
    """What is at `path` without ever waiting for it: header fields, a symlink's text, `most` bytes of a file."""
    try:
        found = system.lstat(path)
        kind = KINDS.get(found.st_mode & 0o170000, "special")
        if kind == "file":
            fields, content = read_file(path, most)
            return fields, b"", content
        fields = {"kind": kind, "mode": str(found.st_mode & 0o7777)}
        if kind != "symlink":
            return fields, b"", b""
        link = system.readlink(path)
    except (OSError, ValueError) as error:
        return failure(error), b"", b""
    target, content = look_behind(path, most)
    fields.update({"target_" + key: value for key, value in target.items()})
    return fields, link.encode("utf-8", "surrogateescape"), content


def look_behind(path: str, most: int) -> tuple[dict[str, str], bytes]:
    """What a symlink leads to."""
    try:
        found = system.stat(path)
        kind = KINDS.get(found.st_mode & 0o170000, "special")
        if kind == "file":
            return read_file(path, most)
    except (OSError, ValueError) as error:
        return failure(error), b""
    return {"kind": kind, "mode": str(found.st_mode & 0o7777)}, b""


def failure(error: Exception) -> dict[str, str]:
    """Only ENOENT is absent; everything else is a file that we could not see."""
    if isinstance(error, FileNotFoundError):
        return {"kind": "absent"}
    reason = getattr(error, "strerror", None) or "not a file name"
    return {"kind": "unreadable", "reason": reason}


def read_file(path: str, most: int) -> tuple[dict[str, str], bytes]:
    """A regular file's fields and bytes, read again when it was written to meanwhile; above `most` its hash."""
    handle = system.open(path, READ_FLAGS)
    try:
        for _ in range(3):
            before = system.fstat(handle)
            fields = {"kind": "file", "mode": str(before.st_mode & 0o7777), "size": str(before.st_size)}
            if before.st_mode & 0o170000 != 0o100000:
                return {"kind": "special"}, b""
            content = b""
            if before.st_size > most:
                fields["sha256"] = hash_rest(handle)
            else:
                content = read_up_to(handle, before.st_size + 1)
            after = system.fstat(handle)
            if before.st_mtime_ns == after.st_mtime_ns and before.st_size == after.st_size:
                return fields, content
            system.lseek(handle, 0, 0)
    finally:
        system.close(handle)
    return {"kind": "unreadable", "reason": "written to while it was read"}, b""


def read_up_to(handle: int, size: int) -> bytes:
    """At most `size` bytes; a short read goes on."""
    data = system.read(handle, size)
    while len(data) < size and (more := system.read(handle, size - len(data))):
        data += more
    return data


def hash_rest(handle: int) -> str:
    """The SHA-256 of a large file, or nothing where that would keep the harness waiting."""
    for module in ("_sha2", "_sha256", "hashlib"):
        try:
            digest = __import__(module).sha256()
            break
        except ImportError:
            continue
    else:
        return ""
    until = monotonic() + MAX_HASH_SECONDS
    while part := system.read(handle, CHUNK):
        digest.update(part)
        if monotonic() > until:
            return ""
    return str(digest.hexdigest())


def spool_folder(argv: list[str]) -> str:
    """SULCUS_HOME's spool, else the one on the command line, else the one of the per-user data folder."""
    variables = environment()
    home = variables.get("SULCUS_HOME", "")
    if not home and len(argv) > 2:
        return argv[2]
    if home[:2] == "~/":
        home = variables["HOME"] + home[1:]
    return (home or default_home(sys.platform, variables)) + "/spool"


def default_home(platform: str, variables: dict[str, str]) -> str:
    """What platformdirs.user_state_path("sulcus-panel") says, without importing it."""
    if platform == "win32":
        return variables["LOCALAPPDATA"] + "/sulcus-panel/sulcus-panel"
    state = variables.get("XDG_STATE_HOME", "").strip()
    if state[:1] == "/":
        return state + "/sulcus-panel"
    below = "/Library/Application Support" if platform == "darwin" else "/.local/state"
    return variables["HOME"] + below + "/sulcus-panel"


def environment() -> dict[str, str]:
    """The environment as text; this system's own table holds bytes, Windows' holds text."""
    return {_text(key): _text(value) for key, value in system.environ.items()}


def _text(value: str | bytes) -> str:
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value


def make_folder(folder: str) -> None:
    """`folder` and its parents, for this user only."""
    try:
        system.mkdir(folder, 0o700)
    except FileExistsError:
        return
    except FileNotFoundError:
        parent = folder.rpartition("/")[0]
        if not parent:
            raise
        make_folder(parent)
        system.mkdir(folder, 0o700)


def write_spool(folder: str, name: str, data: bytes, times: int = 1) -> None:
    """One whole file in `new`, or none: written beside and renamed. `times`: see check_room."""
    unfinished = folder + "/tmp/" + name
    try:
        check_room(folder, len(data), times)
    except FileNotFoundError:
        make_folder(folder + "/new")
    try:
        handle = system.open(unfinished, WRITE_FLAGS | system.O_EXCL, 0o600)
    except FileNotFoundError:
        make_folder(folder + "/tmp")
        make_folder(folder + "/new")
        handle = system.open(unfinished, WRITE_FLAGS | system.O_EXCL, 0o600)
    try:
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[system.write(handle, rest) :]
        finally:
            system.close(handle)
        try:
            system.rename(unfinished, folder + "/new/" + name)
        except FileNotFoundError:
            make_folder(folder + "/new")
            system.rename(unfinished, folder + "/new/" + name)
    except OSError:
        system.unlink(unfinished)
        raise


def check_room(folder: str, size: int, times: int = 1) -> None:
    """Raise OSError where `times` as much as may wait in `new` is there already, for an event of this size."""
    new = folder + "/new"
    if system.stat(new).st_size <= LARGE_FOLDER and size <= LARGE_EVENT:
        return
    names = system.listdir(new)
    waiting = 0
    if size > LARGE_EVENT:
        for name in names:
            try:
                waiting += system.lstat(new + "/" + name).st_size
            except FileNotFoundError:
                continue
    if len(names) >= MAX_WAITING * times or waiting >= MAX_WAITING_BYTES * times:
        raise OSError("too much is waiting")


def spool_data(header: dict[str, str], sections: dict[str, bytes]) -> bytes:
    """The spool file's bytes."""
    lines = ["sulcus-spool 1"]
    lines += [f"{key} {value}" for key, value in header.items()]
    lines += [f"{key}_bytes {len(data)}" for key, data in sections.items()]
    return "\n".join(lines).encode() + b"\n\n" + b"".join(sections.values())


def record(argv: list[str]) -> None:
    """Read, look, write. What finds no room is tried without the files' bytes, then counted as dropped."""
    now, uptime = time_ns(), monotonic_ns()
    payload, cut = read_stdin()
    header = {"at": str(now), "uptime": str(uptime), "harness": harness_of(argv)}
    sections = {"payload": payload}
    folder = spool_folder(argv)
    if cut:
        header["cut"] = "1"
    else:
        add_files(folder, header, sections)
    # Random digits, for a process number may come again where a clock goes back or spools are shared.
    name = f"{now}-{system.getpid()}-{system.urandom(4).hex()}"
    try:
        write_spool(folder, name, spool_data(header, sections))
    except OSError:
        for key in [key for key in sections if key.endswith("content")]:
            if sections.pop(key):
                header[key.removesuffix("content") + "without_content"] = "1"
        try:
            write_spool(folder, name, spool_data(header, sections), times=2)
        except OSError:
            handle = system.open(folder + "/dropped", WRITE_FLAGS | system.O_APPEND, 0o600)
            system.write(handle, b".")


def harness_of(argv: list[str]) -> str:
    """The harness named on the command line."""
    return argv[1] if len(argv) > 1 else "unknown"


def add_files(folder: str, header: dict[str, str], sections: dict[str, bytes]) -> None:
    """The states of the event's files. A payload that is no JSON is spooled as it is: the reader judges."""
    try:
        calls = beside("hook_calls.py")
        event = calls["parse_json"](sections["payload"].decode("utf-8"))
        sections["payload"] = calls["without_mail"](sections["payload"], event)
        paths = calls["files_named_by"](event)
        if calls["writes_late"](event, header["harness"]):
            late = beside("hook_late.py")
            make_folder(folder + "/late")
            paths = late["paths_to_look_at"](folder + "/late", header["harness"], event, paths)
    except Exception:  # noqa: BLE001 - the scanner raises SystemError too where json is not loaded
        return
    try:
        home = folder[: max(folder.rfind("/"), folder.rfind("\\"))]
        if told := trees()["told"](calls, event, home, header["harness"]):
            header["told"] = told
            REPLIES.clear()  # that was the answer
        is_off, why = without_contents(calls, event, home, paths, sections)
        if is_off:
            return
        add_sightings(paths, why, header, sections)
        trees()["look_at_tree"](calls, event, home, header, sections)
    except Exception:  # noqa: BLE001 - whatever is wrong with a look, the event itself is told
        return


def without_contents(
    calls: "dict[str, Any]", event: object, home: str, paths: list[str], sections: dict[str, bytes]
) -> "tuple[bool, dict[str, str]]":
    """Whether nothing that the event is about is recorded, and why no bytes of each of some files may be kept.

    Then the payload says no more than names.
    """
    named = list(dict.fromkeys([*paths, *calls["all_named_by"](event)]))
    try:
        is_off, why = trees()["judged"](home, calls["folder_of"](event), named)
    except Exception:  # noqa: BLE001 - then the recorder alone judges
        return False, {}
    if is_off or why:
        sections["payload"] = b"{}"
        names, where = beside("hook_names.py"), calls["placer"](event)
        names["_opened"] = calls["parse_json"]
        sections["payload"] = names["names_alone"](event, lambda path: is_off or where(path) in why)
    return is_off, why


def add_sightings(
    paths: list[str], why: dict[str, str], header: dict[str, str], sections: dict[str, bytes]
) -> None:
    """What is at each of these paths now; of those in `why` no bytes."""
    encoded = [path.encode("utf-8", "surrogateescape") for path in paths]
    until, room = monotonic() + MAX_LOOK_SECONDS, MAX_CONTENTS
    for number, path in enumerate(paths):
        prefix = f"{number + 1}." if number else ""
        if path in why and why[path] == NOT_RECORDED:
            fields, link, content = {"kind": "unreadable", "reason": NOT_RECORDED}, b"", b""
        elif number < MAX_FILES and monotonic() < until:
            fields, link, content = look(path, -1 if path in why else min(MAX_CONTENT, room))
            if path in why:
                fields["why"] = why[path]
        else:
            fields, link, content = {"kind": "unreadable", "reason": NOT_LOOKED_AT}, b"", b""
        room -= len(content)
        header.update({prefix + key: value for key, value in fields.items()})
        for key, data in (("path", encoded[number]), ("link", link), ("content", content)):
            sections[prefix + key] = data
    if paths:
        try:
            sections["stands"] = trees()["where_it_stands"](paths[0])
        except Exception:  # noqa: BLE001 - the agent must not pay for a repository that is damaged
            return


def trees() -> "dict[str, Any]":
    """What looks at whole folders and repositories, loaded where one is looked at alone."""
    if not _loaded:
        _loaded.append(beside("hook_trees.py"))
        _loaded[0]["beside"] = beside
    return _loaded[0]


_loaded: "list[dict[str, Any]]" = []


def reply(argv: list[str]) -> None:
    """Say what this harness waits for, once everything has been looked at."""
    words = REPLIES.get(harness_of(argv))
    if words:
        try:
            system.write(1, words)
        except OSError:
            pass


if __name__ == "__main__":
    try:
        record(sys.argv)
    finally:
        # Whatever happened must not reach the agent's tool call; and a normal exit would tidy up for longer.
        try:
            reply(sys.argv)
        finally:
            system._exit(0)  # noqa: SLF001 - the only exit without finalisation
