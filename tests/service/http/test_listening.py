"""Where a server listens: a port or a free one, a socket that is ours."""

import socket
from pathlib import Path

from sulcus_panel.service.http.listening import LONGEST_SOCKET_PATH, listen_on_port, listen_on_socket


def test_a_free_port_is_taken_as_asked_and_a_taken_one_replaced() -> None:
    first, told = listen_on_port(0)
    with first:
        assert told == ""
        assert first.getsockname()[0] == "127.0.0.1"
        second, told = listen_on_port(first.getsockname()[1])
        with second:
            assert str(second.getsockname()[1]) in told


def test_a_dead_socket_is_replaced_and_a_living_one_is_not(tmp_path: Path) -> None:
    path = tmp_path / "api.sock"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    living, told = listen_on_socket(path)
    assert living is not None
    with living:
        assert (told, path.stat().st_mode & 0o777) == ("", 0o600)
        other, told = listen_on_socket(path)
        assert other is None
        assert "another server" in told


def test_what_is_no_socket_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "api.sock"
    path.write_text("precious")
    found, told = listen_on_socket(path)
    assert (found, path.read_text()) == (None, "precious")
    assert str(path) in told


def test_a_path_too_long_for_a_socket_is_told(tmp_path: Path) -> None:
    found, told = listen_on_socket(tmp_path / ("x" * LONGEST_SOCKET_PATH))
    assert found is None
    assert "too long" in told
