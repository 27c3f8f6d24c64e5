"""What the person asked for, out of messages in which Codex and editors put words of their own; and folders."""

import re

from sulcus_panel.core.capture.payload import JsonObject, block_text, objects_of, text_of

_NOT_A_PROMPT = re.compile(
    r"\s*(?:<(?:user_instructions|environment_context|turn_aborted|user_shell_command|subagent_notification|"
    r"permissions instructions|collaboration_mode|skill|system_reminder|hook_prompt)\b|# AGENTS\.md instructions)"
)
_CWD = re.compile(r"<environment_context>.*?<cwd>(.*?)</cwd>", re.DOTALL)
_REQUEST = "## My request for Codex:\n"
"""What an editor puts between its own words and the person's."""
_DRIVE = re.compile(r"/[A-Za-z]:")
_ESCAPED = re.compile(rb"%([0-9A-Fa-f]{2})")


def message_text(item: JsonObject) -> str:
    """The text of a message's blocks, whatever these are called."""
    texts = [text_of(block, "text") for block in objects_of(item, "content")]
    return "\n".join(text for text in texts if text) or block_text(item.get("content"))


def request_in(text: str) -> str | None:
    """The person's own words, None where there are none in a message."""
    if not text or _NOT_A_PROMPT.match(text):
        return None
    return text.partition(_REQUEST)[2].strip() if _REQUEST in text else text.strip()


def folder_in(text: str) -> str:
    """Where the thread runs, as the first messages told before there were records for it."""
    found = _CWD.search(text)
    return found[1].strip() if found is not None else ""


def path_of(folder: str) -> str:
    """A folder that may be told as a file: URI."""
    if not folder.startswith("file:"):
        return folder
    host, slash, rest = folder.removeprefix("file:").removeprefix("//").partition("/")
    path = (slash + rest).encode("utf-8", "surrogatepass")
    plain = _ESCAPED.sub(lambda found: bytes.fromhex(found[1].decode()), path).decode(
        "utf-8", "surrogateescape"
    )
    if _DRIVE.match(plain):
        return plain[1:]
    return f"//{host}{plain}" if host not in ("", "localhost") else plain


def joined(folder: str, below: str) -> str:
    """A call's own folder, which may be relative to the thread's."""
    if not below or not folder:
        return below or folder
    is_whole = below.startswith(("/", "\\")) or below[1:2] == ":"
    return below if is_whole else f"{folder.rstrip('/')}/{below}"
