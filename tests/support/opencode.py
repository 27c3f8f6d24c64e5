"""A database as OpenCode keeps it, with two sessions in two folders."""

import json
import sqlite3
from pathlib import Path

SCHEMA = """
CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, directory TEXT, time_created INTEGER);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
"""


def made(path: Path, *, wal: bool = False) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    if wal:
        connection.execute("PRAGMA journal_mode=WAL")
    connection.executescript(SCHEMA)
    for number, (key, folder) in enumerate((("ses_1", "/w"), ("ses_2", "/other"))):
        connection.execute("INSERT INTO session VALUES (?, 'p', NULL, ?, ?)", (key, folder, number))
        message = (f"msg_{key}", key, 1, json.dumps({"role": "user"}))
        connection.execute("INSERT INTO message VALUES (?, ?, ?, ?)", message)
        part = (f"prt_{key}", f"msg_{key}", key, 1, json.dumps({"type": "text", "text": "go"}))
        connection.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?)", part)
    connection.commit()
    return connection


def add_write(connection: sqlite3.Connection, session: str) -> None:
    """A file that the session wrote."""
    answer = json.dumps({"role": "assistant", "parentID": f"msg_{session}"})
    connection.execute("INSERT INTO message VALUES (?, ?, 2, ?)", (f"msg_{session}b", session, answer))
    given = {"filePath": "a.txt", "content": session}
    state = {
        "status": "completed",
        "input": given,
        "metadata": {"exists": False},
        "time": {"end": 1780300802100},
    }
    data = json.dumps({"type": "tool", "tool": "write", "callID": "c", "state": state})
    row = (f"prt_{session}b", f"msg_{session}b", session, data)
    connection.execute("INSERT INTO part VALUES (?, ?, ?, 2, ?)", row)
