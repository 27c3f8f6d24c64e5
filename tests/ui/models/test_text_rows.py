"""Rows of words: plain whatever they hold, and found again by what they are about."""

from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester

from sulcus_panel.ui.models.text_rows import TextRow, TextRowsModel


def test_the_model_keeps_qts_rules(qtmodeltester: ModelTester) -> None:
    model = TextRowsModel(("One", "Two"))
    qtmodeltester.check(model)  # type: ignore[no-untyped-call]  # pytest-qt leaves it untyped
    assert model.show_rows([TextRow(4, ("a", "b")), TextRow(9, ("c",))])
    assert not model.show_rows([TextRow(4, ("a", "b")), TextRow(9, ("c",))])
    assert (model.rowCount(), model.row_of(9), model.key_at(1), model.row_of(5)) == (2, 1, 9, -1)
    assert model.index(1, 1).data() == ""
    assert model.headerData(1, Qt.Orientation.Horizontal) == "Two"


def test_hostile_words_are_plain() -> None:
    model = TextRowsModel(("One",))
    model.show_rows([TextRow(1, ("<b>x</b>\n\u202e\x1b[31m",))])
    said = str(model.index(0, 0).data())
    assert said.startswith("<b>x</b>")
    assert said.isprintable()
    tip = model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "&lt;b&gt;" in str(tip)
