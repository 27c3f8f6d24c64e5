"""How a call ended, in words and in JSON."""

import json

import pytest

from sulcus_panel.core.capture.harnesses.cline.answers import Answer, answer_of, exit_code, was_created


def told(*parts: dict[str, object]) -> Answer:
    return answer_of({"content": json.dumps(parts[0]) if len(parts) == 1 else list(parts)})


@pytest.mark.parametrize(
    ("text", "good", "ran"),
    [
        ("The content was successfully saved to a.", True, True),
        ("[write_to_file for 'a'] Result:\nThe tool execution failed with the following error:", False, True),
        ("[execute_command for 'ls'] Result:\nThe user denied this operation.", False, False),
        ("Error writing file", False, True),
    ],
)
def test_words_say_whether_it_went_well(text: str, good: bool, ran: bool) -> None:
    answer = answer_of({"content": text})
    assert (answer.is_good, answer.ran) == (good, ran)


def test_json_says_whether_all_of_it_went_well() -> None:
    assert told({"query": "q", "result": "r", "success": True}) == Answer(
        is_good=True, text="r", is_json=True
    )
    failed = told({"result": "r", "success": True}, {"result": "", "error": "no", "success": False})
    assert (failed.is_good, failed.text) == (False, "r\nno")


def test_a_block_that_is_marked_as_an_error_is_one() -> None:
    assert not answer_of({"content": "x", "is_error": True}).is_good
    assert not answer_of({"content": [{"success": True}], "is_error": True}).is_good


def test_what_the_person_or_a_formatter_changed_is_not_as_asked() -> None:
    assert answer_of({"content": "The content was successfully saved to a."}).as_asked
    assert not answer_of({"content": "The user made the following updates to your content:\n"}).as_asked


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Answer(is_good=True, text="Command executed.\nOutput:\nCommand exited with code 9"), 0),
        (Answer(is_good=True, text="Command executed with exit code 2.\nOutput:\n"), 2),
        (Answer(is_good=True, text="Command is still running in the user's terminal."), None),
        (Answer(is_good=True, text="Command exited with code 9", is_json=True), 0),
        (Answer(is_good=False, text="Command exited with code 3", is_json=True), 3),
        (Answer(is_good=False, text="no such file", is_json=True), None),
    ],
)
def test_an_exit_code_is_told_or_not(answer: Answer, code: int | None) -> None:
    assert exit_code(answer) == code


def test_a_command_may_be_left_running() -> None:
    assert answer_of({"content": "Command is still running in the user's terminal."}).still_runs


def test_only_the_command_line_says_that_it_made_a_file() -> None:
    assert was_created(told({"result": "File created successfully at: /a", "success": True}))
    assert not was_created(answer_of({"content": "File created successfully at: /a"}))


@pytest.mark.parametrize("content", [None, 7, {}, [], "{", "[{", [{"success": "yes"}]])
def test_any_content_is_an_answer(content: object) -> None:
    assert isinstance(answer_of({"content": content}), Answer)
