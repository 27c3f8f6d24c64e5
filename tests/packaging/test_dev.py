"""The set-up script as a person runs it, on a small stand-in checkout that needs no registry."""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DEV = ROOT / "packaging" / "dev.py"
REAL_FILES = (
    "packaging/dev.py",
    "sulcus_panel/__init__.py",
    "sulcus_panel/core/__init__.py",
    "sulcus_panel/core/errors.py",
    "sulcus_panel/ui/__init__.py",
    "sulcus_panel/ui/preflight.py",
)
JOB = "import sys; print('job', *sys.argv[1:]); sys.exit(7)\n"
PYPROJECT = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
BACKEND = '''
import zipfile

def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """A wheel that puts nothing but a name into the environment."""
    name = "stand_in-1-py3-none-any.whl"
    info = "stand_in-1.dist-info/"
    with zipfile.ZipFile(f"{wheel_directory}/{name}", "w") as wheel:
        wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: stand-in\\nVersion: 1\\n")
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(info + "RECORD", "")
    return name
'''

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def make_checkout(root: Path) -> Path:
    for name in REAL_FILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    (root / "packaging/locks").mkdir()
    (root / "packaging/locks/dev.txt").write_text("# nothing to install\n")
    (root / "pyproject.toml").write_text(PYPROJECT)
    (root / "backend.py").write_text(BACKEND)
    (root / "pytest.py").write_text(JOB)
    (root / "sulcus_panel/__main__.py").write_text(JOB)
    return root


