"""What a rule is made of, as options; one that is not given leaves what stands. A secret comes from a file."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from sulcus_panel.core.errors import BadRequest
from sulcus_panel.core.model import ActionType
from sulcus_panel.core.triggers import Rule, TriggerAction, TriggerFilter

MOST_SECRET = 4096
OF_RULE = {
    "name": "name",
    "event": "event",
    "label": "label",
    "url": "url",
    "cooldown": "cooldown_seconds",
}
OF_FILTER = {"path": "path", "harness": "harness", "session": "session_id", "min_bytes": "min_bytes"}


def add_rule_options(verb: argparse.ArgumentParser, *, needed: bool) -> None:
    """Add the options; `needed` asks for those without which there is no rule."""
    verb.add_argument("--name", required=needed, metavar="TEXT", help="what you call it")
    verb.add_argument(
        "--event", required=needed, metavar="EVENT", help="entry.recorded, drift.detected, undo.*, rewind.* …"
    )
    verb.add_argument(
        "--action",
        required=needed,
        choices=[str(action) for action in TriggerAction],
        help="what is done then",
    )
    verb.add_argument("--path", metavar="GLOB", help="only files like this; * crosses folders")
    verb.add_argument("--harness", metavar="NAME", help="only what this harness did")
    verb.add_argument("--session", metavar="ID", help="only in this session")
    verb.add_argument(
        "--action-type",
        action="append",
        choices=[str(kind) for kind in ActionType],
        help="only this kind of action; may be given several times",
    )
    verb.add_argument("--min-bytes", type=int, metavar="N", help="only files of at least so many bytes")
    verb.add_argument("--label", metavar="WORD", help="the word of --action label")
    verb.add_argument("--url", metavar="URL", help="the address of --action webhook")
    verb.add_argument("--secret-file", metavar="FILE", help="what the webhook signs with; - reads stdin")
    verb.add_argument("--cooldown", type=int, metavar="SECONDS", help="how long it rests after it fired")
    verb.add_argument("--max-fires", type=_most, metavar="N", help="how often at most; none for no limit")


def _most(text: str) -> int | str:
    if text.lower() == "none":
        return "none"
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is neither a number nor none")
    return int(text)


def rule_from(args: argparse.Namespace, standing: Rule) -> Rule:
    """Return the rule that stands, with what the options say instead. Raises BadRequest naming the field."""
    said: dict[str, Any] = {
        field: getattr(args, option) for option, field in OF_RULE.items() if getattr(args, option) is not None
    }
    if args.action is not None:
        said["action"] = TriggerAction(args.action)
    if args.max_fires is not None:
        said["max_fires"] = None if args.max_fires == "none" else args.max_fires
    if args.secret_file is not None:
        said["secret"] = _secret(args.secret_file)
    return replace(standing, filter=_filter(args, standing.filter), **said)


def _filter(args: argparse.Namespace, standing: TriggerFilter) -> TriggerFilter:
    said: dict[str, Any] = {
        field: getattr(args, option)
        for option, field in OF_FILTER.items()
        if getattr(args, option) is not None
    }
    if args.action_type is not None:
        said["action_types"] = tuple(ActionType(kind) for kind in dict.fromkeys(args.action_type))
    return replace(standing, **said)


def _secret(name: str) -> str:
    """Read one line of text; an empty file means that nothing is signed."""
    try:
        data = sys.stdin.buffer.read(MOST_SECRET + 1) if name == "-" else _start_of(Path(name).expanduser())
    except OSError as error:
        raise BadRequest(
            "The secret cannot be read", f"{name}: {error.strerror}", field="secret_file"
        ) from None
    secret = data.decode("utf-8", "surrogateescape").rstrip("\r\n")
    if len(data) > MOST_SECRET or not (secret.isprintable() or not secret):
        detail = f"At most {MOST_SECRET} bytes, and nothing but printable characters."
        raise BadRequest("The secret is not one line of text", detail, field="secret_file")
    return secret


def _start_of(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MOST_SECRET + 1)
