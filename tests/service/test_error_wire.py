"""The one form of an error."""

from sulcus_panel.core.errors import BadRequest, NotFound
from sulcus_panel.service.error_wire import OUR_BUG, error_json


def test_an_error_has_a_stable_code_and_always_the_same_fields() -> None:
    assert error_json(NotFound("There is none", "#7", "Look again.")) == {
        "error": "not_found",
        "title": "There is none",
        "detail": "#7",
        "hint": "Look again.",
        "field": "",
    }
    assert error_json(BadRequest("No", field="limit"))["field"] == "limit"
    assert list(OUR_BUG) == list(error_json(NotFound("x")))


def test_what_stands_for_no_character_is_written_out() -> None:
    assert error_json(NotFound("There is no \udcff"))["title"] == "There is no \\xff"
