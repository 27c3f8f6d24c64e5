"""Chat sessions: the model's calls with what is known of them, and what only the editor tells."""

import json
from pathlib import Path

import pytest

from sulcus_panel.core.capture.harnesses.copilot_vscode.chats import read_chats
from sulcus_panel.core.capture.past.records import CommandCall, FileCall, ReadCall

CHATS = (
    Path(__file__).parents[4]
    / "data"
    / "transcripts"
    / "copilot-vscode"
    / "workspaceStorage"
    / "0af"
    / "chatSessions"
)
GROWN, WHOLE = CHATS / "c0ffee.jsonl", CHATS / "decaf.json"
SHOP = "/home/dev/my shop/"
FOLDERS = "I am working in a workspace with the following folders:\n- /w/shop \nmore"


def test_calls_on_files_count_where_they_ended_well_once_each() -> None:
    files = [call for call in read_chats([GROWN]).calls if isinstance(call, FileCall)]
    assert [
        (one.applied.call_id, one.applied.path.removeprefix(SHOP), len(one.applied.edits)) for one in files
    ] == [
        ("call_a", "app.ts", 0),
        ("call_b", "app.ts", 1),
        ("call_i", "app.ts", 1),
        ("call_i/2", "new.ts", 0),
        (f"request_1/{SHOP}by_hand.ts", "by_hand.ts", 0),
        (f"request_1/{SHOP}book.ipynb", "book.ipynb", 0),
        (f"request_1/{SHOP}old.ts", "old.ts", 0),
        (f"request_1/{SHOP}a.ts", "a.ts", 0),
        (f"request_1/{SHOP}made.ts", "made.ts", 0),
        ("call_l", "app.ts", 1),
        ("call_l/2", "new.ts", 1),
        ("call_m", "app.ts", 0),  # done in part: its words are not what was done
        ("call_n", "new.ts", 0),
    ]
    assert [one.applied.path.removeprefix(SHOP) for one in files if one.adds] == [
        "app.ts",
        "new.ts",
        "made.ts",
    ]


def test_commands_are_told_as_they_ran_and_refused_ones_did_not() -> None:
    commands = [call for call in read_chats([GROWN, WHOLE]).calls if isinstance(call, CommandCall)]
    assert [(one.applied.call_id, one.applied.command, one.exit_code) for one in commands] == [
        ("call_c", "npm test", 1),
        ("call_e", "npm run lint -- --fix", 0),
        ("call_o", "", None),  # another server's tool
        ("t1", "go test ./...", 0),
    ]


def test_reads_tell_a_file_only_where_all_of_it_is_shown() -> None:
    reads = [call for call in read_chats([GROWN]).calls if isinstance(call, ReadCall)]
    assert [(one.path, one.content) for one in reads] == [
        (SHOP + "README.md", "# Shop\n"),
        (SHOP + "app.ts", None),
    ]


def test_prompts_folders_and_bad_lines_are_told() -> None:
    read = read_chats([GROWN, WHOLE], ["/home/dev/my shop"])
    assert [(one.text, one.number) for one in read.prompts] == [("Count on", 1), ("Tidy up", 2), ("", 1)]
    assert [(one.session_id, one.cwds) for one in read.sessions] == [
        ("c0ffee", ("/home/dev/my shop",)),
        ("decaf", ("c:/dev/shop",)),
    ]
    assert read.problems == (
        "c0ffee.jsonl, line 9: speaks of a place that is not there",
        "c0ffee.jsonl, line 10: speaks of a place that is not there",
        "c0ffee.jsonl, line 11: cut off",
    )


@pytest.mark.parametrize(
    "request_",
    [
        {"result": {"metadata": {"renderedGlobalContext": [{"type": 1, "text": FOLDERS}]}}},
        {"response": [{"value": "x", "baseUri": {"path": "/w/shop/"}}]},
    ],
)
def test_the_folder_is_the_one_that_the_model_was_told_or_in_which_links_stand(
    request_: dict[str, object], tmp_path: Path
) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"requests": [{}, request_]}), encoding="utf-8")
    assert read_chats([path]).sessions[0].cwds == ("/w/shop",)


@pytest.mark.parametrize("odd", [None, 7, "x", [], {}, [7], [[]], [{}], {"x": []}])
@pytest.mark.parametrize("key", ["message", "response", "result", "timestamp", "requestId", "toolCallRounds"])
def test_a_request_of_another_shape_is_no_error(key: str, odd: object, tmp_path: Path) -> None:
    request = {"message": {"text": "x"}, "response": [{"kind": "textEditGroup"}], "timestamp": 1}
    if key == "toolCallRounds":
        request["result"] = {"metadata": {key: odd, "toolCallResults": odd}}
    else:
        request[key] = odd
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"requests": [request, odd], "creationDate": odd}), encoding="utf-8")
    read = read_chats([path])
    assert (read.calls, read.problems) == ((), ())


def test_each_request_has_the_model_that_it_was_sent_to(tmp_path: Path) -> None:
    def request(number: int, **more: object) -> dict[str, object]:
        call = {
            "name": "create_file",
            "id": f"c{number}",
            "arguments": '{"filePath": "/w/a", "content": "x"}',
        }
        told = {"metadata": {"toolCallRounds": [{"toolCalls": [call]}]}}
        return {"requestId": f"r{number}", "timestamp": 1759846000000 + number, "result": told, **more}

    chat = {"sessionId": "s", "requests": [request(1, modelId="copilot/one"), request(2)]}
    (tmp_path / "s.json").write_text(json.dumps(chat), encoding="utf-8")
    assert [call.stamp.model for call in read_chats([tmp_path / "s.json"]).calls] == ["copilot/one", ""]
