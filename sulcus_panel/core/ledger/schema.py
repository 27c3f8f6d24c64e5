"""Which ledger file is ours, and which version of its tables this program writes.

Kept apart from the migrations, so that opening a current ledger never imports sqlite-utils.
"""

import sqlite3

APPLICATION_ID = 0x53554C43
"""`SULC`, in the file's header."""
VERSION = 5
"""`user_version` of the newest migration."""

SQLITE_VERSION = sqlite3.sqlite_version_info
HAS_WAL_RACE = (3, 7, 0) <= SQLITE_VERSION <= (3, 51, 2)
"""Whether two checkpoints at once can damage a write-ahead log with this SQLite."""
