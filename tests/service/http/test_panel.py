"""The attached window's way in, by a real `serve`: the same guards, a person's token of scope admin alone."""

import os
from datetime import UTC, datetime
from pathlib import Path

from sulcus_panel.core.access import Scope
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.model import ActorKind
from sulcus_panel.core.undo.model import Outcome, UndoRequest
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.key_proof import fresh_word, hashed, is_proof, name_of
from sulcus_panel.service.operations import DiffView, Operations
from sulcus_panel.service.panel_verbs import PANEL, PROOF, forms
from sulcus_panel.service.remote import RemoteOperations
from tests.support.clock import FakeClock
from tests.support.far_link import a_link
from tests.support.http_door import serving
from tests.support.ledger_builder import LedgerBuilder


def test_a_window_asks_and_undoes_over_the_real_door(tmp_path: Path) -> None:
    build = LedgerBuilder.make(tmp_path, FakeClock(datetime.now(UTC)))
    odd = os.fsdecode(b"src/caf\xe9\xff.py")
    build.write(odd, "one\n")
    entry = build.write(odd, "two\n")
    with serving(build.home.root) as door, Operations.open(build.home) as near:
        with RemoteOperations(a_link(build.home, door.here.port), ChangeBus()) as far:
            assert far.greet().workspaces == near.workspaces()
            assert far.find_ids(LedgerQuery()) == near.find_ids(LedgerQuery())
            assert far.find(LedgerQuery()) == near.find(LedgerQuery())
            assert far.diff(entry.seq_id, DiffView.CHANGE) == near.diff(entry.seq_id, DiffView.CHANGE)
            plan = far.plan(UndoRequest((entry.seq_id,)))
            assert plan == near.plan(UndoRequest((entry.seq_id,)))
            assert far.apply(plan).outcome is Outcome.UNDONE
        assert (build.root / odd).read_text() == "one\n"
        sent = {"forms": forms(), "arguments": {}}
        for key, status in (
            ("", 401),
            (door.key(kind=ActorKind.PERSON, scopes=[Scope.READ, Scope.UNDO]), 403),
            (door.key(kind=ActorKind.AGENT), 409),
            (door.key(kind=ActorKind.PERSON), 200),
        ):
            with door.client(key) as client:
                assert client.post(f"{PANEL}/workspaces", json=sent).status_code == status
                assert client.post(f"{PANEL}/ledger", json=sent).status_code == 404
    build.ledger.close()


def test_a_server_proves_that_it_knows_a_key_and_counts_who_asks_for_others(tmp_path: Path) -> None:
    with serving(tmp_path / "home") as door, door.client() as client:
        key, word = door.key(), fresh_word()
        asked = {"key": name_of(hashed(key)), "word": word}
        answer = client.post(PROOF, json=asked)
        assert answer.status_code == 200
        assert is_proof(answer.json()["proof"], key, word)
        assert client.post(PROOF, json=asked | {"word": "short"}).status_code == 400
        assert client.post(PROOF, json=asked, headers={"Origin": "http://evil"}).status_code == 403
        with door.operations() as operations:
            operations.tokens.revoke(1)
        assert client.post(PROOF, json=asked).status_code == 401
        strangers = [client.post(PROOF, json=asked | {"key": "0" * 64}).status_code for _ in range(20)]
        assert strangers[-1] == 429
        assert set(strangers) == {401, 429}
