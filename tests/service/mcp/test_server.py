"""Whole servers: two clients at once, one killed in the middle of an undo, and none where the SDK is missing."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import anyio
import pytest
from mcp import Client

from tests.support.ledger_builder import CLAUDE, LedgerBuilder
from tests.support.mcp_door import RawServer, call, connected, parameters, raw_server
from tests.support.terminal import environment, sulcus

FILES = 12
HIDING = "import sys\nsys.modules['mcp'] = sys.modules['mcp_types'] = None\n"


def test_two_clients_undo_one_entry_once_and_both_learn_the_outcome(build: LedgerBuilder) -> None:
    build.outside("a.txt", "one\n")
    seq_id = build.write("a.txt", "two\n").seq_id
    outcomes: list[str] = []

    async def ask(client: Client) -> None:
        outcomes.append((await call(client, "undo_activity", seq_ids=[seq_id]))["outcome"])

    async def conversation() -> None:
        server = parameters(build, "--actor", CLAUDE.name)
        async with connected(server) as one, connected(server) as other, anyio.create_task_group() as group:
            group.start_soon(ask, one)
            group.start_soon(ask, other)

    anyio.run(conversation)
    assert sorted(outcomes) == ["already_undone", "undone"]
    assert (build.root / "a.txt").read_text() == "one\n"


def undo_and_redo_without_end(server: RawServer, seq_ids: list[int]) -> None:
    while True:
        server.calls("undo_activity", seq_ids=seq_ids)
        server.calls("redo_activity", seq_ids=seq_ids)


@pytest.mark.parametrize("delay", [0.0, 0.01, 0.04])
def test_a_server_killed_in_the_middle_of_an_undo_leaves_all_or_nothing(
    build: LedgerBuilder, delay: float
) -> None:
    for number in range(FILES):
        build.outside(f"{number}", "old\n")
    seq_ids: list[int] = [build.write(f"{number}", "new\n").seq_id for number in range(FILES)]
    with raw_server(build, "--actor", CLAUDE.name) as server:
        server.greets()
        assert server.calls("undo_activity", seq_ids=seq_ids, dry_run=True)["outcome"] == "undone"
        killer = threading.Timer(delay, server.process.kill)
        killer.start()
        with pytest.raises((EOFError, BrokenPipeError)):
            undo_and_redo_without_end(server, seq_ids)
        killer.join()
        server.process.wait()
    listed = sulcus("ledger", "list", "--limit", "500", "--json", cwd=build.root, home=build.home.root).json()
    states = {entry["state"] for entry in listed["entries"] if entry["seq_id"] in seq_ids}
    texts = {(build.root / f"{number}").read_text() for number in range(FILES)}
    assert (states, texts) in (({"recorded"}, {"new\n"}), ({"undone"}, {"old\n"}))


def test_where_the_sdk_is_missing_one_sentence_says_so(tmp_path: Path) -> None:
    (tmp_path / "hiding").mkdir()
    (tmp_path / "hiding" / "sitecustomize.py").write_text(HIDING)
    variables = dict(environment(tmp_path / "home"))
    variables["PYTHONPATH"] = f"{tmp_path / 'hiding'}{os.pathsep}{variables['PYTHONPATH']}"
    done = subprocess.run(
        [sys.executable, "-m", "sulcus_panel", "mcp"],
        cwd=tmp_path,
        env=variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == 'MCP needs one more package: pip install "sulcus-panel[mcp]"\n'


def test_no_agent_takes_the_persons_name(tmp_path: Path) -> None:
    for name in ("you", " ", "a\nb", "x" * 300):
        answer = sulcus("mcp", "--actor", name, cwd=tmp_path, home=tmp_path / "home")
        assert (answer.code, answer.out) == (2, "")


def test_nothing_of_the_sdk_is_loaded_before_a_client_comes() -> None:
    modules = "sulcus_panel.cli.mcp, sulcus_panel.cli.serve, sulcus_panel.service.mcp.over_http"
    heavy = "{'mcp', 'mcp_types', 'pydantic', 'anyio'}"
    code = f"import sys, {modules}; print({heavy} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("set()\n", "")
