"""Many undos with a known truth: the shared corpus where it is at hand, and turns planted in other text."""

import hashlib
import json
import lzma
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sulcus_panel.core.capture.exact import told_hunks
from sulcus_panel.core.diff.alignments import edits_of, seen
from sulcus_panel.core.model import SeqId
from sulcus_panel.core.undo.blame import Passage
from sulcus_panel.core.undo.text import Turn, take_back
from tests.corpus.adapter import undo, undo_with_review
from tests.corpus.planted import Planted, planted, sources

ROOT = Path(__file__).parents[2]
CORPUS = ROOT.parent / "shared" / "cases" / "undo" / "corpus.jsonl.xz"
OWN = ROOT / "tests" / "data" / "undo"


def load(path: Path) -> tuple[dict[str, bytes], list[dict[str, Any]]]:
    texts: dict[str, bytes] = {}
    cases: list[dict[str, Any]] = []
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            if "text" in row:
                texts[row["sha1"]] = row["text"].encode("utf-8", "surrogateescape")
            else:
                cases.append(row)
    return texts, cases


@pytest.fixture(scope="module")
def corpus() -> tuple[dict[str, bytes], list[dict[str, Any]]]:
    if not CORPUS.exists():
        pytest.skip("the shared corpus is not here")
    return load(CORPUS)


def scored(texts: dict[str, bytes], cases: list[dict[str, Any]], *, review: bool = False) -> Counter[str]:
    count: Counter[str] = Counter()
    engine = undo_with_review if review else undo
    for case in cases:
        versions = [texts[sha] for sha in case["versions"]]
        text, _ = engine(
            texts[case["pre"]], versions[0], versions[-1], versions=versions, hunks=case.get("hunks")
        )
        sha = hashlib.sha1(text).hexdigest() if text is not None else None
        kind = "X" if case["kind"] == "O" and not case["truth"] else case["kind"]
        count[f"{kind}.all"] += 1
        count[f"{kind}.clean"] += sha is not None
        if kind == "H":
            count["H.lost"] += case["git_merge_file"] is not None and sha is None
            count["H.wrong"] += bool(case["truth"] and case["n"] > 1 and sha and sha != case["truth"])
        else:
            count[f"{kind}.right"] += sha is not None and sha == case["truth"]
            count[f"{kind}.wrong"] += sha is not None and sha != case["truth"]
    return count


@pytest.mark.slow
def test_the_shared_corpus_is_undone_as_often_as_reached_and_never_wrong(
    corpus: tuple[dict[str, bytes], list[dict[str, Any]]],
) -> None:
    count = scored(*corpus)
    assert [count[f"{kind}.wrong"] for kind in "HPOXC"] == [0, 0, 0, 0, 0]
    assert count["H.lost"] <= 1
    assert count["H.clean"] >= 0.66 * count["H.all"]
    assert count["P.right"] >= 0.992 * count["P.all"]
    assert count["O.right"] >= 0.85 * count["O.all"]
    # The aim is 0.98. The other 3 in 100 stand edge to edge with a copy of themselves and as many lines around
    # them on both sides: pasted above or pasted below, all versions are the same bytes, and the truth is another.
    assert count["C.right"] >= 0.968 * count["C.all"] - 1


@pytest.mark.slow
def test_a_person_who_looks_gets_nearly_every_edit_of_the_same_line_apart(
    corpus: tuple[dict[str, bytes], list[dict[str, Any]]],
) -> None:
    count = scored(*corpus, review=True)
    assert count["O.right"] >= 0.97 * count["O.all"]
    assert (count["H.wrong"], count["O.wrong"], count["X.wrong"], count["P.wrong"]) == (0, 0, 0, 0)


@pytest.mark.parametrize("path", sorted(OWN.glob("*.json")), ids=lambda path: path.stem)
def test_our_own_cases_end_as_they_say(path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    versions = ["".join(lines).encode() for lines in case["versions"]]
    text, stuck = undo(
        "".join(case["before"]).encode(),
        versions[0],
        versions[-1],
        versions=versions,
        hunks=case.get("hunks"),
    )
    if case["truth"] is None:
        assert stuck
    else:
        assert (stuck, text) == ([], "".join(case["truth"]).encode())


@pytest.fixture(scope="module")
def texts() -> list[bytes]:
    return [path.read_bytes() for path in sources()]


def by_versions(case: Planted) -> bytes | None:
    return undo(case.before, case.versions[0], case.versions[-1], versions=case.versions, hunks=None)[0]


def by_records(case: Planted) -> bytes | None:
    """Undo with every edit known as it was made: more than a recorder that compares can know."""
    turn = Turn.of(case.before, case.versions[0], [replace(hunk, exact=True) for hunk in case.hunks])
    passages = [Passage(seen(step), (SeqId(number),)) for number, step in enumerate(case.steps, 2)]
    answer = take_back(turn, case.versions[-1], passages, range(len(turn.hunks)))
    return answer.result if all(verdict.clean for verdict in answer.verdicts) else None


def by_calls(case: Planted) -> bytes | None:
    """Undo with every edit known as a recorder knows it that saw the calls of an edit tool."""
    (before, after, call), *later = case.calls
    turn = Turn.of(before, after, told_hunks(call, before, after) or ())
    passages = [
        Passage(edits_of(told_hunks(one, old, new) or ()), (SeqId(number),), texts=(old, new))
        for number, (old, new, one) in enumerate(later, 2)
    ]
    answer = take_back(turn, case.versions[-1], passages, range(len(turn.hunks)))
    return answer.result if all(verdict.clean for verdict in answer.verdicts) else None


def test_planted_turns_come_out_right_from_recorded_steps(texts: list[bytes]) -> None:
    count: Counter[str] = Counter()
    for case in planted(11, texts, 400, calm=True):
        found = by_records(case)
        count["conflict" if found is None else "right" if found == case.truth else "wrong"] += 1
    assert count["wrong"] == 0
    assert count["right"] >= 0.8 * count.total()


def test_planted_turns_are_not_mistaken_where_all_work_is_known_from_an_edit_tools_calls(
    texts: list[bytes],
) -> None:
    """This is what the ledger knows of an agent that edits: all places, but for equal lines within an edit."""
    count: Counter[str] = Counter()
    for case in planted(13, texts, 600, calm=True):
        found = by_calls(case)
        count["conflict" if found is None else "right" if found == case.truth else "wrong"] += 1
    assert count["wrong"] == 0
    assert count["right"] >= 0.9 * count.total()


def test_planted_turns_are_hardly_ever_mistaken_even_where_only_versions_are_known(
    texts: list[bytes],
) -> None:
    """So much is known of commands and whole files. Among wild copies and moves some cannot be told apart."""
    count: Counter[str] = Counter()
    for case in planted(12, texts, 600):
        found = by_versions(case)
        count["conflict" if found is None else "right" if found == case.truth else "wrong"] += 1
    assert count["wrong"] <= 0.03 * (count["right"] + count["wrong"])
    assert count["right"] >= 0.6 * count.total()
