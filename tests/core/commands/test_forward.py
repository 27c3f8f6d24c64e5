"""What a command's text asks git for: exact forms are read, whatever a shell could read otherwise is not."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.commands.forward import MOST, Form, Forward, read_forward, words_of

READ = {
    "git branch topic": Forward(Form.BRANCH, ("topic",)),
    "git branch topic HEAD~2": Forward(Form.BRANCH, ("topic",)),
    "git branch --no-track topic origin/main": Forward(Form.BRANCH, ("topic",)),
    "git branch -m new": Forward(Form.RENAME_BRANCH, ("new",)),
    "git branch --move old new": Forward(Form.RENAME_BRANCH, ("old", "new")),
    "git branch -D topic": Forward(Form.DELETE_BRANCH, ("topic",)),
    "git branch topic -d": Forward(Form.DELETE_BRANCH, ("topic",)),
    "git checkout -b topic": Forward(Form.BRANCH_AND_SWITCH, ("topic",)),
    "git checkout -q -b topic main": Forward(Form.BRANCH_AND_SWITCH, ("topic",)),
    "git switch -c topic": Forward(Form.BRANCH_AND_SWITCH, ("topic",)),
    "git switch --create=topic main": Forward(Form.BRANCH_AND_SWITCH, ("topic",)),
    "git tag v1": Forward(Form.TAG, ("v1",)),
    "git tag -a v1 -m 'one; two && three'": Forward(Form.TAG, ("v1",)),
    "git tag -am text v1": Forward(Form.TAG, ("v1",)),
    "git tag --delete v1": Forward(Form.DELETE_TAG, ("v1",)),
    "git commit -m 'a\n\nb'": Forward(Form.COMMIT),
    "git commit -am 'x' --no-verify": Forward(Form.COMMIT),
    "git  commit\t--amend --no-edit": Forward(Form.AMEND),
    "git add a 'b c'": Forward(Form.ADD, ("a", "b c")),
    "git add -- a": Forward(Form.ADD, ("a",)),
    "git add -A": Forward(Form.ADD, (".",)),
    "git branch 'o''dd'": Forward(Form.BRANCH, ("odd",)),
    "git branch zweig/über": Forward(Form.BRANCH, ("zweig/über",)),
}
NOT_READ = (
    "",
    "git",
    "ls",
    "git status",
    "git branch",
    "git branch -a",
    "git branch -d a b",
    "git branch -m a b c",
    "git branch -m -d a",
    "git branch a b c",
    "git branch --list x",
    "git branch -c a b",
    "git checkout topic",
    "git checkout -B topic",
    "git checkout -b",
    "git switch -C topic",
    "git tag",
    "git tag -d a b",
    "git tag -f v1",
    "git add",
    "git add -p",
    "git add -N x",
    "git -C /etc branch x",
    "git -c core.pager=x branch x",
    "/usr/bin/git branch x",
    "GIT_DIR=/x git branch x",
    "git branch x; rm -rf y",
    "git branch x && git push",
    "git branch x | cat",
    "git branch x > out",
    "git branch $X",
    'git branch "$X"',
    "git branch `id`",
    "git branch $(id)",
    "git branch {a,b}",
    "git branch ~/x",
    "git branch x*",
    "git branch x # y",
    "git branch 'x",
    'git branch "x',
    "git branch x\ngit push",
    "git branch x\\y",
    "git branch \0x",
    "git branch x\r",
    "git branch\u00a0x",
    "git commit -m '" + "x" * MOST + "'",
)


@pytest.mark.parametrize("text", READ)
def test_a_known_form_is_read(text: str) -> None:
    assert read_forward(text) == READ[text]


@pytest.mark.parametrize("text", NOT_READ)
def test_anything_else_is_not_read(text: str) -> None:
    assert read_forward(text) is None


@given(st.text(alphabet="git branchm-d'\"\\ \t\n$`;&|<>(){}*?[]~#^=ab/.é", max_size=40))
def test_whatever_is_read_has_the_words_that_a_shell_has(text: str) -> None:
    words = words_of(text)
    assert words is None or list(words) == shlex.split(text)


@given(st.text(max_size=60))
def test_no_text_raises(text: str) -> None:
    read_forward(text)
    read_forward(f"git {text}")
