"""Which turn of a past run a call belongs to, and what the person had asked.

A turn has the harness's own id where the transcript gives one, else `<session>#<n>`, n counting the session's
prompts from 1, as the live recorder does. A subagent works in the turn of the person's request.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence

from sulcus_panel.core.capture.past.records import Prompt, Stamp
from sulcus_panel.core.capture.turns import MAX_INTENT, Turn


class TurnBook:
    """All prompts of a run, by who was asked and by the harness's own ids."""

    def __init__(self, prompts: Sequence[Prompt]) -> None:
        self._by_speaker: dict[tuple[str, str], list[Prompt]] = defaultdict(list)
        self._by_id: dict[str, list[Prompt]] = defaultdict(list)
        for prompt in sorted(prompts, key=lambda one: one.stamp.moment):
            self._by_speaker[prompt.stamp.session, prompt.stamp.agent].append(prompt)
            if prompt.stamp.prompt_id:
                self._by_id[prompt.stamp.prompt_id].append(prompt)

    def turn(self, stamp: Stamp) -> Turn:
        """The turn in which something with this stamp happened."""
        own = self._by_speaker[stamp.session, ""]
        prompt = _latest(self._by_id.get(stamp.prompt_id, ()), stamp) or _latest(own, stamp)
        if prompt is None and stamp.agent:
            prompt = _latest(self._by_speaker[stamp.session, stamp.agent], stamp)
        if prompt is None:
            return Turn(stamp.prompt_id or f"{stamp.session}#0", given=bool(stamp.prompt_id))
        given = stamp.prompt_id or prompt.stamp.prompt_id
        speaker = prompt.stamp.agent or prompt.stamp.session
        return Turn(given or f"{speaker}#{prompt.number}", self._intent(prompt), bool(given))

    def _intent(self, prompt: Prompt) -> str:
        """The prompt's text; where the harness itself spoke, what the person had asked before."""
        speaker = self._by_speaker[prompt.stamp.session, prompt.stamp.agent]
        earlier = speaker[: bisect_right(speaker, prompt.stamp.moment, key=lambda one: one.stamp.moment)]
        return next((one.text[:MAX_INTENT] for one in reversed(earlier) if one.text), "")


def _latest(prompts: Sequence[Prompt], stamp: Stamp) -> Prompt | None:
    at = bisect_right(prompts, stamp.moment, key=lambda one: one.stamp.moment)
    return prompts[at - 1] if at else None
