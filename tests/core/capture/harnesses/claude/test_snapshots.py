from sulcus_panel.core.capture.harnesses.claude.snapshots import Snapshots

Json = dict[str, object]


def snapshot(message: str, at: str, backups: Json, *, update: bool = False) -> Json:
    return {
        "type": "file-history-snapshot",
        "messageId": "any",
        "isSnapshotUpdate": update,
        "snapshot": {"messageId": message, "timestamp": at, "trackedFileBackups": backups},
    }


def backup(name: object, at: str) -> Json:
    return {"backupFileName": name, "version": 1, "backupTime": at}


def test_a_first_snapshot_speaks_of_the_prompt_and_an_update_of_the_backup() -> None:
    found = Snapshots()
    found.add(
        snapshot("m", "2026-01-01T10:00:00Z", {"a": backup("aaaaaaaa@v1", "2026-01-01T08:00:00Z")}), "s"
    )
    found.add(
        snapshot(
            "m",
            "2026-01-01T10:00:00Z",
            {
                "a": backup("aaaaaaaa@v2", "2026-01-01T10:05:00Z"),
                "b": backup(None, "2026-01-01T10:05:00Z"),
            },
            update=True,
        ),
        "s",
    )
    assert [(one.path, one.blob, one.at.hour, one.at.minute) for one in found.backups()] == [
        ("a", "aaaaaaaa@v1", 10, 0),
        ("b", None, 10, 5),
    ]


def test_a_delta_adds_and_never_overwrites() -> None:
    found = Snapshots()
    for name, minute in (("bbbbbbbb@v1", 1), ("bbbbbbbb@v2", 2)):
        found.add(
            {
                "type": "file-history-delta",
                "messageId": "other",
                "snapshotMessageId": "m",
                "timestamp": f"2026-01-01T10:0{minute}:00Z",
                "trackingPath": "b",
                "backup": backup(name, f"2026-01-01T10:0{minute}:00Z"),
            },
            "s",
        )
    assert [(one.blob, one.at.minute) for one in found.backups()] == [("bbbbbbbb@v1", 1)]


def test_a_resumed_session_may_hold_the_blob_too() -> None:
    found = Snapshots()
    record = snapshot("m", "2026-01-01T10:00:00Z", {"a": backup("aaaaaaaa@v1", "2026-01-01T08:00:00Z")})
    found.add(record, "first")
    found.add(record, "resumed")
    assert [one.sessions for one in found.backups()] == [("first", "resumed")]


def test_names_that_are_no_blob_are_left_out() -> None:
    found = Snapshots()
    odd: Json = {
        "a": backup("../../x", "2026-01-01T08:00:00Z"),
        "b": backup(7, "2026-01-01T08:00:00Z"),
        "c": {},
    }
    found.add(snapshot("m", "2026-01-01T10:00:00Z", odd), "s")
    assert found.backups() == ()
