import xml.etree.ElementTree as ET

import pytest
from PySide6.QtGui import QIcon

from sulcus_panel.ui.resources import resource_path

ICONS = sorted(path.name for path in resource_path("icons/sulcus-panel.svg").parent.glob("*.svg"))


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("name", ICONS)
def test_every_icon_is_drawn(name: str) -> None:
    image = QIcon(str(resource_path(f"icons/{name}"))).pixmap(24, 24).toImage()
    assert not image.isNull()
    painted = [(x, y) for x in range(24) for y in range(24) if image.pixelColor(x, y).alpha()]
    assert len(painted) > 20


@pytest.mark.parametrize("name", ICONS)
def test_icons_name_no_address_beyond_the_svg_namespace(name: str) -> None:
    root = ET.fromstring(resource_path(f"icons/{name}").read_text(encoding="utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert not any("href" in key for element in root.iter() for key in element.attrib)


def test_an_unknown_resource_is_our_bug_and_says_its_name() -> None:
    with pytest.raises(FileNotFoundError, match=r"icons/nothing\.svg"):
        resource_path("icons/nothing.svg")
