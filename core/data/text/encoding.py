"""Which characters the bytes of a text file stand for."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterable
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
_WORD = re.compile(rb"[a-zA-Z\x80-\xff]*[\x80-\xff][a-zA-Z\x80-\xff]*")
_WESTERN_LETTERS = (
    "äöüß",
    "àâæçéèêëîïôœùûüÿ",
    "áéíñóúü",
    "àáâãçéêíóôõúü",
    "àèéìîòóù",
    "àçéèíïóòúü",
    "æøåéóòâôü",
    "åäöéüàšž",
    "éëïíóöüáèê",
    "áðéíóúýþæö",
    "äöõüšžȭ",
)
"""Letters beside a to z of each language that Windows-1252 is used for."""
_TILDES = ((re.compile(r"õ\Z"), "\ufffd"), (re.compile("õ(?!e)"), "ȭ"))
"""Portuguese has õ before e only; Estonian (here ȭ) never at the end of a word, where ő stands."""
_CENTRAL = (
    "áčďéěíňóřšťúůýž",
    "áäčďéíĺľňóôŕšťúýž",
    "ąćęłńóśźż",
    "áéíóöőúüű",
    "ăâîşţșț",
    "čćđšž",
)
_CYRILLIC = "абвгдеёжзийклмнопрстуфхцчшщъыьэюяєіїґўљњђћџј"
_OTHER_LETTERS = {
    "cp1250": ("Central European", _CENTRAL),
    "iso8859_2": ("Central European", _CENTRAL),
    "cp1254": ("Turkish", ("çğıöşüâîû",)),
    "cp1257": ("Baltic", ("ąčęėįšųūž", "āčēģīķļņšūž")),
    "cp1251": ("Cyrillic", (_CYRILLIC,)),
    "koi8-r": ("Cyrillic", (_CYRILLIC,)),
    "cp1253": ("Greek", ("αάβγδεέζηήθιίϊΐκλμνξοόπρσςτυύϋΰφχψωώ",)),
    "cp1256": ("Arabic", ("ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژگ",)),
    "cp1255": ("Hebrew", ("אבגדהוזחטיךכלםמןנסעףפץצקרשת",)),
    "mac_roman": ("Western European (Mac)", _WESTERN_LETTERS),
}
"""Other encodings with letters of the west at the same places, and letters of their languages."""
_USUAL = {
    "cp1251": "оеаинтсрвл",
    "koi8-r": "оеаинтсрвл",
    "cp1253": "αοιετσνηυρπκςάίό",
    "cp1256": "اليمونترب",
    "cp1255": "יוהלאתמרבשםן",
}
"""The most frequent letters of scripts other than Latin, whose bytes stand at the same places."""
_TURNED = re.compile("[à-ÿα-ώа-џ][А-ЯΆ-Ώ]")
"""A capital behind a small letter: the cases of KOI8 are those of Windows-1251 turned round."""
_OF_A_MAC = re.compile("[a-zà-ÿ][ŠŒŽŸ]")
"""A capital behind a small letter: where Windows-1252 has Š and Ž, a Mac has ä and é."""
_EAST_ASIAN = {
    "cp949": ("Korean", re.compile("[\uac00-\ud7a3]")),
    "cp932": ("Japanese", re.compile("[\u3040-\u30ff\u4e00-\u9fff\u3000-\u303f\uff01-\uff5e]")),
    "euc_jp": ("Japanese", re.compile("[\u3040-\u30ff\u4e00-\u9fff\u3000-\u303f\uff01-\uff5e]")),
    "gb18030": ("Chinese", re.compile("[\u4e00-\u9fff\u3000-\u303f\uff01-\uff5e]")),
    "big5": ("Chinese", re.compile("[\u4e00-\u9fff\u3000-\u303f\uff01-\uff5e]")),
}
"""Encodings of two bytes a sign, and the signs that texts of their language are made of."""
_IN_USE = {
    "cp949": ("euc_kr", 0xB0, 0xC8),
    "cp932": ("shift_jis", 0x81, 0x97),
    "euc_jp": ("euc_jp", 0xA1, 0xCF),
    "gb18030": ("gb2312", 0xA1, 0xD7),
    "big5": ("big5", 0xA1, 0xC6),
}
"""Older encodings with the signs that are in use, and the first bytes of usual ones: é is none."""
_PIECE = re.compile(rb"[\x80-\xff](?:[0-9][\x81-\xfe][0-9]|[\x40-\x7e\x80-\xff]*)")
_MONEY = "¥￥€£"
_ESCAPED = (b"\x1b$B", b"\x1b$@")
"""What begins Japanese in mails and old hosts, all of it in ASCII: ISO-2022-JP."""
_KANA = re.compile("[\u3040-\u30ff]")
_FOR_KANA, _MOST_EAST = 0.2, 0.75  # of the signs, which may be rare ones here and there
_FEWEST_WORDS = 2  # that another encoding reads otherwise: one may be a slip
_NEARLY_ALL = 0.9  # of the words, that must be of one language


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
    if start.isascii() and any(mark in start for mark in _ESCAPED):
        reason = "its signs begin with the escape of Japanese"
        return EncodingFinding(
            encoding="iso2022_jp", mark_length=0, reason=reason, is_certain=False
        )
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
    other, is_western = _by_alphabets(lines)
    east = "" if is_western or other else _east_asian(lines[:_DETECTOR_BYTES])
    if east:
        encoding, words = east, f"it reads as {_EAST_ASIAN[east][0]} text"
    elif other:
        encoding, words = other, f"it reads as {_OTHER_LETTERS[other][0]} text"
    elif is_western or best is None or best.encoding in _WESTERN or is_sparse:
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


def _east_asian(text: bytes) -> str:
    """The encoding by which nearly all signs are letters of its language; empty where none is.

    Korean syllables stand where Chinese has half of its signs, so a text of them alone is Korean;
    Japanese has kana among its signs, and what is read as Chinese must be signs in use.
    """
    pieces = _PIECE.findall(text)
    best, most = "", _MOST_EAST
    for encoding, (_, letters) in _EAST_ASIAN.items():
        try:
            signs = "".join(piece.decode(encoding) for piece in pieces)
        except UnicodeDecodeError:
            continue
        signs = "".join(sign for sign in signs if not sign.isascii() and sign not in _MONEY)
        if encoding in ("gb18030", "big5") and _KANA.search(signs):
            continue  # kana stand at the same places, and Chinese has none
        common, first, last = _IN_USE[encoding]
        coded = (sign.encode(common, "ignore") for sign in letters.findall(signs))
        usual = sum(first <= code[0] <= last for code in coded if code)
        share = usual / max(1, len(signs)) + _FOR_KANA * bool(_KANA.search(signs))
        if len(signs) >= 2 * _FEWEST_WORDS and share > most:
            best, most = encoding, share
    return best


def _by_alphabets(text: bytes) -> tuple[str, bool]:
    """The encoding by which the words are of one language, where they are of none in the west.

    Nothing where there is none such; then whether each word is of a western language.

    The same bytes are letters in both: ø or ř, þ or ş. A word counts for a language if all of its
    letters are of it. Western files hold words of several languages, so that each of theirs may be
    of another; only where two words more are of the one language than of any western one, a file
    all of whose words could be western is none.
    """
    seen = Counter(_WORD.findall(text))
    words = sorted(seen)
    counts = [min(seen[word], _FEWEST_WORDS) for word in words]  # what stands twice is no slip
    western = [_letters_of(word, "cp1252") for word in words]

    def weight(fitting: Iterable[int]) -> int:
        return sum(counts[at] for at in fitting)

    fits = [{at for at, some in enumerate(western) if _are_of(some, a)} for a in _WESTERN_LETTERS]
    any_western, one_western = weight(set().union(*fits)), max(map(weight, fits))
    best, most = "", (0, 0.0)
    for encoding, (_, alphabets) in _OTHER_LETTERS.items():
        read = [_letters_of(word, encoding) for word in words]
        others = weight(at for at, some in enumerate(read) if some != western[at])
        count = max(
            weight(at for at, some in enumerate(read) if _are_of(some, alphabet))
            for alphabet in alphabets
        )
        is_clear = count > any_western or count >= one_western + _FEWEST_WORDS
        is_whole = count >= max(_FEWEST_WORDS, _NEARLY_ALL * sum(counts))
        rank = count, _usual_share(text, encoding)
        if is_clear and is_whole and others >= _FEWEST_WORDS and rank > most:
            best, most = encoding, rank
    return best, any_western == sum(counts) > 0


def _usual_share(text: bytes, encoding: str) -> float:
    """How many of the letters are frequent ones, in a script other than Latin; else 0."""
    letters = [sign for sign in text.decode(encoding, "ignore").lower() if not sign.isascii()]
    usual = _USUAL.get(encoding, "")
    return sum(sign in usual for sign in letters) / max(1, len(letters))


def _letters_of(word: bytes, encoding: str) -> frozenset[str] | None:
    """What a word has beside a to z; None where it has a sign before a letter, or is none."""
    try:
        text = word.decode(encoding)
    except UnicodeDecodeError:
        return None
    if encoding == "cp1252" and _OF_A_MAC.search(text):
        return None
    if encoding in _USUAL and (_TURNED.search(text) or re.search("[A-Za-z]", text)):
        return None
    text = re.sub(r"\A[¿¡]|[\W_]+\Z", "", text).replace("İ", "i").lower()
    for pattern, letter in _TILDES:
        text = pattern.sub(letter, text)
    return frozenset(letter for letter in text if not letter.isascii())


def _are_of(letters: frozenset[str] | None, alphabet: str) -> bool:
    return letters is not None and letters <= set(alphabet)


def _decodes(start: bytes, encoding: str) -> bool:
    """Whether every byte has a meaning in an encoding."""
    try:
        start.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
