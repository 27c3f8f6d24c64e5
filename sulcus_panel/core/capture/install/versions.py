"""Which of two versions of a harness is older: what decides whether it understands our hooks."""


def is_older(version: str, than: str) -> bool:
    """Whether one version comes before another, both numbers with points between."""
    return _numbers(version) < _numbers(than)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
