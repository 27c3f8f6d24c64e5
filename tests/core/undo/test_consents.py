"""What needs a yes of its own, from plans made by hand."""

from dataclasses import replace

import pytest

from sulcus_panel.core.model import ABSENT, CommandFacts, FileKind, FileState, LedgerPath
from sulcus_panel.core.undo.consents import consents_of, refused_in_batch
from sulcus_panel.core.undo.model import (
    Conflict,
    Consent,
    EntryPlan,
    HunkOutcome,
    Outcome,
    PathPlan,
    UndoFacts,
    Write,
)
from tests.support.ledgers import sha
from tests.support.undo_plans import clean_hunk, entry, path_plan

OLD, NEW = b"old\n", b"new\n"
FACTS = UndoFacts(
    workspace_id=1,
    root="/w",
    targets=(entry(),),
    hunks=None,
    timelines={},
    contents={},
    disk={},
    readers={},
    active_sessions=frozenset(),
    refusals={},
)
BATCH = replace(FACTS, targets=(entry(842), entry(840)))


def state(data: bytes | None, mode: int | None = 0o644, kind: FileKind = FileKind.FILE) -> FileState:
    return ABSENT if data is None else FileState(kind, sha(data), len(data), mode)


def write(
    path: str, now: bytes | None = NEW, then: bytes | None = OLD, mode: int | None = 0o644, after: int = 0o644
) -> Write:
    return Write(LedgerPath(path), state(now, mode), state(then, after), now, then)


def link(path: str, text: bytes, now: bytes | None = None) -> Write:
    there = ABSENT if now is None else state(now, None, FileKind.SYMLINK)
    return Write(LedgerPath(path), there, state(text, None, FileKind.SYMLINK), now, text)


def folder(path: str) -> Write:
    return Write(LedgerPath(path), FileState(FileKind.DIRECTORY, mode=0o755), ABSENT, None, None)


def asked(*writes: Write, entries: tuple[EntryPlan, ...] = ()) -> tuple[Consent, ...]:
    return consents_of(entries, writes)


def keys(*writes: Write) -> list[str]:
    return [consent.key for consent in asked(*writes)]


def test_an_ordinary_plan_asks_for_nothing() -> None:
    assert (
        keys(write("a.txt"), write("b.txt", None, OLD), write("c.txt", NEW, None), link("l", b"a.txt")) == []
    )


def test_f038_a_file_that_tools_obey_asks_whether_it_changes_comes_or_goes() -> None:
    writes = write(".mcp.json"), write(".vscode/tasks.json", None, OLD), write(".envrc", NEW, None)
    assert keys(*writes) == ["config:.mcp.json", "config:.vscode/tasks.json", "config:.envrc"]
    assert keys(link(".claude", b"x")) == ["config:.claude"]
    assert keys(folder(".claude")) == []


def test_f038_a_package_asks_only_for_what_it_runs() -> None:
    one, two = b'{"scripts": {"a": "b"}}', b'{"scripts": {"a": "c"}}'
    assert keys(write("package.json", one, two)) == ["config:package.json"]
    assert keys(write("package.json", b'{"v": 1}', b'{"v": 2}')) == []


@pytest.mark.parametrize(
    ("file", "told"),
    [
        (write("a", mode=0o444, after=0o444), "stay protected"),
        (write("a", mode=0o444), "no longer be protected"),
        (write("a", then=None, mode=0o400), "deleted"),
    ],
)
def test_f111_a_read_only_file_asks_and_says_what_becomes_of_it(file: Write, told: str) -> None:
    (consent,) = asked(file)
    assert consent.key == "read_only:a"
    assert told in consent.text


def test_f111_a_change_of_the_protection_alone_does_not_ask() -> None:
    assert keys(write("a", NEW, NEW, mode=0o444), write("b", mode=None), write("c", mode=0o200)) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("l", b"/etc/passwd"),
        ("l", b"../x"),
        ("sub/l", b"../../x"),
        ("sub/l", b"a/../../../x"),
        ("l", b".."),
        ("l", b"C:\\x"),
        ("l", b"\\\\host\\x"),
        ("l", b"..\\x"),
    ],
)
def test_f017_a_link_that_leads_out_asks_when_it_comes_back(path: str, text: bytes) -> None:
    assert keys(link(path, text)) == [f"link_outside:{path}"]
    assert keys(link(path, text, now=b"elsewhere")) == [f"link_outside:{path}"]


