"""Do real shells read a text as the guard does? Many texts a process, words ended by NUL."""

import random
import shlex
import subprocess
from collections import Counter
from collections.abc import Sequence

from sulcus_panel.core.safety.guard.characters import check_characters
from sulcus_panel.core.safety.guard.verdict import Refused
from sulcus_panel.core.safety.guard.words import read_words
from tests.support.guard_rows import rows

SHELLS = ("bash", "dash")
LETTERS = tuple("ab.-/ \t'\"\\$`;&|<>(){}[]*?~!#=%@:,+^_\n\r\x00\x0b0é日e\u0301 \u200b")
PLAIN = tuple("ab.-/ \t'\"=%@:,+_0é日 ''")
_FUNCTION = "A(){ printf '%s\\0' \"$@\"; printf '\\001\\0'; }\n"


def odd_texts(count: int, seed: int) -> list[str]:
    """A third of hostile letters, a third of harmless ones, a third of our rows after one to three edits."""
    chance = random.Random(seed)
    known = [text for text, _ in rows() if len(text) < 200]
    return [_odd_text(chance, known) for _ in range(count)]


def _odd_text(chance: random.Random, known: Sequence[str]) -> str:
    kind = chance.random()
    if kind < 0.66:
        return "".join(chance.choices(LETTERS if kind < 0.33 else PLAIN, k=chance.randint(1, 24)))
    text = list(chance.choice(known))
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(text) + 1)
        text[at : at + chance.randint(0, 1)] = chance.choices(LETTERS, k=chance.randint(0, 1))
    return "".join(text)


def compare(texts: Sequence[str]) -> tuple[Counter[str], list[str]]:
    """Counters, and each text that bash, dash or shlex reads otherwise than the guard accepted it."""
    accepted: list[tuple[str, tuple[str, ...]]] = []
    for text in texts:
        try:
            words = read_words_checked(text)
        except Refused:
            continue
        if words:
            accepted.append((text, words))
    counts = Counter({"strings": len(texts), "strings read": len(accepted)})
    wrong = [f"shlex: {text!a}" for text, argv in accepted if tuple(shlex.split(text)) != argv]
    script = (_FUNCTION + "".join(f"A {text}\n" for text, _ in accepted)).encode()
    for shell in SHELLS:
        out = subprocess.run([shell, "-s"], input=script, capture_output=True, check=True).stdout
        read = [tuple(line.split("\0")[:-1]) for line in out.decode().split("\x01\0")[:-1]]
        if len(read) != len(accepted):
            wrong.append(f"{shell}: {len(read)} of {len(accepted)} texts read")
        wrong += [
            f"{shell}: {text!a}" for (text, argv), got in zip(accepted, read, strict=False) if got != argv
        ]
        counts[f"compared with {shell}"] += len(read)
    counts["compared with shlex"] += len(accepted)
    counts["read otherwise"] += len(wrong)
    return counts, wrong


def read_words_checked(text: str) -> tuple[str, ...]:
    """The words that the guard reads in `text`, none where it is unsure."""
    check_characters(text)
    words = read_words(text)
    return () if words.unsure else words.argv
