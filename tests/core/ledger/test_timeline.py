from datetime import timedelta
from itertools import pairwise, permutations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.ledger.timeline import Link, in_order, told_in_detail
from sulcus_panel.core.model import (
    ABSENT,
    Change,
    FileKind,
    FileState,
    LedgerPath,
    Origin,
    Provenance,
    SeqId,
    Workspace,
)
from tests.support.clock import NOON
from tests.support.ledgers import appended, change, record, state

F = LedgerPath("f")


def link(seq: int, at: int, before: str, after: str, *, observed: bool = True) -> Link:
    """A step between versions named by a letter; `?` is unknown."""
    keys = [None if name == "?" else ("file", name.encode()) for name in (before, after)]
    return Link(seq, at, observed, keys[0], keys[1])


def order(*links: Link) -> list[int]:
    return [found.seq_id for found in in_order(links)]


def test_time_decides_where_an_import_arrives_after_newer_entries() -> None:
    assert order(link(1, 30, "c", "d"), link(2, 10, "a", "b", observed=False), link(3, 20, "b", "c")) == [
        2,
        3,
        1,
    ]


def test_a_clock_that_jumped_back_is_repaired_by_the_chain() -> None:
    assert order(
        link(1, 100, "a", "b"), link(2, 101, "b", "c"), link(3, 5, "c", "d"), link(4, 6, "d", "e")
    ) == [
        1,
        2,
        3,
        4,
    ]


def test_an_import_with_a_wrong_time_goes_where_its_bytes_fit() -> None:
    assert order(link(1, 10, "a", "b"), link(2, 20, "c", "d"), link(3, 99, "b", "c", observed=False)) == [
        1,
        3,
        2,
    ]


def test_steps_of_one_moment_follow_their_chain() -> None:
    steps = [
        link(1, 7, "c", "d", observed=False),
        link(2, 7, "b", "c", observed=False),
        link(3, 7, "a", "b", observed=False),
    ]
    for arranged in permutations(steps):
        assert order(*arranged) == [3, 2, 1]


def test_observed_steps_are_not_swapped_against_time_and_id() -> None:
    assert order(link(1, 10, "a", "b"), link(2, 20, "c", "d"), link(3, 30, "b", "c")) == [1, 2, 3]


def test_there_and_back_again_stays_as_it_happened() -> None:
    assert order(link(1, 1, "a", "b"), link(2, 2, "b", "a"), link(3, 3, "a", "b"), link(4, 4, "b", "a")) == [
        1,
        2,
        3,
        4,
    ]


def test_an_unknown_state_moves_nothing() -> None:
    assert order(link(1, 1, "a", "?"), link(2, 2, "c", "d"), link(3, 3, "?", "a")) == [1, 2, 3]


@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.sampled_from("abc?"), st.sampled_from("abc?"), st.booleans()),
        max_size=12,
    )
)
def test_no_step_is_ever_lost_or_doubled(steps: list[tuple[int, str, str, bool]]) -> None:
    links = [link(seq, at, b, a, observed=seen) for seq, (at, b, a, seen) in enumerate(steps)]
    assert sorted(order(*links)) == list(range(len(steps)))


@given(st.integers(1, 12), st.randoms(use_true_random=False))
def test_a_whole_chain_of_imports_is_found_whatever_their_times(length: int, random: Random) -> None:
    times = random.sample(range(1000), length)
    links = [
        Link(seq, at, False, ("file", bytes([seq])), ("file", bytes([seq + 1])))
        for seq, at in enumerate(times)
    ]
    found = in_order(links)
    breaks = sum(a.after != b.before for a, b in pairwise(found))
    assert breaks <= 1


def test_a_timeline_has_undo_and_outside_steps_and_only_this_path(
    ledger: Ledger, workspace: Workspace
) -> None:
    other = ledger.add_workspace(None, "other")
    ledger.append(workspace.id, record("1", change("f", b"a", b"b"), change("g", b"a", b"b")))
    ledger.append(
        workspace.id, record("2", change("f", b"b", b"c"), origin=Origin.OUTSIDE, at=NOON + timedelta(1))
    )
    ledger.append(
        workspace.id, record("3", change("f", b"c", b"b"), origin=Origin.UNDO, at=NOON + timedelta(2))
    )
    ledger.append(other.id, record("4", change("f", b"b", b"z")))
    late = record("5", change("f", None, b"a"), at=NOON - timedelta(1), provenance=Provenance.IMPORTED)
    ledger.append(workspace.id, late)
    steps = ledger.timeline(workspace.id, F)
    assert [(step.seq_id, step.origin) for step in steps] == [
        (5, Origin.AGENT),
        (1, Origin.AGENT),
        (2, Origin.OUTSIDE),
        (3, Origin.UNDO),
    ]
    assert steps[0].before == ABSENT
    assert steps[0].at == NOON - timedelta(1)
    assert ledger.timeline(workspace.id, LedgerPath("nowhere")) == ()


