"""`forget` as a person types it: after the yes nothing of the file is left in the data folder, byte by byte."""

import random
from pathlib import Path

import pytest

from sulcus_panel.core.ledger.encoding import utc_now
from sulcus_panel.service.operations import LedgerQuery, Operations
from tests.support.clock import FakeClock
from tests.support.hooks import Run
from tests.support.ledger_builder import LedgerBuilder
from tests.support.terminal import sulcus

WORD = b"".join(b"%08x" % random.Random(11).getrandbits(32) for _ in range(6))
"""No word of a key's shape, and none that deflate could make shorter: it stands in the files as it is, or not."""


def secret_text(number: int) -> bytes:
    return b"one\ntwo\n" + WORD + b" %d\nthree\n" % number


def holders(folder: Path) -> list[str]:
    """The files in which the word stands, however they are packed: asked for in clear and through the ledger."""
    return sorted(path.name for path in folder.rglob("*") if path.is_file() and WORD in path.read_bytes())


@pytest.fixture
def build(tmp_path: Path) -> LedgerBuilder:
    build = LedgerBuilder.make(tmp_path, FakeClock(utc_now()))
    build.session("claude-code")
    build.turn("Write it down")
    return build


def contents(build: LedgerBuilder) -> list[bytes]:
    with Operations.open(build.home) as operations:
        found = []
        for entry in operations.find(LedgerQuery(limit=500)):
            for change in entry.record.changes:
                for state in (change.before, change.after):
                    if state.kept and state.sha256 is not None:
                        found.append(operations.ledger.blobs.get(state.sha256))
        return found


def test_after_a_yes_no_version_is_left_and_the_rest_is_whole(build: LedgerBuilder) -> None:
    for number in range(5):
        build.write("secret.txt", secret_text(number))
    build.write("plain.txt", b"plain\n")
    build.ledger.blobs.pack()
    build.ledger.close()
    answer = sulcus("forget", "secret.txt", cwd=build.root, stdin="y\n", home=build.home.root)
    assert (answer.code, answer.out) == (
        0,
        "Forgotten: 5 kept versions in 5 entries of secret.txt. Hashes and sizes stay.\n",
    )
    assert contents(build) == [b"plain\n"]
    assert (build.root / "secret.txt").read_bytes() == secret_text(4)
    with Operations.open(build.home) as operations:
        first = operations.entry(operations.find(LedgerQuery(limit=1, descending=False))[0].seq_id)
        assert first.record.changes[0].after.sha256 is not None
        assert first.record.changes[0].after.reason == "forgotten"
        (told,) = operations.governance(None, kind_prefix="forget")
        assert "secret.txt" in told.summary


def test_no_byte_of_it_stands_in_the_data_folder_afterwards(build: LedgerBuilder) -> None:
    """Over the cap the lines stand in the hunks, and a call that has not ended holds the file as it was."""
    build.ledger.set_setting(build.workspace.id, "max_snapshot_bytes", 4_096)
    filler = random.Random(3).randbytes(6_000).hex().encode()
    build.write("secret.txt", filler + b"\nold\n")
    build.write("secret.txt", filler + b"\n" + secret_text(1))
    run = Run(build.root, build.home.spool)
    path = build.root / "secret.txt"
    given = {"file_path": str(path), "old_string": "one", "new_string": "uno"}
    run.tool("PreToolUse", "Edit", given, tool_use_id="t1")
    with Operations.open(build.home) as operations:
        operations.drain()
    build.ledger.close()
    assert holders(build.home.root) != []
    sulcus("forget", "secret.txt", cwd=build.root, stdin="y\n", home=build.home.root)
    assert holders(build.home.root) == []


def test_what_another_file_shares_is_told_before(build: LedgerBuilder) -> None:
    build.write("secret.txt", secret_text(1))
    build.write("copy.txt", secret_text(1))
    build.ledger.close()
    answer = sulcus("forget", "secret.txt", cwd=build.root, stdin="n\n", home=build.home.root)
    assert "The same contents stand under copy.txt" in answer.err
    assert "Nothing was changed." in answer.err
    assert contents(build) == [secret_text(1), secret_text(1)]


def test_what_displaced_files_hold_goes_too(build: LedgerBuilder) -> None:
    build.write("secret.txt", secret_text(1))
    entry = build.write("secret.txt", secret_text(2))
    build.ledger.close()
    undone = sulcus(
        "ledger", "rollback", str(entry.seq_id), cwd=build.root, stdin="y\n", home=build.home.root
    )
    assert undone.code == 0
    assert any(build.home.trash.iterdir())
    sulcus("forget", "secret.txt", cwd=build.root, stdin="y\n", home=build.home.root)
    assert holders(build.home.root) == []


def test_a_path_that_no_entry_names_is_said_so(build: LedgerBuilder) -> None:
    build.write("a.txt", b"a\n")
    build.ledger.close()
    answer = sulcus("forget", "b.txt", cwd=build.root, stdin="y\n", home=build.home.root)
    assert answer.code == 1
    assert "No entry names b.txt" in answer.err


def test_the_answer_in_json(build: LedgerBuilder) -> None:
    build.write("secret.txt", secret_text(1))
    build.ledger.close()
    answer = sulcus("forget", "secret.txt", "--json", cwd=build.root, stdin="y\n", home=build.home.root)
    assert answer.json() == {
        "path": "secret.txt",
        "outcome": "forgotten",
        "versions": 1,
        "entries": 1,
        "shared": [],
    }


@pytest.mark.parametrize(
    "words",
    [
        ("ledger", "list"),
        ("ledger", "list", "--json"),
        ("ledger", "show", "1"),
        ("ledger", "show", "1", "--json"),
    ],
)
def test_a_command_is_shown_without_its_password(build: LedgerBuilder, words: tuple[str, ...]) -> None:
    build.command("PGPASSWORD=hunter2 psql -h db")
    build.ledger.close()
    answer = sulcus(*words, cwd=build.root, home=build.home.root)
    assert "psql" in answer.out
    assert "hunter2" not in answer.out


@pytest.mark.parametrize("form", ["md", "json", "patch"])
def test_an_export_holds_no_password(build: LedgerBuilder, form: str) -> None:
    build.command("PGPASSWORD=hunter2 psql -h db")
    build.ledger.close()
    answer = sulcus("ledger", "export", "--format", form, cwd=build.root, home=build.home.root)
    assert (answer.code, "psql" in answer.out) == (0, True)
    assert "hunter2" not in answer.out


def test_a_smaller_limit_says_what_goes_and_asks(build: LedgerBuilder) -> None:
    for number in range(60):
        build.write("a.txt", b"%d\n" % number)
    build.ledger.close()
    words = ("config", "set", "max_entries", "50")
    answer = sulcus(*words, cwd=build.root, stdin="n\n", home=build.home.root)
    assert "This lets go of 10 entries" in answer.err
    assert "Nothing was changed." in answer.err
    assert len(contents(build)) == 119
    answer = sulcus(*words, cwd=build.root, stdin="y\n", home=build.home.root)
    assert answer.out == "max_entries is now 50\n"
    assert len(contents(build)) == 100
