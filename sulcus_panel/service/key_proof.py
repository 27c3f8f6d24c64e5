"""Whoever listens at an address proves that it knows a key before that is sent there: a port may be a stranger's.

The server keeps a key's hash alone, and the client can make it. Asked with a fresh word, and with a name for the
key that gives nothing away, the server answers with a MAC under that hash. What a stranger hears serves nowhere.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterable

WORD_BYTES = 16


def hashed(key: str) -> bytes:
    """Return what a ledger keeps of a key."""
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()


def name_of(key_hash: bytes) -> str:
    """Return a name for a key by which only who has its hash can find it."""
    return hashlib.sha256(b"sulcus-panel key\0" + key_hash).hexdigest()


def fresh_word() -> str:
    """Return a word that no proof was made for yet."""
    return secrets.token_hex(WORD_BYTES)


def proof(key_hash: bytes, word: str) -> str:
    """Return what shows, for this word alone, that the hash is known."""
    return hmac.new(key_hash, b"sulcus-panel listens\0" + word.encode(), hashlib.sha256).hexdigest()


def is_proof(said: object, key: str, word: str) -> bool:
    """Say whether an answer proves that this key is known."""
    return isinstance(said, str) and hmac.compare_digest(
        said.encode("utf-8", "replace"), proof(hashed(key), word).encode()
    )


def proof_of(named: str, word: str, key_hashes: Iterable[bytes]) -> str | None:
    """Return the proof for the key of this name; None where none of these has it."""
    return next((proof(each, word) for each in key_hashes if name_of(each) == named), None)
