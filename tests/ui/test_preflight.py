import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import sulcus_panel
from sulcus_panel.ui.preflight import ALWAYS, X11, PreflightFailed, System, check, choose_platform, prepare

ROOT = Path(sulcus_panel.__file__).parents[1]
BOOKWORM = {"ID": "debian", "VERSION_ID": "12"}
X = {"DISPLAY": ":0"}


def without(*sonames: str) -> Callable[[str], object]:
    """A loader on a machine that lacks these libraries."""

    def load(soname: str) -> object:
        if soname in sonames:
            raise OSError(f"{soname}: cannot open shared object file")
        return soname

    return load


def answering(_environ: object, _platform: str) -> bool:
    return True


def machine(  # the machine of a test: Linux, Debian 12, Python 3.11, all libraries there
    environ: dict[str, str] | None = None,
    *,
    lacks: tuple[str, ...] = (),
    release: dict[str, str] = BOOKWORM,
    root: bool = False,
    answers: bool = True,
) -> System:
    return System(
        environ=environ or {},
        load=without(*lacks),
        name="linux",
        python=(3, 11),
        pyside="6.11.3",
        os_release=release,
        root=root,
        reachable=lambda _environ, _platform: answers,
    )


def test_a_complete_machine_with_a_display_has_no_problem() -> None:
    found = check(machine(X))
    assert (found.ok, found.platform, found.problem, found.note) == (True, "xcb", "", "")


def test_without_a_display_qt_draws_off_screen_and_says_so() -> None:
    found = check(machine())
    assert found.ok
    assert found.platform == "offscreen"
    assert "No display" in found.note


def test_a_display_that_does_not_answer_is_no_display() -> None:
    found = check(machine({"DISPLAY": ":77"}, answers=False))
    assert found.platform == "offscreen"
    assert found.note == "The display :77 does not answer: drawing off screen."


def test_wayland_is_preferred_and_the_persons_own_choice_decides() -> None:
    both = X | {"WAYLAND_DISPLAY": "wayland-0"}
    assert check(machine(both)).platform == "wayland"
    assert check(machine(both | {"QT_QPA_PLATFORM": "xcb:opt;offscreen"})).platform == "xcb"


def test_missing_libraries_are_named_with_one_line_to_run() -> None:
    found = check(machine(X, lacks=("libxcb-icccm.so.4", "libEGL.so.1")))
    assert not found.ok
    assert found.problem == (
        "Qt needs system libraries that this machine does not have: libEGL.so.1, libxcb-icccm.so.4."
    )
    assert found.command == "sudo apt-get install -y libegl1 libxcb-icccm4"


def test_root_needs_no_sudo_and_one_library_is_said_in_the_singular() -> None:
    found = check(machine(lacks=("libGL.so.1",), root=True))
    assert found.command == "apt-get install -y libgl1"
    assert "a system library" in found.problem


def test_x_libraries_are_not_asked_for_off_screen() -> None:
    assert check(machine({"QT_QPA_PLATFORM": "offscreen"}, lacks=tuple(X11))).ok


@pytest.mark.parametrize(
    ("release", "name"),
    [
        ({"ID": "debian", "VERSION_ID": "12"}, "libglib2.0-0"),
        ({"ID": "debian", "VERSION_ID": "13"}, "libglib2.0-0t64"),
        ({"ID": "debian"}, "libglib2.0-0t64"),
        ({"ID": "ubuntu", "ID_LIKE": "debian", "VERSION_ID": "22.04"}, "libglib2.0-0"),
        ({"ID": "ubuntu", "ID_LIKE": "debian", "VERSION_ID": "24.04"}, "libglib2.0-0t64"),
        ({"ID": "linuxmint", "ID_LIKE": "ubuntu debian", "VERSION_ID": "21"}, "libglib2.0-0"),
    ],
)
def test_package_names_follow_the_release(release: dict[str, str], name: str) -> None:
    assert check(machine(lacks=("libglib-2.0.so.0",), release=release)).packages == (name,)


def test_other_distributions_get_what_can_be_said() -> None:
    lacks = ("libGL.so.1",)
    fedora = check(machine(lacks=lacks, release={"ID": "fedora"}))
    assert fedora.command == "sudo dnf install -y 'libGL.so.1()(64bit)'"
    other = check(machine(lacks=lacks, release={"ID": "gentoo"}))
    assert (other.command, other.packages, other.missing) == ("", (), lacks)


def test_nothing_is_looked_at_outside_linux() -> None:
    found = check(System({}, answering, load=without(*ALWAYS), name="darwin", pyside="6.11.3"))
    assert (found.ok, found.platform) == (True, "")


@pytest.mark.parametrize(
    ("python", "pyside", "refused"),
    [
        ((3, 11), "6.12.0", True),
        ((3, 12), "6.12.0", False),
        ((3, 11), "6.11.3", False),
        ((3, 11), None, False),
    ],
)
def test_the_pyside_that_aborts_old_pythons_is_refused_in_one_sentence(
    python: tuple[int, int], pyside: str | None, refused: bool
) -> None:
    found = check(System({}, answering, load=without(), name="linux", python=python, pyside=pyside))
    assert found.ok is not refused
    assert ("PySide6 6.12.0 aborts Python 3.11" in found.problem) is refused


def test_prepare_chooses_off_screen_before_qt_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert "No display" in prepare()
    assert os.environ["QT_QPA_PLATFORM"] == "offscreen"


def test_prepare_fails_with_a_title_a_detail_and_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ALWAYS, "libnothere.so.9", "libnothere9")
    with pytest.raises(PreflightFailed) as failure:
        prepare()
    assert failure.value.title == "The window cannot be opened"
    assert "libnothere.so.9" in failure.value.detail
    assert failure.value.hint


@pytest.mark.skipif(sys.platform != "linux", reason="displays are Linux's")
def test_a_dead_display_is_found_out_without_qt() -> None:
    assert choose_platform({"DISPLAY": ":4099"}) == "offscreen"
    assert choose_platform({"WAYLAND_DISPLAY": "none", "XDG_RUNTIME_DIR": "/nonexistent"}) == "offscreen"


def test_importing_it_needs_nothing_but_the_standard_library() -> None:
    code = (
        "import sys; before = set(sys.modules); from sulcus_panel.ui import preflight, resources; "
        "new = {name.split('.')[0] for name in set(sys.modules) - before}; "
        "print(sorted(new - set(sys.stdlib_module_names)))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "['sulcus_panel']"
