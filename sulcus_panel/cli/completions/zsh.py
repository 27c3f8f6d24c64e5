"""A completion script for zsh: as a file `_sulcus-panel` in the fpath, or by `eval`."""

from collections.abc import Iterator
from shlex import quote

from sulcus_panel.cli.grammar import Spoken, Word

HEAD = """\
#compdef sulcus-panel
# zsh completion for sulcus-panel, made by `sulcus-panel completion zsh`
_sulcus_panel() {
    local at="" previous="" word i
    local -a offered
    for ((i = 2; i < CURRENT; i++)); do
        word=${words[i]}
        [[ $word == -- ]] && { _default; return }
        case "$at $previous" in
            (%(taking)s) previous=""; continue ;;
        esac
        previous=$word
        case "$at $word" in
            (%(paths)s) at="${at:+$at }$word" ;;
        esac
    done
"""
TAIL = """\
}
if [[ $funcstack[1] == _sulcus-panel ]]; then
    _sulcus_panel "$@"
else
    compdef _sulcus_panel sulcus-panel
fi
"""


def script(program: Spoken) -> str:
    """Return the script."""
    taking = "|".join(map(quote, program.taking()))
    head = HEAD % {"taking": taking, "paths": "|".join(map(quote, program.steps()))}
    return head + "\n".join([*_values(program, taking), *_words(program)]) + "\n" + TAIL


def _values(program: Spoken, taking: str) -> Iterator[str]:
    yield '    case "$at $previous" in'
    for verb in program.walk():
        for each in verb.options:
            patterns = "|".join(quote(f"{' '.join(verb.words)} {flag}") for flag in each.flags)
            if each.choices:
                yield f"        ({patterns}) compadd -- {' '.join(map(quote, each.choices))}; return ;;"
            elif each.is_place:
                yield f"        ({patterns}) _files; return ;;"
    yield "    esac"
    yield '    case "$at $previous" in'
    yield f"        ({taking}) return ;;"
    yield "    esac"


def _words(program: Spoken) -> Iterator[str]:
    yield '    case "$at" in'
    for verb in program.walk():
        yield f"        ({quote(' '.join(verb.words))})"
        yield "            if [[ $words[CURRENT] == -* ]]; then"
        yield f"                offered=({' '.join(_told(each) for each in verb.options)})"
        yield "                _describe option offered"
        below = [quote(f"{each.words[-1]}:{each.text}") for each in verb.verbs]
        choices = [quote(choice) for each in verb.operands for choice in each.choices]
        if below or choices:
            yield f"            else offered=({' '.join(below + choices)}); _describe word offered"
        elif any(each.is_place for each in verb.operands):
            yield "            else _files"
        yield "            fi ;;"
    yield "    esac"


def _told(option: Word) -> str:
    longest = max(option.flags, key=len)
    return quote(f"{longest}:{option.text}")
