from sulcus_panel.core.ledger import checkpoints
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.locks import holding
from sulcus_panel.core.ledger.opening import log_bytes
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import PERSON


def test_the_log_is_emptied_by_the_holder_of_the_lock_alone(ledger: Ledger, data_home: DataHome) -> None:
    ledger.record_governance(None, PERSON, "test", "a row in the log")
    with holding(data_home, "checkpoint", 0):
        assert not ledger.checkpoint()
        assert log_bytes(data_home)
    assert ledger.checkpoint()
    assert not log_bytes(data_home)


def test_a_log_is_due_after_so_many_commits(ledger: Ledger, data_home: DataHome) -> None:
    ledger.checkpoint()
    for _ in range(checkpoints.COMMITS - 1):
        ledger.record_governance(None, PERSON, "test", "one more")
    assert log_bytes(data_home)
    ledger.record_governance(None, PERSON, "test", "the last")
    assert not log_bytes(data_home)
