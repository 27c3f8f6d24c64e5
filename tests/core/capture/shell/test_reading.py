"""Which commands are taken to read only: a wrong yes loses files, a wrong no costs a look."""

import pytest

from sulcus_panel.core.capture.shell.reading import only_reads


@pytest.mark.parametrize(
    "command",
    [
        "ls",
        "ls -la src *.py",
        "cd src && ls",
        "cat a.txt | grep -n 'x > y' | head -5",
        'grep -rn "a;b" . 2>/dev/null',
        "ls nothing 2>&1 || true",
        "git status",
        "git diff HEAD~1 -- src",
        "git log --oneline -5; git show HEAD",
        "rg -n value src",
        "git cat-file -p HEAD:a",
        "wc -l a",
        "echo 'it costs $5'",
    ],
)
def test_these_read(command: str) -> None:
    assert only_reads(command)


@pytest.mark.parametrize(
    "command",
    [
        "",
        "sed -i s/a/b/ x",
        "ls > x",
        "cat a >> b",
        "ls 2>/dev/nullfoo",
        "echo hi 2>&1>x",
        "ls | tee x",
        "ls | xargs rm",
        "cat $(touch x)",
        'cat "$(touch x)"',
        "cat `touch x`",
        "cat <(touch x)",
        "ls & touch x",
        "ls\ntouch x",
        "ls \\\ntouch x",
        "A=1 make",
        "PATH=. ls",
        "find . -delete",
        "sort -o x x",
        "git checkout x",
        "git -c core.pager=x status",
        "git diff --output=x",
        "git diff --ext-diff",
        "git log --output x",
        "git status; rm x",
        "rg --pre ./x y",
        "rg y *",
        "file -C -m x",
        "file -bC -m x",
        "git cat-file --filters HEAD:a",
        "git cat-file --te HEAD:a",
        "./ls",
        "/bin/ls",
        'echo "a\'" > f "\'b"',
        "echo 'a",
        "l\u0455",
        "test -f x && touch y",
        "history !!",
    ],
)
def test_these_may_write(command: str) -> None:
    assert not only_reads(command)
