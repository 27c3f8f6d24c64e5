"""The numbers of changes, as people type them."""

import argparse

from sulcus_panel.core.model import SeqId


def seq_id(text: str) -> SeqId:
    """Read a seq_id, with or without its #."""
    digits = text.removeprefix("#")
    if not digits.isdecimal() or not 0 < int(digits) < 2**63:
        raise argparse.ArgumentTypeError(f"{text!r} is not the number of a change")
    return SeqId(int(digits))
