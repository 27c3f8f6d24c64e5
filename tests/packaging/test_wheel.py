"""The wheel holds the package with its resources, and finds them where it is installed."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, check=True, capture_output=True, cwd=ROOT)
    [built] = folder.glob("*.whl")
    return built


def test_it_holds_all_resources_and_no_tests(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    resources = {
        "sulcus_panel/" + path.relative_to(ROOT).as_posix()
        for path in (ROOT / "resources").rglob("*")
        if path.is_file()
    }
    assert resources <= names
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"sulcus_panel"}


def test_an_unpacked_wheel_finds_its_resources(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = "from sulcus_panel.ui.resources import resource_path; print(resource_path('icons/undo.svg'))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {code}"],
        check=True,
        capture_output=True,
        text=True,
        cwd="/",
    )
    assert Path(done.stdout.strip()) == tmp_path / "sulcus_panel/resources/icons/undo.svg"
