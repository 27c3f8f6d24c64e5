"""A tool's call: its arguments checked and understood, its scope, its lane, its answer."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from sulcus_panel.core.access import Caller
from sulcus_panel.service import guards
from sulcus_panel.service.guards import MAX_BODY, Refused
from sulcus_panel.service.mcp.table import Tool, Way
from sulcus_panel.service.mcp.words import NAMESPACE
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.requests import claiming
from sulcus_panel.service.requests.asked import Answered, Asked, run_drained
from sulcus_panel.service.requests.lanes import Lanes
from sulcus_panel.service.requests.understanding import understood


@dataclass(frozen=True, slots=True)
class Calls:
    """Carries out calls over one ledger; without a `folder`, each call must name its workspace."""

    lanes: Lanes
    folder: Path | None = None

    async def answer(self, caller: Caller, tool: Tool, arguments: Mapping[str, Any]) -> Answered:
        """Do what is asked. Raises SulcusError."""
        if not caller.scopes & tool.scopes:
            raise guards.lacks(tool.scopes)
        found = _checked(arguments)
        if self.folder is not None and NAMESPACE not in found:
            found[NAMESPACE] = await self._namespace(self.folder, tool.way)
        asked = Asked(caller, understood(tool.words, found))
        if tool.real_scopes and not _only_asks(asked.words) and not caller.scopes & tool.real_scopes:
            raise guards.lacks(tool.real_scopes)
        if tool.run is None:
            done = await self.lanes.records.record(claiming.told(caller, asked.words))
            return Answered(*claiming.recorded_json(done))
        lane = self.lanes.reads if tool.only_reads else self.lanes.writes
        return await lane.do(partial(run_drained, tool.run, asked))

    async def _namespace(self, folder: Path, way: Way) -> str:
        """Return the name of the folder's workspace; who records makes one of it. Raises NotFound."""
        records = way is Way.RECORDS
        lane = self.lanes.writes if records else self.lanes.reads
        return await lane.do(partial(_namespace_of, folder, records))


def _namespace_of(folder: Path, register: bool, operations: Operations) -> str:
    operations.drain()
    return operations.workspace_for(folder, register=register).namespace


def _checked(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments as a body would give them: no half characters, no zero bytes, no depth, no such size."""
    try:
        body = json.dumps(arguments).encode()
    except RecursionError:
        raise Refused(400, "bad_request", "The arguments are nested too deep") from None
    if len(body) > MAX_BODY:
        raise Refused(413, "too_large", f"The arguments are larger than {MAX_BODY:,} bytes")
    return guards.read_json(body)


def _only_asks(words: Any) -> bool:
    return bool(words.dry_run) or getattr(words, "hold_id", None) is not None
