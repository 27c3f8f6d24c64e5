from sulcus_panel.core.capture.install.versions import is_older


def test_versions_are_compared_by_their_numbers() -> None:
    assert is_older("2.1.98", "2.1.139")
    assert is_older("2.1", "2.1.139")
    assert not is_older("2.1.139", "2.1.139")
    assert not is_older("10.0", "2.1.139")
