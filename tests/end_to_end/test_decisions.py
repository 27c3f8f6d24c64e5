"""Later work in the way, decided in the terminal: who could go too, what else may be chosen, one yes for each."""

from sulcus_panel.core.model import EntryState
from tests.support.scene import L10, Scene, with_line

LINES = L10.splitlines(keepends=True)
ADDED = b"".join([*LINES[:5], b"new 1\n", b"new 2\n", b"new 3\n", *LINES[5:]])
MINE = ADDED.replace(b"new 2\n", b"new 2 (user)\n")


def test_c03_the_terminal_names_the_chain_that_goes_through(scene: Scene) -> None:
    path = scene.person("f", L10)
    first = scene.puts("f", with_line(L10, 3, b"B"))
    second = scene.puts("f", with_line(L10, 3, b"C"))
    told = scene.terminal("ledger", "rollback", str(first.seq_id), "--dry-run")
    chain = f"sulcus-panel ledger rollback {second.seq_id} {first.seq_id}"
    assert chain in told.out
    done = scene.terminal(*chain.split()[1:], stdin="y\n")
    assert (done.code, path.read_bytes()) == (0, L10)


def test_c06_each_way_out_is_told_and_keeping_is_what_happens_without_one(scene: Scene) -> None:
    path = scene.person("f", L10)
    first = scene.puts("f", ADDED)
    path.write_bytes(MINE)
    told = scene.terminal("ledger", "rollback", str(first.seq_id), stdin="y\ny\n")
    assert (told.code, path.read_bytes()) == (1, MINE)
    for word in ("take_all", "rest"):
        assert f"ledger rollback {first.seq_id} --later-work {word}" in told.out


def test_c06_the_rest_goes_after_two_yeses_and_not_after_one(scene: Scene) -> None:
    path = scene.person("f", L10)
    first = scene.puts("f", ADDED)
    path.write_bytes(MINE)
    asked = ("ledger", "rollback", str(first.seq_id), "--later-work", "rest")
    assert scene.terminal(*asked, stdin="n\ny\n").code == 0
    assert scene.terminal(*asked, stdin="y\n").code == 0
    assert path.read_bytes() == MINE
    assert scene.state(first) is EntryState.RECORDED
    done = scene.terminal(*asked, stdin="y\ny\n")
    assert (done.code, scene.state(first)) == (0, EntryState.UNDONE)
    assert path.read_bytes() == b"".join([*LINES[:5], b"new 2 (user)\n", *LINES[5:]])
    assert scene.terminal("ledger", "redo", str(first.seq_id), stdin="y\n").code == 0
    assert path.read_bytes() == MINE


def test_the_plan_in_json_tells_all_of_it(scene: Scene) -> None:
    path = scene.person("f", L10)
    first = scene.puts("f", ADDED)
    path.write_bytes(MINE)
    kept = scene.terminal("ledger", "rollback", str(first.seq_id), "--dry-run", "--json").json()
    assert kept["choices"] == ["take_all", "rest"]
    chosen = scene.terminal(
        "ledger", "rollback", str(first.seq_id), "--later-work", "take_all", "--dry-run", "--json"
    ).json()
    assert [(each["code"], each["path"]) for each in chosen["consents"]] == [("review", "f")]


def test_c15_the_old_copy_is_saved_beside_a_file_that_is_no_text_and_goes_again(scene: Scene) -> None:
    path = scene.person("logo.png", b"\x89PNG\0old")
    first = scene.puts("logo.png", b"\x89PNG\0new")
    scene.puts("logo.png", b"\x89PNG\0newer")
    told = scene.terminal("ledger", "rollback", str(first.seq_id), stdin="y\n")
    asked = f"ledger rollback {first.seq_id} --later-work beside"
    assert f"save the old copy beside it: sulcus-panel {asked}" in told.out
    copy = path.with_name(f"logo (before #{first.seq_id}).png")
    assert scene.terminal(*asked.split(), stdin="n\n").code == 0
    assert not copy.exists()
    done = scene.terminal(*asked.split(), stdin="y\n")
    assert (done.code, copy.read_bytes(), path.read_bytes()) == (0, b"\x89PNG\0old", b"\x89PNG\0newer")
    assert f"kept logo.png, saved the old copy as {copy.name}" in done.out
    assert scene.state(first) is EntryState.RECORDED
    assert f"saved     {copy.name}" in scene.terminal("ledger", "list").out
    (way,) = [text for text in done.out.split("`") if text.startswith("ledger rollback")]
    gone = scene.terminal(*way.split(), stdin="y\n")
    assert (gone.code, copy.exists(), path.read_bytes()) == (0, False, b"\x89PNG\0newer")
    assert gone.out.startswith("Undo in ")


