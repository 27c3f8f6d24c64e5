"""What two texts begin and end with alike, by comparing whole blocks: a long text is as quick as any."""

from typing import AnyStr


def shared_head(one: AnyStr, other: AnyStr, most: int | None = None) -> int:
    """Count the first bytes (or characters) that two texts share, no more than `most`."""
    low, high = 0, min(len(one), len(other)) if most is None else most
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def shared_tail(one: AnyStr, other: AnyStr, most: int) -> int:
    """Count the last bytes (or characters) that two texts share, no more than `most`."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low
