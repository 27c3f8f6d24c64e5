#!/usr/bin/env python3
"""Set up and run Sulcus Panel from a checkout: `python3 packaging/dev.py demo` or `test`.

Standard library only. Makes .venv from the hash-pinned packaging/locks/dev.txt, checks the system libraries
that Qt needs, then does the job; what is already done is skipped. This file must parse on any Python 3, so
that an old one gets a sentence instead of a SyntaxError.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

if sys.version_info < (3, 11):  # noqa: UP036  the point of this line
    sys.exit(
        "Sulcus Panel needs Python 3.11 or newer, and this is %d.%d: run this file with a newer one, such as "  # noqa: UP031
        "`python3.11 packaging/dev.py demo`." % sys.version_info[:2]
    )

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
LOCK = ROOT / "packaging" / "locks" / "dev.txt"
STAMP = VENV / "sulcus-dev.json"
"""Written first, empty, into a .venv that we make; filled when all is installed. A .venv that something else
made has none until we have installed into it, and then one that says so."""
USAGE = """\
usage: python3 packaging/dev.py JOB [arguments passed on]

  demo    set up, then run `sulcus-panel demo`
  test    set up, then run the tests (pytest)
  check   set up, then run ruff, mypy and import-linter
  setup   set up only
"""
CHECKS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("mypy",),
    ("mypy", "packaging/dev.py"),
    ("lint-imports", "--no-logo"),
)


class SetupFailed(Exception):
    """One clear sentence for the person; the exit code is 1."""


def main(arguments: list[str]) -> int:
    """Set up what is not set up, then do the job and give its exit code."""
    job, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if job not in ("demo", "test", "check", "setup"):
        print(USAGE, end="", file=sys.stdout if job in ("-h", "--help") else sys.stderr)
        return 0 if job in ("-h", "--help") else 2
    try:
        if job != "check":
            provide_libraries(job, rest)
        set_up()
    except SetupFailed as problem:
        print(f"dev.py: {problem}", file=sys.stderr)
        return 1
    if job == "demo":  # where the person stands: a picture goes there
        return become([str(venv_python()), "-m", "sulcus_panel", "demo", *rest])
    if job == "test":
        os.chdir(ROOT)
        return become([str(venv_python()), "-m", "pytest", *rest])
    return run_checks() if job == "check" else 0


def say(text: str) -> None:
    """Progress, on stderr: stdout belongs to the job."""
    print(f"dev.py: {text}", file=sys.stderr, flush=True)


# The environment


def set_up() -> None:
    """Bring .venv to what the lock says. Costs a few milliseconds when it already is."""
    wanted = fingerprint()
    if ready(wanted):
        return
    try:
        ours = fill_venv()
    except SetupFailed as problem:
        if not uv():
            raise
        say(f"{problem}; once more without uv")  # its own certificates, say, where pip uses the system's
        os.environ["SULCUS_DEV_PIP"] = "1"
        ours = fill_venv()
    stamp = {"fingerprint": wanted, "installed": installed(), "ours": ours}
    STAMP.write_text(json.dumps(stamp, indent=1), encoding="utf-8")


def fill_venv() -> bool:
    """Make .venv and install everything into it; gives whether it is ours."""
    ours = prepare_venv()
    say("installing the locked packages (once; about 500 MB on disk) ...")
    install("--require-hashes", "-r", str(LOCK))
    install("--no-deps", "--no-build-isolation", "-e", str(ROOT))
    return ours


def fingerprint() -> str:
    """Changes whenever the environment must be brought up to date."""
    digest = hashlib.sha256(sys.version.encode())
    for file in (ROOT / "pyproject.toml", LOCK, Path(__file__)):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def ready(wanted: str) -> bool:
    """Whether our stamp is that of a finished set-up, and nobody has removed anything since."""
    stamp = read_stamp()
    return (
        stamp.get("fingerprint") == wanted
        and venv_python().exists()
        and set(stamp["installed"]) <= set(installed())
    )


def read_stamp() -> dict[str, Any]:
    """The stamp, {} where there is none and {"ours": True} for a .venv of ours that is unfinished."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
    except OSError:
        return {}
    except ValueError:
        return {"ours": True}
    return stamp if isinstance(stamp, dict) else {"ours": True}


def installed() -> list[str]:
    """The installed distributions with their versions, by the names of their folders."""
    return sorted(folder.name for folder in VENV.glob(site_packages() + "/*.dist-info"))


def site_packages() -> str:
    """Where packages lie below .venv, as a pattern."""
    return "Lib/site-packages" if os.name == "nt" else "lib/python*/site-packages"


