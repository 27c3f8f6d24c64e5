"""In which order a path's changes happened: by time, repaired by the chain of hashes.

An import may arrive after newer entries and a clock may jump, so neither `seq_id` nor time alone decides.
Steps are sorted by time and cut into chains in which each `before` is the former's `after`; a chain is moved
only when that leaves fewer breaks. Two observed steps whose order by time and by `seq_id` agrees are never
swapped.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby, pairwise
from typing import NamedTuple

from sulcus_panel.core.ledger.database import Database, Row
from sulcus_panel.core.ledger.encoding import decode_hunks, decode_path, encode_path, from_micros, to_micros
from sulcus_panel.core.ledger.entries import read_state
from sulcus_panel.core.model import FileKind, FileState, LedgerPath, Origin, Provenance, SeqId, Step

MOST_CHAINS = 64
"""With more breaks than this the history is not a chain, and time decides alone."""

SEEN_EARLY = 300_000_000
"""Microseconds: a file is written before its harness tells of the call."""

Key = tuple[str, bytes | None] | None
_ORIGINS = {origin.value: origin for origin in Origin}
_OBSERVED = Provenance.OBSERVED.value
_ABSENT, _UNKNOWN = FileKind.ABSENT.value, FileKind.UNKNOWN.value


class Link(NamedTuple):
    """One step as the repair sees it; a key of None (unknown) fits nothing and breaks nothing."""

    seq_id: int
    at: int
    observed: bool
    before: Key
    after: Key


def in_order(links: Iterable[Link]) -> list[Link]:
    """The steps of one path in the order in which they happened."""
    chains = _chains(sorted(links, key=lambda link: (link.at, link.seq_id)))
    if not 2 <= len(chains) <= MOST_CHAINS:
        return [link for chain in chains for link in chain]
    while _move_one(chains):
        chains = _chains([link for chain in chains for link in chain])
    return [link for chain in chains for link in chain]


def told_in_detail(
    links: Sequence[Link], outside: Collection[int], imported: Collection[int]
) -> frozenset[int]:
    """The changes from outside (by seq_id) that an imported run tells step by step: they are one passage, not two.

    Silent hooks left them to be seen from outside, by the watcher or the next hook, before the harness's own file
    was read. Only hashes say so, and only where the history has fewer breaks without them.
    """
    run = sorted((link for link in links if link.seq_id in imported), key=lambda link: (link.at, link.seq_id))
    left = list(links)
    for seen in [link for link in links if link.seq_id in outside and link.observed]:
        others = [link for link in left if link is not seen]
        if _tell(run, seen) and _all_breaks(others) < _all_breaks(left):
            left = others
    return frozenset(link.seq_id for link in links) - {link.seq_id for link in left}


def _tell(run: Sequence[Link], seen: Link) -> bool:
    """Whether a run of imported steps leads from before this one to after it, before it was seen."""
    at: set[Key] = {seen.before}
    for link in run if None not in (seen.before, seen.after) else ():
        if link.before in at and link.at <= seen.at + SEEN_EARLY:
            at.add(link.after)
    return seen.after in at and seen.after != seen.before


def _all_breaks(links: Sequence[Link]) -> int:
    return _breaks([[link] for link in in_order(links)])


def _chains(links: Sequence[Link]) -> list[list[Link]]:
    chains: list[list[Link]] = []
    for link in links:
        if chains and link.before is not None and chains[-1][-1].after == link.before:
            chains[-1].append(link)
        else:
            chains.append([link])
    return chains


def _move_one(chains: list[list[Link]]) -> bool:
    """Move one chain to where it leaves fewer breaks; False where no move does."""
    for source in range(len(chains)):
        for target in range(len(chains) + 1):
            if target in (source, source + 1):
                continue
            order = [*chains[:source], *chains[source + 1 :]]
            order.insert(target if target < source else target - 1, chains[source])
            if _breaks(order) < _breaks(chains) and _may_swap(chains, source, target):
                chains[:] = order
                return True
    return False


def _breaks(chains: Sequence[Sequence[Link]]) -> int:
    return sum(
        former[-1].after is not None and latter[0].before is not None and former[-1].after != latter[0].before
        for former, latter in pairwise(chains)
    )


def _may_swap(chains: Sequence[Sequence[Link]], source: int, target: int) -> bool:
    """Whether no two observed steps would change places against both time and seq_id."""
    passed = chains[target:source] if target < source else chains[source + 1 : target]
    return not any(
        moved.observed and other.observed and (moved.seq_id < other.seq_id) == (moved.at < other.at)
        for chain in passed
        for other in chain
        for moved in chains[source]
    )


_STEPS = """
SELECT c.seq_id, c.path, c.before_kind, c.before_sha256, c.before_size, c.before_mode, c.before_reason,
    c.after_kind, c.after_sha256, c.after_size, c.after_mode, c.after_reason, c.plus, c.minus, c.hunks,
    b.sha256 IS NOT NULL, a.sha256 IS NOT NULL, e.origin, e.provenance, c.at, c.idx, e.reverses
