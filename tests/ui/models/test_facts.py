from dataclasses import replace

from sulcus_panel.core.model import (
    ABSENT,
    CommandFacts,
    EntryState,
    FileKind,
    FileState,
    LedgerPath,
    Origin,
    SeqId,
    Undoability,
)
from sulcus_panel.ui.models.entry_details import EntryDetails
from sulcus_panel.ui.models.facts import Fact, facts_of, further_facts
from sulcus_panel.ui.models.verdict import verdict
from tests.support.entries import make_entry


def fact(details: EntryDetails, name: str) -> Fact:
    return next(each for each in (*facts_of(details), *further_facts(details)) if each.name == name)


def test_before_and_after_tell_hash_and_size() -> None:
    details = EntryDetails(make_entry(840))
    assert fact(details, "Before").lines[0].words == "abababab · 1,842 B"


def test_absent_and_unknown_are_told_apart() -> None:
    entry = make_entry(1)
    change = replace(
        entry.record.changes[0], before=ABSENT, after=FileState(FileKind.UNKNOWN, reason="too\nlarge")
    )
    details = EntryDetails(replace(entry, record=replace(entry.record, changes=(change,))))
    assert fact(details, "Before").lines[0].words == "not there"
    assert fact(details, "After").lines[0].words == "unknown: too\\nlarge"


def test_later_changes_are_links_and_capped() -> None:
    later = tuple(make_entry(seq_id) for seq_id in range(2, 12))
    lines = fact(EntryDetails(make_entry(1), later), "Later here").lines
    assert (lines[0].link, lines[0].seq_id, lines[0].words) == ("#2", 2, "Claude edited")
    assert lines[-1].words == "and 5 more"


def test_what_was_read_first_is_shown_plain() -> None:
    entry = make_entry(1)
    record = replace(entry.record, derived_from=(LedgerPath("docs/<b>x</b>\n.md"),))
    line = fact(EntryDetails(replace(entry, record=record)), "Read first").lines[0]
    assert line.words == "docs/<b>x</b>\\n.md"
    assert "<b>" not in line.tip


def test_an_edit_has_no_further_facts() -> None:
    assert further_facts(EntryDetails(make_entry(1))) == ()


def test_facts_without_anything_to_say_are_left_out() -> None:
    assert [each.name for each in facts_of(EntryDetails(make_entry(1)))] == ["By", "When", "Before", "After"]


def test_the_verdict_names_the_reason() -> None:
    entry = make_entry(1, undoability=Undoability.NOT, undo_reason="before unknown: too large")
    said = verdict(EntryDetails(entry))
    assert (said.title, said.text, said.is_good) == ("Cannot be undone.", "Before unknown: too large.", False)
    assert not said.button.enabled


def test_the_verdict_on_an_undone_change_offers_redo() -> None:
    said = verdict(EntryDetails(make_entry(1, state=EntryState.UNDONE, undone_by=9)))
    assert said.button.is_redo
    assert "#9" in said.text


def test_a_plan_that_could_not_be_made_is_no_promise() -> None:
    said = verdict(EntryDetails(make_entry(1), plan_error="The ledger is busy"))
    assert not said.is_good
    assert said.text == "The ledger is busy."


def test_an_undo_says_whom_it_took_back() -> None:
    entry = make_entry(5, origin=Origin.UNDO)
    record = replace(entry.record, reverses=SeqId(3))
    assert fact(EntryDetails(replace(entry, record=record)), "By").lines[0].words == "Claude, taking back #3"


def test_an_undo_that_was_redone_offers_nothing_more() -> None:
    said = verdict(EntryDetails(make_entry(5, origin=Origin.UNDO, state=EntryState.UNDONE)))
    assert said.title == "Redone."
    assert said.button.label == ""


def test_a_command_tells_its_files_and_what_is_not_sure_of_them() -> None:
    entry = make_entry(1, command="x " * 300)
    one = make_entry(1).record.changes[0]
    changes = tuple(replace(one, path=LedgerPath(f"f{number}.py")) for number in range(30))
    facts = CommandFacts(unsure={LedgerPath("f3.py"): "the person may have saved it"})
    details = EntryDetails(replace(entry, record=replace(entry.record, changes=changes, ran=facts)))
    files = [line.words for line in fact(details, "Files").lines]
    assert (files[0], files[1], files[-1]) == ("f3.py · +2 −1 · unsure", "f0.py · +2 −1", "and 11 more")
    assert fact(details, "Unsure").lines[0].words == "f3.py: the person may have saved it"
    assert len(fact(details, "Command").lines[0].words) == 599


def test_a_model_is_shown_where_it_is_known() -> None:
    entry = make_entry(1)
    told = EntryDetails(replace(entry, record=replace(entry.record, model="large\n<b>")))
    assert fact(told, "Model").lines[0].words == "large <b>"
