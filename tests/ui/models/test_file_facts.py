from dataclasses import replace

from sulcus_panel.core.model import (
    ABSENT,
    ActionType,
    Change,
    CommandFacts,
    FileKind,
    FileState,
    LedgerPath,
    NewEntry,
    Sha256,
)
from sulcus_panel.ui.models.file_facts import file_lines
from tests.support.entries import KEPT, make_entry

OTHER = replace(KEPT, sha256=Sha256("cd" * 32))
HASH_ONLY = replace(OTHER, kept=False, reason="may hold a secret")


def lines(*changes: Change, ran: CommandFacts | None = None) -> list[tuple[str, str]]:
    record: NewEntry = make_entry(1, action=ActionType.RUN_COMMAND, command="make").record
    return list(file_lines(replace(record, changes=changes, ran=ran)))


def change(path: str, before: FileState, after: FileState, plus: int = 0, minus: int = 0) -> Change:
    return Change(LedgerPath(path), before, after, plus=plus, minus=minus)


def test_each_file_says_what_became_of_it_and_mere_edits_come_last() -> None:
    found = lines(
        change("src/a.py", KEPT, OTHER, 2, 1),
        change("src/b.py", ABSENT, KEPT, 5),
        change("src/c.py", OTHER, ABSENT, 0, 7),
        change("src/d.py", FileState(FileKind.UNKNOWN, reason="too large"), KEPT),
    )
    assert found == [
        ("b.py · created +5", "src/b.py"),
        ("c.py · deleted −7", "src/c.py"),
        ("a.py · +2 −1", "src/a.py"),
        ("d.py · not known", "src/d.py"),
    ]


def test_a_moved_file_is_one_line_with_both_of_its_places() -> None:
    renamed = lines(change("docs/new.md", ABSENT, KEPT, 5), change("docs/old.md", KEPT, ABSENT, 0, 5))
    assert renamed == [("new.md · moved, was old.md", "docs/old.md → docs/new.md")]
    moved = lines(change("a.md", KEPT, ABSENT), change("docs/a.md", ABSENT, KEPT))
    assert moved == [("a.md · moved from the top", "a.md → docs/a.md")]


def test_a_file_that_is_not_sure_or_not_kept_says_so() -> None:
    unsure = CommandFacts(unsure={LedgerPath("a.py"): "somebody else wrote too"})
    found = lines(change("a.py", KEPT, OTHER, 1), change(".env", HASH_ONLY, HASH_ONLY), ran=unsure)
    assert [words for words, _ in found] == ["a.py · +1 · unsure", ".env · not kept"]


def test_in_a_long_list_what_is_not_sure_stands_first() -> None:
    unsure = CommandFacts(unsure={LedgerPath("z.py"): "somebody else wrote too"})
    edits = [change(f"f{number}.py", KEPT, OTHER, 1) for number in range(30)]
    found = lines(*edits, change("new.py", ABSENT, KEPT, 1), change("z.py", KEPT, OTHER, 1), ran=unsure)
    assert [words for words, _ in found][:3] == ["z.py · +1 · unsure", "new.py · created +1", "f0.py · +1"]


def test_a_name_is_plain_text() -> None:
    assert lines(change("x/a\n<b>", ABSENT, KEPT)) == [("a\\n<b> · created", "x/a\\n<b>")]
