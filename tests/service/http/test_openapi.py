"""The description is true: schemathesis reads it and asks the real server everything it can think of."""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from sulcus_panel.service.http.openapi import description
from sulcus_panel.service.http.routes import DOORS
from tests.support.http_door import AGENT, LEDGER, Door, an_edit

EXAMPLES = 50
"""The same ones each time: at random, what is to be wrong in a request is now and then lost on its way."""
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
asked = schemathesis.openapi.from_dict(dict(description())).exclude(path=f"{AGENT}/events")


@asked.parametrize()
@settings(max_examples=EXAMPLES, derandomize=True, suppress_health_check=list(HealthCheck))
def test_what_is_described_is_what_happens(case: schemathesis.Case[Any], door: Door, key: str) -> None:
    case.call_and_validate(
        base_url=door.url, headers={"Authorization": f"Bearer {key}"}, checks=CHECKS, timeout=60
    )


def test_every_door_is_described_with_its_words_and_scopes(door: Door) -> None:
    with door.client() as nobody:
        told: dict[str, Any] = nobody.get("/openapi.json").json()
    assert {(method.upper(), path) for path, methods in told["paths"].items() for method in methods} == {
        (each.method, each.path) for each in DOORS
    }
    record = told["paths"][f"{LEDGER}/record"]["post"]
    assert record["security"] == [{"token": ["record"]}]
    assert set(an_edit()) <= set(told["components"]["schemas"]["RecordBody"]["properties"])
    [limit] = [each for each in told["paths"][LEDGER]["get"]["parameters"] if each["name"] == "limit"]
    assert limit["schema"] == {"type": "integer", "minimum": 1, "maximum": 500, "default": 50}


@pytest.mark.parametrize("path", ["/health", "/openapi.json"])
def test_what_needs_no_token_says_so(path: str) -> None:
    assert "security" not in description()["paths"][path]["get"]
