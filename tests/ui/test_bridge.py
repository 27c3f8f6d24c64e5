"""Changes published in any thread arrive on the GUI thread, in order."""

import threading

from PySide6.QtCore import QThread
from pytestqt.qtbot import QtBot

from sulcus_panel.core.model import SeqId
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes
from sulcus_panel.ui.bridge import ChangeSignals


def publish_in_a_thread(bus: ChangeBus, *all_changes: Changes) -> None:
    def work() -> None:
        for changes in all_changes:
            bus.publish(changes)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def test_changes_of_another_thread_arrive_on_the_gui_thread_in_order(qtbot: QtBot) -> None:
    bus = ChangeBus()
    signals = ChangeSignals(bus)
    heard: list[tuple[Changes, QThread]] = []
    signals.changed.connect(lambda changes: heard.append((changes, QThread.currentThread())))
    first, second = Changes(new_entries=(SeqId(1),)), Changes(new_entries=(SeqId(2),))
    publish_in_a_thread(bus, first, second)
    assert heard == []
    qtbot.waitUntil(lambda: len(heard) == 2)
    assert [changes for changes, _ in heard] == [first, second]
    assert {thread for _, thread in heard} == {signals.thread()}


def test_nothing_is_heard_after_close(qtbot: QtBot) -> None:
    bus = ChangeBus()
    signals, other = ChangeSignals(bus), ChangeSignals(bus)
    heard: list[object] = []
    signals.changed.connect(heard.append)
    publish_in_a_thread(bus, Changes())
    signals.close()
    with qtbot.waitSignal(other.changed):
        publish_in_a_thread(bus, Changes())
    assert heard == []
