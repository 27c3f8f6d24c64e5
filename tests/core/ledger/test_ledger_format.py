import re
from pathlib import Path

from sulcus_panel.core.ledger.schema import APPLICATION_ID, VERSION
from sulcus_panel.core.ledger.store import Ledger

PAGE = Path(__file__).parents[3] / "docs" / "ledger-format.md"


def _documented() -> dict[str, set[str]]:
    """The columns named in the first cell of each table's rows, by table."""
    tables: dict[str, set[str]] = {}
    for block in re.split(
        r"^(?=`\w+`: )", PAGE.read_text(encoding="utf-8").split("## Tables")[1], flags=re.M
    )[1:]:
        name = block.split("`")[1]
        cells = re.findall(r"^\| ([^|]+) \|", block, flags=re.M)
        tables[name] = {column for cell in cells for column in re.findall(r"`(\w+)`", cell)}
    return tables


def test_the_page_names_every_table_and_every_column(ledger: Ledger) -> None:
    names = [
        row[0]
        for row in ledger._db.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        if not row[0].startswith(("sqlite_", "_"))
    ]
    assert _documented() == {
        name: {row[1] for row in ledger._db.rows(f"PRAGMA table_info({name})")} for name in names
    }


def test_the_page_names_our_format() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert f"format **{VERSION}**" in page
    assert f"0x{APPLICATION_ID:X}" in page
