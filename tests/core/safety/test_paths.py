"""Which paths are refused, which contents withheld."""

import pytest

from sulcus_panel.core.errors import UnsafePath
from sulcus_panel.core.model import LedgerPath
from sulcus_panel.core.safety import check_path, content_withheld


@pytest.mark.parametrize(
    "path",
    [
        "",
        ".",
        "..",
        "/etc/passwd",
        "../x",
        "a/../../x",
        "a//b",
        "a/./b",
        "a/",
        "nul\0l",
        "C:\\x",
        "\\\\host\\share",
        "a\\..\\..\\b",
        "x" * 256,
        "/".join(["deep"] * 1000),
    ],
)
def test_paths_that_are_no_path_inside_are_refused(path: str) -> None:
    with pytest.raises(UnsafePath):
        check_path(path)


@pytest.mark.parametrize(
    "name",
    [
        ".git",
        ".GIT",
        ".Git ",
        ".git.",
        ".git . .",
        "git~1",
        "GIT~2",
        ".git::$INDEX_ALLOCATION",
        ".g\u200cit",
        "\ufeff.git",
        ".gi\u200dt",
        ".\uff47it",
    ],
)
@pytest.mark.parametrize("shape", ["{}", "{}/config", "sub/{}/hooks/x", "sub\\{}\\config"])
def test_every_spelling_of_git_is_protected(name: str, shape: str) -> None:
    with pytest.raises(UnsafePath, match="Protected"):
        check_path(shape.format(name))


@pytest.mark.parametrize(
    "path", ["a.txt", ".github/x.yml", ".gitignore", "git/x", "-x", "a b\n", "\udcff", "x~1"]
)
def test_ordinary_and_odd_names_pass(path: str) -> None:
    assert check_path(path) == path


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "a/.env.local",
        "k/server.PEM",
        "id_ed25519",
        "x/credentials.json",
        ".npmrc",
        "prod.tfstate",
        "a/.ENVRC",
        ".env~",
        "Secrets.yaml",
        "conf/secrets.toml",
        "token.json",
        "KUBECONFIG",
        ".kube/config",
        "home/.Kube/Config",
        ".docker/config.json",
        "x/.docker/config.json",
        ".aws/credentials",
        "release.jks",
        "android/debug.Keystore",
        ".pgpass",
        ".git-credentials",
        "/home/me/.kube/config",
    ],
)
def test_contents_that_may_be_secret_are_withheld(path: str) -> None:
    assert content_withheld(LedgerPath(path), ()) == "may hold a secret"


@pytest.mark.parametrize(
    "path",
    [
        "app.py",
        ".env.example",
        ".ENV.sample",
        "a/.env.template",
        "id_ed25519.pub",
        "keyboard.py",
        "config",
        "kube/config",
        "config.json",
        "src/secrets/index.py",
        "tokens.json",
    ],
)
def test_ordinary_contents_are_kept(path: str) -> None:
    assert content_withheld(LedgerPath(path), ()) is None


@pytest.mark.parametrize("glob", ["*.log", "build", "build/", "/build/x.log", "build/*"])
def test_the_workspaces_own_globs_withhold(glob: str) -> None:
    assert content_withheld(LedgerPath("build/x.log"), (glob,)) is not None
    assert content_withheld(LedgerPath("src/x.py"), (glob,)) is None
