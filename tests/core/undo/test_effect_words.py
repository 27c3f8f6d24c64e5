"""An effect in our words and in git's, for every kind of move; no name can pose as a sentence of ours."""

from sulcus_panel.core.commands.inverse import Inverse
from sulcus_panel.core.model import RefMove, SeqId
from sulcus_panel.core.undo.effect_words import commands, happened, lines, will_be
from sulcus_panel.core.undo.model import EffectPlan, Outcome

P, C = "a" * 40, "b" * 40
MADE = Inverse((RefMove("refs/tags/v1", P, ""),))
GONE = Inverse((RefMove("refs/heads/x", "", P),))
MOVED = Inverse((RefMove("refs/heads/x", C, P),))
RENAMED = Inverse((RefMove("refs/heads/old", "", P), RefMove("refs/heads/new", P, "")), ("new", "old"))


def test_each_kind_of_move_has_its_sentences() -> None:
    assert happened(MADE) == "tag v1 was made at aaaaaaaaa"
    assert happened(GONE) == "branch x was deleted, which was at aaaaaaaaa"
    assert happened(MOVED) == "branch x went from aaaaaaaaa to bbbbbbbbb"
    assert happened(RENAMED) == "branch old was named new"
    assert will_be(GONE, "") == "branch x comes back at aaaaaaaaa"
    assert will_be(MOVED, "") == "branch x goes to aaaaaaaaa, and files and index stay as they are"
    assert will_be(RENAMED, "").startswith("branch new is named old again")
    assert will_be(MADE, "y").endswith("; HEAD stays on y")


def test_each_kind_of_move_has_its_words() -> None:
    assert commands(GONE) == (("git", "update-ref", "refs/heads/x", P, "0" * 40),)
    assert commands(MOVED) == (("git", "update-ref", "refs/heads/x", P, C),)
    assert commands(RENAMED) == (("git", "branch", "-m", "new", "old"),)


def test_entries_of_the_index_have_their_own() -> None:
    new = Inverse((RefMove(":a b", f"100644 {P}", ""), RefMove(":c", f"100644 {P}", f"100755 {C}")))
    assert happened(new) == "a b was staged as new, c was staged"
    assert (
        will_be(new, "") == "a b is no longer staged; c is staged as it was before; the files themselves stay"
    )
    assert commands(new) == (
        ("git", "update-index", "--force-remove", "--", "a b"),
        ("git", "update-index", "--add", "--cacheinfo", f"100755,{C},c"),
    )
    gone = Inverse((RefMove(":a", "", f"100644 {P}"),))
    assert happened(gone) == "a was staged as deleted"


def test_a_terminal_shows_each_word_apart_and_no_control_character() -> None:
    effect = EffectPlan(
        SeqId(7),
        "it was",
        "it will be",
        Outcome.UNDONE,
        "",
        (("git", "update-ref", "-d", "refs/heads/a\x1b[2K"),),
    )
    shown = "\n".join(lines(effect))
    assert shown.startswith("#7  it was | it will be\n  git  update-ref  -d  refs/heads/a")
    assert "\x1b" not in shown
    (said,) = lines(EffectPlan(SeqId(7), "it was", "nothing", Outcome.CONFLICT, "it moved"))
    assert said == "#7  it was | nothing (it moved)"
