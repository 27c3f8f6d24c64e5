"""Expected errors: each carries a title, a detail and a hint, and is shown where the person looks.

Anything that is not a SulcusError is our bug and goes to one place (excepthook, cli/main, server boundary).
"""


class SulcusError(Exception):
    """An expected failure: `title` says what, `detail` why, `hint` what to do. `code` is stable for machines."""

    code = "error"

    def __init__(self, title: str, detail: str = "", hint: str = "") -> None:
        super().__init__(title)
        self.title = title
        self.detail = detail
        self.hint = hint

    def __str__(self) -> str:
        return ": ".join(part for part in (self.title, self.detail) if part)


class NotFound(SulcusError):
    """An entry, turn, workspace or snapshot with that name is not in the ledger."""

    code = "not_found"


class BadRequest(SulcusError):
    """The request itself cannot be meant: out of range, contradictory, malformed. `field` names the culprit."""

    code = "bad_request"

    def __init__(self, title: str, detail: str = "", hint: str = "", *, field: str = "") -> None:
        super().__init__(title, detail, hint)
        self.field = field


class UnknownField(BadRequest):
    """A name that the request does not have; `field` is that name."""

    code = "unknown_field"


class UnsafePath(SulcusError):
    """A path that may not be written: outside the workspace, protected, or not a plain file."""

    code = "unsafe_path"


class StalePlan(SulcusError):
    """The disk or the ledger is no longer what the plan was made from; nothing was written."""

    code = "stale_plan"


class ApplyFailed(SulcusError):
    """A write could not be done; everything already written was put back."""

    code = "apply_failed"


class LedgerBusy(SulcusError):
    """Another process held the ledger for longer than we wait."""

    code = "ledger_busy"


class LedgerTooNew(SulcusError):
    """The ledger was made by a newer version of the program; it is opened for reading only."""

    code = "ledger_too_new"


class LedgerCorrupt(SulcusError):
    """The ledger file, or a snapshot in it, does not hold what it says."""

    code = "ledger_corrupt"


class LedgerFull(SulcusError):
    """The disk is full or the ledger cannot be written; nothing was changed."""

    code = "ledger_full"


class BadPayload(SulcusError):
    """A recorded event or transcript line that cannot be read; it is set aside, never dropped."""

    code = "bad_payload"
