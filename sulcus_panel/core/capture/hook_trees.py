"""The part of the hook that looks at whole folders: what a command does to files, and where git stands around one.

It also sees whether the agent is to be told of an undo; hook_notices.py then tells it.
Run by hook.py from cached byte code, never imported: `beside` is its own, put here by it. Loads the modules of
`shell`, which use built-in modules alone.
"""

import sys

if sys.platform == "win32":
    import nt as system
else:
    import posix as system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SHELL = "sulcus_panel.core.capture.shell."


def beside(name: str) -> "dict[str, Any]":
    """The names of another script; hook.py puts its own in this place."""
    raise LookupError(name)


def told(calls: "dict[str, Any]", event: "Any", home: str, harness: str) -> str:
    """Tell the agent what waits to be told to it; the name of the notice, "" where there was none."""
    try:
        agent = event.get("agent_id") or ""
        notice = f"{home}/notices/{harness}-" + f"{event['session_id']}\0{agent}".encode().hex()
        system.lstat(notice)
        return str(beside("hook_notices.py")["told"](calls, event, harness, notice))
    except (OSError, LookupError, TypeError, AttributeError, ValueError):
        return ""  # nothing waits, as nearly always; or it cannot be taken, and then nothing may be said


def look_at_tree(
    calls: "dict[str, Any]", event: object, home: str, header: dict[str, str], sections: dict[str, bytes]
) -> None:
    """What a command does to files: the whole tree is looked at, unless the command can only read.

    A session's start counts: what its first command finds is looked at before there is one; and another server's
    tool, which may run anything.
    """
    moment, folder = calls["moment_of"](event), calls["folder_of"](event)
    if moment == "end":
        look_at_lost(calls, calls["ended_of"](event), home, (header, sections))
        return
    command = calls["command_of"](event)
    if command is None and (moment == "session" or calls["is_mcp"](event)):
        command = ""
    if command is None or not moment or not folder:
        return
    header.update(tree=moment, tree_gap="the look at the folder failed")
    if command and script("reading").only_reads(command):
        del header["tree"], header["tree_gap"]
        return
    load(calls)
    # Two harnesses' hooks may look at one call, each with a baseline of its own.
    key = header["harness"] + "\0" + calls["key_of"](event)
    fields, parts = script("look").look(moment, folder, (key, command), home)
    del header["tree_gap"]
    header.update(fields)
    sections.update(parts)
    sections["tree_key"] = script("keeping").scan_name(key).encode()
    if "git" in command and "tree_root" in sections:
        root = sections["tree_root"].decode("utf-8", "surrogateescape")
        fields, parts = script("refs").look_at_refs(moment, root, key, home)
        header.update(fields)
        sections.update(parts)


def look_at_lost(
    calls: "dict[str, Any]",
    ended: "tuple[str, str | None]",
    home: str,
    into: tuple[dict[str, str], dict[str, bytes]],
) -> None:
    """What the calls left that began and will not end any more: each is looked at once, now."""
    run, agent = ended
    header, sections = into
    if not run:
        return
    calls["part_in_c"]("_struct")
    for name in ("standing", "secret_names", "rules", "scan", "keeping"):
        script(name)
    found = script("keeping").open_scans(home, header["harness"] + "\0" + run)
    if not found:
        return
    load(calls)
    lost = script("lost")
    number = 0
    for folder, name in found:
        told = lost.look_again(folder, name, home, agent)
        if told is not None:
            number += 1
            fields, parts = told
            header.update({f"lost{number}.{key}": value for key, value in fields.items()})
            sections.update({f"lost{number}.{key}": data for key, data in parts.items()})


def load(calls: "dict[str, Any]") -> None:
    """Have there what the looks import."""
    calls["part_in_c"]("_struct")
    for name in ("standing", "secret_names", "rules", "scan", "keeping", "git_index", "heads"):
        script(name)
    words = type(sys)("credentials")
    words.__dict__["holds_a_key"] = holds_a_key
    sys.modules["sulcus_panel.core.credentials"] = words
    script("look")


def holds_a_key(data: bytes) -> bool:
    """What credentials.py says; loaded when it is asked, for it takes longer than a whole look."""
    judge = beside("../credentials.py")["holds_a_key"]
    sys.modules["sulcus_panel.core.credentials"].__dict__["holds_a_key"] = judge
    return bool(judge(data))


def script(name: str) -> "Any":
    """One of the modules in `shell`, from its cached byte code; what it imports of them must be there before."""
    full = SHELL + name
    if full not in sys.modules:
        module = type(sys)(full)
        module.__dict__.update(beside(f"shell/{name}.py"))
        sys.modules[full] = module
    return sys.modules[full]


def judged(home: str, folder: str, paths: list[str]) -> tuple[bool, dict[str, str]]:
    """Whether nothing of an event is recorded, and which of its files' bytes may not be kept, as rules.py says."""
    if not has_rules(home) and not any(map(script("secret_names").may_be_secret, paths) if paths else ()):
        return False, {}
    for name in ("standing", "secret_names"):
        script(name)
    told: tuple[bool, dict[str, str]] = script("rules").judged(home, folder, paths)
    return told


def has_rules(home: str) -> bool:
    """Whether the service wrote down what the workspaces exclude."""
    try:
        system.lstat(home + "/hook-rules")
    except OSError:
        return False
    return True


def where_it_stands(path: str) -> bytes:
    """HEAD and branch of the repository around a file, as standing.py says."""
    stands: bytes = script("standing").where_it_stands(path)
    return stands
