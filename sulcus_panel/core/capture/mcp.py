"""Tools of other servers: whether a call only reads, told by its name, since nothing else is told. Pure.

A name that says nothing counts as one that changes something: an entry too many costs a row, one too few a trace.
"""

import re

READS = """
    get list read search find fetch query describe show view lookup look inspect check count status resolve
    browse explain help ping whoami version info health retrieve preview validate diff compare
"""
"""Verbs of reading."""
_READS = frozenset(READS.split())
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def server_and_tool(name: str) -> tuple[str, str]:
    """`mcp__SERVER__TOOL` in its parts; a server's own name may hold single underscores."""
    _, _, rest = name.partition("__")
    server, found, tool = rest.rpartition("__")
    return (server, tool) if found else ("", rest or name)


OUR_SERVER = "sulcus-panel"
OUR_TOOLS = frozenset(
    {
        "list_activity_ledger",
        "show_activity",
        "record_activity",
        "undo_activity",
        "rewind_activity",
        "redo_activity",
    }
)


def is_ours(name: str) -> bool:
    """Whether it is a tool of our own server: what such a call does has rows of its own."""
    server, tool = server_and_tool(name)
    return tool in OUR_TOOLS and server.replace("_", "-").endswith(OUR_SERVER)


def only_reads(name: str) -> bool:
    """Whether a tool of this name reads and changes nothing, by the verb that it begins with; or is our own."""
    words = [word.lower() for word in _WORDS.findall(server_and_tool(name)[1])]
    return is_ours(name) or (bool(words) and words[0] in _READS and not {"or", "and"} & set(words))
