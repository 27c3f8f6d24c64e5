"""The doors of the attached window: one route a verb, for the person's token alone."""

from functools import partial

from sulcus_panel.core.access import Scope
from sulcus_panel.service.http.table import Door, Way
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.panel_api import answer
from sulcus_panel.service.panel_verbs import PANEL, PROOF, WRITES, signatures
from sulcus_panel.service.requests.asked import Answered, Asked
from sulcus_panel.service.requests.words import PanelBody, ProofBody


def _answered(verb: str, operations: Operations, asked: Asked) -> Answered:
    sent = {"forms": asked.words.forms, "arguments": asked.words.arguments}
    return Answered(200, answer(operations, asked.caller, verb, sent))


DOORS = tuple(
    Door(
        "POST",
        f"{PANEL}/{verb}",
        f"For the attached window: {verb}",
        PanelBody,
        Way.WRITES if verb in WRITES else Way.READS,
        frozenset({Scope.ADMIN}),
        partial(_answered, verb),
        errors=(400, 404, 409),
        answer={"value": ""},
    )
    for verb in ("greet", *signatures())
)

PROVES = Door(
    "POST",
    PROOF,
    "Before a window sends its key: show that it is known here",
    ProofBody,
    Way.HERE,
    frozenset(),
    errors=(400, 401, 429),
    answer={"proof": "string"},
)
