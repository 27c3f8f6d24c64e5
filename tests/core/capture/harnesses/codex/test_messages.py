import pytest

from sulcus_panel.core.capture.harnesses.codex.messages import (
    folder_in,
    joined,
    message_text,
    path_of,
    request_in,
)


def test_what_codex_itself_says_is_no_request() -> None:
    for text in (
        "<user_instructions>\nx</user_instructions>",
        "<environment_context>\n<cwd>/w</cwd></environment_context>",
        "# AGENTS.md instructions for /w\n\nx",
        "<turn_aborted>\nx</turn_aborted>",
        "",
    ):
        assert request_in(text) is None


def test_a_request_is_freed_from_an_editors_words() -> None:
    assert request_in("  do it \n") == "do it"
    assert request_in("# Context from my IDE setup:\n\nx\n\n## My request for Codex:\ndo it\n") == "do it"


def test_the_folder_stood_in_the_first_messages_once() -> None:
    assert folder_in("<environment_context>\n  <cwd> /w/x </cwd>\n</environment_context>") == "/w/x"
    assert folder_in("where is <cwd>/w</cwd>?") == ""


@pytest.mark.parametrize(
    ("told", "path"),
    [
        ("/w", "/w"),
        ("file:///w/a%20b/%C3%A9", "/w/a b/é"),
        ("file://localhost/w", "/w"),
        ("file:///C:/w", "C:/w"),
        ("file://host/share", "//host/share"),
        ("file:/w", "/w"),
        ("", ""),
    ],
)
def test_a_folder_may_be_a_uri(told: str, path: str) -> None:
    assert path_of(told) == path


def test_a_calls_folder_is_below_the_threads_unless_it_is_whole() -> None:
    assert joined("/w", "") == "/w"
    assert joined("/w/", "x") == "/w/x"
    assert joined("/w", "/x") == "/x"
    assert joined("C:\\w", "D:\\x") == "D:\\x"
    assert joined("", "x") == "x"


def test_the_text_of_a_message_is_that_of_all_its_blocks() -> None:
    assert message_text({"content": [{"type": "input_text", "text": "a"}, {"text": "b"}, {}]}) == "a\nb"
    assert message_text({"content": "a"}) == "a"
    assert message_text({}) == ""
