"""An export is a digest that nothing in a record can turn into markup."""

import pytest

from sulcus_panel.service.export import ExportFormat, export_changes, export_governance, span


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "`plain`"),
        ("a `tick`", "`` a `tick` ``"),
        ("``` fence", "```` ``` fence ````"),
        ("", "`(none)`"),
    ],
)
def test_a_span_is_closed_only_by_its_own_fence(text: str, shown: str) -> None:
    assert span(text) == shown


def test_a_span_stays_on_one_line() -> None:
    assert "\n" not in span("![x](http://a)\n# heading\x1b[31m")


def test_an_empty_ledger_says_so() -> None:
    assert "No change is recorded." in export_changes((), ExportFormat.MARKDOWN, None)
    assert export_changes((), ExportFormat.JSON, None) == '{\n  "entries": []\n}\n'


def test_an_empty_governance_says_so() -> None:
    assert "Nothing has been decided." in export_governance((), ExportFormat.MARKDOWN)
