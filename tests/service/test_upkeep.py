from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.upkeep import Upkeep
from tests.support.heard import until
from tests.support.ledger_builder import LedgerBuilder


def test_older_versions_take_less_room_while_the_window_is_open(build: LedgerBuilder) -> None:
    build.session("claude-code")
    build.turn("Harden the webhook")
    lines = [f"value_{number} = {number * 7919 % 104729}" for number in range(500)]
    for number in range(20):
        lines[number * 20] = f"changed_{number} = True"
        build.write("a.py", "\n".join(lines))
    whole = build.ledger.blobs.total_bytes()
    upkeep = Upkeep(lambda: Operations.open(build.home, clock=build.clock), ChangeBus())
    upkeep.start()
    assert until(lambda: build.ledger.blobs.total_bytes() < whole / 4)
    upkeep.stop()
