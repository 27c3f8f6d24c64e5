"""An event as the hook leaves it, at a time that the test decides."""

import json
from collections.abc import Mapping
from datetime import datetime
from itertools import count
from pathlib import Path

_NUMBERS = count(1)


def spool(folder: Path, at: datetime, payload: Mapping[str, object], harness: str = "claude-code") -> None:
    """Leave one event in the spool's folder `new`; its hook saw no file."""
    data = json.dumps(payload).encode()
    moment, number = int(at.timestamp() * 1e9), next(_NUMBERS)
    folder.mkdir(parents=True, exist_ok=True)
    head = f"sulcus-spool 1\nat {moment}\nharness {harness}\npayload_bytes {len(data)}\n\n"
    (folder / f"{moment}-1-{number:08}").write_bytes(head.encode() + data)
