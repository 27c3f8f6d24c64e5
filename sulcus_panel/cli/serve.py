"""`serve`: HTTP without a window, until it is stopped."""

import argparse
from pathlib import Path

from sulcus_panel.cli.context import Context, tell
from sulcus_panel.core.ledger.home import DataHome

DEFAULT_PORT = 4203


def add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the verb."""
    verb = verbs.add_parser("serve", parents=[common], help="HTTP for agents, without a window")
    verb.add_argument("--port", type=_port, default=DEFAULT_PORT, metavar="N", help="4203; 0 for any")
    verb.add_argument("--socket", metavar="PATH", help="of the local socket, in place of the data folder's")
    verb.set_defaults(run=run)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port")
    return int(text)


def run(args: argparse.Namespace, context: Context) -> int:
    """Serve until a signal ends it."""
    with context.open() as operations:
        if context.workspace is not None:
            context.the_workspace(operations, register=True)
    import asyncio  # here as below, for the help of all verbs needs no loop

    try:
        import uvloop
    except ImportError:  # not on every system
        asyncio.run(_serve(args, context))
    else:
        uvloop.run(_serve(args, context))
    return 0


async def _serve(args: argparse.Namespace, context: Context) -> None:
    import asyncio
    import gc
    import signal

    from sulcus_panel.service.http.server import Server, Where
    from sulcus_panel.service.mcp.over_http import OverHttp

    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    path = None if args.socket is None else Path(args.socket).expanduser().absolute()
    server = await Server.start(DataHome.default(), Where(args.port, path), guest=OverHttp())
    gc.collect()
    gc.freeze()  # what was imported stays: no later collection need walk through it while agents wait
    try:
        for note in server.notes:
            tell(note)
        here = server.runtime
        if context.json:
            context.print_json({"pid": here.pid, "port": here.port, "socket": here.socket})
        else:
            print(
                f"Listening on http://127.0.0.1:{here.port}" + (f" and {here.socket}" if here.socket else "")
            )
        print(end="", flush=True)
        await stop.wait()
    finally:
        await server.close()
