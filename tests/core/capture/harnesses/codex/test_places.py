import os
from pathlib import Path

from sulcus_panel.core.capture.harnesses.codex.places import find_rollouts, rollouts_in

ID = "0197d000-0000-7000-8000-00000000000"


def rollout(home: Path, number: int, cwd: str, *, folder: str = "sessions/2026/05/04", age: int = 0) -> Path:
    path = home / folder / f"rollout-2026-05-04T10-00-00-{ID}{number}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'{{"type":"session_meta","payload":{{"id":"{ID}{number}","cwd":"{cwd}"}}}}\n')
    os.utime(path, (1000 + age, 1000 + age))
    return path


def test_the_rollouts_of_a_folder_are_found_oldest_first_archived_ones_too(tmp_path: Path) -> None:
    newer = rollout(tmp_path, 1, "/w/shop", age=5)
    older = rollout(tmp_path, 2, "/w/shop/web", folder="archived_sessions", age=1)
    rollout(tmp_path, 3, "/w/shopping")
    rollout(tmp_path, 4, "/w")
    assert find_rollouts(tmp_path, "/w/shop", {}) == (older, newer)
    assert find_rollouts(tmp_path, "/w/shop", {}, changed_since=1004) == (newer,)


def test_nothing_is_found_where_there_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "sessions").write_text("a file")
    assert find_rollouts(tmp_path, "/w", {}) == ()
    assert find_rollouts(tmp_path / "gone", "/w", {}) == ()


def test_a_head_that_is_not_written_yet_is_looked_at_again(tmp_path: Path) -> None:
    path = rollout(tmp_path, 1, "/w")
    whole = path.read_bytes()
    known: dict[str, str] = {}
    path.write_bytes(whole[:20])
    assert find_rollouts(tmp_path, "/w", known) == ()
    path.write_bytes(whole)
    assert find_rollouts(tmp_path, "/w", known) == (path,)
    assert known == {str(path): "/w"}


def test_the_folder_of_an_old_rollout_stands_in_a_message(tmp_path: Path) -> None:
    path = rollout(tmp_path, 1, "")
    path.write_text(
        '{"id":"x","timestamp":"2025-07-01T00:00:00Z"}\n{"record_type":"state"}\n'
        '{"type":"message","role":"user","content":[{"type":"input_text",'
        '"text":"<environment_context><cwd>/w</cwd></environment_context>"}]}\n'
    )
    assert find_rollouts(tmp_path, "/w", {}) == (path,)


def test_a_packed_rollout_counts_where_it_lies_alone(tmp_path: Path) -> None:
    plain = rollout(tmp_path, 1, "/w")
    beside = plain.with_name(plain.name + ".zst")
    beside.write_bytes(b"packed")
    alone = plain.with_name("rollout-alone.jsonl.zst")
    alone.write_bytes(b"packed")
    assert rollouts_in([tmp_path]) == (plain, alone)
    assert rollouts_in([beside]) == (beside,)
    assert find_rollouts(tmp_path, "/w", {}) == (plain,)
