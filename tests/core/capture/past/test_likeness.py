"""Records of one call are recognised by what they did, each once, and by nothing that speaks against it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from sulcus_panel.core.capture.past.likeness import Likenesses
from sulcus_panel.core.model import (
    ActionType,
    Actor,
    ActorKind,
    Change,
    FileKind,
    FileState,
    LedgerPath,
    NewEntry,
    Origin,
    Provenance,
    Sha256,
)

AT = datetime(2026, 1, 1, tzinfo=UTC)
UNKNOWN = FileState(FileKind.UNKNOWN)


def state(letter: str) -> FileState:
    return FileState(FileKind.FILE, Sha256(letter * 64), 1)


def entry(uid: str, before: FileState, after: FileState, path: str = "a") -> NewEntry:
    return NewEntry(
        uid=uid,
        at=AT,
        harness="h",
        actor=Actor("H", ActorKind.AGENT),
        origin=Origin.AGENT,
        action_type=ActionType.FILE_EDIT,
        tool_name="edit",
        target_path=LedgerPath(path),
        summary="edited a",
        provenance=Provenance.OBSERVED,
        session_id="s",
        turn_id="s#1",
        changes=(Change(LedgerPath(path), before, after),),
    )


HOOKS = entry("h:spool:1", state("a"), state("b"))
NAMED = entry("h:s:call-1", state("a"), state("b"))
MADE_UP = entry("h:s:@s.1", state("a"), state("b"))


def known(kept: NewEntry) -> Likenesses:
    likenesses = Likenesses()
    likenesses.add(kept)
    return likenesses


def test_the_same_bytes_are_the_same_call_and_answer_once() -> None:
    alike, read = known(HOOKS), entry("h:s:toolu", state("a"), state("b"))
    assert [alike.take(read, loosely=False) for _ in range(2)] == [True, False]


def test_a_hook_may_not_have_seen_the_file_before() -> None:
    alike = known(entry("h:spool:1", UNKNOWN, state("b")))
    assert alike.take(entry("h:s:toolu", state("a"), state("b")), loosely=False)


def test_other_bytes_another_file_and_another_session_are_other_calls() -> None:
    alike = known(HOOKS)
    others = (
        entry("h:s:x", state("a"), state("c")),
        entry("h:s:x", state("a"), state("b"), "z"),
        replace(entry("h:s:x", state("a"), state("b")), session_id="t"),
    )
    assert not any(alike.take(one, loosely=loosely) for one in others for loosely in (False, True))


def test_what_a_transcript_does_not_tell_is_no_difference() -> None:
    alike, read = known(HOOKS), entry("h:s:toolu", state("a"), UNKNOWN)
    assert not alike.take(read, loosely=False)
    assert alike.take(read, loosely=True)


def test_what_is_not_told_at_another_time_is_another_call_unless_the_transcript_has_no_times() -> None:
    alike = known(HOOKS)
    read = replace(entry("h:s:toolu", UNKNOWN, UNKNOWN), at=AT + timedelta(hours=1))
    assert not alike.take(read, loosely=True)
    assert alike.take(replace(read, uid=MADE_UP.uid), loosely=True)


def test_only_a_made_up_id_may_stand_for_a_real_one() -> None:
    alike = known(NAMED)
    assert not alike.take(entry("h:s:call-2", state("a"), state("b")), loosely=True)
    assert alike.take(MADE_UP, loosely=False)


def test_what_was_imported_is_known_by_its_id_alone() -> None:
    assert not known(replace(NAMED, provenance=Provenance.IMPORTED)).take(MADE_UP, loosely=True)


def test_a_command_is_its_words() -> None:
    ran = replace(HOOKS, command="make", changes=(), target_path=LedgerPath(""))
    alike, read = known(ran), replace(ran, uid="h:s:x")
    assert not alike.take(replace(read, command="make all"), loosely=False)
    assert alike.take(read, loosely=False)
