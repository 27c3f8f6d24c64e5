from datetime import UTC, datetime

from sulcus_panel.core.capture.payload import (
    block_text,
    model_of,
    number_of,
    object_of,
    objects_of,
    optional_text,
    text_of,
    time_of,
)


def test_values_of_the_wrong_type_count_as_missing() -> None:
    record = {"a": 1, "b": "x", "c": [1, {"d": 2}], "e": True}
    assert (text_of(record, "a"), text_of(record, "a", "b"), optional_text(record, "a")) == ("", "x", None)
    assert (object_of(record, "c"), objects_of(record, "c"), objects_of(record, "b")) == ({}, [{"d": 2}], [])
    assert (number_of(record, "a"), number_of(record, "e"), number_of(record, "b")) == (1, None, None)


def test_times_are_utc_and_what_is_no_time_is_none() -> None:
    noon = datetime(2026, 5, 4, 12, tzinfo=UTC)
    for text in ("2026-05-04T12:00:00.000Z", "2026-05-04T14:00:00+02:00", "2026-05-04T12:00:00"):
        assert time_of({"t": text}, "t") == noon
    assert time_of({"t": "yesterday"}, "t") is None
    assert time_of({"t": "0001-01-01T00:00:00+14:00"}, "t") is None


def test_content_is_a_string_or_text_blocks() -> None:
    blocks = [{"type": "text", "text": "a"}, {"type": "image"}, "odd", {"type": "text", "text": "b"}]
    assert (block_text("a"), block_text(blocks), block_text(None)) == ("a", "a\nb", "")


def test_a_model_is_named_by_a_text_or_an_object_and_never_by_a_placeholder() -> None:
    told = (
        {"model": "a"},
        {"model": {"provider": "x", "slug": "b"}},
        {"model": {"id": "c"}},
        {"model_name": "d"},
    )
    assert [model_of(one) for one in told] == ["a", "b", "c", "d"]
    odd: tuple[object, ...] = (None, 7, [], {}, "", "<synthetic>")
    assert [model_of({"model": one}) for one in odd] == [""] * 6
    assert len(model_of({"model": "x" * 9999})) == 200
