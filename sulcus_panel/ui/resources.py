"""Where icons and other files of the program lie, in a checkout, a wheel or a bundle alike."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


def resource_path(name: str) -> Path:
    """The file `name` (POSIX, such as "icons/undo.svg") below resources/.

    A wheel carries the folder inside the package, a checkout beside it. Raises FileNotFoundError.
    """
    for folder in (PACKAGE / "resources", PACKAGE.parent / "resources"):
        if (folder / name).is_file():
            return folder / name
    raise FileNotFoundError(f"no resource {name!r} in {PACKAGE / 'resources'} or beside the package")
