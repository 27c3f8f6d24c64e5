"""What harnesses are called is said once, and of every one that we know."""

import pytest

from sulcus_panel.core.capture.install.homes import HOMES
from sulcus_panel.core.capture.registry import ADAPTERS, IMPORTERS
from sulcus_panel.core.names import HARNESS_NAMES


@pytest.mark.parametrize("harness", sorted({*ADAPTERS, *IMPORTERS, *HOMES}))
def test_every_harness_that_we_know_has_a_name(harness: str) -> None:
    assert harness in HARNESS_NAMES
