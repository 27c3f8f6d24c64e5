"""How values are written into columns and read back: times, paths, texts, hashes, hunks.

A time is whole microseconds since 1970 UTC. A path is TEXT where it is valid UTF-8 and a BLOB of its raw
bytes where not, so that every name survives. Hunks are one compact BLOB a change (docs/ledger-format.md).
"""

import zlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from sulcus_panel.core.errors import BadRequest, LedgerCorrupt
from sulcus_panel.core.model import Hunk, LedgerPath, Sha256

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
COMPRESS_ABOVE = 256
_WINDOWS = ((512, 9, 1), (4_096, 12, 5))
"""Up to so many bytes, which is the window that these bits name; and zlib's level of memory for it."""
PLAIN, DEFLATED = b"\x00", b"\x01"
HAS_OLD, HAS_NEW, IS_EXACT = 1, 2, 4


def utc_now() -> datetime:
    """The clock of the world; tests bring their own."""
    return datetime.now(UTC)


def to_micros(at: datetime) -> int:
    """An aware datetime as stored."""
    return (at - EPOCH) // MICROSECOND


def from_micros(stored: int) -> datetime:
    """A stored time as an aware UTC datetime."""
    return EPOCH + timedelta(microseconds=stored)


def encode_path(path: str) -> str | bytes:
    """A path as stored: TEXT when valid UTF-8, else the raw bytes.

    Raises:
        BadRequest: the path holds a surrogate that stands for no byte; no file can have that name.
    """
    if path.isascii():
        return path
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        try:
            return path.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError as error:
            raise BadRequest("A path holds a character that no file name can hold", repr(path)) from error
    return path


def decode_path(stored: str | bytes) -> LedgerPath:
    """A stored path, bytes that are not UTF-8 as surrogate escapes."""
    if isinstance(stored, bytes):
        return LedgerPath(stored.decode("utf-8", "surrogateescape"))
    return LedgerPath(stored)


def encode_text(text: str, limit: int | None = None) -> str:
    """Text that SQLite can hold: lone surrogates become `?`, and it is cut at `limit` characters."""
    if limit is not None and len(text) > limit:
        text = text[: limit - 1] + "…"
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def encode_raw_text(text: str) -> str | bytes:
    """A command or a folder: its bytes survive as in a path, a surrogate that is no byte becomes `?`."""
    try:
        return encode_path(text)
    except BadRequest:
        return encode_text(text)


def folded(*texts: str) -> str:
    """What a search looks in: the texts without case, each on its own; odd bytes become U+FFFD."""
    joined = "\x1f".join(texts).casefold()
    if joined.isascii():
        return joined
    try:
        joined.encode("utf-8")
    except UnicodeEncodeError:
        raw = encode_raw_text(joined)
        return raw.decode("utf-8", "replace") if isinstance(raw, bytes) else raw
    return joined


def encode_sha(sha: str | None) -> bytes | None:
    """A hash as its 32 bytes.

    Raises:
        BadRequest: not 64 hexadecimal digits.
    """
    if sha is None:
        return None
    try:
        raw = bytes.fromhex(sha)
    except ValueError:
        raw = b""
    if len(raw) != 32 or sha != raw.hex():
        raise BadRequest("A hash is not 64 lower-case hexadecimal digits", sha[:80], field="sha256")
    return raw


def decode_sha(stored: bytes | None) -> Sha256 | None:
    """A stored hash as hexadecimal digits."""
    return None if stored is None else Sha256(stored.hex())


def deflated(data: bytes | bytearray) -> bytes:
    """The bytes as zlib packs them, in a window of their own size: making a whole one costs more than they do."""
    for most, window, memory in _WINDOWS:
        if len(data) <= most:
            packer = zlib.compressobj(1, zlib.DEFLATED, window, memory)
            return packer.compress(data) + packer.flush()
    return zlib.compress(data, 1)


def encode_hunks(hunks: Sequence[Hunk]) -> bytes | None:
    """All hunks of one change as one BLOB; None for none."""
    if not hunks:
        return None
    out = bytearray()
    for hunk in hunks:
        for number in (hunk.before_start, hunk.before_lines, hunk.after_start, hunk.after_lines):
            _put_number(out, number)
        texts = (HAS_OLD * (hunk.old is not None)) | (HAS_NEW * (hunk.new is not None))
        _put_number(out, texts | (IS_EXACT * hunk.exact))
        for text in (hunk.old, hunk.new):
            if text is not None:
                _put_number(out, len(text))
                out += text
    if len(out) > COMPRESS_ABOVE:
        return DEFLATED + deflated(out)
    return PLAIN + bytes(out)


def decode_hunks(stored: bytes | None) -> tuple[Hunk, ...]:
    """The hunks of one change.

    Raises:
        LedgerCorrupt: the BLOB is not what `encode_hunks` makes.
    """
    if not stored:
        return ()
    return _known_hunks(stored) if len(stored) <= COMPRESS_ABOVE else _decoded_hunks(stored)


@lru_cache(maxsize=4096)
def _known_hunks(stored: bytes) -> tuple[Hunk, ...]:
    """Decode a small BLOB once: a list, an entry and a timeline read the same rows."""
    return _decoded_hunks(stored)


def _decoded_hunks(stored: bytes) -> tuple[Hunk, ...]:
    try:
        data = zlib.decompress(stored[1:]) if stored[:1] == DEFLATED else stored[1:]
        hunks = []
        at = 0
        while at < len(data):
            hunk, at = _get_hunk(data, at)
            hunks.append(hunk)
    except (zlib.error, IndexError) as error:
        raise LedgerCorrupt("The hunks of a change cannot be read", str(error)) from error
    return tuple(hunks)


def _get_hunk(data: bytes, at: int) -> tuple[Hunk, int]:
    numbers = []
    for _ in range(5):
        number, at = _get_number(data, at)
        numbers.append(number)
    texts: list[bytes | None] = [None, None]
    for place, flag in enumerate((HAS_OLD, HAS_NEW)):
        if numbers[4] & flag:
            length, at = _get_number(data, at)
            if at + length > len(data):
                raise IndexError("a text ends too early")
            texts[place] = data[at : at + length]
            at += length
    exact = bool(numbers[4] & IS_EXACT)
    return Hunk(numbers[0], numbers[1], numbers[2], numbers[3], texts[0], texts[1], exact), at


def _put_number(out: bytearray, number: int) -> None:
    while number > 0x7F:
        out.append((number & 0x7F) | 0x80)
        number >>= 7
    out.append(number)


def _get_number(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = data[at]
        at += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, at
        shift += 7
