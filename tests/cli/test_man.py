"""The manual page: all that the parser understands, in what troff reads without a complaint."""

import re
import shutil
import subprocess

import pytest

from sulcus_panel.cli.grammar import whole_grammar
from sulcus_panel.cli.man import manual
from tests.support.terminal import sulcus

MACROS = {".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".ad", ".nh"}


def read(page: str) -> str:
    """The page's words, as a reader sees them."""
    return page.replace("\\:", "").replace("\\-", "-").replace("\\&", "").replace("\\(dq", '"')


def test_every_verb_and_every_option_stands_in_it() -> None:
    page = read(manual(whole_grammar()))
    sections = dict(re.findall(r'^\.SS "([^"]+)"\n(.*?)(?=^\.S[SH] )', page, flags=re.M | re.S))
    options = page[page.index(".SH OPTIONS") : page.index(".SH VERBS")]
    shared = {word.flags for word in whole_grammar().options}
    leaves = [verb for verb in whole_grammar().walk() if verb.words and not verb.verbs]
    assert list(sections) == [" ".join(verb.words) for verb in leaves]
    for verb in leaves:
        assert verb.usage in read(page).replace("\\[u2026]", "…"), verb.words
        for word in verb.options:
            where = options if word.flags in shared else sections[" ".join(verb.words)]
            assert all(flag in where for flag in word.flags)


def test_troff_obeys_nothing_but_our_own_macros() -> None:
    page = manual(whole_grammar())
    assert page.isascii()
    commands = {line.split()[0] for line in page.split("\n") if line.startswith((".", "'"))}
    assert commands <= MACROS


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_groff_formats_it_without_a_warning() -> None:
    page = sulcus("man")
    assert (page.code, page.err) == (0, "")
    assert sulcus("man", "--json").json() == {"page": page.out}
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8"], input=page.out.encode(), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    shown = re.sub(r"\x1b\[[0-9;]*m|.\x08", "", done.stdout.decode())
    assert "ledger rollback" in shown
    assert "EXIT STATUS" in shown
