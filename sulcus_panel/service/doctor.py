"""Is everything as it must be: SQLite, the ledger, the spool, the hooks. Facts with a verdict each."""

import os
import platform
from dataclasses import dataclass
from enum import StrEnum

from sulcus_panel import __version__
from sulcus_panel.core.capture.spool_folder import Spool
from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.ledger.checking import integrity
from sulcus_panel.core.ledger.folder_ids import is_replaced, told_replaced
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.schema import HAS_WAL_RACE, SQLITE_VERSION
from sulcus_panel.core.local_time import local_time
from sulcus_panel.service.hook_health import HookHealth, HooksHeard, hook_health, hooks_heard
from sulcus_panel.service.hooks import HARNESSES, Hooks
from sulcus_panel.service.operations import Operations, utc_now
from sulcus_panel.service.silence_look import SilenceLook


class Verdict(StrEnum):
    """How a finding is to be taken."""

    FINE = "fine"
    NOTE = "note"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at."""

    name: str
    verdict: Verdict
    text: str
    hint: str = ""


def examine(home: DataHome) -> tuple[Finding, ...]:
    """Look at everything, as a verb that reads does: the spool is drained, a damaged ledger set aside.

    Never raises for what it finds.
    """
    findings = [_versions(), _sqlite()]
    heard = HooksHeard({})
    try:
        with Operations.open(home) as operations:
            operations.drain()
            findings += [_ledger(operations), *_gaps(operations), *_folders(operations)]
            heard = _silent_filled(operations)
    except SulcusError as error:
        findings.append(Finding("ledger", Verdict.WRONG, str(error), error.hint))
    findings += _spool(home)
    return (*findings, *_all_hooks(home, heard))


def _versions() -> Finding:
    return Finding("program", Verdict.FINE, f"{__version__}, Python {platform.python_version()}")


def _sqlite() -> Finding:
    version = ".".join(str(part) for part in SQLITE_VERSION)
    if HAS_WAL_RACE:
        text = f"{version} has the WAL race; only the holder of a lock checkpoints here"
        return Finding("sqlite", Verdict.NOTE, text)
    return Finding("sqlite", Verdict.FINE, version)


def _ledger(operations: Operations) -> Finding:
    problems = integrity(operations.ledger.database)
    if problems:
        return Finding("ledger", Verdict.WRONG, "; ".join(problems), "Keep a copy of the data folder.")
    if operations.notices:
        return Finding("ledger", Verdict.NOTE, " ".join(operations.notices))
    size = operations.store_size() / 2**20
    count = len(operations.workspaces())
    text = f"{operations.home.database}: sound; {count} workspace(s), {size:.1f} MB of snapshots"
    return Finding("ledger", Verdict.FINE, text)


def _gaps(operations: Operations) -> list[Finding]:
    return [
        Finding(
            "gap", Verdict.NOTE, f"{workspace.namespace}: {gap.events} event(s) not recorded: {gap.reason}"
        )
        for workspace in operations.workspaces()
        for gap in operations.ledger.gaps(workspace.id)
    ]


def _folders(operations: Operations) -> list[Finding]:
    return [
        Finding("folder", Verdict.NOTE, f"{workspace.namespace}: {told_replaced(workspace.root or '')}")
        for workspace in operations.workspaces()
        if is_replaced(workspace)
    ]


def _spool(home: DataHome) -> list[Finding]:
    spool = Spool(home.spool)
    bad, dropped, waiting = spool.bad(), spool.dropped(), len(spool.names())
    findings = []
    if bad:
        text = f"{len(bad)} event(s) could not be read and are kept; the newest: {bad[-1]}"
        findings.append(Finding("spool", Verdict.WRONG, text, f"They lie in {home.spool_bad}."))
    if dropped:
        findings.append(
            Finding(
                "spool", Verdict.WRONG, f"{dropped} event(s) found no room and are lost", "Free some disk."
            )
        )
    if not findings:
        newest = f"{waiting} event(s) waiting" if waiting else "empty"
        findings.append(Finding("spool", Verdict.FINE, f"{home.spool}: {newest}"))
    if os.path.isdir(home.spool) and not os.access(home.spool, os.W_OK):
        findings.append(Finding("spool", Verdict.WRONG, f"{home.spool} cannot be written"))
    return findings


def _silent_filled(operations: Operations) -> HooksHeard:
    """What hooks were heard of last, after what they missed was looked for in every workspace."""
    for workspace in operations.workspaces():
        SilenceLook(workspace).look(operations)
    return hooks_heard(operations, utc_now())


def _all_hooks(home: DataHome, heard: HooksHeard) -> list[Finding]:
    """One row for every harness that is used here or has our hooks; where there is none, what could be had."""
    found = hook_health(home, heard)
    if not found:
        first = HARNESSES[0]
        found = (HookHealth(first, Hooks(home, first).status()),)
    return [finding for one in found for finding in (_hooks(one), *_silence(one))]


def _silence(health: HookHealth) -> list[Finding]:
    warning = health.warning(utc_now())
    return [Finding(f"silent {health.harness}", Verdict.NOTE, warning, health.advice)] if warning else []


def _hooks(health: HookHealth) -> Finding:
    name, state, fired = f"hooks {health.harness}", health.status, health.fired
    notes = "; ".join(state.notes)
    # Older times are let go of, as all that waits in the ledger.
    last = "none has fired in the last 30 days"
    if fired is not None:
        last = f"the last fired at {local_time(fired):%Y-%m-%d %H:%M}"
    if state.problem:
        return Finding(name, Verdict.WRONG, f"{state.problem}; {last}", notes)
    if state.elsewhere:
        return Finding(name, Verdict.FINE, f"runs those of another harness; {last}", notes)
    if state.current:
        # Notes are then what may keep hooks from running: worth a look as long as none has fired.
        verdict = Verdict.NOTE if notes and fired is None else Verdict.FINE
        return Finding(name, verdict, f"installed in {state.path}; {last}", notes)
    text = "installed, but not as this version would" if state.installed else "not installed"
    return Finding(name, Verdict.NOTE, text, f"sulcus-panel hooks install {health.harness}")
