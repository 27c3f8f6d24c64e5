"""From a plan that needs a person to the disk: who stands there, what is not certain, what is left out."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QPushButton

from sulcus_panel.core.model import EntryState
from tests.support.desk import SECOND, THIRD, WITHOUT_SECOND, Desk
from tests.support.shown_sheet import said


def ask(desk: Desk) -> None:
    QTest.keyClick(desk.window.parts.table, Qt.Key.Key_Return)


def test_who_stands_in_the_way_can_be_taken_back_too(desk: Desk) -> None:
    other = desk.build.write("src/app.py", THIRD.replace("TWO", "TWO and a half"))
    desk.window.model.reload()
    desk.until(lambda: desk.window.model.row_of(other.seq_id) == 0)
    desk.select(desk.entries[1])
    ask(desk)
    sheet = desk.planned()
    assert f"#{other.seq_id} stands on these lines. Undo it too?" in said(sheet)
    assert "edited app.py — “Make it louder”" in said(sheet)
    button = sheet.findChild(QPushButton, "way_button")
    assert button is not None
    assert button.text() == f"Undo #{other.seq_id} too"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    desk.settle()
    assert sheet.windowTitle() == "Undo 2 changes"
    for box in sheet.findChildren(QCheckBox):
        box.click()
    desk.press("undo_button")
    desk.settle()
    assert desk.file.read_text() == WITHOUT_SECOND


BEFORE = "import os\n\n\nx = 1\n"
GUARDED = BEFORE + "if x:\n    y = 3\n"
ELSE = "else:\n    y = 4\n"


def test_what_is_not_certain_is_looked_at_ticked_and_then_written(desk: Desk) -> None:
    desk.build.write("src/mod.py", BEFORE)
    guard = desk.build.write("src/mod.py", GUARDED)
    desk.build.write("src/mod.py", GUARDED + ELSE)
    desk.window.model.reload()
    desk.until(lambda: desk.window.model.row_of(guard.seq_id) == 1)
    desk.select(guard)
    ask(desk)
    sheet = desk.planned()
    assert "to be looked at: the file would no longer parse" in said(sheet)
    button, box = sheet.findChild(QPushButton, "undo_button"), sheet.findChild(QCheckBox, "consent_0")
    assert button is not None
    assert box is not None
    assert not button.isEnabled()
    assert "Tick the line above first." in button.toolTip()
    assert button.accessibleDescription() == "Tick the line above first."
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Space)
    assert button.accessibleDescription() == ""
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    desk.settle()
    assert (desk.build.root / "src/mod.py").read_text() == BEFORE + ELSE
    assert desk.build.ledger.entry(guard.seq_id).state is EntryState.UNDONE
    assert "Undone, and verified on disk" in said(sheet)


def test_of_several_the_one_that_cannot_go_back_is_left_out_at_a_click(desk: Desk) -> None:
    other = desk.build.write("src/other.py", "one\n")
    desk.build.outside("src/other.py", "one\nmine\n")
    desk.window.undo_flow.undo((desk.entries[2].seq_id, other.seq_id))
    sheet = desk.planned()
    assert f"#{other.seq_id} cannot go back; the other one could." in said(sheet)
    button = sheet.findChild(QPushButton, "way_button")
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    desk.settle()
    assert sheet.windowTitle() == f"Undo change #{desk.entries[2].seq_id}"
    desk.press("undo_button")
    desk.settle()
    assert desk.file.read_text() == SECOND
    assert (desk.build.root / "src/other.py").read_text() == "one\nmine\n"


def test_of_a_command_the_file_that_cannot_go_back_is_left_out_at_a_click(desk: Desk) -> None:
    entry = desk.build.command("gen", {"gen/a.py": "a = 1\n", ".env": "TOKEN=1\n"})
    desk.window.model.reload()
    desk.until(lambda: desk.window.model.row_of(entry.seq_id) == 0)
    desk.select(entry)
    assert "Can be undone in part." in said(desk.window.parts.details)
    ask(desk)
    sheet = desk.planned()
    assert ".env cannot go back; gen/a.py could." in said(sheet)
    desk.press("way_button")
    desk.settle()
    box = sheet.findChild(QCheckBox, "consequence_0")
    assert box is not None
    assert box.text() == "gen/a.py will be deleted"
    box.click()
    desk.press("undo_button")
    desk.settle()
    assert not (desk.build.root / "gen/a.py").exists()
    assert (desk.build.root / ".env").read_text() == "TOKEN=1\n"


def test_a_file_whose_parts_were_all_left_out_can_be_chosen_again(desk: Desk) -> None:
    entry = desk.build.command("gen", {"gen/a.py": "a = 1\n", "gen/b.py": "b = 1\n"})
    desk.window.undo_flow.undo((entry.seq_id,))
    sheet = desk.planned()
    assert "2 of 2 parts" in said(sheet)
    for left in ("1 of 2 parts", "2 of 2 parts", "1 of 2 parts"):
        box = sheet.findChild(QCheckBox, "hunk_0")
        assert box is not None
        QTest.keyClick(box, Qt.Key.Key_Space)
        desk.settle()
        assert left in said(sheet)
    box = sheet.findChild(QCheckBox, "consequence_0")
    assert box is not None
    assert box.text() == "gen/b.py will be deleted"
    box.click()
    desk.press("undo_button")
    desk.settle()
    assert (desk.build.root / "gen/a.py").exists()
    assert not (desk.build.root / "gen/b.py").exists()


def test_parts_are_chosen_by_key_and_all_of_them_at_a_click(desk: Desk) -> None:
    lines = [f"line {number}" for number in range(60)]
    desk.build.write("src/many.py", "\n".join(lines))
    changed = [f"{line}!" if number % 10 == 5 else line for number, line in enumerate(lines)]
    entry = desk.build.write("src/many.py", "\n".join(changed))
    desk.window.undo_flow.undo((entry.seq_id,))
    sheet = desk.planned()
    assert "6 of 6 parts" in said(sheet)
    for name, left in (("tick_none", 0), ("tick_all", 6)):
        button = sheet.findChild(QPushButton, name)
        assert button is not None
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        desk.settle()
        assert f"{left} of 6 parts" in said(sheet)
    for index in (0, 3):
        box = sheet.findChild(QCheckBox, f"hunk_{index}")
        assert box is not None
        box.setFocus()
        QTest.keyClick(box, Qt.Key.Key_Space)
        desk.settle()
    assert "4 of 6 parts" in said(sheet)
    desk.press("undo_button")
    desk.settle()
    text = [f"{line}!" if number in (5, 35) else line for number, line in enumerate(lines)]
    assert (desk.build.root / "src/many.py").read_text() == "\n".join(text)


def test_what_is_gone_already_is_marked_as_undone_without_a_write_and_can_be_opened_again(desk: Desk) -> None:
    gone = desk.entries[2]
    desk.build.outside("src/app.py", SECOND)
    before = desk.file.stat()
    desk.select(gone)
    ask(desk)
    sheet = desk.planned()
    button = sheet.findChild(QPushButton, "undo_button")
    assert button is not None
    assert button.text() == "Mark as undone"
    assert sheet.findChild(QPushButton, "keep_button").text() == "Leave it"  # type: ignore[union-attr]
    assert "nothing: the change is no longer there" in said(sheet)
    assert "only marks it, no file is written" in said(sheet)
    desk.press("undo_button")
    desk.until(lambda: desk.build.ledger.entry(gone.seq_id).state is EntryState.UNDONE)
    desk.settle()
    after = desk.file.stat()
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)
    assert "Marked as undone; no file was written" in said(sheet)
    assert "What was replaced is kept" not in said(sheet)

    desk.press("redo_button")
    desk.until(lambda: desk.window.undo_flow.sheet is not sheet)
    again = desk.planned()
    assert again.findChild(QPushButton, "undo_button").text() == "Mark as not undone"  # type: ignore[union-attr]
    desk.press("undo_button")
    desk.until(lambda: desk.build.ledger.entry(gone.seq_id).state is EntryState.RECORDED)
    desk.settle()
    assert "Marked as not undone; no file was written" in said(again)
    assert desk.file.read_text() == SECOND


def test_what_is_marked_already_offers_nothing(desk: Desk) -> None:
    gone = desk.entries[2]
    desk.window.undo_flow.undo((gone.seq_id,))
    desk.planned()
    desk.press("undo_button")
    desk.until(lambda: desk.build.ledger.entry(gone.seq_id).state is EntryState.UNDONE)
    desk.window.undo_flow.undo((gone.seq_id,))
    sheet = desk.planned()
    assert "There is nothing left to do: this is undone already." in said(sheet)
    button = sheet.findChild(QPushButton, "undo_button")
    assert button is not None
    assert not button.isEnabled()


def test_where_it_is_decided_that_all_of_a_file_goes_nobody_stands_in_the_way_any_more(desk: Desk) -> None:
    made = desk.build.write("src/new.py", "a\nb\n")
    desk.build.outside("src/new.py", "a\nmine\nb\n")
    desk.window.undo_flow.undo((made.seq_id,))
    sheet = desk.planned()
    assert "Not possible: this file was changed outside the agents." in said(sheet)
    desk.press("choice_0")
    desk.settle()
    desk.press("way_button")
    desk.settle()
    assert "Not possible: this file was changed outside the agents." in said(sheet)
    desk.press("choice_0")
    desk.settle()
    decided = said(sheet)
    assert "You let what stands there go too; a copy of it is kept." in decided
    assert "new.py is deleted, with all that has become of it since" in decided
    assert "conflict" not in decided
    assert "was changed outside the agents since it was last recorded." in decided
    assert "is not part of this and stays" not in decided
    for box in sheet.findChildren(QCheckBox):
        if not box.isChecked():
            box.click()
    desk.press("undo_button")
    desk.settle()
    assert "Undone, and verified on disk" in said(sheet)
    assert "changed outside the agents" not in said(sheet)
    assert not (desk.build.root / "src/new.py").exists()


def test_asking_again_for_the_same_change_is_no_answer_to_the_sheet(desk: Desk) -> None:
    asked = desk.entries[1].seq_id
    desk.window.undo_flow.undo((asked,))
    first = desk.planned()
    desk.window.undo_flow.undo((asked,))
    desk.settle()
    assert desk.window.undo_flow.sheet is first
    assert first.isVisible()
    assert not first.is_answered
    kinds = [record.kind for record in desk.build.ledger.governance(None, limit=5)]
    assert "undo.rejected" not in kinds


def test_a_sheet_that_is_closed_while_it_is_written_leaves_a_note_of_what_came_of_it(desk: Desk) -> None:
    notes: list[str] = []
    desk.window.undo_flow.noted.connect(notes.append)
    asked = desk.entries[2].seq_id
    desk.window.undo_flow.undo((asked,))
    desk.planned()
    desk.press("undo_button")
    desk.sheet.close()
    desk.settle()
    assert desk.file.read_text() == SECOND
    assert notes == [f"Undo change #{asked}: undone, and verified on disk."]


def test_a_yes_is_carried_out_whatever_is_closed_right_after(desk: Desk) -> None:
    desk.window.undo_flow.undo((desk.entries[2].seq_id,))
    desk.planned()
    desk.press("undo_button")
    desk.window.hide()
    desk.app.close()
    assert desk.file.read_text() == SECOND
    assert desk.build.ledger.entry(desk.entries[2].seq_id).state is EntryState.UNDONE


def test_the_old_copy_is_saved_beside_a_file_that_is_no_text_and_removed_again(desk: Desk) -> None:
    old, newer = b"\x89PNG\0old", b"\x89PNG\0newer"
    desk.build.write("logo.png", old)
    logo = desk.build.write("logo.png", b"\x89PNG\0new")
    desk.build.write("logo.png", newer)
    desk.window.model.reload()
    desk.until(lambda: desk.window.model.row_of(logo.seq_id) == 1)
    desk.select(logo)
    ask(desk)
    sheet = desk.planned()
    choices = [button for button in sheet.findChildren(QPushButton) if "save the old copy" in button.text()]
    QTest.mouseClick(choices[0], Qt.MouseButton.LeftButton)
    desk.settle()
    copy = desk.build.root / f"logo (before #{logo.seq_id}).png"
    assert sheet.windowTitle() == f"Save the old copy from before #{logo.seq_id}"
    assert "You keep the file as it is; its old copy is saved beside it." in said(sheet)
    desk.press("undo_button")
    desk.settle()
    assert f"Kept logo.png, saved the old copy as {copy.name}, and verified on disk" in said(sheet)
    assert (copy.read_bytes(), (desk.build.root / "logo.png").read_bytes()) == (old, newer)
    assert desk.build.ledger.entry(logo.seq_id).state is EntryState.RECORDED
    desk.until(lambda: desk.window.model.row_of(logo.seq_id) == 2)
    desk.press("redo_button")
    desk.until(lambda: desk.window.undo_flow.sheet is not sheet)
    again = desk.planned()
    assert again.windowTitle().startswith("Undo change #")
    (box,) = again.findChildren(QCheckBox)
    assert box.text() == f"{copy.name} will be deleted"
    box.click()
    desk.press("undo_button")
    desk.settle()
    assert not copy.exists()
    assert (desk.build.root / "logo.png").read_bytes() == newer
