"""Does a text hold a key? By the shapes that their issuers made to be found, never by guess. Pure."""

import functools
import re
from collections.abc import Callable

_SHAPES = (
    (b"AKIA", rb"\bAKIA[0-9A-Z]{16}\b"),
    (b"ASIA", rb"\bASIA[0-9A-Z]{16}\b"),
    (b"gh", rb"\bgh[pousr]_[A-Za-z0-9]{36,251}\b"),
    (b"github_pat_", rb"\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b"),
    (b"glpat-", rb"\bglpat-[A-Za-z0-9_-]{20,}"),
    (b"xox", rb"\bxox[abeprs]-[A-Za-z0-9-]{10,}"),
    (b"sk_live_", rb"\bsk_live_[A-Za-z0-9]{24,}"),
    (b"rk_live_", rb"\brk_live_[A-Za-z0-9]{24,}"),
    (b"sk-ant-", rb"\bsk-ant-[A-Za-z0-9_-]{80,}"),
    (b"sk-proj-", rb"\bsk-proj-[A-Za-z0-9_-]{40,}"),
    (b"AIza", rb"\bAIza[0-9A-Za-z_-]{35}\b"),
    (b"npm_", rb"\bnpm_[A-Za-z0-9]{36}\b"),
    (b"pypi-", rb"\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,}"),
    (b"PRIVATE KEY", rb"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----\r?\n(?:[^-\n]*\n){2,}"),
)
"""What every such key has in it, quick to look for, and its whole shape."""

Search = Callable[[bytes], object]


@functools.cache
def _shapes() -> tuple[tuple[bytes, Search], ...]:
    return tuple((mark, re.compile(shape).search) for mark, shape in _SHAPES)


def holds_a_key(data: bytes) -> bool:
    """Say whether a key of a known issuer, or a private key with a body, stands in the text."""
    return any(mark in data and search(data) for mark, search in _shapes())