@pytest.mark.parametrize("text", [b"a", b"../l2", b"..x", b"./sub/../a", b"a/b", b"\xff\n", b"."])
def test_f017_a_link_that_stays_inside_does_not(text: bytes) -> None:
    assert keys(link("sub/l", text)) == []


def test_a_link_that_goes_does_not_ask() -> None:
    gone = link("l", b"/etc/passwd")
    assert keys(Write(gone.path, gone.result, ABSENT, gone.result_content, None)) == []


def reviewed(*conflicts: tuple[str, tuple[int, int]], reason: str = "") -> PathPlan:
    hunks = tuple(
        replace(
            clean_hunk(number),
            outcome=HunkOutcome.REVIEW,
            disk_lines=lines,
            conflict=Conflict(LedgerPath("a.txt"), lines, (), False, said),
        )
        for number, (said, lines) in enumerate(conflicts)
    )
    return replace(
        path_plan(*hunks, outcome=Outcome.REVIEW), path=LedgerPath("a.txt"), reason=reason, conflicts=()
    )


def test_a_review_says_what_is_uncertain_and_where() -> None:
    plan = reviewed(("it may be another", (3, 5)), ("it may be another", (8, 9)), reason="it may be another")
    (consent,) = asked(write("a.txt"), entries=(EntryPlan(entry(), Outcome.REVIEW, (plan,)),))
    assert consent.key == "review:a.txt"
    assert consent.text == "a.txt needs a look: it may be another (lines 4–5, line 9)"


def test_a_review_of_the_whole_file_says_its_reason() -> None:
    plan = reviewed(reason="the file would no longer parse")
    twice = (EntryPlan(entry(842), Outcome.REVIEW, (plan,)), EntryPlan(entry(), Outcome.REVIEW, (plan,)))
    (consent,) = asked(write("a.txt"), entries=twice)
    assert consent.text == "a.txt needs a look: the file would no longer parse"


def test_what_is_not_written_needs_no_look() -> None:
    plan = reviewed(reason="the file would no longer parse")
    assert asked(write("b.txt"), entries=(EntryPlan(entry(), Outcome.REVIEW, (plan,)),)) == ()


def test_names_from_outside_are_shown_as_plain_text() -> None:
    for consent in asked(write(".claude/\x1b[31m\u202ex", mode=0o444), link("l\n", b"/\x1b")):
        assert consent.text.isprintable()


def path(name: str) -> PathPlan:
    plan = path_plan()
    return replace(plan, path=LedgerPath(name))


def test_f038_a_file_that_tools_obey_is_refused_in_a_batch_and_keeps_its_bytes() -> None:
    plan = refused_in_batch(BATCH, path(".claude/settings.json"))
    assert (plan.outcome, plan.strategy) == (Outcome.REFUSED, None)
    assert (plan.result, plan.result_content) == (plan.disk, plan.disk_content)
    assert plan.reason == ".claude/settings.json is a tool's configuration: take it back on its own"


def test_alone_or_with_nothing_to_write_it_is_what_it_was() -> None:
    config = path(".claude/settings.json")
    conflict = replace(config, outcome=Outcome.CONFLICT)
    assert refused_in_batch(FACTS, config) is config
    assert refused_in_batch(BATCH, conflict) is conflict
    assert refused_in_batch(BATCH, path("a.txt")).outcome is Outcome.UNDONE


def unsure_entry(unsure: dict[str, str]) -> EntryPlan:
    target = entry(840)
    record = replace(target.record, ran=CommandFacts(unsure=unsure))
    paths = tuple(replace(path_plan(), path=LedgerPath(name)) for name in unsure)
    return EntryPlan(replace(target, record=record), Outcome.UNDONE, paths)


def test_what_may_be_somebody_elses_work_asks_file_by_file() -> None:
    plan = unsure_entry({"a.txt": "an editor has it open", "b.txt": "another command ran"})
    found = asked(write("a.txt"), write("b.txt"), entries=(plan,))
    assert [consent.key for consent in found] == ["unsure:a.txt", "unsure:b.txt"]
    assert found[0].text == "a.txt may not be the work of #840: an editor has it open"
    assert asked(write("b.txt"), entries=(plan,)) == found[1:]


def test_many_files_that_are_not_sure_for_one_reason_are_one_question() -> None:
    names = [f"{number}.txt" for number in range(6)]
    plan = unsure_entry(dict.fromkeys(names, "it never ended"))
    [consent] = asked(*map(write, names), entries=(plan,))
    assert consent.key == "unsure:0.txt"
    assert consent.text == "0.txt, 1.txt, 2.txt and 3 more may not be the work of #840: it never ended"
