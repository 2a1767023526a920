"""Plain text, and Markdown taken as text: finds the encoding, and says so whenever it is not UTF-8.

The ways to read the bytes are tried in order, the surest first: a byte order mark, the NULs of UTF-16, UTF-8,
UTF-8 with a few bad bytes, Windows-1252, the letters that give a script away, and last a detector's guess.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import islice
from typing import Final, NamedTuple

import charset_normalizer

from playground.core.document import REPLACEMENT, Document
from playground.readers.errors import count_controls, is_binary, kind_of_binary, no_text, unknown_encoding

# What a guess looks at: enough to be sure, little enough to be quick.
_SAMPLE_BYTES, _UTF16_SAMPLE_BYTES = 64 * 2**10, 4 * 2**10

# (start of the file, codec of the rest, name for people). UTF-32 first: its mark starts like that of UTF-16.
_MARKS: Final = (
    (b"\xff\xfe\0\0", "utf-32-le", "UTF-32 (little-endian)"),
    (b"\0\0\xfe\xff", "utf-32-be", "UTF-32 (big-endian)"),
    (b"\xff\xfe", "utf-16-le", "UTF-16 (little-endian)"),
    (b"\xfe\xff", "utf-16-be", "UTF-16 (big-endian)"),
)
# The encodings that may be guessed: few, since every further one makes guessing worse.
_NAMES: Final = {
    "cp932": "Shift-JIS",
    "euc_jp": "EUC-JP",
    "gb18030": "GB18030",
    "big5": "Big5",
    "cp949": "EUC-KR",
    "koi8_r": "KOI8-R",
    "cp866": "CP866",
    "cp874": "Windows-874",
    **{f"cp{page}": f"Windows-{page}" for page in range(1250, 1257)},
}
# (codec to test, codec to read with, characters, share): right if so many of the characters beyond ASCII are
# these: kana, the Hangul of the narrower standard, frequent Russian letters, Hebrew letters.
_TELLING: Final = (
    ("cp932", "cp932", re.compile("[ぁ-ヺ]"), 0.25),
    ("euc_jp", "euc_jp", re.compile("[ぁ-ヺ]"), 0.25),
    ("euc_kr", "cp949", re.compile("[가-힣]"), 0.85),
    ("cp1251", "cp1251", re.compile("[авеилнорст]"), 0.5),
    ("koi8_r", "koi8_r", re.compile("[авеилнорст]"), 0.5),
    ("cp1255", "cp1255", re.compile("[א-ת]"), 0.95),
)
# Characters that UTF-8 yields from UTF-8, but hardly ever from another encoding by chance.
_SURELY_UTF8: Final = re.compile("[\xa0-\u017f]|[\u0370-\u1fff]{2}|[\u2000-\ufffc\U00010000-\U0010ffff]")
_CUT_OFF: Final = re.compile(rb"(?:[\xe0-\xef][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{1,2})\Z")
# What every UTF-16 text holds: ASCII, Latin-1, or the punctuation of East Asia.
_COMMON: Final = re.compile("[\t\n\r -~\xa0-\xff\u3000-\u3002\uff01-\uff5e]")
_HIGH: Final = re.compile("[^\0-\x7f]")
_ACCENTED: Final = "À-ÖØ-öø-ÿŒœŠšŸŽž"
_LETTER: Final = f"[A-Za-z{_ACCENTED}]"
# What Windows-1252 makes of other encodings: signs within words, signs before a letter with an accent.
_STRANGE: Final = re.compile(
    rf"[ƒˆ˜‰]|[‚„¢-¦¨-ª¬-º¼-¾](?=[^\0-\xa0])|(?<={_LETTER})[‚„†‡¡¢£¤¥¦¨©ª«¬®¯°±²³´µ¶¸¹º»¼½¾¿×÷](?={_LETTER})"
)


class _Reading(NamedTuple):
    text: str
    encoding: str = "UTF-8"
    replaced: int = 0
    guessed: bool = False


def read_text(title: str, data: bytes, *, media_type: str = "text/plain") -> Document:
    """Return the text of `data` as a document; notices name its encoding and count what could not be read.

    Raises `ReadError` if `data` is no text, or in an encoding that cannot be recognised.
    """
    if kind := kind_of_binary(data):
        raise no_text(title, kind)
    reading = _by_mark(data) or _utf16_by_nuls(data)
    if is_binary(reading.text.encode("utf-8", "surrogatepass") if reading else data, one_in=20):
        raise no_text(title, "binary data")
    reading = reading or _utf8(data) or _damaged_utf8(data)
    # Chance bytes are rarely UTF-8, but often letters of an older encoding: those may hold fewer controls.
    if not reading and is_binary(data, one_in=100):
        raise no_text(title, "binary data")
    reading = reading or _eight_bit(data)
    if not reading:
        raise unknown_encoding(title)
    found = _notices(title, reading)
    return Document.from_text(reading.text, title=title, media_type=media_type, notices=found)


def _notices(title: str, reading: _Reading) -> tuple[str, ...]:
    notices = []
    if not reading.text.removeprefix("\ufeff"):
        notices.append(f"{title} is empty.")
    if reading.encoding != "UTF-8":
        how = " (a guess: check a few lines)" if reading.guessed else ""
        notices.append(f"Read as {reading.encoding}{how}, because the file is not UTF-8.")
    if reading.replaced:
        what = "1 place was" if reading.replaced == 1 else f"{reading.replaced:,} places were"
        notices.append(f"{what} not valid {reading.encoding} and became {REPLACEMENT}.")
    return tuple(notices)


def _by_mark(data: bytes) -> _Reading | None:
    for mark, codec, encoding in _MARKS:
        if data.startswith(mark):
            cut_off = len(data) % (4 if "32" in codec else 2)
            try:
                # A lone surrogate passes: the document replaces it, with a notice of its own.
                text = data[len(mark) : len(data) - cut_off].decode(codec, "surrogatepass")
            except UnicodeDecodeError:
                continue
            return _Reading(text + REPLACEMENT * bool(cut_off), encoding, int(cut_off > 0))
    return None


def _utf16_by_nuls(data: bytes) -> _Reading | None:
    sample = data[:_UTF16_SAMPLE_BYTES]
    if len(data) % 2 or b"\0" not in sample:
        return None
    looks = [(sample.decode(codec, "surrogatepass"), codec, name) for _, codec, name in _MARKS[2:]]
    text, codec, name = max(looks, key=lambda look: len(_COMMON.findall(look[0])))
    common = len(_COMMON.findall(text))
    odd = sum(unicodedata.category(c) in {"Cc", "Cn", "Co", "Cs"} and c not in "\t\n\f\r" for c in text)
    # Without its NULs, UTF-16 is ordinary text only if nearly every second byte was one.
    eight_bit = sample.count(0) < 0.4 * len(sample) and not _odd_bytes(sample)
    if eight_bit or common < 2 or common * 33 < len(text) or odd * 50 > len(text):
        return None
    return _Reading(data.decode(codec, "surrogatepass"), name)


def _odd_bytes(data: bytes) -> bool:
    """Whether `data` has control characters other than NUL, or bytes beyond ASCII that are not UTF-8."""
    rest = data.replace(b"\0", b"")
    return count_controls(rest) > 0 or not (_utf8(rest) or _damaged_utf8(rest))


def _utf8(data: bytes) -> _Reading | None:
    try:
        return _Reading(data.decode("utf-8", "surrogatepass"))
    except UnicodeDecodeError:
        return None


def _damaged_utf8(data: bytes) -> _Reading | None:
    """UTF-8 with a bad byte here and there, or cut off within its last character."""
    text = data.decode("utf-8", "replace")
    genuine = data.count(REPLACEMENT.encode())
    replaced = text.count(REPLACEMENT) - genuine
    cut_off = bool(_CUT_OFF.search(data, max(0, len(data) - 4)))
    lacking = max(0, max(1, 4 * (replaced - 1)) - genuine - cut_off)
    found = sum(1 for _ in islice(_SURELY_UTF8.finditer(text), lacking))
    return _Reading(text, replaced=replaced) if found == lacking else None


def _eight_bit(data: bytes) -> _Reading | None:
    """Windows-1252 if that makes sense, else a script by its letters, else what the detector takes it for."""
    sample = _sample(data)
    if _is_western(sample):
        return _decoded(data, "cp1252")
    for tested, codec, telling, share in _TELLING:
        text = sample.decode(tested, "replace")
        if len(telling.findall(text)) >= share * len(_HIGH.findall(text)):
            return _decoded(data, codec, guessed=True)
    damaged = data.decode("utf-8", "replace")
    if damaged.count(REPLACEMENT) == 1:
        return _Reading(damaged, replaced=1)
    # Without Hangul enough for the rule above, EUC-KR is only ever mistaken for another encoding.
    fitting = [codec for codec in _NAMES if codec != "cp949" and _decoded(sample, codec)]
    matches = charset_normalizer.from_bytes(sample, cp_isolation=fitting) if fitting else ()
    readings = (_decoded(data, match.encoding, guessed=True) for match in matches)
    return next((reading for reading in readings if reading), None)


def _sample(data: bytes) -> bytes:
    """The bytes from a little before the first one beyond ASCII, to the end of a word."""
    first = re.search(rb"[\x80-\xff]", data)
    start = max(0, first.start() - 200) if first else 0
    sample = data[start : start + _SAMPLE_BYTES]
    end = max(sample.rfind(b"\n"), sample.rfind(b" ")) if start + _SAMPLE_BYTES < len(data) else -1
    return sample[:end] if end > 200 else sample


def _is_western(sample: bytes) -> bool:
    """Whether Windows-1252 makes words of `sample`: accents stand alone, and few signs are within words."""
    try:
        text = sample.decode("cp1252")
    except UnicodeDecodeError:
        return False
    letters = len(re.findall(f"[{_ACCENTED}]", text))
    crowded = sum(len(run) for run in re.findall(f"[{_ACCENTED}]{{2,}}", text) if len(set(run)) > 1)
    return crowded * 2 <= letters and len(_STRANGE.findall(text)) * 5 <= len(_HIGH.findall(text))


def _decoded(data: bytes, codec: str, *, guessed: bool = False) -> _Reading | None:
    text = data.decode(codec, "replace")
    replaced = text.count(REPLACEMENT)
    return _Reading(text, _NAMES[codec], replaced, guessed) if replaced <= 1 + len(text) // 200 else None
