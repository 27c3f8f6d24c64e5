"""Completion as the shells do it: the printed script is read by the shell, and asked what may stand next."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from sulcus_panel.cli.completion import SHELLS
from sulcus_panel.cli.completions import bash, fish, zsh
from sulcus_panel.cli.grammar import whole_grammar
from tests.support.terminal import sulcus

PROGRAM = whole_grammar()
SCRIPTS = {"bash": bash.script(PROGRAM), "zsh": zsh.script(PROGRAM), "fish": fish.script(PROGRAM)}
QUESTIONS: list[tuple[list[str], set[str], set[str]]] = [
    ([""], {"ledger", "holds", "triggers", "verify", "hooks", "completion"}, {"list", "--json"}),
    (["led"], {"ledger"}, {"holds"}),
    (["ledger", ""], {"list", "show", "diff", "export", "rollback", "redo"}, {"holds"}),
    (["ledger", "list", "--"], {"--limit", "--state", "--json", "--workspace"}, {"--hunk", "list"}),
    (["ledger", "list", "--state", ""], {"recorded", "undone", "held"}, {"--json", "list"}),
    (["ledger", "list", "--state", "un"], {"undone"}, {"held"}),
    (["ledger", "list", "--harness", "ledger", "--st"], {"--state"}, {"list"}),
    (["--workspace", "holds", "ledger", ""], {"list", "redo"}, {"accept"}),
    (["--json", "holds", ""], {"list", "accept", "reject"}, {"ledger"}),
    (["triggers", "add", "--action", ""], {"notify", "webhook", "hold"}, {"list"}),
    (["ledger", "rollback", "12", "--later-work", ""], {"keep", "take_all", "beside"}, set()),
    (["completion", ""], set(SHELLS), {"ledger"}),
    (["ledger", "list", "--query", ""], set(), {"ledger", "--json", "recorded"}),
    (["ledger", "diff", "--after", "--"], {"--now", "--json"}, {"--limit"}),
    (["ledger", "list", "--after", ""], set(), {"--json", "list"}),
    (["forget", "a"], {"a file.txt", "a_folder"}, {"ledger"}),
    (["--workspace", "a_"], {"a_folder"}, {"acp"}),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a file.txt").touch()
    (tmp_path / "a_folder").mkdir()
    return tmp_path


def asked(shell: str, script: str, folder: Path) -> set[str]:
    done = subprocess.run(
        [shell, "-c", script],
        cwd=folder,
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "TERM": "dumb"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return set(done.stdout.split("\n")) - {""}


@pytest.mark.parametrize("shell", SHELLS)
def test_what_is_printed_names_every_verb_and_option(shell: str) -> None:
    printed = sulcus("completion", shell)
    assert (printed.code, printed.err, printed.out) == (0, "", SCRIPTS[shell])
    for verb in PROGRAM.walk():
        assert " ".join(verb.words) in printed.out
        long = [flag for word in verb.options for flag in word.flags if flag.startswith("--")]
        assert all(flag[2:] in printed.out for flag in long)


def test_a_script_in_json_is_the_script() -> None:
    assert sulcus("completion", "bash", "--json").json() == {"shell": "bash", "script": SCRIPTS["bash"]}
    assert sulcus("completion", "tcsh").code == 2


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(("words", "offered", "not_offered"), QUESTIONS)
def test_bash_offers_what_may_stand_next(
    folder: Path, words: list[str], offered: set[str], not_offered: set[str]
) -> None:
    line = shlex.join(["sulcus-panel", *words])
    ask = (
        f"set -u\n{SCRIPTS['bash']}\nCOMP_WORDS=({line}); COMP_CWORD={len(words)}\n"
        '[[ $(complete -p sulcus-panel) == *"-F _sulcus_panel "* ]] || exit 1\n'
        '_sulcus_panel; for each in ${COMPREPLY[@]+"${COMPREPLY[@]}"}; do printf "%s\\n" "$each"; done'
    )
    found = asked("bash", ask, folder)
    assert offered <= found
    assert not found & not_offered


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
@pytest.mark.parametrize(("words", "offered", "not_offered"), QUESTIONS)
def test_fish_offers_what_may_stand_next(
    folder: Path, words: list[str], offered: set[str], not_offered: set[str]
) -> None:
    line = " ".join(["sulcus-panel", *words])
    found = asked("fish", f"{SCRIPTS['fish']}\ncomplete -C {shlex.quote(line)}", folder)
    told = {each.split("\t")[0].rstrip("/").replace("\\ ", " ") for each in found}
    assert offered <= told
    assert not told & not_offered


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
@pytest.mark.parametrize(("words", "offered", "not_offered"), QUESTIONS)
def test_zsh_offers_what_may_stand_next(
    folder: Path, words: list[str], offered: set[str], not_offered: set[str]
) -> None:
    """Its line editor needs a terminal; what it would be given is printed instead, as far as it fits."""
    line = shlex.join(["sulcus-panel", *words])
    stubs = (
        'compdef() { :; }\ncompadd() { shift; print -rl -- "$@"; }\n_files() { print -rl -- *; }\n'
        '_default() { :; }\n_describe() { for each in "${(@P)2}"; do print -r -- "${each%%:*}"; done; }\n'
    )
    ask = f"{stubs}{SCRIPTS['zsh']}\nwords=({line}); CURRENT={len(words) + 1}\n_sulcus_panel || true"
    found = asked("zsh", ask, folder)
    matching = {each for each in found if each.startswith(words[-1])}
    assert offered <= matching
    assert not matching & not_offered
