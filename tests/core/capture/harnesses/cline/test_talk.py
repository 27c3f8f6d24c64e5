"""Conversations with blocks and with tags are the same conversations."""

from collections.abc import Mapping
from datetime import UTC, datetime

from sulcus_panel.core.capture.harnesses.cline.talk import Asked, Called, Shown, Talk

START = datetime(2026, 1, 1, tzinfo=UTC)


def talk(*messages: Mapping[str, object]) -> Talk:
    result = Talk("s", START)
    for message in messages:
        result.take(message)
    result.end()
    return result


def words(role: str, *texts: str) -> dict[str, object]:
    return {"role": role, "content": [{"type": "text", "text": text} for text in texts]}


def test_blocks_are_answered_by_their_id() -> None:
    said = talk(
        {"role": "user", "ts": 1_767_225_600_000, "content": "go"},
        {
            "role": "assistant",
            "content": [
                {"type": "tool_use", "id": "a", "name": "editor", "input": {"path": "x"}},
                {"type": "tool_use", "id": "b", "name": "editor", "input": {"path": "y"}},
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "b", "content": "ok"}]},
    ).said
    asked, second, first = said
    assert isinstance(asked, Asked)
    assert isinstance(second, Called)
    assert isinstance(first, Called)
    assert (asked.text, asked.at) == ("go", datetime(2026, 1, 1, tzinfo=UTC))
    assert (second.call_id, second.answer is None, first.call_id, first.answer) == ("b", False, "a", None)


def test_tags_are_answered_in_words() -> None:
    call = (
        "Now.\n<write_to_file>\n<path>a.html</path>\n<content>\n<path>x</path>\n</content>\n</write_to_file>"
    )
    said = talk(
        words(
            "user",
            "<task>\nMake it\n</task>",
            "<environment_details>\n# Current Working Directory (/w) Files",
        ),
        words("assistant", call),
        words("user", "[write_to_file for 'a.html'] Result:\nThe content was successfully saved to a.html."),
    )
    asked, called = said.said
    assert isinstance(asked, Asked)
    assert isinstance(called, Called)
    assert (asked.text, said.folder) == ("Make it", "/w")
    assert called.given == {"path": "a.html", "content": "<path>x</path>"}
    assert called.call_id == "@s.1"
    assert called.answer is not None
    assert called.answer.is_good


def test_files_that_the_person_shows_are_known() -> None:
    block: dict[str, object] = {
        "role": "user",
        "content": [{"type": "file", "path": "/w/a", "content": "x\n"}],
    }
    tag = words("user", 'look\n\n<file_content path="b">\ny\n\n</file_content>')
    shown = [one for one in talk(block, tag).said if isinstance(one, Shown)]
    assert [(one.path, one.text) for one in shown] == [("/w/a", "x\n"), ("b", "y\n")]


def test_what_the_person_says_along_with_an_answer_is_a_prompt() -> None:
    said = talk(
        words("assistant", "<execute_command>\n<command>ls</command>\n</execute_command>"),
        words("user", "[execute_command for 'ls'] Result:\nThe user denied.\n<feedback>\nNo\n</feedback>"),
    ).said
    assert [one.text for one in said if isinstance(one, Asked)] == ["No"]


def test_damaged_messages_say_nothing() -> None:
    assert talk({}, {"role": "user", "content": 7}, {"role": "assistant", "content": [7, {}]}).said == []
