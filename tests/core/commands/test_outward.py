"""What cannot be taken back here is named, with what a person can do by hand."""

import pytest

from sulcus_panel.core.commands.outward import OUT_THERE, manual_way


@pytest.mark.parametrize(
    "command", ["git push", "git push --force origin main", "git fetch", "git pull --rebase"]
)
def test_what_git_sent_or_fetched_has_a_manual_way(command: str) -> None:
    assert manual_way(command)


@pytest.mark.parametrize(
    "command",
    [
        "npm install left-pad",
        "pip install x",
        "docker run x",
        "kubectl apply -f x",
        "curl https://example.org",
    ],
)
def test_what_other_programs_did_out_there_is_said_to_stay(command: str) -> None:
    assert manual_way(command).startswith(OUT_THERE)


@pytest.mark.parametrize("command", ["", "git", "git branch x", "ls -l", "true && git push", "'"])
def test_nothing_is_said_of_what_is_not_known(command: str) -> None:
    assert manual_way(command) == ""