FROM change c JOIN entry e ON e.seq_id = c.seq_id
LEFT JOIN snapshot b ON b.sha256 = c.before_sha256 LEFT JOIN snapshot a ON a.sha256 = c.after_sha256
WHERE c.workspace_id = ? AND c.path = ? ORDER BY c.seq_id, c.idx
"""
_LAST = """
SELECT c.path, c.seq_id, c.at, e.provenance, c.before_kind, c.before_sha256,
    c.after_kind, c.after_sha256, c.after_size, c.after_mode, c.after_reason, a.sha256 IS NOT NULL
FROM change c JOIN entry e ON e.seq_id = c.seq_id LEFT JOIN snapshot a ON a.sha256 = c.after_sha256
WHERE c.workspace_id = ? %s ORDER BY c.path, c.at, c.seq_id, c.idx
"""
PAGE = 256


def read_timeline(db: Database, workspace_id: int, path: LedgerPath) -> tuple[Step, ...]:
    """Every known step of this path, undo and outside entries too, in order of happening, each passage once."""
    rows: dict[int, Row] = {}
    for row in db.rows(_STEPS, (workspace_id, encode_path(path))):
        rows.setdefault(row[0], row)
    links = [
        Link(row[0], row[19], _observed(row[18]), _key(row[2], row[3]), _key(row[7], row[8]))
        for row in rows.values()
    ]
    outside = {row[0] for row in rows.values() if row[17] == Origin.OUTSIDE.value}
    imported = {row[0] for row in rows.values() if row[18] == Provenance.IMPORTED.value}
    if outside and imported:
        twice = told_in_detail(links, outside, imported)
        links = [link for link in links if link.seq_id not in twice]
    return tuple(_step(rows[link.seq_id]) for link in in_order(links))


def _step(row: Row) -> Step:
    return Step(
        seq_id=SeqId(row[0]),
        origin=_ORIGINS[row[17]],
        at=from_micros(row[19]),
        before=read_state(row, 2, kept=bool(row[15])),
        after=read_state(row, 7, kept=bool(row[16])),
        hunks=decode_hunks(row[14]),
        reverses=None if row[21] is None else SeqId(row[21]),
    )


def read_last_known(
    db: Database, workspace_id: int, paths: Collection[LedgerPath] | None
) -> Mapping[LedgerPath, FileState]:
    """What the ledger last saw at every path inside the workspace, or at these; the last recorded comes last."""
    if paths is None:
        return _last_known(db.rows(_LAST % "", (workspace_id,)))
    rows: list[Row] = []
    stored = [encode_path(path) for path in paths]
    for start in range(0, len(stored), PAGE):
        page = stored[start : start + PAGE]
        rows += db.rows(_LAST % f"AND c.path IN ({','.join('?' * len(page))})", (workspace_id, *page))
    return _last_known(rows)


def read_changed_since(db: Database, workspace_id: int, seq_id: SeqId) -> frozenset[LedgerPath]:
    """Every path that an entry after this one names."""
    rows = db.rows(
        "SELECT DISTINCT path FROM change WHERE seq_id > ? AND workspace_id = ?", (seq_id, workspace_id)
    )
    return frozenset(decode_path(row[0]) for row in rows)


def _last_known(rows_of_paths: Sequence[Row]) -> Mapping[LedgerPath, FileState]:
    found: list[tuple[int, LedgerPath, FileState]] = []
    for stored, group in groupby(rows_of_paths, key=lambda row: row[0]):
        path = decode_path(stored)
        if path.startswith("/"):
            continue
        rows = {row[1]: row for row in group}
        links = [
            Link(row[1], row[2], _observed(row[3]), _key(row[4], row[5]), _key(row[6], row[7]))
            for row in rows.values()
        ]
        row = rows[in_order(links)[-1].seq_id] if len(links) > 1 else next(iter(rows.values()))
        found.append((max(rows), path, read_state(row, 6, kept=bool(row[11]))))
    found.sort(key=lambda last: last[0])
    return {path: state for _, path, state in found}


def read_readers(db: Database, workspace_id: int, path: LedgerPath, after: datetime) -> tuple[SeqId, ...]:
    """Later entries that were derived from this path, oldest first."""
    rows = db.rows(
        "SELECT DISTINCT seq_id FROM source WHERE workspace_id = ? AND path = ? AND at > ?"
        " ORDER BY at, seq_id",
        (workspace_id, encode_path(path), to_micros(after)),
    )
    return tuple(SeqId(row[0]) for row in rows)


def _observed(provenance: str) -> bool:
    return provenance == _OBSERVED


def _key(kind: str, sha: bytes | None) -> Key:
    if kind == _ABSENT:
        return (kind, None)
    return None if sha is None or kind == _UNKNOWN else (kind, sha)
