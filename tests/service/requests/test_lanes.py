"""Records that come together are written together, and each is answered for itself."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from sulcus_panel.core.access import ALL_SCOPES, Caller
from sulcus_panel.core.capture.claims import Claim
from sulcus_panel.core.errors import BadRequest, LedgerBusy
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.model import ActionType, Actor, ActorKind
from sulcus_panel.service.claims import Recorded, Told
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.requests.lanes import Lane, Lanes, RecordLane

BOT = Caller(Actor("bot", ActorKind.AGENT), ALL_SCOPES)


def told(path: str) -> Told:
    return Told(BOT, "lanes", Claim(ActionType.FILE_EDIT, "codex", target_path=path))


@pytest.fixture
def opened(tmp_path: Path) -> Callable[[], Operations]:
    home = DataHome(tmp_path / "home")
    return lambda: Operations.open(home)


def test_many_at_once_are_few_transactions_and_none_is_lost(opened: Callable[[], Operations]) -> None:
    async def run() -> list[Recorded]:
        lane = RecordLane(opened)
        done = await asyncio.gather(*(lane.record(told(f"{number}")) for number in range(300)))
        await asyncio.get_running_loop().run_in_executor(None, lane.close)
        return done

    with opened() as operations:
        before = operations.ledger.data_version()
        done = asyncio.run(run())
        assert len({one.seq_id for one in done}) == 300
        assert operations.ledger.newest_seq() == 300
        assert operations.ledger.data_version() - before < 30


def test_one_that_cannot_be_recorded_is_refused_alone(opened: Callable[[], Operations]) -> None:
    async def run() -> list[Recorded | BaseException]:
        lane = RecordLane(opened)
        asked = [lane.record(told(path)) for path in ("a", "", "b")]
        done = await asyncio.gather(*asked, return_exceptions=True)
        lane.close()
        return done

    assert [type(one) for one in asyncio.run(run())] == [Recorded, BadRequest, Recorded]


def test_a_busy_ledger_is_told_to_all_who_wait(opened: Callable[[], Operations]) -> None:
    def impatient() -> Operations:
        operations = opened()
        operations.ledger.wait_for_writers(1)
        return operations

    async def run() -> list[Recorded | BaseException]:
        lane = RecordLane(impatient)
        await lane.record(told("first"))
        with opened() as other, other.ledger.write():
            done = await asyncio.gather(
                *(lane.record(told(f"{n}")) for n in range(3)), return_exceptions=True
            )
        done.append(await lane.record(told("later")))
        lane.close()
        return done

    done = asyncio.run(run())
    assert [type(one) for one in done] == [LedgerBusy] * 3 + [Recorded]


def test_who_has_gone_keeps_nobody_from_his_answer(opened: Callable[[], Operations]) -> None:
    async def run() -> Recorded:
        lane = RecordLane(opened)
        gone = asyncio.ensure_future(lane.record(told("a")))
        stays = asyncio.ensure_future(lane.record(told("b")))
        await asyncio.sleep(0)
        gone.cancel()
        done = await stays
        lane.close()
        return done

    assert asyncio.run(run()).seq_id == 2


def test_each_thread_has_an_operations_of_its_own_and_all_are_closed(
    opened: Callable[[], Operations],
) -> None:
    async def run() -> None:
        lane = Lane("both", opened, 2)
        both = threading.Barrier(2, timeout=30)

        def meet(operations: Operations) -> Operations:
            both.wait()
            return operations

        one, other = await asyncio.gather(lane.do(meet), lane.do(meet))
        assert one is not other
        lane.close()

    before = threading.active_count()
    asyncio.run(run())
    assert threading.active_count() == before


def test_lanes_that_were_never_used_close_as_well(opened: Callable[[], Operations]) -> None:
    Lanes(opened).close()
