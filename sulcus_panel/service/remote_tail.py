"""What happens on the other machine reaches the window: its events, over the link, for as long as the link holds.

One thread listens. It alone tries a broken link again, ever more rarely; then everything is read anew, and it is
asked what came of a yes that nobody answered. Another has the disk there looked at, and so finds a silent link.
"""

import http.client
import json
import threading
import time
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.model import EntryState, SeqId, Workspace
from sulcus_panel.core.undo.model import UndoResult
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.far_errors import far_error
from sulcus_panel.service.link import CONNECT_SECONDS, Link, LinkBroken, Owed, words_of
from sulcus_panel.service.panel_verbs import EVENTS
from sulcus_panel.service.remote import RemoteOperations

FIRST_REST, LONGEST_REST = 0.5, 15.0
LOOK_SECONDS = 3.0
RESTS = 10
"""Or so many times what a look took: the thread there that looks also undoes."""
SILENT_SECONDS = 60.0
"""The server says every 15 seconds that it is still there."""
GATHER_SECONDS = 0.3
"""Events that come one after another are told so often: each costs the window some questions."""
PIECE = 65_536
MOST_WAITING = 4 * 2**20
"""Of an event that has not ended."""


class RemoteTail:
    """`start()` once; `stop()` joins both threads, at once if the link was closed before."""

    def __init__(self, link: Link, workspace: Workspace, bus: ChangeBus) -> None:
        self.stopping = threading.Event()
        self._link = link
        self._workspace = workspace
        self._bus = bus
        self._last_id = ""
        self._up = threading.Event()
        self._threads = (
            threading.Thread(target=self._run, name="remote-tail", daemon=True),
            threading.Thread(target=self._look, name="remote-looks", daemon=True),
        )

    def start(self) -> None:
        """Begin to listen."""
        for each in self._threads:
            each.start()

    def stop(self) -> None:
        """End and wait for the threads."""
        self.stopping.set()
        for each in self._threads:
            if each.is_alive():
                each.join()

    # -- listening -------------------------------------------------------------------------------------

    def _run(self) -> None:
        rest = FIRST_REST
        while not self.stopping.is_set():
            try:
                with RemoteOperations(self._link, self._bus) as operations:
                    machine = operations.greet().machine
                    self._listen(operations, machine)
                rest = FIRST_REST
            except SulcusError as error:
                self._link.breaks(str(error) if not isinstance(error, LinkBroken) else error.detail)
                rest = FIRST_REST if self._up.is_set() else min(rest * 2, LONGEST_REST)
            self._up.clear()
            self._link.retry_in(rest)
            self.stopping.wait(rest)

    def _listen(self, operations: RemoteOperations, machine: str) -> None:
        """Open the stream, then read everything anew, then follow. Raises SulcusError when it ends."""
        try:
            connection = self._link.open(SILENT_SECONDS, is_stream=True)
        except OSError as error:
            raise LinkBroken(f"{machine} cannot be reached", words_of(error, CONNECT_SECONDS)) from error
        try:
            response = self._opened(connection, machine)
            self._link.mend(machine)
            self._up.set()
            self._settle(operations)
            self._tell(None)
            self._follow(response)
        except (OSError, http.client.HTTPException) as error:
            raise LinkBroken(f"{machine} fell silent", words_of(error, SILENT_SECONDS)) from error
        finally:
            self._link.drop(connection)

    def _opened(self, connection: http.client.HTTPConnection, machine: str) -> http.client.HTTPResponse:
        headers = {"Authorization": f"Bearer {self._link.key}", "Accept": "text/event-stream"}
        if self._last_id:
            headers["Last-Event-ID"] = self._last_id
        query = urlencode({"namespace": self._workspace.namespace})
        connection.request("GET", f"{EVENTS}?{query}", headers=headers)
        response = connection.getresponse()
        if response.status != 200:
            found = _json(response.read())
            raise far_error(response.status, found if isinstance(found, dict) else {}, machine)
        return response

    def _follow(self, response: http.client.HTTPResponse) -> None:
        waiting = b""
        while not self.stopping.is_set():
            piece = response.read1(PIECE)
            if not piece:
                raise LinkBroken("The events ended", "The connection was cut")
            self._link.heard()
            *whole, waiting = (waiting + piece).split(b"\n\n")
            if len(waiting) > MOST_WAITING:
                raise LinkBroken("The events cannot be read", "An event has no end")
            events = [event for event in map(_event, whole) if event]
            if events:
                ids = (each.get("id", "") for each in reversed(events))
                self._last_id = next((one for one in ids if _is_id(one)), self._last_id)
                self._tell(events)
                self.stopping.wait(GATHER_SECONDS)

    def _tell(self, events: list[dict[str, Any]] | None) -> None:
        """Say what may be another now; None: everything."""
        kinds = {event.get("event", "gap") for event in events} if events is not None else {"gap"}
        is_all = "gap" in kinds
        self._bus.publish(
            Changes(
                new_entries=tuple(SeqId(one) for one in map(_new_entry, events or ()) if one),
                touched=None,
                drift=True,
                governance=True,
                settings=is_all or "config.changed" in kinds,
                holds=True,
                rules=True,
                hooks=is_all or "entry.recorded" in kinds,
            )
        )

    # -- what is owed ----------------------------------------------------------------------------------

    def _settle(self, operations: RemoteOperations) -> None:
        """Ask what came of every yes that was not answered, and say it as it is."""
        while self._link.owed:
            owed = self._link.owed[0]
            words = _became(operations, owed, operations.settle(owed.ticket), self._link.machine)
            self._link.owed.remove(owed)
            self._bus.publish(Changes(touched=None, governance=True, notice=words))

    # -- looking ---------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Have hooks' events recorded and the disk compared there; what is news comes back as an event."""
        rest = LOOK_SECONDS
        with RemoteOperations(self._link, self._bus) as operations:
            while not self.stopping.wait(rest):
                if not self._up.is_set():
                    continue
                began = time.monotonic()
                with suppress(SulcusError):  # a broken link is told by the one who listens
                    operations.refresh_drift(self._workspace.id)
                rest = max(LOOK_SECONDS, RESTS * (time.monotonic() - began))


