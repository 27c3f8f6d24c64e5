"""Whatever settings say, our hooks go in and out of them without touching others'. Files: test_hooks_config.py."""

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.capture.install.hook_command import MARK
from sulcus_panel.core.capture.install.hooks_text import (
    install_text,
    our_places,
    parse_settings,
    uninstall_text,
    words_of,
)

EVENTS = ("PreToolUse", "Stop", "SessionEnd")
HOOK = {"type": "command", "command": "/opt/python", "args": ["-c", f"{MARK}\npass", "/x/hook.py"]}
GROUPED = {event: {"matcher": "Write|Edit", "hooks": [HOOK]} for event in EVENTS}
FLAT = {event: {"bash": f"python -c '{MARK}'", "timeoutSec": 5} for event in EVENTS}
SHAPES = [(GROUPED, None), (FLAT, {"version": 1})]
Wanted = Mapping[str, Mapping[str, object]]

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
groups = st.lists(
    values | st.fixed_dictionaries({"hooks": st.lists(values, max_size=2)}, optional={"matcher": st.text()}),
    max_size=3,
)
events = st.dictionaries(st.sampled_from([*EVENTS, "Notification"]), groups, max_size=4)
settings = st.dictionaries(st.text(max_size=6), values, max_size=3).flatmap(
    lambda others: events.map(lambda hooks: {**others, "hooks": hooks})
)


def without_empty_lists(settings: Mapping[str, object]) -> Mapping[str, object]:
    """The settings as they work: an event without hooks says nothing."""
    hooks = settings.get("hooks", {})
    assert isinstance(hooks, dict)
    return {**settings, "hooks": {event: groups for event, groups in hooks.items() if groups}}


@pytest.mark.parametrize(("wanted", "head"), SHAPES, ids=["groups", "flat"])
@given(settings, st.sampled_from([None, 1, 2, "\t"]))
def test_whatever_others_have_there_is_as_before_after_in_and_out(
    wanted: Wanted,
    head: Mapping[str, object] | None,
    settings: Mapping[str, object],
    indent: int | str | None,
) -> None:
    installed = install_text(json.dumps(settings, indent=indent), wanted, head)
    assert sorted(event for event, _ in our_places(parse_settings(installed))) == sorted(EVENTS)
    assert install_text(installed, wanted, head) == installed
    left = parse_settings(uninstall_text(installed)).value
    assert isinstance(left, dict)
    assert without_empty_lists(left) == {**(head or {}), **without_empty_lists(settings)}


@given(settings)
def test_where_none_is_ours_nothing_is_taken_out(settings: Mapping[str, object]) -> None:
    text = json.dumps(settings, indent=2)
    assert uninstall_text(text) == text


@pytest.mark.parametrize(
    ("hook", "ours"),
    [
        ({"command": "/opt/python", "args": ["-c", f"{MARK}\npass"]}, True),
        ({"command": "python3 /lib/sulcus_panel/core/capture/hook.py"}, True),
        ({"command": "py", "args": ["C:\\lib\\sulcus_panel\\core\\capture\\hook.py"]}, True),
        ({"command": "/x/sulcus_panel/core/capture/hook.py.bak"}, False),
        ({"command": "make -C ~/sulcus-panel"}, False),
        ({"command": 7, "args": [MARK.encode().hex()]}, False),
        ("text", False),
        (None, False),
    ],
)
def test_ours_are_known_by_the_mark_or_the_path_alone(hook: object, ours: bool) -> None:
    root = parse_settings(json.dumps({"hooks": {"Stop": [{"hooks": [hook]}]}}))
    assert len(our_places(root)) == ours
    if not isinstance(hook, dict):
        return
    flat = parse_settings(json.dumps({"hooks": {"Stop": [hook, {"command": "x"}]}}))
    assert len(our_places(flat)) == ours
    left = parse_settings(uninstall_text(json.dumps({"hooks": {"Stop": [hook, {"command": "x"}]}}))).value
    assert left == {"hooks": {"Stop": [{"command": "x"}] if ours else [hook, {"command": "x"}]}}


@pytest.mark.parametrize(("wanted", "head"), SHAPES, ids=["groups", "flat"])
def test_an_event_twice_or_otherwise_is_put_right(wanted: Wanted, head: Mapping[str, object] | None) -> None:
    installed = json.loads(install_text(None, wanted, head))
    doubled = json.loads(install_text(None, wanted, head))
    doubled["hooks"]["Stop"] *= 2
    widened = json.loads(install_text(None, wanted, head))
    widened["hooks"]["PreToolUse"][0]["matcher"] = "*"
    for wrong in (doubled, widened):
        assert json.loads(install_text(json.dumps(wrong), wanted, head)) == installed


def test_what_a_file_must_say_beside_hooks_is_added_once_and_another_value_stays() -> None:
    assert json.loads(install_text("{}", FLAT, {"version": 1}))["version"] == 1
    assert json.loads(install_text('{"version": 2}', FLAT, {"version": 1}))["version"] == 2


def test_a_command_line_is_the_words_that_are_text() -> None:
    assert words_of({"command": "a", "args": ["b", 1, None, "c"], "linux": "d"}) == ("a", "d", "b", "c")
    assert words_of({"args": "not a list"}) == ()


def test_a_blank_file_is_an_empty_one() -> None:
    for text in ("", " \n", "\ufeff"):
        assert parse_settings(text).value == {}