def venv_python() -> Path:
    """The interpreter of .venv."""
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def prepare_venv() -> bool:
    """See that a working .venv is there and give whether it is ours; a broken one of ours is made again."""
    ours = bool(read_stamp().get("ours"))
    there = VENV.exists() and (ours or any(VENV.iterdir()))
    if there and venv_works():
        if not ours:
            say(f"{VENV} was made by something else: installing into it, removing nothing.")
        return ours
    if there and not ours:
        raise SetupFailed(
            f"{VENV} was made by something else and has no working Python {sys.version.split()[0]} with pip: "
            "move it away, then run this again."
        )
    if there:
        say(f"{VENV} is unfinished or of another Python: making it again.")
        shutil.rmtree(VENV)
    make_venv()
    return True


def venv_works() -> bool:
    """Whether .venv has a running interpreter of this version, and a way to install into it."""
    probe = "import sys; print(sys.version)" if uv() else "import sys, pip; print(sys.version)"
    try:
        answer = subprocess.run(
            [str(venv_python()), "-c", probe], capture_output=True, text=True, check=False, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0 and answer.stdout.strip() == sys.version


def make_venv() -> None:
    """Make .venv, marked as ours before anything else is in it."""
    say(f"making {VENV} with Python {sys.version.split()[0]} ...")
    if not uv():
        provide_ensurepip()
    VENV.mkdir(exist_ok=True)
    STAMP.touch()
    if uv():
        run([uv(), "venv", "--quiet", "--allow-existing", "--python", sys.executable, str(VENV)])
    else:
        run([sys.executable, "-m", "venv", str(VENV)])


def uv() -> str:
    """The path of uv, or "" where it is not there. SULCUS_DEV_PIP=1 makes do without it."""
    return "" if os.environ.get("SULCUS_DEV_PIP") else shutil.which("uv") or ""


def install(*arguments: str) -> None:
    """Install into .venv by uv or pip, whichever is there."""
    if uv():
        run([uv(), "pip", "install", "--quiet", "--python", str(venv_python()), *arguments])
    else:
        quiet = ("--quiet", "--disable-pip-version-check")
        run([str(venv_python()), "-m", "pip", "install", *quiet, *arguments])


def run(command: list[str]) -> None:
    """Run one step of the set-up; its own words are the explanation when it fails."""
    try:
        subprocess.run(command, check=True, cwd=ROOT)
    except (OSError, subprocess.CalledProcessError) as problem:
        raise SetupFailed(f"the set-up stopped, and the next run goes on from here: {problem}") from problem


# The system's libraries


def provide_libraries(job: str, arguments: list[str]) -> None:
    """See that Qt can start: as root on Debian install what is missing, else say the one line to run."""
    sys.path.insert(0, str(ROOT))
    from sulcus_panel.ui import preflight

    environ = dict(os.environ)
    if job == "test" or "--offscreen" in arguments:
        environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    found = preflight.check(preflight.System.here(environ))
    if found.packages and apt(found.packages):
        found = preflight.check(preflight.System.here(environ))
    if found.missing:
        hint = f" Run: {found.command}" if found.command else ""
        raise SetupFailed(found.problem + hint)


def provide_ensurepip() -> None:
    """Debian ships venv apart from Python."""
    try:
        import ensurepip  # noqa: F401  only whether it is there
    except ImportError:
        package = f"python3.{sys.version_info[1]}-venv"
        if not apt((package,)):
            raise SetupFailed(
                f"this Python cannot make virtual environments. On Debian or Ubuntu run: "
                f"sudo apt-get install -y {package}"
            ) from None


def apt(packages: tuple[str, ...]) -> bool:
    """Install Debian packages where we may and can; False where not."""
    if not shutil.which("apt-get") or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    say(f"installing system packages: {' '.join(packages)}")
    environ = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install_them = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *packages]
    for command in (install_them, ["apt-get", "update", "-q"], install_them):
        done = subprocess.run(
            command, env=environ, stdin=subprocess.DEVNULL, stdout=sys.stderr.fileno(), check=False
        )
        if command is install_them and done.returncode == 0:
            return True
    return False


# The job


def become(command: list[str]) -> int:
    """Run the job in place of this process, so that signals and exit codes are its own."""
    if os.name != "nt":
        os.execv(command[0], command)
    try:
        return subprocess.run(command, check=False).returncode
    except KeyboardInterrupt:
        return 130


def run_checks() -> int:
    """Every check, also after one that failed; 1 if any did."""
    failed = []
    for name, *arguments in CHECKS:
        say(f"{name} {' '.join(arguments)}".rstrip())
        program = venv_python().with_name(name + (".exe" if os.name == "nt" else ""))
        if subprocess.run([str(program), *arguments], check=False, cwd=ROOT).returncode:
            failed.append(name)
    if failed:
        say(f"failed: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
