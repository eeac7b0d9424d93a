"""Which characters the bytes of a text file stand for."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from charset_normalizer import from_bytes

from payoff.errors import PayoffError

_MARKS: tuple[tuple[bytes, str, str], ...] = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32 (little-endian)"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32 (big-endian)"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16 (little-endian)"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16 (big-endian)"),
)
#: Answers of the statistical detector that cp1252 reads at least as well.
_WESTERN = {
    "cp1252",
    "latin_1",
    "iso8859_15",
    "iso8859_9",
    "cp1254",
    "cp850",
    "cp437",
    "cp858",
    "mac_roman",
    "cp1250",
    "iso8859_2",
    "cp1257",
    "cp775",
    "iso8859_10",
    "iso8859_14",
    "iso8859_16",
    "cp500",
    "cp037",
    "cp1140",
    "cp273",
    "cp1026",
    "cp1125",
    "ascii",
    "mac_latin2",
    "cp852",
    "hp_roman8",
    "iso8859_3",
    "iso8859_4",
    "iso8859_13",
    "iso8859_11",
    "mac_iceland",
    "mac_turkish",
    "cp861",
    "cp865",
    "cp860",
    "cp863",
    "cp857",
}
_DETECTOR_BYTES = 16_384
_LETTERS = rb"[a-zA-Z\x80-\xff]"
#: Of Windows 1250: š ž in a word; ł ą ż Ł ľ ť ź inside one, or where it begins.
_CENTRAL = re.compile(
    rb"%(any)s*[a-zA-Z][\x9a\x9e]%(any)s*|[\x9a\x9e\x8a\x8e][a-z]%(any)s*|"
    rb"(?:%(any)s*[a-zA-Z]|\b)[\xb3\xb9\xbf\xa3\xbe\x9d\x9f][a-z]%(any)s*" % {b"any": _LETTERS}
)
_FEWEST_WORDS = 2  # of such letters: one may be a slip


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodingFinding:
    """An encoding, the length of the byte-order mark in front, and why it was chosen."""

    encoding: str
    mark_length: int
    reason: str
    is_certain: bool


def find_encoding(start: bytes, is_whole: bool) -> EncodingFinding:
    """Find the encoding from the first bytes: mark, zero bytes, strict UTF-8, then statistics."""
    for mark, encoding, label in _MARKS:
        if start.startswith(mark):
            return EncodingFinding(
                encoding=encoding,
                mark_length=len(mark),
                is_certain=True,
                reason=f"the file starts with the byte-order mark of {label}",
            )
    wide = _find_utf16(start)
    if wide is not None:
        return wide
    fault = _utf8_fault(start, is_whole)
    if fault is None:
        is_ascii = start.isascii()
        reason = "plain ASCII so far" if is_ascii else "every byte read is valid UTF-8"
        return EncodingFinding(encoding="utf-8", mark_length=0, reason=reason, is_certain=True)
    return _find_legacy(start, fault)


def mark_length(start: bytes, encoding: str) -> int:
    """The length of the byte-order mark in front, if it fits a chosen encoding."""
    wanted = normal_name(encoding)
    for mark, name, _ in _MARKS:
        if start.startswith(mark) and (name == wanted or wanted in ("utf-16", "utf-32")):
            return len(mark)
    return 0


def settle_encoding(encoding: str, start: bytes, path: str) -> str:
    """The codec to use for a chosen encoding; refuses a name that is none."""
    try:
        name = normal_name(encoding)
    except LookupError:
        raise PayoffError(
            f"'{encoding}' is no known encoding.",
            where=path,
            remedy="Common ones are utf-8, cp1252, latin-1, utf-16.",
        ) from None
    if name in ("utf-16", "utf-32"):
        found = next((code for mark, code, _ in _MARKS if start.startswith(mark)), f"{name}-le")
        return found if found.startswith(name) else f"{name}-le"
    return "utf-8" if name in ("utf-8-sig", "ascii") else name


def normal_name(encoding: str) -> str:
    """One spelling per codec."""
    return codecs.lookup(encoding).name


def _find_utf16(start: bytes) -> EncodingFinding | None:
    """Recognise UTF-16 without a mark by its zero bytes on one side."""
    sample = start[: min(len(start), 4096) // 2 * 2]
    if len(sample) < 4:
        return None
    even = sample[0::2].count(0) / (len(sample) / 2)
    odd = sample[1::2].count(0) / (len(sample) / 2)
    if max(even, odd) < 0.4 or min(even, odd) > 0.1:
        return None
    encoding = "utf-16-le" if odd > even else "utf-16-be"
    return EncodingFinding(
        encoding=encoding,
        mark_length=0,
        is_certain=False,
        reason=f"{max(even, odd):.0%} of every second byte is zero and there is no byte-order mark",
    )


def _utf8_fault(start: bytes, is_whole: bool) -> int | None:
    """The offset of the first byte that is not UTF-8, or None."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(start, final=is_whole)
    except UnicodeDecodeError as error:
        return error.start
    return None


def _find_legacy(start: bytes, fault: int) -> EncodingFinding:
    """Choose an older one-byte or Asian encoding; never certain."""
    seen = f"byte 0x{start[fault]:02X} at offset {fault:,} is not UTF-8"
    lines = b"\n".join(line for line in start.split(b"\n") if not line.isascii())
    best = from_bytes(lines[:_DETECTOR_BYTES]).best()
    letters = sum(byte > 127 for byte in lines[:_DETECTOR_BYTES])
    is_sparse = letters < 0.25 * max(1, len(lines[:_DETECTOR_BYTES]))
    if _is_central_european(lines):
        encoding, words = "cp1250", "it reads as Central European text"
    elif best is None or best.encoding in _WESTERN or is_sparse:
        encoding = "cp1252" if _decodes(start, "cp1252") else "latin-1"
        words = "it reads as Western European text"
    else:
        encoding, words = best.encoding, "its byte frequencies fit this encoding best"
    return EncodingFinding(
        encoding=normal_name(encoding),
        mark_length=0,
        is_certain=False,
        reason=f"{seen}; {words}, please check the accents",
    )


def _is_central_european(text: bytes) -> bool:
    """Whether letters of Polish, Czech and the like stand inside words, in several of them.

    In Western text the same bytes are signs such as ³ and ¿, or letters that hardly occur: š, ž.
    """
    words = {found[0] for found in _CENTRAL.finditer(text)}
    return len(words) >= _FEWEST_WORDS and _decodes(text, "cp1250")


def _decodes(start: bytes, encoding: str) -> bool:
    """Whether every byte has a meaning in an encoding."""
    try:
        start.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
