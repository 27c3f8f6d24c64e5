"""What a command says that it writes: never a file that it does not name, and "all" only where that is sure."""

import pytest

from sulcus_panel.core.capture.shell.targets import Targets, runs_on, targets_of

ALL = {
    "echo x > a": ["a"],
    "echo x >> 'a b' 2>&1": ["a b"],
    "echo x &> log; echo y 2> err >| out": ["log", "err", "out"],
    "cat > f <<'EOF'\na > b\nrm c\nEOF\necho z > g": ["f", "g"],
    "sed -i s/a/b/ one two": ["one", "two"],
    "sed -i -E 's|a.b|c d|g' one": ["one"],
    "sed -n s/a/b/p one": [],
    "rm -rf dist && mkdir -p out/js; touch out/x": ["dist", "out/js", "out/x"],
    "mv a b || cp c d": ["a", "b", "d"],
    "chmod 600 a; ln -s a l; chmod +x b": ["a", "l", "b"],
    "cd sub && printf '%s' \"x y\" | tee -a out": ["out"],
    "echo ~ > ~/.bashrc": ["~/.bashrc"],
    "echo x > /dev/null": [],
    "echo $HOME; sleep 3": [],
    "echo x # > a comment": [],
    "> empty": ["empty"],
    "echo a\\ b > a\\ b": ["a b"],
}
SOME = {
    "python fix.py > log": ["log"],
    "make": [],
    "rm *.txt": [],
    "rm $X a": ["a"],
    'echo "$(date)" >> ~/.bashrc': ["~/.bashrc"],
    "X=1 make > log": ["log"],
    "chmod -x a": [],
    "cp a b c": ["c"],
    "cp -t dir a": ["a"],
    "sed -i.bak s/a/b/ one": ["one"],
    "sed -i 's/a/b/w other' one": ["one"],
    "sed -i 's/a/b/w x;s/c/d/' one": ["one"],
    "sed -i -e s/a/b/ one": [],
    "sudo tee /etc/hosts": [],
    "rm -r src; git checkout .": ["src"],
}
NOTHING = (
    "echo $(rm a)",
    "echo `rm a` > b",
    "(rm a)",
    "for f in a b; do rm $f; done",
    "if true; then rm a; fi",
    "{ rm a; }",
    "echo 'a",
    'echo "a',
    "echo x >",
    "cat > a <<EOF\n$(rm b)\nEOF",
    "cat > a <<'EOF'\nnever ends",
    "diff <(rm a) b",
    "f() { rm a; }",
)


@pytest.mark.parametrize("command", ALL)
def test_a_command_of_plain_words_names_all_that_it_writes(command: str) -> None:
    assert targets_of(command) == Targets(tuple(ALL[command]), is_all=True)


@pytest.mark.parametrize("command", SOME)
def test_of_a_command_that_may_write_more_only_what_it_names_is_told(command: str) -> None:
    assert targets_of(command) == Targets(tuple(SOME[command]), is_all=False)


@pytest.mark.parametrize("command", NOTHING)
def test_what_is_not_simple_commands_is_not_read_at_all(command: str) -> None:
    assert targets_of(command) == Targets((), is_all=False)


@pytest.mark.parametrize(
    ("command", "stays"),
    [
        ("npm run dev &", True),
        ("nohup make > log", False),
        ("nohup make > log 2>&1 & echo $!", True),
        ("(cd web && npm run dev &)", True),
        ("for a in b; do c & done; wait", False),
        ("(a &&", False),
        ("a & b", True),
        ("make & disown", True),
        ("a & b & wait", False),
        ("a && b", False),
        ("make 2>&1", False),
        ("make &> log", False),
        ("echo 'a & b'", False),
        ("echo nohup", False),
    ],
)
def test_a_command_says_that_something_of_it_runs_on(command: str, *, stays: bool) -> None:
    assert runs_on(command) is stays
