"""The tables, one step a version, run by sqlite-utils and only when `user_version` is behind.

A step, once released, is never changed: a later version adds another. The meaning of every column is in
docs/ledger-format.md.
"""

import sqlite3

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from sulcus_panel.core.ledger.encoding import decode_path
from sulcus_panel.core.ledger.folder_ids import encode_folder, folder_id
from sulcus_panel.core.ledger.schema import APPLICATION_ID, VERSION

migrations = Migrations("sulcus-panel")

FIRST = """
CREATE TABLE workspace (
    id INTEGER PRIMARY KEY,
    namespace TEXT NOT NULL UNIQUE,
    root UNIQUE,
    added_at INTEGER NOT NULL,
    last_ordinal INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE setting (
    workspace_id INTEGER NOT NULL REFERENCES workspace(id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (workspace_id, key)
) WITHOUT ROWID;
CREATE TABLE intent (
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE,
    folded TEXT NOT NULL
);
CREATE TABLE entry (
    seq_id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    workspace_id INTEGER NOT NULL REFERENCES workspace(id),
    ordinal INTEGER NOT NULL,
    at INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    harness TEXT NOT NULL,
    actor TEXT NOT NULL,
    actor_kind TEXT NOT NULL,
    origin TEXT NOT NULL,
    action_type TEXT NOT NULL,
    tool_name TEXT NOT NULL,
    target_path NOT NULL,
    summary TEXT NOT NULL,
    provenance TEXT NOT NULL,
    session_id TEXT NOT NULL,
    turn_id TEXT NOT NULL,
    intent_id INTEGER REFERENCES intent(id),
    exit_code INTEGER,
    reverses INTEGER,
    plus INTEGER,
    minus INTEGER,
    command,
    cwd,
    more TEXT,
    search TEXT NOT NULL
);
CREATE INDEX entry_workspace ON entry (workspace_id);
CREATE UNIQUE INDEX entry_ordinal ON entry (workspace_id, ordinal);
CREATE INDEX entry_reverses ON entry (reverses) WHERE reverses IS NOT NULL;
CREATE INDEX entry_intent ON entry (intent_id) WHERE intent_id IS NOT NULL;
CREATE TABLE change (
    seq_id INTEGER NOT NULL REFERENCES entry(seq_id) ON DELETE CASCADE,
    idx INTEGER NOT NULL,
    workspace_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    path NOT NULL,
    before_kind TEXT NOT NULL,
    before_sha256 BLOB,
    before_size INTEGER,
    before_mode INTEGER,
    before_reason TEXT NOT NULL,
    after_kind TEXT NOT NULL,
    after_sha256 BLOB,
    after_size INTEGER,
    after_mode INTEGER,
    after_reason TEXT NOT NULL,
    plus INTEGER,
    minus INTEGER,
    hunks BLOB,
    PRIMARY KEY (seq_id, idx)
) WITHOUT ROWID;
CREATE INDEX change_path ON change (workspace_id, path, at, seq_id);
CREATE INDEX change_before ON change (before_sha256) WHERE before_sha256 IS NOT NULL;
CREATE INDEX change_after ON change (after_sha256) WHERE after_sha256 IS NOT NULL;
CREATE TABLE source (
    seq_id INTEGER NOT NULL REFERENCES entry(seq_id) ON DELETE CASCADE,
    idx INTEGER NOT NULL,
    workspace_id INTEGER NOT NULL,
    path NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (seq_id, idx)
) WITHOUT ROWID;
CREATE INDEX source_path ON source (workspace_id, path, at);
CREATE TABLE snapshot (
    sha256 BLOB PRIMARY KEY,
    size INTEGER NOT NULL,
    at INTEGER NOT NULL,
    data BLOB NOT NULL
);
CREATE TABLE mark (
    seq_id INTEGER PRIMARY KEY REFERENCES entry(seq_id) ON DELETE CASCADE,
    state TEXT NOT NULL,
    reversal TEXT NOT NULL,
    undone_by INTEGER,
    at INTEGER NOT NULL
);
CREATE TABLE drift (
    workspace_id INTEGER NOT NULL REFERENCES workspace(id) ON DELETE CASCADE,
    path NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, path)
) WITHOUT ROWID;
CREATE TABLE session (
    workspace_id INTEGER NOT NULL REFERENCES workspace(id) ON DELETE CASCADE,
    harness TEXT NOT NULL,
    session_id TEXT NOT NULL,
    parent TEXT,
    transcript,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    ended INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace_id, harness, session_id)
) WITHOUT ROWID;
CREATE TABLE gap (
    id INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspace(id) ON DELETE CASCADE,
    reason TEXT NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    events INTEGER NOT NULL
);
CREATE TABLE governance (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    workspace_id INTEGER REFERENCES workspace(id),
    actor TEXT NOT NULL,
    actor_kind TEXT NOT NULL,
    kind TEXT NOT NULL,
    summary TEXT NOT NULL,
    seq_ids TEXT NOT NULL,
    detail TEXT NOT NULL
);
CREATE TABLE pending (
    key TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    payload BLOB NOT NULL
);
CREATE TABLE undo_journal (
    op_id TEXT PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspace(id),
    at INTEGER NOT NULL,
    body TEXT NOT NULL
);
"""

