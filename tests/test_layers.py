"""Each contract of import-linter breaks when it is violated, so that "kept" means something."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CONTRACTS = [
    contract["name"]
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
]
VIOLATIONS = {
    "cli > ui > service > core": [
        ("core/intruder.py", "import sulcus_panel.service"),
        ("core/intruder.py", "import sulcus_panel.cli"),
        ("service/intruder.py", "import sulcus_panel.ui"),
        ("ui/intruder.py", "import sulcus_panel.cli"),
        ("attic.py", "import sulcus_panel.core"),  # a room in no layer
    ],
    "Qt stays in ui": [
        ("core/intruder.py", "import PySide6.QtCore"),
        ("service/intruder.py", "import PySide6.QtWidgets"),
        ("service/intruder.py", "import qasync"),
    ],
    "core runs nothing": [
        ("core/intruder.py", f"import {module}")
        for module in (
            "asyncio",
            "threading",
            "socket",
            "http.client",
            "urllib.request",
            "subprocess",
            "watchdog",
        )
    ],
    "Only core.ledger speaks SQL": [
        (f"{room}/intruder.py", f"import {module}")
        for room in ("core/capture", "core/undo", "service", "ui", "cli")
        for module in ("sqlite3", "sqlite_utils")
    ],
    "Planning is pure": [
        ("core/undo/plan.py", f"import {module}")
        for module in ("os", "time", "sulcus_panel.core.disk", "sulcus_panel.core.ledger.store")
    ],
    "core: capture and undo stand on the ledger": [
        ("core/ledger/intruder.py", "import sulcus_panel.core.undo"),
        ("core/diff/intruder.py", "import sulcus_panel.core.ledger"),
        ("core/undo/intruder.py", "import sulcus_panel.core.capture"),
        ("core/attic.py", "import sulcus_panel.core.model"),
    ],
    "HTTP and MCP do not know each other": [
        ("service/http/intruder.py", "import sulcus_panel.service.mcp.calls"),
        ("service/mcp/intruder.py", "import sulcus_panel.service.http.replies"),
    ],
    "Harnesses do not know each other": [
        ("core/capture/harnesses/intruder.py", "import sulcus_panel.core.capture.harnesses.claude.live")
    ],
    "No cycles": [("core/model.py", "import sulcus_panel.core.safety")],
}
"""For the beginning of each contract's name: what breaks it, as a file and its one line."""
CASES = [(contract, *violation) for contract, violations in VIOLATIONS.items() for violation in violations]


def lint(folder: Path) -> dict[str, str]:
    """KEPT or BROKEN for each contract, for the package in that folder."""
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [program, "--no-logo", "--cache-dir", folder.parent / "cache"],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "COLUMNS": "200"},  # names of contracts stay on one line
    )
    verdicts = dict(re.findall(r"(?m)^(.+) (KEPT|BROKEN)(?: \(.*\))?$", done.stdout))
    assert verdicts, done.stdout + done.stderr
    assert (done.returncode == 0) == (set(verdicts.values()) == {"KEPT"})
    return verdicts


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("layers") / "checkout"
    shutil.copytree(
        ROOT / "sulcus_panel", folder / "sulcus_panel", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def test_all_contracts_are_kept(checkout: Path) -> None:
    assert lint(checkout) == dict.fromkeys(CONTRACTS, "KEPT")


def test_each_contract_is_broken_below() -> None:
    assert [name for name in CONTRACTS if not name.startswith(tuple(VIOLATIONS))] == []
    assert [name for name in VIOLATIONS if not any(contract.startswith(name) for contract in CONTRACTS)] == []


@pytest.mark.parametrize(("contract", "file", "line"), CASES)
def test_a_contract_breaks_when_it_is_violated(contract: str, file: str, line: str, checkout: Path) -> None:
    path = checkout / "sulcus_panel" / file
    before = path.read_text() if path.exists() else None
    path.write_text(f"{before or ''}\n{line}\n")
    try:
        verdicts = lint(checkout)
    finally:
        path.unlink() if before is None else path.write_text(before)
    assert [name for name, verdict in verdicts.items() if name.startswith(contract) and verdict == "BROKEN"]
