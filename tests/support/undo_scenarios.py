"""One undo of every kind, prepared on a bench: what the sweeps kill, fail and race, call by call."""

import json
import os
from collections.abc import Callable

from sulcus_panel.core.model import SeqId
from tests.support.bench import L10, Bench, edited

Scenario = Callable[[Bench], tuple[SeqId, ...]]

TWO = edited(L10, _2="two")
BOTH = edited(L10, _2="two", _8="eight")


def an_edit(bench: Bench) -> tuple[SeqId, ...]:
    bench.put("a.txt", L10, 0o640)
    first = bench.agent(TWO)
    bench.agent(BOTH)
    return (first,)


def a_creation(bench: Bench) -> tuple[SeqId, ...]:
    return (bench.agent(b"new\n", "sub/new.txt"),)


def a_deletion(bench: Bench) -> tuple[SeqId, ...]:
    bench.put("deep/down/old.txt", b"old\n")
    first = bench.agent(None, "deep/down/old.txt")
    (bench.root / "deep/down").rmdir()
    (bench.root / "deep").rmdir()
    return (first,)


def a_file_emptied(bench: Bench) -> tuple[SeqId, ...]:
    bench.put("a.txt", L10)
    return (bench.agent(b""),)


def an_empty_file_filled(bench: Bench) -> tuple[SeqId, ...]:
    bench.put("a.txt", b"")
    return (bench.agent(L10),)


def a_mode(bench: Bench) -> tuple[SeqId, ...]:
    bench.put("run.sh", b"x\n", 0o644)
    return (bench.agent(b"x\n", "run.sh", mode=0o755),)


def a_link_for_a_file(bench: Bench) -> tuple[SeqId, ...]:
    bench.put("l", b"was a file\n")
    return (bench.link("l", "elsewhere"),)


def a_file_for_a_link(bench: Bench) -> tuple[SeqId, ...]:
    os.symlink("elsewhere", bench.root / "l")
    was = bench.look("l")
    (bench.root / "l").unlink()
    bench.put("l", b"is a file\n")
    return (bench.record({"l": (was, bench.look("l"))}),)


def a_folder_made(bench: Bench) -> tuple[SeqId, ...]:
    was = {path: bench.look(path) for path in ("d", "d/e", "d/e/f.txt")}
    bench.put("d/e/f.txt", L10)
    return (bench.record({path: (before, bench.look(path)) for path, before in was.items()}),)


def a_folder_removed_with_its_files(bench: Bench) -> tuple[SeqId, ...]:
    for name in ("d/one.txt", "d/two.txt", "d/e/three.txt"):
        bench.put(name, L10 + name.encode())
    (bench.root / "d/e").chmod(0o750)
    paths = ("d/one.txt", "d/two.txt", "d/e/three.txt", "d/e", "d")
    was = {path: bench.look(path) for path in paths}
    for path in paths:
        place = bench.root / path
        place.rmdir() if place.is_dir() else place.unlink()
    return (bench.record({path: (before, bench.look(path)) for path, before in was.items()}),)


def a_move_edited_since(bench: Bench) -> tuple[SeqId, ...]:
    bench.put("old.txt", L10, 0o640)
    was = {path: bench.look(path) for path in ("old.txt", "new.txt")}
    (bench.root / "old.txt").rename(bench.root / "new.txt")
    moved = bench.record({path: (before, bench.look(path)) for path, before in was.items()})
    bench.agent(TWO, "new.txt")
    return (moved,)


def a_file_with_two_names(bench: Bench) -> tuple[SeqId, ...]:
    bench.put("a.txt", L10)
    os.link(bench.root / "a.txt", bench.root / "its-other-name")
    first = bench.agent(TWO)
    bench.agent(BOTH)
    return (first,)


def a_notebook(bench: Bench) -> tuple[SeqId, ...]:
    cells = [
        {
            "cell_type": "code",
            "execution_count": n,
            "id": f"c{n}",
            "metadata": {},
            "outputs": [],
            "source": [f"x = {n}\n"],
        }
        for n in range(4)
    ]
    bench.put("n.ipynb", _notebook(cells))
    cells[1]["source"] = ["x = 'changed'\n"]
    first = bench.agent(_notebook(cells), "n.ipynb")
    cells[3]["source"] = ["y = 'later'\n"]
    bench.agent(_notebook(cells), "n.ipynb")
    return (first,)


def _notebook(cells: list[dict[str, object]]) -> bytes:
    book = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book, indent=1).encode() + b"\n"


def a_batch_in_folders(bench: Bench) -> tuple[SeqId, ...]:
    bench.put("src/a.txt", L10)
    bench.put("src/deep/gone.txt", b"gone\n")
    bench.put("run.sh", b"x\n", 0o644)
    return (
        bench.turn({"src/a.txt": TWO, "src/deep/gone.txt": None, "made/new.txt": b"made\n"}),
        bench.agent(BOTH, "src/a.txt"),
        bench.agent(b"x\n", "run.sh", mode=0o755),
        bench.link("l", "elsewhere"),
    )


def a_batch_of_ten_files(bench: Bench) -> tuple[SeqId, ...]:
    seq_ids = []
    for number in range(10):
        path = f"package/module_{number}.txt"
        bench.put(path, L10 + b"%d\n" % number)
        seq_ids.append(bench.agent(TWO + b"%d\n" % number, path))
        bench.agent(BOTH + b"%d\n" % number, path)
    return tuple(seq_ids)


def a_redo(bench: Bench) -> tuple[SeqId, ...]:
    undone = bench.undo(*a_batch_in_folders(bench))
    found = tuple(each.undo_seq_id for each in undone.results if each.undo_seq_id is not None)
    assert len(found) == 4
    return found


def a_binary_file(bench: Bench) -> tuple[SeqId, ...]:
    bench.put("logo.png", b"\x89PNG\0" + bytes(range(256)))
    return (bench.agent(b"\x89PNG\0" + bytes(range(255, -1, -1)), "logo.png"),)


def an_old_copy_beside(bench: Bench) -> tuple[SeqId, ...]:
    bench.put("img/logo.png", b"\x89PNG\0old", 0o640)
    first = bench.agent(b"\x89PNG\0new", "img/logo.png")
    bench.agent(b"\x89PNG\0newer", "img/logo.png")
    return (first,)


SCENARIOS: tuple[Scenario, ...] = (
    an_edit,
    a_creation,
    a_deletion,
    a_file_emptied,
    an_empty_file_filled,
    a_mode,
    a_link_for_a_file,
    a_file_for_a_link,
    a_folder_made,
    a_folder_removed_with_its_files,
    a_move_edited_since,
    a_file_with_two_names,
    a_notebook,
    a_batch_in_folders,
    a_batch_of_ten_files,
    a_redo,
    a_binary_file,
    an_old_copy_beside,
)
