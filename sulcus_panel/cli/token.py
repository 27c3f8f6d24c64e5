"""`token create | list | revoke`: the keys for those who come over HTTP."""

import argparse

from sulcus_panel.cli.context import Context, tell
from sulcus_panel.core.access import Scope, Token
from sulcus_panel.core.errors import BadRequest
from sulcus_panel.core.local_time import local_time
from sulcus_panel.core.model import ActorKind
from sulcus_panel.core.safety import plain
from sulcus_panel.service.wire import token_json


def add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the verb."""
    verb = verbs.add_parser("token", parents=[common], help="keys for agents that come over HTTP")
    what = verb.add_subparsers(metavar="create | list | revoke", required=True)
    create = what.add_parser("create", parents=[common], help="make a key; it is shown once")
    create.add_argument("--actor", required=True, metavar="NAME", help="who acts with it")
    kinds = [str(kind) for kind in ActorKind]
    create.add_argument(
        "--kind", required=True, choices=kinds, help="what acts: only a person undoes anything"
    )
    create.add_argument("--scope", required=True, metavar="SCOPES", help=", ".join(Scope) + "; by commas")
    create.set_defaults(run=run_create)
    listing = what.add_parser("list", parents=[common], help="every token, without its key")
    listing.set_defaults(run=run_list)
    revoke = what.add_parser("revoke", parents=[common], help="end a token for good")
    revoke.add_argument("id", type=int, metavar="ID", help="its number, as `token list` shows it")
    revoke.set_defaults(run=run_revoke)


def run_create(args: argparse.Namespace, context: Context) -> int:
    """Make a token and show its key, this once."""
    scopes = _scopes(args.scope)
    with context.open() as operations:
        key, token = operations.tokens.make(args.actor, ActorKind(args.kind), scopes)
    if context.json:
        context.print_json({"token": key, "id": token.id})
    else:
        print(key)
        tell(f"Token {token.id} of {token.actor.name}. The key is not shown again.")
    return 0


def _scopes(text: str) -> frozenset[Scope]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in list(Scope)]
    if unknown or not names:
        given = f"Not {plain(unknown[0], 80)}." if unknown else ""
        raise BadRequest("A scope is one of " + ", ".join(Scope), given, field="scope")
    return frozenset(Scope(name) for name in names)


def run_list(args: argparse.Namespace, context: Context) -> int:  # noqa: ARG001 - every verb takes both
    """Print every token."""
    with context.open(to_read=True) as operations:
        tokens = operations.tokens.all()
    if context.json:
        context.print_json({"tokens": [token_json(token) for token in tokens]})
        return 0
    for token in tokens:
        print(_row(token))
    if not tokens:
        print("No token was made yet.")
    return 0


def _row(token: Token) -> str:
    made = f"{local_time(token.made_at):%Y-%m-%d %H:%M}"
    ended = "" if token.revoked_at is None else f"  revoked {local_time(token.revoked_at):%Y-%m-%d %H:%M}"
    scopes = ",".join(sorted(token.scopes))
    return f"{token.id:>4}  {made}  {plain(token.actor.name)} ({token.actor.kind})  {scopes}{ended}"


def run_revoke(args: argparse.Namespace, context: Context) -> int:
    """End a token."""
    with context.open() as operations:
        token = operations.tokens.revoke(args.id)
    if context.json:
        context.print_json(token_json(token))
    else:
        print(f"Token {token.id} of {plain(token.actor.name)} is revoked.")
    return 0
