"""The hook withholds what safety withholds, and asks further where a file has more names than one."""

from pathlib import Path

from sulcus_panel.core.capture.shell.secret_names import may_be_secret, withheld
from sulcus_panel.core.model import LedgerPath
from sulcus_panel.core.safety import HARMLESS as HARMLESS_NAMES
from sulcus_panel.core.safety import WITHHELD, content_withheld


def test_what_safety_withholds_is_withheld_and_nothing_else() -> None:
    names = [
        glob.replace("*", filled)
        for glob in (*WITHHELD, *HARMLESS_NAMES)
        for filled in ("", "x", ".b", "json")
    ]
    names += [name.upper() for name in names] + [f"deep/{name}" for name in names]
    names += [
        "config.json",
        "config",
        "environment.py",
        "a.keys",
        "envrc",
        ".envy",
        "credentials.py",
        "secret.txt",
    ]
    for name in names:
        assert withheld(name) == bool(content_withheld(LedgerPath(name), ())), name


def test_a_link_and_a_name_that_is_secret_by_its_folder_are_judged_further(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    (tmp_path / "link").symlink_to("a")
    for name, further in (("a", False), ("none", False), ("link", True), ("x/config", True), (".env", True)):
        assert may_be_secret(str(tmp_path / name)) is further
    assert not may_be_secret("no\0name")