def dev(root: Path, *arguments: str, **environ: str) -> "subprocess.CompletedProcess[str]":
    """Run packaging/dev.py of that checkout with pip, never uv: what a bare machine has."""
    # The stand-in for the build backend installs no package: it is found by its folder, wherever one stands.
    place = {"PYTHONPATH": str(root), "SULCUS_DEV_PIP": "1", "QT_QPA_PLATFORM": "offscreen"}
    given = {**os.environ, **place, **environ}
    return subprocess.run(
        [sys.executable, str(root / "packaging/dev.py"), *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=given,
        cwd="/",
    )


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout after its first set-up, shared: making .venv takes seconds."""
    root = make_checkout(tmp_path_factory.mktemp("checkout"))
    done = dev(root, "setup")
    assert done.returncode == 0, done.stderr
    assert "making" in done.stderr
    return root


@pytest.fixture
def fake_apt(tmp_path: Path) -> Callable[[int], dict[str, str]]:
    """A Debian of our own: an apt-get that writes down what it is asked, and an environment that finds it."""

    def install(exit_code: int) -> dict[str, str]:
        program = tmp_path / "apt-get"
        program.write_text(f'#!/bin/sh\necho "$@" >> "{tmp_path}/asked"\nexit {exit_code}\n')
        program.chmod(0o755)
        return {"PATH": f"{tmp_path}:{os.environ['PATH']}"}

    return install


@pytest.mark.parametrize("job", ["demo", "test"])
def test_a_second_run_goes_straight_to_the_job_and_passes_everything_through(
    checkout: Path, job: str
) -> None:
    done = dev(checkout, job, "-q", "--some=thing")
    assert done.stdout == ("job demo -q --some=thing\n" if job == "demo" else "job -q --some=thing\n")
    assert done.returncode == 7
    assert done.stderr == ""


def test_a_changed_lock_is_installed_again_without_a_new_environment(checkout: Path) -> None:
    with open(checkout / "packaging/locks/dev.txt", "a") as lock:
        lock.write("# newer\n")
    done = dev(checkout, "setup")
    assert "installing" in done.stderr
    assert "making" not in done.stderr
    assert dev(checkout, "setup").stderr == ""


def test_a_package_removed_behind_our_back_is_put_back(checkout: Path) -> None:
    [info] = checkout.glob(".venv/lib/python*/site-packages/stand_in-1.dist-info")
    shutil.rmtree(info)
    assert "installing" in dev(checkout, "setup").stderr
    assert info.is_dir()


def test_a_failed_install_says_so_in_one_sentence_and_the_next_run_repairs_it(checkout: Path) -> None:
    lock = checkout / "packaging/locks/dev.txt"
    good = lock.read_text()
    lock.write_text("not a requirement\n")
    failed = dev(checkout, "demo")
    lock.write_text(good)
    assert failed.returncode == 1
    assert failed.stdout == ""
    assert "dev.py: the set-up stopped, and the next run goes on from here" in failed.stderr
    assert "Traceback" not in failed.stderr
    assert dev(checkout, "demo").returncode == 7


@pytest.mark.slow
def test_an_unfinished_environment_of_ours_is_made_again(tmp_path: Path) -> None:
    root = make_checkout(tmp_path / "checkout")
    (root / ".venv/bin").mkdir(parents=True)
    (root / ".venv/sulcus-dev.json").touch()
    done = dev(root, "demo")
    assert "is unfinished or of another Python: making it again" in done.stderr
    assert done.returncode == 7


def test_an_environment_of_somebody_else_that_cannot_be_used_is_left_alone(tmp_path: Path) -> None:
    root = make_checkout(tmp_path / "checkout")
    (root / ".venv").mkdir()
    (root / ".venv/precious").write_text("mine")
    done = dev(root, "setup")
    assert done.returncode == 1
    assert "was made by something else" in done.stderr
    assert [file.name for file in (root / ".venv").iterdir()] == ["precious"]


@pytest.mark.slow
def test_a_working_environment_of_somebody_else_is_used_and_never_removed(tmp_path: Path) -> None:
    root = make_checkout(tmp_path / "checkout")
    subprocess.run([sys.executable, "-m", "venv", str(root / ".venv")], check=True)
    (root / ".venv/precious").write_text("mine")
    first = dev(root, "demo")
    assert "was made by something else: installing into it, removing nothing" in first.stderr
    assert first.returncode == 7
    assert dev(root, "demo").stderr == ""
    (root / ".venv/bin/python").unlink()
    assert dev(root, "demo").returncode == 1
    assert (root / ".venv/precious").read_text() == "mine"


def test_missing_system_libraries_are_a_sentence_and_one_line_before_anything_is_made(
    tmp_path: Path, fake_apt: Callable[[int], dict[str, str]]
) -> None:
    root = make_checkout(tmp_path / "checkout")
    add_missing_library(root)
    done = dev(root, "demo", **fake_apt(100))
    assert done.returncode == 1
    assert "Qt needs a system library that this machine does not have: libnothere.so.9." in done.stderr
    assert not (root / ".venv").exists()


@pytest.mark.skipif(not Path("/etc/debian_version").exists(), reason="Debian's way")
@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root may install")
def test_root_on_debian_gets_them_installed_after_one_update(
    tmp_path: Path, fake_apt: Callable[[int], dict[str, str]]
) -> None:
    root = make_checkout(tmp_path / "checkout")
    add_missing_library(root)
    done = dev(root, "demo", **fake_apt(100))
    asked = (tmp_path / "asked").read_text().splitlines()
    install = "install -y -q --no-install-recommends libnothere9"
    assert asked == [install, "update -q", install]
    assert "Run: apt-get install -y libnothere9" in done.stderr


def test_an_unknown_job_is_a_usage_error(checkout: Path) -> None:
    assert dev(checkout).returncode == 2
    assert dev(checkout, "dance").stderr.startswith("usage: python3 packaging/dev.py JOB")
    assert dev(checkout, "--help").returncode == 0


def test_an_old_python_can_still_read_the_file_as_far_as_its_one_sentence() -> None:
    source = DEV.read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 6))
    [check] = [
        node for node in tree.body if isinstance(node, ast.If) and "version_info" in ast.unparse(node.test)
    ]
    before = tree.body[: tree.body.index(check)]
    assert all(isinstance(node, ast.Import | ast.ImportFrom | ast.Expr) for node in before)
    assert "Sulcus Panel needs Python 3.11 or newer" in ast.unparse(check)


def test_only_the_standard_library_is_imported() -> None:
    tree = ast.parse(DEV.read_text(encoding="utf-8"))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        if isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    assert names - set(sys.stdlib_module_names) == {"sulcus_panel"}


def add_missing_library(root: Path) -> None:
    """Make that checkout need a library that no machine has."""
    with open(root / "sulcus_panel/ui/preflight.py", "a") as preflight:
        preflight.write('\nALWAYS["libnothere.so.9"] = "libnothere9"\n')