def test_a_step_knows_which_entry_it_reverses(ledger: Ledger, workspace: Workspace) -> None:
    made = record("1", change("f", b"a", b"b"), change("g", b"a", b"b"))
    first = appended(ledger, workspace.id, made)
    last, texts = first.seq_id, [b"b", b"a", b"b", b"a"]
    for key, (old, new) in enumerate(pairwise(texts), 2):
        at = NOON + timedelta(key)
        undo = record(str(key), change("f", old, new), origin=Origin.UNDO, at=at, reverses=last)
        last = appended(ledger, workspace.id, undo).seq_id
    ledger.append(workspace.id, record("5", change("f", b"a", b"c"), at=NOON + timedelta(9)))
    assert [step.reverses for step in ledger.timeline(workspace.id, F)] == [None, 1, 2, 3, None]


def test_what_is_last_known_follows_the_order_of_happening(ledger: Ledger, workspace: Workspace) -> None:
    unread = FileState(FileKind.UNKNOWN, reason="busy")
    odd = LedgerPath("caf\udce9")
    ledger.append(
        workspace.id,
        record("1", change("f", b"b", b"c"), change(odd, b"a", None), change("/etc/x", b"a", b"b")),
    )
    ledger.append(workspace.id, record("2", change("f", b"a", b"b"), at=NOON - timedelta(1)))
    ledger.append(workspace.id, record("3", Change(LedgerPath("g"), ABSENT, unread)))
    known = ledger.last_known(workspace.id)
    assert set(known) == {F, odd, LedgerPath("g")}
    assert known[F].sha256 == state(b"c").sha256
    assert known[odd] == ABSENT
    assert known[LedgerPath("g")] == unread
    assert list(known)[-1] == LedgerPath("g"), "the last recorded comes last"
    some = ledger.last_known(workspace.id, {F, LedgerPath("g"), LedgerPath("nowhere"), LedgerPath("/etc/x")})
    assert some == {F: known[F], LedgerPath("g"): unread}
    assert ledger.last_known(workspace.id, ()) == {}
    assert ledger.changed_since(workspace.id, SeqId(1)) == {F, LedgerPath("g")}
    assert ledger.changed_since(workspace.id, SeqId(3)) == frozenset()


def test_readers_are_later_entries_derived_from_the_path(ledger: Ledger, workspace: Workspace) -> None:
    for number, hours in enumerate((-1, 0, 2, 1)):
        at = NOON + timedelta(hours=hours)
        ledger.append(workspace.id, record(f"{number}", at=at, derived_from=(F, LedgerPath("g"))))
    assert ledger.readers(workspace.id, F, NOON) == (4, 3)
    assert ledger.readers(workspace.id, LedgerPath("h"), NOON) == ()


def left_after(*links: Link, outside: tuple[int, ...]) -> list[int]:
    imported = [one.seq_id for one in links if not one.observed]
    twice = told_in_detail(links, outside, imported)
    return order(*(found for found in links if found.seq_id not in twice))


def test_what_an_import_tells_in_detail_is_not_also_a_change_from_outside() -> None:
    made, seen = link(1, 10, "-", "a"), link(2, 30, "a", "b")
    told = link(4, 20, "a", "b", observed=False)
    assert left_after(made, seen, told, outside=(2,)) == [1, 4]
    later = link(3, 40, "b", "c")
    assert left_after(made, seen, later, told, outside=(2,)) == [1, 4, 3]


def test_several_silent_calls_that_were_seen_as_one_change_are_told_one_by_one() -> None:
    made, seen, later = link(1, 10, "-", "a"), link(2, 29, "a", "c"), link(3, 40, "c", "d")
    told = (link(4, 20, "a", "b", observed=False), link(5, 30, "b", "c", observed=False))
    assert left_after(made, seen, later, *told, outside=(2,)) == [1, 4, 5, 3]


def test_a_change_from_outside_that_the_history_needs_stays() -> None:
    made, back = link(1, 10, "-", "a"), link(3, 30, "b", "a")
    told = link(2, 20, "a", "b", observed=False)
    again = link(4, 40, "a", "b")
    assert left_after(made, told, back, again, outside=(3, 4)) == [1, 2, 3, 4]
    other = link(4, 40, "a", "x")
    assert left_after(made, told, back, other, outside=(3, 4)) == [1, 2, 3, 4]


def test_what_was_seen_long_before_an_import_says_is_another_change() -> None:
    hour = 3_600_000_000
    made, seen = link(1, 10, "-", "a"), link(2, 30, "a", "b")
    told = link(3, hour, "a", "b", observed=False)
    assert left_after(made, seen, told, outside=(2,)) == [1, 2, 3]
