"""The table: every command that can take something back, one rule a form. What is not here is not safe.

Each rule carries texts that have its form and texts that have not; a rule whose own examples do not hold is left
out when the table is read, so that a mistake in one makes the guard say no, never yes.
"""

from dataclasses import dataclass
from pathlib import PurePosixPath

from sulcus_panel.core.safety.guard.forms import FITS, Form, fit, read_form

_A = "a94a8fe5ccb19ba61c4c0873d391e987982fbbd3"
_B = "de9f2c7fd25e1b3afad3e85a0bd17d9b100db4b3"


@dataclass(frozen=True, slots=True)
class Rule:
    """A form under the code of its inverse, texts that have it, and texts that have not."""

    code: str
    form: Form
    like: tuple[str, ...]
    not_like: tuple[str, ...]

    @property
    def program(self) -> str:
        """The program's name, as it stands in a command."""
        return self.form.words[0]


def _rule(code: str, line: str, like: str, not_like: str) -> Rule:
    return Rule(code, read_form(line), tuple(like.split("; ")), tuple(not_like.split("; ")))


RULES = (
    _rule(
        "inv.mv",
        "mv [-n] [-T] [--] PATH PATH",
        "mv b a; mv -n -T -- -b a",
        "mv b; mv b a c; mv -f b a; mv b -n",
    ),
    _rule("inv.rm-created", "rm [--] PATH", "rm a; rm -- -a", "rm; rm a b; rm -r a; rm /a; rm .git"),
    _rule(
        "inv.rmdir",
        "rmdir [--] PATH ABOVE*",
        "rmdir a/b; rmdir a/b/c a/b a",
        "rmdir; rmdir a a/b; rmdir -p a/b",
    ),
    _rule(
        "inv.git-mv",
        "git mv [--] PATH PATH",
        "git mv b a; git mv -- b a",
        "git mv b; git mv -f b a; git mv b ../a",
    ),
    _rule(
        "inv.git-branch", "git branch -d [--] BRANCH", "git branch -d x", "git branch -D x; git branch -d x y"
    ),
    _rule(
        "inv.git-branch",
        "git branch -m BRANCH BRANCH",
        "git branch -m b a",
        "git branch -M b a; git branch -m b",
    ),
    _rule(
        "inv.git-switch",
        "git switch BRANCH",
        "git switch main",
        "git switch -; git switch -f main; git switch",
    ),
    _rule(
        "inv.git-tag", "git tag -d [--] TAG", "git tag -d v1", "git tag -d v1 v2; git tag -f v1; git tag v1"
    ),
    _rule("inv.git-unstage", "git restore --staged [--] PATHSPEC", "git restore --staged a", "git restore a"),
    _rule(
        "inv.git-unstage",
        "git reset -- PATHSPEC",
        "git reset -- a",
        "git reset a; git reset --hard; git reset -- :/",
    ),
    _rule(
        "inv.git-worktree", "git worktree remove PATH", "git worktree remove w", "git worktree remove -f w"
    ),
    _rule(
        "inv.git-remote",
        "git remote remove REMOTE",
        "git remote remove up",
        "git remote update; git remote remove",
    ),
    _rule(
        "inv.git-revert",
        "git revert --no-edit OBJECT",
        f"git revert --no-edit {_A}",
        "git revert --no-edit HEAD",
    ),
    _rule(
        "inv.git-cas",
        "git update-ref REF OBJECT OBJECT",
        f"git update-ref refs/tags/x {_A} {_B}",
        "git update-ref x",
    ),
    _rule(
        "inv.git-cas",
        "git update-ref -d REF OBJECT",
        f"git update-ref -d refs/heads/x {_A}",
        "git update-ref -d x",
    ),
    _rule(
        "inv.sqlx", "sqlx migrate revert", "sqlx migrate revert", "sqlx migrate run; sqlx migrate revert -D x"
    ),
    _rule(
        "inv.sqlx", "sqlx migrate revert --dry-run", "sqlx migrate revert --dry-run", "sqlx migrate --dry-run"
    ),
    _rule(
        "inv.sqlx",
        "sqlx migrate revert --target-version VERSION",
        "sqlx migrate revert --target-version 20240101000000",
        "sqlx migrate revert --target-version 0; sqlx migrate revert --target-version",
    ),
)


def holds(rule: Rule) -> bool:
    """Say whether the rule's own examples come out as it says."""
    root = PurePosixPath("/w")
    fits = [fit(rule.form, text.split(), root).code == FITS for text in rule.like]
    misfits = [fit(rule.form, text.split(), root).code != FITS for text in rule.not_like]
    return all(fits) and all(misfits)


def by_program(rules: tuple[Rule, ...]) -> dict[str, tuple[Rule, ...]]:
    """Return the rules whose examples hold, by their program."""
    sound = [rule for rule in rules if holds(rule)]
    return {rule.program: tuple(each for each in sound if each.program == rule.program) for rule in sound}


TABLE = by_program(RULES)
