"""The locks answer pyproject.toml, pin everything by hash, and know no index."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ROOT / "packaging" / "locks"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
RUNTIME = [Requirement(line) for line in PROJECT["project"]["dependencies"]]
DEVELOPMENT = [Requirement(line) for line in PROJECT["dependency-groups"]["dev"]]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def blocks(name: str) -> list[str]:
    """One text for each pinned package: its line, its hashes, who wants it."""
    text = (LOCKS / name).read_text(encoding="utf-8")
    return [block for block in re.split(r"(?m)^(?=[a-z0-9])", text) if block.strip()]


def pins(name: str, python: str) -> dict[str, Version]:
    """What that lock installs on Linux with that Python."""
    environment = {"python_version": python, "python_full_version": f"{python}.1", "sys_platform": "linux"}
    pinned: dict[str, Version] = {}
    for block in blocks(name):
        requirement = Requirement(block.split("\\\n")[0].strip())
        if requirement.marker is None or requirement.marker.evaluate(environment):
            [pin] = requirement.specifier
            assert pin.operator == "=="
            assert requirement.name not in pinned
            pinned[canonicalize_name(requirement.name)] = Version(pin.version)
    return pinned


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize(
    ("lock", "wanted"),
    [("dev.txt", [*RUNTIME, *DEVELOPMENT]), ("runtime.txt", RUNTIME)],
    ids=["dev", "runtime"],
)
def test_each_declared_dependency_is_pinned_within_its_range(
    lock: str, wanted: list[Requirement], python: str
) -> None:
    pinned = pins(lock, python)
    for requirement in wanted:
        if requirement.marker is None or requirement.marker.evaluate({"python_version": python}):
            assert pinned[canonicalize_name(requirement.name)] in requirement.specifier, requirement


@pytest.mark.parametrize("python", PYTHONS)
def test_both_locks_pin_the_same_versions(python: str) -> None:
    assert pins("runtime.txt", python).items() <= pins("dev.txt", python).items()


def test_the_pyside_that_aborts_old_pythons_is_never_installed_there() -> None:
    assert pins("dev.txt", "3.11")["pyside6-essentials"] < Version("6.12")
    assert pins("dev.txt", "3.12")["pyside6-essentials"] >= Version("6.12")


@pytest.mark.parametrize("lock", ["dev.txt", "runtime.txt"])
def test_every_package_has_hashes_and_no_address(lock: str) -> None:
    for block in blocks(lock):
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", block), block
        assert "://" not in block
        assert "-index" not in block.replace("# via", "")


def test_nothing_in_the_set_up_names_an_index() -> None:
    for file in (ROOT / "packaging/dev.py", ROOT / ".ci/run", ROOT / "pyproject.toml"):
        text = file.read_text(encoding="utf-8")
        assert "index-url" not in text
        assert "simple/" not in text