def test_of_a_command_s_files_those_that_can_go_back_alone_in_so_many_words(scene: Scene) -> None:
    keys, made = scene.path(".env"), scene.path("a.txt")
    run = scene.runs("echo TOKEN=1 > .env; echo made > a.txt")
    told = scene.terminal("ledger", "rollback", str(run.seq_id), stdin="y\n")
    asked = f"ledger rollback {run.seq_id} --later-work others"
    assert f"leave out what cannot go back, take back the others: sulcus-panel {asked}" in told.out
    assert "TOKEN=1" not in told.out
    assert (told.code, made.exists()) == (1, True)
    done = scene.terminal(*asked.split(), stdin="y\n")
    assert (done.code, made.exists(), keys.read_bytes()) == (0, False, b"TOKEN=1\n")
    assert ".env stays as it is (its contents may not be kept" in done.out
    assert scene.state(run) is EntryState.PARTLY_UNDONE


def test_the_copy_in_json_is_a_path_of_the_result(scene: Scene) -> None:
    scene.person("logo.png", b"\x89PNG\0old")
    first = scene.puts("logo.png", b"\x89PNG\0new")
    scene.puts("logo.png", b"\x89PNG\0newer")
    asked = ("ledger", "rollback", str(first.seq_id), "--later-work", "beside", "--json")
    told = scene.terminal(*asked, stdin="y\n").json()
    assert (told["outcome"], told["results"][0]["outcome"]) == ("copy_saved", "copy_saved")
    assert [each["path"] for each in told["results"][0]["paths"]] == [f"logo (before #{first.seq_id}).png"]


def test_a_decision_is_for_one_change(scene: Scene) -> None:
    scene.person("f", L10)
    first = scene.puts("f", with_line(L10, 3, b"B"))
    second = scene.puts("f", with_line(L10, 3, b"C"))
    said = scene.terminal(
        "ledger", "rollback", str(first.seq_id), str(second.seq_id), "--later-work", "take_all", stdin="y\n"
    )
    assert (said.code, "one change" in said.err) == (2, True)


def test_the_plan_numbers_the_parts_that_can_be_chosen(scene: Scene) -> None:
    scene.person("f", L10)
    turn = scene.puts("f", with_line(with_line(L10, 3, b"B"), 8, b"H"))
    told = scene.terminal("ledger", "rollback", str(turn.seq_id), "--hunk", "2", "--dry-run")
    assert "part 1: f, line 3: not chosen" in told.out
    assert "part 2: f, line 8: undone" in told.out


def test_the_result_names_a_way_back_that_works(scene: Scene) -> None:
    path = scene.person("f", L10)
    first = scene.puts("f", with_line(L10, 3, b"B"))
    second = scene.puts("f", with_line(L10, 3, b"C"))
    both = scene.terminal("ledger", "rollback", str(first.seq_id), str(second.seq_id), stdin="y\n")
    (way,) = [line.split("`")[1] for line in both.out.splitlines() if "brings all of it back" in line]
    assert scene.terminal(*way.split(), stdin="y\n").code == 0
    assert path.read_bytes() == with_line(L10, 3, b"C")
    alone = scene.terminal("ledger", "rollback", str(second.seq_id), stdin="y\n")
    assert f"`ledger redo {second.seq_id}` brings it back" in alone.out
    redone = scene.terminal("ledger", "redo", str(second.seq_id), stdin="y\n")
    assert f"#{second.seq_id} is back" in redone.out
    assert f"`ledger rollback {second.seq_id}` takes it back again" in redone.out


def test_a_dry_run_says_what_will_be_asked(scene: Scene) -> None:
    scene.person("package.json", b'{"scripts": {}}\n')
    turn = scene.puts("package.json", b'{"scripts": {"test": "x"}}\n')
    told = scene.terminal("ledger", "rollback", str(turn.seq_id), "--dry-run")
    assert "needs a yes of its own: package.json names commands" in told.out
