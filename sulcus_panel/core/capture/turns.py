"""Turns of a session: whose prompt is the intent, what was read so far. Kept in the ledger between drains."""

import json
from dataclasses import dataclass, field, replace

from sulcus_panel.core.capture.adapter import Scene
from sulcus_panel.core.ledger.encoding import encode_text

MAX_INTENT = 500
MAX_READS = 1000
MAX_TURNS = 20
"""How many turns of one session stay known: a background agent may go on in an older one."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One request. `given`: the id is the harness's own, else it is counted. `reads` are absolute paths."""

    turn_id: str
    intent: str = ""
    given: bool = False
    reads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionTurns:
    """The latest turns of one session, oldest first; the last one is current."""

    session_id: str
    prompts: int = 0
    turns: tuple[Turn, ...] = field(default=())

    def begin(self, turn_id: str, prompt: str) -> "SessionTurns":
        """A prompt was submitted."""
        count = self.prompts + 1
        turn = Turn(turn_id or f"{self.session_id}#{count}", prompt[:MAX_INTENT], bool(turn_id))
        return self.note(turn, prompts=count)

    def turn(self, turn_id: str) -> Turn:
        """The turn of an event: by the harness's id, else the current one."""
        current = self.turns[-1] if self.turns else Turn(f"{self.session_id}#{self.prompts}")
        if not turn_id:
            return current
        known = next((turn for turn in self.turns if turn.turn_id == turn_id), None)
        if known is not None:
            return known
        if not current.given:
            # The prompt itself came without an id (the first of a session does): its calls bring it.
            return replace(current, turn_id=turn_id, given=True)
        return Turn(turn_id, given=True)

    def add_read(self, turn_id: str, path: str) -> "SessionTurns":
        """A file was read in that turn."""
        turn = self.turn(turn_id)
        if path in turn.reads or len(turn.reads) >= MAX_READS:
            return self.note(turn)
        return self.note(replace(turn, reads=(*turn.reads, path)))

    def note(self, turn: Turn, *, prompts: int | None = None) -> "SessionTurns":
        """Keep a turn in its place, or as the newest; one that took over the current one replaces it."""
        turns = list(self.turns)
        count = self.prompts if prompts is None else prompts
        known = next((at for at, one in enumerate(turns) if one.turn_id == turn.turn_id), None)
        if known is not None:
            turns[known] = turn
        elif prompts is None and turns and turn.given and not turns[-1].given:
            turns[-1] = turn
        else:
            turns.append(turn)
        return replace(self, prompts=count, turns=tuple(turns[-MAX_TURNS:]))

    def encode(self) -> bytes:
        """For the ledger's own store."""
        turns = [[turn.turn_id, turn.intent, turn.given, list(turn.reads)] for turn in self.turns]
        return json.dumps([self.prompts, turns]).encode("ascii")


def decode_turns(session_id: str, data: bytes | None) -> SessionTurns:
    """What encode() made; a session without turns where there is nothing that we can read."""
    if data is None:
        return SessionTurns(session_id)
    try:
        prompts, turns = json.loads(data)
        known = tuple(Turn(turn_id, intent, given, tuple(reads)) for turn_id, intent, given, reads in turns)
    except (ValueError, TypeError):
        return SessionTurns(session_id)  # what another version wrote must not stop a session
    return SessionTurns(session_id, prompts, known)


def turns_key(scene: Scene) -> str:
    """Where a session's turns are kept."""
    return encode_text(f"turns:{scene.harness}:{scene.session_id}")
