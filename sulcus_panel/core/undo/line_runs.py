"""A run of lines as every door tells it: numbers from 1, and a place between two lines where the run is empty."""

Run = tuple[int, int]
"""Half-open, from 0; `(n, n)` is the place before line n."""


def line_numbers(run: Run) -> list[int]:
    """Return the first and the last line; of an empty run twice the line that it stands before."""
    start, end = run
    return [start + 1, max(start + 1, end)]


def lines_text(run: Run) -> str:
    """Return `line 3`, `lines 3–5`, or where no line is, `the place before line 3`."""
    start, end = run
    if end <= start:
        return f"the place before line {start + 1}"
    return f"line {end}" if end == start + 1 else f"lines {start + 1}–{end}"