def _became(operations: RemoteOperations, owed: Owed, result: UndoResult | None, machine: str) -> str:
    """One sentence on what came of it: by the server's own word, else by how the entries stand."""
    named = ", ".join(f"#{item.entry.seq_id}" for item in owed.plan.entries)
    if result is not None:
        return (
            f"{machine} answers again: what you said yes to for {named} was carried out ({result.outcome})."
        )
    before = {item.entry.seq_id: item.entry for item in owed.plan.entries}
    now = operations.entries(tuple(before))
    moved = [
        entry.seq_id
        for entry in now
        if entry.undone_by != before[entry.seq_id].undone_by or entry.state is EntryState.UNDONE
    ]
    if not moved:
        return f"{machine} answers again: what you said yes to for {named} was not carried out."
    done = ", ".join(f"#{seq_id}" for seq_id in moved)
    return f"{machine} answers again: {done} is undone there; look at what stands in the files."


def _event(lines: bytes) -> dict[str, Any]:
    """One event of the stream; empty for a sign of life."""
    found: dict[str, Any] = {}
    for line in lines.split(b"\n"):
        name, _, value = line.partition(b": ")
        if name in {b"id", b"event", b"data"}:
            found[name.decode()] = value.decode("utf-8", "replace")
    return found


def _new_entry(event: dict[str, Any]) -> int:
    body = _json(event.get("data", "")) if event.get("event") == "entry.recorded" else None
    seq_id = body.get("seq_id") if isinstance(body, dict) else None
    return seq_id if type(seq_id) is int and 0 < seq_id < 2**63 else 0


def _is_id(text: str) -> bool:
    """Whether it can be said in a header to whoever is asked to go on from there."""
    return text.isascii() and text.isdecimal() and len(text) < 20


def _json(text: str | bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
