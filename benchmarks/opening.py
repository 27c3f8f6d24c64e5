"""The window on 50,000 rows against the window on 50, and both against a bare painted widget.

Each figure is a whole process: start, window painted, end. "Rows" stops when the table shows its rows, "all" when
the counts, the runs and the first diff are there too. Exits 1 where the rows of 50,000 take more than LIMIT times
as long as the rows of 50.
"""

import asyncio
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.edits import edit_of
from benchmarks.timing import Cost, measured, ratio_of
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import LedgerPath

PAIRS = 7
FEW, MANY = 50, 50_000
LIMIT = 1.15


def main() -> int:
    """Fill two ledgers, then compare."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with tempfile.TemporaryDirectory() as folder:
        few, many = Path(folder) / "few", Path(folder) / "many"
        fill(few, FEW)
        fill(many, MANY)
        rows = ratio_of(pairs(["rows", str(many)], ["rows", str(few)]))
        print(f"rows, {MANY:,} against {FEW}: {rows}")
        print(f"all, {MANY:,} against {FEW}: {ratio_of(pairs(['all', str(many)], ['all', str(few)]))}")
        print(f"rows, {MANY:,} against a bare widget: {ratio_of(pairs(['rows', str(many)], ['bare']))}")
    print(f"limit {LIMIT:.2f}: of time: {'met' if rows.wall <= LIMIT else 'MISSED'}")
    return int(rows.wall > LIMIT)


def pairs(one: Sequence[str], other: Sequence[str]) -> list[tuple[Cost, Cost]]:
    """Both processes in turn, after one of each that does not count."""
    commands = [[sys.executable, "-m", "benchmarks.opening", *args] for args in (one, other)]
    for command in commands:
        measured(command)
    return [(measured(commands[0]), measured(commands[1])) for _ in range(PAIRS)]


def fill(folder: Path, rows: int) -> None:
    """Make a ledger of so many edits, a hundred files, ten to a turn."""
    root = folder / "work"
    root.mkdir(parents=True)
    home = DataHome(folder / "data")
    began = datetime.now(UTC) - timedelta(days=1)
    with Ledger.open(home) as ledger:
        workspace = ledger.add_workspace(str(root))
        ledger.set_setting(workspace.id, "max_entries", 50_000)
        with ledger.write():
            for number in range(rows):
                path = LedgerPath(f"src/package_{number % 10}/module_{number % 100}.py")
                edit, contents = edit_of(path, b"value = 1\n", b"value = 2\n")
                entry = replace(
                    edit,
                    uid=f"uid-{number}",
                    at=began + timedelta(seconds=number),
                    session_id=f"session-{number // 1000}",
                    turn_id=f"turn-{number // 10}",
                    intent=f"Make it better, part {number // 10}",
                )
                ledger.append(workspace.id, entry, contents=contents)


def open_bare() -> None:
    """The floor: a widget painted once."""
    from PySide6.QtWidgets import QApplication, QWidget

    application = QApplication([])
    widget = QWidget()
    widget.resize(1440, 900)
    widget.show()
    widget.grab()
    application.quit()


def open_ledger(folder: Path, *, rows_only: bool) -> None:
    """The window, until its rows can be painted, or everything it asks for."""
    import qasync
    from PySide6.QtWidgets import QApplication

    from sulcus_panel.service.operations import Operations
    from sulcus_panel.ui.app import build_app
    from sulcus_panel.ui.theme import ThemeSwitch

    home = DataHome(folder / "data")
    with Operations.open(home) as operations:
        (workspace,) = operations.workspaces()
    application = QApplication([])
    loop: asyncio.AbstractEventLoop = qasync.QEventLoop(application)
    asyncio.set_event_loop(loop)
    app = build_app(home, workspace, loop, ThemeSwitch(application))
    app.window.resize(1440, 900)
    app.window.show()
    app.start(live=False)

    async def shown() -> None:
        while not (app.window.model.rowCount() if rows_only else app.window.is_settled):
            await asyncio.sleep(0.002)

    loop.run_until_complete(shown())
    app.window.grab()
    os._exit(0)  # taking everything down is no part of opening


if __name__ == "__main__":
    if sys.argv[1:2] == ["bare"]:
        open_bare()
    elif len(sys.argv) == 3:
        open_ledger(Path(sys.argv[2]), rows_only=sys.argv[1] == "rows")
    else:
        sys.exit(main())
