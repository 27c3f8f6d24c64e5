"""A completion script for fish, 3.0 and later."""

from collections.abc import Iterator

from sulcus_panel.cli.grammar import Spoken, Word

HEAD = """\
# fish completion for sulcus-panel, made by `sulcus-panel completion fish`
function __sulcus_panel_at
    set -l at ""
    set -l previous ""
    for word in (commandline -opc)[2..-1]
        if contains -- "$at $previous" %(taking)s
            set previous ""
            continue
        end
        set previous $word
        if contains -- "$at $word" %(paths)s
            set at (string trim -- "$at $word")
        end
    end
    test "$at" = "$argv"
end
complete -c sulcus-panel -f
"""


def script(program: Spoken) -> str:
    """Return the script."""
    steps = " ".join(map(_quoted, program.steps()))
    head = HEAD % {"taking": " ".join(map(_quoted, program.taking())), "paths": steps}
    return head + "".join(f"complete -c sulcus-panel {line}\n" for line in _lines(program))


def _lines(program: Spoken) -> Iterator[str]:
    for verb in program.walk():
        here = f"-n {_quoted(' '.join(('__sulcus_panel_at', *verb.words)))}"
        for below in verb.verbs:
            yield f"{here} -a {below.words[-1]} -d {_quoted(below.text)}"
        for each in verb.operands:
            if each.choices:
                yield f"{here} -a {_quoted(' '.join(each.choices))}"
            elif each.is_place:
                yield f"{here} -F"
        for each in verb.options:
            yield f"{here} {_option(each)}"


def _option(option: Word) -> str:
    flags = [f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags]
    if option.choices:
        flags.append(f"-x -a {_quoted(' '.join(option.choices))}")
    elif option.placeholder:
        flags.append("-r -F" if option.is_place else "-x")
    return f"{' '.join(flags)} -d {_quoted(option.text)}"


def _quoted(text: str) -> str:
    """In fish only a backslash and a single quote mean something between single quotes."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
