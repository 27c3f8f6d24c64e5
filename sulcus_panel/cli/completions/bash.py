"""A completion script for bash, 3.2 and later."""

from collections.abc import Iterator, Sequence
from shlex import quote

from sulcus_panel.cli.grammar import Spoken

HEAD = """\
# bash completion for sulcus-panel, made by `sulcus-panel completion bash`
_sulcus_panel_from() {
    local word
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$@")
}
_sulcus_panel() {
    local cur=${COMP_WORDS[COMP_CWORD]} at="" previous="" word i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        [[ $word == -- ]] && { compopt -o default 2>/dev/null; return; }
        [[ $word == = ]] && continue
        case "$at $previous" in
            %(taking)s) previous=""; continue ;;
        esac
        previous=$word
        case "$at $word" in
            %(paths)s) at="${at:+$at }$word" ;;
        esac
    done
    [[ $cur == = ]] && cur=""
"""
TAIL = """\
}
complete -F _sulcus_panel sulcus-panel
"""
FILES = 'compopt -o filenames 2>/dev/null; _sulcus_panel_from -f -- "$cur"'


def script(program: Spoken) -> str:
    """Return the script."""
    taking = "|".join(map(quote, program.taking()))
    head = HEAD % {"taking": taking, "paths": "|".join(map(quote, program.steps()))}
    return head + "\n".join([*_values(program, taking), *_words(program)]) + "\n" + TAIL


def _values(program: Spoken, taking: str) -> Iterator[str]:
    """What an option's value may be; where nobody knows, nothing is offered."""
    yield '    case "$at $previous" in'
    for verb in program.walk():
        for each in verb.options:
            patterns = "|".join(quote(f"{' '.join(verb.words)} {flag}") for flag in each.flags)
            if each.choices:
                yield f"        {patterns}) {_offered(each.choices)}; return ;;"
            elif each.is_place:
                yield f"        {patterns}) {FILES}; return ;;"
    yield "    esac"
    yield '    case "$at $previous" in'
    yield f"        {taking}) return ;;"
    yield "    esac"


def _words(program: Spoken) -> Iterator[str]:
    """What may stand next: a verb or an operand, and where a dash is typed an option."""
    yield '    case "$at" in'
    for verb in program.walk():
        flags = [flag for each in verb.options for flag in each.flags if flag.startswith("--")]
        below = [each.words[-1] for each in verb.verbs]
        choices = below + [choice for each in verb.operands for choice in each.choices]
        yield f"        {quote(' '.join(verb.words))})"
        yield f"            if [[ $cur == -* ]]; then {_offered(flags)}"
        if choices:
            yield f"            else {_offered(choices)}"
        elif any(each.is_place for each in verb.operands):
            yield f"            else {FILES}"
        yield "            fi ;;"
    yield "    esac"


def _offered(words: Sequence[str]) -> str:
    return f'_sulcus_panel_from -W {quote(" ".join(words))} -- "$cur"'
