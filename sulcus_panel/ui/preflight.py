"""What Qt needs from the machine, looked at before Qt can abort the process without a word.

A missing system library is an ImportError at best and a SIGABRT at worst, and Qt's own hint names the wrong
package. So each library is opened by its soname first. Standard library only, no Qt: packaging/dev.py uses
this file before anything is installed.
"""

import ctypes
import os
import socket
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from sulcus_panel.core.errors import SulcusError

# soname -> Debian package, measured on a minimal Debian 12 with Qt 6.11 and 6.12.
ALWAYS = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libfontconfig.so.1": "libfontconfig1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libX11.so.6": "libx11-6",
}
X11 = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
WAYLAND = {"libwayland-client.so.0": "libwayland-client0", "libwayland-cursor.so.0": "libwayland-cursor0"}
OF_PLATFORM = {"xcb": X11, "wayland": WAYLAND}
RENAMED = {"libglib2.0-0": "libglib2.0-0t64"}
"""Since the 64-bit time transition: Debian 13, Ubuntu 24.04 and newer."""
RENAMED_SINCE = {"debian": 13.0, "ubuntu": 24.04}


class PreflightFailed(SulcusError):
    """The machine cannot start Qt as it is; the hint is the one line to run."""

    code = "preflight_failed"


@dataclass(frozen=True, slots=True)
class System:
    """The machine as far as Qt's start depends on it. Tests give their own."""

    environ: Mapping[str, str]
    reachable: Callable[[Mapping[str, str], str], bool]
    """Whether the display that the environment names answers, for `wayland` or `xcb`."""
    load: Callable[[str], object] = ctypes.CDLL
    name: str = sys.platform
    python: tuple[int, int] = sys.version_info[:2]
    pyside: str | None = None
    os_release: Mapping[str, str] | None = None
    root: bool = False

    @classmethod
    def here(cls, environ: Mapping[str, str] | None = None) -> "System":
        """This machine, with its installed PySide6 where there is one."""
        return cls(
            environ=os.environ if environ is None else environ,
            pyside=_installed("PySide6-Essentials"),
            os_release=_os_release(),
            root=hasattr(os, "geteuid") and os.geteuid() == 0,
            reachable=_display_answers,
        )


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found: the Qt platform to use, and why Qt cannot start, if it cannot."""

    platform: str
    """`offscreen`, `xcb`, `wayland`, what QT_QPA_PLATFORM names, or "" where the system has only one."""
    note: str = ""
    """Worth saying, not a failure: no window will be seen."""
    refusal: str = ""
    """One sentence why this Python and this PySide6 must not run together."""
    missing: tuple[str, ...] = ()
    """Sonames that cannot be opened."""
    packages: tuple[str, ...] = ()
    """Debian packages that bring them; empty on other systems."""
    command: str = ""
    """The one line to run."""

    @property
    def ok(self) -> bool:
        """Whether Qt can start."""
        return not self.refusal and not self.missing

    @property
    def problem(self) -> str:
        """One clear sentence, or "" when all is well."""
        if self.refusal:
            return self.refusal
        if not self.missing:
            return ""
        noun = "a system library" if len(self.missing) == 1 else "system libraries"
        return f"Qt needs {noun} that this machine does not have: {', '.join(self.missing)}."


def check(system: System | None = None) -> Finding:
    """Look at the machine without changing it or importing Qt."""
    system = system or System.here()
    platform, note = _platform_and_note(system)
    refusal = refuse(system)
    missing = missing_libraries(system, platform)
    packages = _debian_names(missing, system.os_release) if _is_debian(system.os_release) else ()
    return Finding(platform, note, refusal, tuple(missing), packages, _command(missing, packages, system))


def prepare() -> str:
    """Before QApplication: choose the platform and give a note to show, or raise PreflightFailed."""
    found = check()
    if not found.ok:
        hint = f"Run: {found.command}" if found.command else "Install them, then start again."
        raise PreflightFailed("The window cannot be opened", found.problem, "" if found.refusal else hint)
    if found.platform in ("offscreen", "wayland"):  # else Qt's own choice is the same
        os.environ.setdefault("QT_QPA_PLATFORM", found.platform)
    return found.note


def choose_platform(environ: Mapping[str, str]) -> str:
    """The Qt platform for this environment: `offscreen` where no window would be seen."""
    return _platform_and_note(System(environ, reachable=_display_answers))[0]


def _platform_and_note(system: System) -> tuple[str, str]:
    asked = system.environ.get("QT_QPA_PLATFORM", "")
    if asked:
        return asked.split(";")[0].split(":")[0], ""
    if not system.name.startswith("linux"):
        return "", ""
    for platform, variable in (("wayland", "WAYLAND_DISPLAY"), ("xcb", "DISPLAY")):
        if system.environ.get(variable) and system.reachable(system.environ, platform):
            return platform, ""
    named = system.environ.get("WAYLAND_DISPLAY") or system.environ.get("DISPLAY")
    if named:
        return "offscreen", f"The display {named} does not answer: drawing off screen."
    return "offscreen", "No display (neither DISPLAY nor WAYLAND_DISPLAY is set): drawing off screen."


def refuse(system: System) -> str:
    """PySide6 6.12.0 drops references to None and aborts Python below 3.12 (PYSIDE-3474)."""
    if system.pyside != "6.12.0" or system.python >= (3, 12):
        return ""
    return (
        f"PySide6 6.12.0 aborts Python {system.python[0]}.{system.python[1]} after some thousand calls: "
        "use PySide6-Essentials 6.11.3, or Python 3.12 or newer."
    )


def missing_libraries(system: System, platform: str) -> list[str]:
    """Sonames that Qt would need on that platform and that cannot be opened. Linux only."""
    if not system.name.startswith("linux"):
        return []
    needed = [*ALWAYS, *OF_PLATFORM.get(platform.partition("-")[0], {})]
    return [soname for soname in needed if not _opens(soname, system.load)]


def _opens(soname: str, load: Callable[[str], object]) -> bool:
    try:
        load(soname)
    except OSError:
        return False
    return True


def _installed(distribution: str) -> str | None:
    from importlib import metadata  # 40 ms that packaging/dev.py need not pay

    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def _os_release() -> Mapping[str, str]:
    try:
        with open("/etc/os-release", encoding="utf-8") as lines:
            pairs = [line.strip().partition("=") for line in lines]
    except OSError:
        return {}
    return {key: value.strip("\"'") for key, _, value in pairs}


def _family(os_release: Mapping[str, str] | None) -> list[str]:
    release = os_release or {}
    return [release.get("ID", ""), *release.get("ID_LIKE", "").split()]


def _is_debian(os_release: Mapping[str, str] | None) -> bool:
    return "debian" in _family(os_release)


def _debian_names(sonames: Iterable[str], os_release: Mapping[str, str] | None) -> tuple[str, ...]:
    release = os_release or {}
    try:
        version = float(release.get("VERSION_ID", "inf"))  # sid has none
    except ValueError:
        version = float("inf")
    since = RENAMED_SINCE.get(release.get("ID", ""), float("inf"))
    known = {**ALWAYS, **X11, **WAYLAND}
    names = [known[soname] for soname in sonames]
    return tuple(RENAMED.get(name, name) if version >= since else name for name in names)


def _command(missing: Iterable[str], packages: tuple[str, ...], system: System) -> str:
    sudo = "" if system.root else "sudo "
    if packages:
        return f"{sudo}apt-get install -y {' '.join(packages)}"
    sonames = list(missing)
    if sonames and "fedora" in _family(system.os_release):
        wanted = " ".join(f"'{soname}()(64bit)'" for soname in sonames)
        return f"{sudo}dnf install -y {wanted}"
    return ""


def _display_answers(environ: Mapping[str, str], platform: str) -> bool:
    """Whether a server stands behind the name: Qt aborts when it does not."""
    if platform == "wayland":
        folder = environ.get("XDG_RUNTIME_DIR", "")
        return _answers(os.path.join(folder, environ["WAYLAND_DISPLAY"]))
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # the libraries are looked at, and named, afterwards
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(environ["DISPLAY"].encode(), None))
    failed = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not failed


def _answers(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(path)
        except OSError:
            return False
    return True
