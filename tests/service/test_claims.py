"""What a caller says, by a real ledger and real files: vouched for, or a claim with its badge."""

import subprocess
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from sulcus_panel.core.access import ALL_SCOPES, Caller
from sulcus_panel.core.capture.claims import Claim, ClaimedSide
from sulcus_panel.core.errors import BadRequest
from sulcus_panel.core.model import ActionType, Actor, ActorKind, EntryState, Provenance, SeqId
from sulcus_panel.service.asking import Ask
from sulcus_panel.service.claims import Recorded, Told
from sulcus_panel.service.operations import LedgerQuery, Operations, Selection
from tests.support.ledger_builder import LedgerBuilder
from tests.support.ledgers import sha

BOT = Caller(Actor("bot", ActorKind.AGENT), ALL_SCOPES)
OLD, NEW, NEWER = b"one\ntwo\n", b"one\n2\n", b"one\n2\n3\n"


def side(data: bytes | None) -> ClaimedSide:
    return ClaimedSide(False) if data is None else ClaimedSide(True, sha(data), len(data), data)


def an_edit(before: bytes | None = OLD, after: bytes | None = NEW, path: str = "a.txt") -> Claim:
    return Claim(
        ActionType.FILE_EDIT,
        "codex",
        session_id="s",
        tool_name="Edit",
        target_path=path,
        before=side(before),
        after=side(after),
    )


def told(build: LedgerBuilder, claim: Claim, caller: Caller = BOT) -> Told:
    return Told(caller, build.workspace.namespace, claim)


def test_a_claim_that_the_disk_and_the_ledger_bear_out_is_observed_and_can_be_undone_by_its_maker(
    operations: Operations, build: LedgerBuilder
) -> None:
    build.write("a.txt", OLD)
    build.outside("a.txt", NEW)
    done = operations.claims.record(told(build, an_edit()))
    entry = operations.entry(done.seq_id or SeqId(0))
    assert (entry.record.provenance, entry.record.actor, done.state) == (
        Provenance.OBSERVED,
        BOT.actor,
        EntryState.RECORDED,
    )
    operations.asking.ask(BOT, build.workspace.id, Ask(Selection((entry.seq_id,))))
    assert (build.root / "a.txt").read_bytes() == OLD


@pytest.mark.parametrize(
    "claim",
    [
        an_edit(before=b"never there\n"),
        an_edit(after=NEWER),
        replace(an_edit(), before=ClaimedSide(True, sha(b"x"), None, OLD)),
        replace(an_edit(), before=None),
        an_edit(path="/etc/hosts"),
    ],
)
def test_what_nobody_can_vouch_for_stays_a_claim(
    operations: Operations, build: LedgerBuilder, claim: Claim
) -> None:
    build.write("a.txt", OLD)
    build.outside("a.txt", NEW)
    done = operations.claims.record(told(build, claim))
    assert operations.entry(done.seq_id or SeqId(0)).record.provenance is Provenance.CLAIMED


def test_an_old_story_is_a_claim(operations: Operations, build: LedgerBuilder) -> None:
    build.write("a.txt", OLD)
    build.outside("a.txt", NEW)
    done = operations.claims.record(told(build, replace(an_edit(), at=build.clock() - timedelta(days=2))))
    assert operations.entry(done.seq_id or SeqId(0)).record.provenance is Provenance.CLAIMED


@pytest.mark.parametrize("year", [1, 1969, 9999])
def test_a_time_that_no_screen_could_show_is_refused(
    operations: Operations, build: LedgerBuilder, year: int
) -> None:
    with pytest.raises(BadRequest, match="from 1970") as refused:
        operations.claims.record(told(build, replace(an_edit(), at=datetime(year, 12, 31, tzinfo=UTC))))
    assert refused.value.field == "at"
    assert operations.count(LedgerQuery(workspace_id=build.workspace.id)) == 0


def test_what_git_has_vouches_for_a_file_that_the_ledger_never_saw(
    operations: Operations, build: LedgerBuilder
) -> None:
    build.outside("a.txt", OLD)
    for command in (["init", "-q"], ["add", "a.txt"]):
        subprocess.run(["git", "-C", str(build.root), *command], check=True, capture_output=True)
    build.outside("a.txt", NEW)
    done = operations.claims.record(told(build, an_edit()))
    assert operations.entry(done.seq_id or SeqId(0)).record.provenance is Provenance.OBSERVED


def test_the_same_uid_again_is_the_same_row_and_somebody_elses_is_refused(
    operations: Operations, build: LedgerBuilder
) -> None:
    claim = replace(an_edit(), uid="mine-1")
    first = operations.claims.record(told(build, claim))
    again = operations.claims.record(told(build, claim))
    assert again == Recorded(first.seq_id, "mine-1", EntryState.RECORDED, is_new=False)
    other = Caller(Actor("other", ActorKind.AGENT), ALL_SCOPES)
    with pytest.raises(BadRequest, match="another entry's"):
        operations.claims.record(told(build, claim, other))


def test_an_unknown_namespace_is_made_without_a_folder(operations: Operations) -> None:
    done = operations.claims.record(Told(BOT, "Payments Rails", an_edit()))
    entry = operations.entry(done.seq_id or SeqId(0))
    assert (entry.namespace, entry.record.provenance) == ("payments-rails", Provenance.CLAIMED)
    with pytest.raises(BadRequest, match="out of the workspace"):
        operations.claims.record(Told(BOT, "payments-rails", an_edit(path="../x")))


def test_where_recording_is_off_nothing_is_recorded(operations: Operations, build: LedgerBuilder) -> None:
    operations.set_setting(build.workspace.id, "enabled", value=False)
    done = operations.claims.record(told(build, an_edit()))
    assert (done.seq_id, done.state) == (None, None)


def test_one_bad_claim_of_many_leaves_the_others(operations: Operations, build: LedgerBuilder) -> None:
    done = operations.claims.record_all(
        [told(build, an_edit()), told(build, an_edit(path="")), told(build, an_edit(path="b.txt"))]
    )
    assert [type(one) for one in done] == [Recorded, BadRequest, Recorded]


def test_a_command_needs_no_file_and_keeps_no_key_of_its_input(
    operations: Operations, build: LedgerBuilder
) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLQ"
    claim = Claim(ActionType.RUN_COMMAND, "codex", command="make", exit_code=2, input=f'{{"k": "{key}"}}')
    entry = operations.entry(operations.claims.record(told(build, claim)).seq_id or SeqId(0))
    assert (entry.record.command, entry.record.exit_code, entry.record.changes) == ("make", 2, ())
    assert key not in entry.record.input
