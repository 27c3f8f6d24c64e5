"""What the parser says of itself: all verbs, each with what it is for."""

from sulcus_panel.cli.command_line import LEDGER_VERBS, VERBS
from sulcus_panel.cli.grammar import whole_grammar


def test_every_verb_of_the_program_is_there() -> None:
    program = whole_grammar()
    assert [verb.words for verb in program.verbs] == [*((name,) for name in VERBS), ("ledger",)]
    [ledger] = [verb for verb in program.verbs if verb.words == ("ledger",)]
    assert [verb.words[-1] for verb in ledger.verbs] == list(LEDGER_VERBS)


def test_everything_says_what_it_is_for() -> None:
    silent = [
        (verb.words, word.flags or word.placeholder)
        for verb in whole_grammar().walk()
        for word in (*verb.options, *verb.operands)
        if not word.text
    ]
    assert silent == []
    assert all(verb.text for verb in whole_grammar().walk() if verb.words)


def test_a_flag_takes_a_value_where_its_verb_says_so() -> None:
    taking = whole_grammar().taking()
    assert {"ledger list --after", " --workspace", "holds accept --plan"} <= set(taking)
    assert not {"ledger diff --after", "ledger list --json", " --help"} & set(taking)


def test_no_two_verbs_are_called_the_same() -> None:
    steps = whole_grammar().steps()
    assert len(steps) == len(set(steps))
