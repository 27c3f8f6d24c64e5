"""What two texts begin and end with alike, by comparing whole blocks: a long text is as quick as any."""


def shared_head(one: bytes, other: bytes, most: int | None = None) -> int:
    """Count the first bytes that two texts share, no more than `most`."""
    view = memoryview(other)  # so that no block is copied
    low, high = 0, min(len(one), len(other)) if most is None else most
    while low < high:
        middle = (low + high + 1) // 2
        if one.startswith(view[low:middle], low):
            low = middle
        else:
            high = middle - 1
    return low


def shared_tail(one: bytes, other: bytes, most: int) -> int:
    """Count the last bytes that two texts share, no more than `most`."""
    view, size = memoryview(other), len(other)
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one.endswith(view[size - middle : size - low], 0, len(one) - low):
            low = middle
        else:
            high = middle - 1
    return low


def shared_characters(one: str, other: str) -> int:
    """Count the first characters that two texts share."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one.startswith(other[low:middle], low):
            low = middle
        else:
            high = middle - 1
    return low