SECOND = """
CREATE TABLE upkeep (
    what TEXT PRIMARY KEY,
    at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX entry_run ON entry (workspace_id, harness, session_id, at, plus, minus) WHERE origin = 'agent';
"""


@migrations(name="0001_first")
def _first(database: Database) -> None:
    for statement in FIRST.split(";\n"):
        database.execute(statement)


@migrations(name="0002_upkeep_and_runs")
def _second(database: Database) -> None:
    for statement in SECOND.split(";\n"):
        database.execute(statement)


@migrations(name="0003_which_folder")
def _third(database: Database) -> None:
    """Take every folder that is there now for the one that was recorded: nobody has looked before."""
    database.execute("ALTER TABLE workspace ADD COLUMN folder TEXT")
    for workspace_id, root in database.execute(
        "SELECT id, root FROM workspace WHERE root IS NOT NULL"
    ).fetchall():
        seen = encode_folder(folder_id(decode_path(root)))
        database.execute("UPDATE workspace SET folder = ? WHERE id = ?", (seen, workspace_id))


FOURTH = """
ALTER TABLE snapshot ADD COLUMN base BLOB;
ALTER TABLE snapshot ADD COLUMN height INTEGER NOT NULL DEFAULT 0;
CREATE INDEX snapshot_base ON snapshot (base) WHERE base IS NOT NULL;
"""


@migrations(name="0004_snapshots_as_deltas")
def _fourth(database: Database) -> None:
    for statement in FOURTH.split(";\n"):
        database.execute(statement)


FIFTH = """
CREATE TABLE event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    workspace_id INTEGER REFERENCES workspace(id),
    kind TEXT NOT NULL,
    body TEXT NOT NULL
);
CREATE TABLE token (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key_sha256 BLOB NOT NULL UNIQUE,
    actor TEXT NOT NULL,
    actor_kind TEXT NOT NULL,
    scopes TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    revoked_at INTEGER
);
CREATE TABLE hold (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    workspace_id INTEGER NOT NULL REFERENCES workspace(id),
    actor TEXT NOT NULL,
    actor_kind TEXT NOT NULL,
    seq_ids TEXT NOT NULL,
    hunks TEXT NOT NULL,
    redo INTEGER NOT NULL,
    reason TEXT NOT NULL,
    state TEXT NOT NULL,
    outcome TEXT NOT NULL,
    decided_at INTEGER
);
CREATE TABLE rule (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER REFERENCES workspace(id),
    rule TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    fires INTEGER NOT NULL,
    last_fired_at INTEGER
);
CREATE TABLE firing (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    rule_id INTEGER NOT NULL REFERENCES rule(id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    event_id INTEGER NOT NULL,
    told TEXT NOT NULL
);
CREATE INDEX firing_rule ON firing (rule_id, id);
CREATE TABLE delivery (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    rule_id INTEGER NOT NULL REFERENCES rule(id) ON DELETE CASCADE,
    event_id INTEGER NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_at INTEGER NOT NULL,
    error TEXT NOT NULL
);
CREATE INDEX delivery_due ON delivery (next_at) WHERE state = 'waiting';
CREATE TABLE label (
    seq_id INTEGER NOT NULL REFERENCES entry(seq_id) ON DELETE CASCADE,
    mark TEXT NOT NULL,
    PRIMARY KEY (seq_id, mark)
) WITHOUT ROWID;
CREATE INDEX hold_waiting ON hold (workspace_id) WHERE state = 'waiting';
ALTER TABLE undo_journal ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
"""


@migrations(name="0005_doors")
def _fifth(database: Database) -> None:
    for statement in FIFTH.split(";\n"):
        database.execute(statement)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the tables up to VERSION and say so in the file's header. The caller holds the `open` lock."""
    migrations.apply(Database(connection, execute_plugins=False))
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
