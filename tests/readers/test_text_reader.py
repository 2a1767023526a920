"""Reading text: every encoding and every kind of bad upload, with the exact text, notice or refusal."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import charset_normalizer
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground import readers
from playground.readers import MAX_BYTES, READERS, ReadError, read
from playground.readers.errors import kind_of_binary

ENGLISH = "Plain words, and no more.\nA second line.\n"
JAPANESE = "吾輩は猫である。名前はまだ無い。\nどこで生れたかとんと見当がつかぬ。\n"
FRENCH = "Où est l’été ? “Voilà” – déjà vu, un café à 3 €.\n"
KOREAN = "이것은 한국어 문장입니다. 서울은 대한민국의 수도이다.\n"
CHINESE = "这是一个中文句子。北京是中国的首都，也是一座古老的城市。\n"
TAIWANESE = "這是一個中文句子。臺北是臺灣的首都，也是一座很大的城市。\n"
RUSSIAN = "Это русский текст. Москва является столицей России.\n"
GREEK = "Αυτό είναι ένα ελληνικό κείμενο για την Αθήνα.\n"
HEBREW = "זהו משפט בעברית. ירושלים היא בירת ישראל.\n"
ARABIC = "هذه جملة باللغة العربية. القاهرة عاصمة مصر.\n"
THAI = "นี่คือประโยคภาษาไทย กรุงเทพเป็นเมืองหลวง\n"
POLISH = "Zażółć gęślą jaźń. Łódź leży w Polsce, ale Kraków też jest duży.\n"
LE, BE = "UTF-16 (little-endian)", "UTF-16 (big-endian)"
UPLOAD = "Upload the text itself and try again."
ADVICE = {
    "a PDF": "Give it the extension .pdf and try again.",
    "a Word document": "Give it the extension .docx and try again.",
}


def certain(encoding: str) -> str:
    return f"Read as {encoding}, because the file is not UTF-8."


def guessed(encoding: str) -> str:
    return f"Read as {encoding} (a guess: check a few lines), because the file is not UTF-8."


# --- UTF-8, and what it must keep ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", [ENGLISH, JAPANESE, FRENCH, KOREAN, RUSSIAN, THAI, "a😀b猫c", "see <|endoftext|> here"]
)
def test_utf8_is_read_without_a_word(text: str):
    document = read("notes.txt", text.encode())
    assert document.text == text
    assert document.notices == ()


def test_utf8_mark_is_removed_with_a_notice():
    document = read("notes.txt", b"\xef\xbb\xbf" + FRENCH.encode())
    assert document.text == FRENCH
    assert document.notices == ("A byte order mark at the start was removed.",)


@pytest.mark.parametrize(
    "text",
    ["a\xa0b", "a\tb", "a\u200bb", "a\u2028b\u2029c", "a\fb\vc", "a\r\nb\rc\n\r\n", "  a  \n\n ", "\x1b[31mred\x1b[0m"],
)
def test_space_of_every_kind_is_kept(text: str):
    document = read("notes.txt", text.encode())
    assert document.text == text
    assert document.notices == ()


READABLE = st.text(st.characters(exclude_categories=["Cc", "Cs"]) | st.sampled_from("\t\n\r"))


@given(READABLE)
def test_any_readable_text_survives_utf8(text: str):
    assert read("notes.txt", text.encode()).text == text.removeprefix("\ufeff")


@given(READABLE, st.sampled_from(["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]))
def test_any_readable_text_survives_a_marked_encoding(text: str, codec: str):
    document = read("notes.txt", ("\ufeff" + text).encode(codec))
    assert document.text == text.removeprefix("\ufeff")
    assert f"Read as {codec[:6].upper()} (" in document.notices["is empty" in document.notices[0]]


# --- UTF-16 and UTF-32 --------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [ENGLISH, JAPANESE, FRENCH, RUSSIAN, POLISH, "a😀b猫c!"])
@pytest.mark.parametrize(("codec", "name"), [("utf-16-le", LE), ("utf-16-be", BE)])
@pytest.mark.parametrize("mark", ["\ufeff", ""])
def test_utf16_with_and_without_mark(text: str, codec: str, name: str, mark: str):
    document = read("notes.txt", (mark + text).encode(codec))
    assert document.text == text
    assert document.notices == (certain(name),)


@pytest.mark.parametrize("end", ["little", "big"])
def test_utf32_with_mark(end: str):
    document = read("notes.txt", ("\ufeff" + JAPANESE).encode(f"utf-32-{end[0]}e"))
    assert document.text == JAPANESE
    assert document.notices == (certain(f"UTF-32 ({end}-endian)"),)


def test_utf16_cut_off_within_a_character():
    document = read("notes.txt", b"\xff\xfe" + "ab猫".encode("utf-16-le")[:-1])
    assert document.text == "ab�"
    assert document.notices == (certain(LE), f"1 place was not valid {LE} and became �.")


def test_utf16_lone_surrogate_is_replaced_by_the_document():
    document = read("notes.txt", b"\xff\xfea\0\x3d\xd8b\0")
    assert document.text == "a�b"
    assert document.notices == (certain(LE), "1 half of a character (lone surrogate) was replaced by �.")


# --- surrogates, NULs and damage in UTF-8 -------------------------------------------------------------------


def test_surrogate_pair_written_as_utf8_becomes_its_character():
    document = read("notes.txt", "a\ud83d\ude00b".encode("utf-8", "surrogatepass"))
    assert document.text == "a😀b"
    assert document.notices == ("Surrogate pairs were joined into the characters they stand for.",)


def test_lone_surrogate_written_as_utf8_is_replaced_once():
    document = read("notes.txt", "a\ud83db".encode("utf-8", "surrogatepass"))
    assert document.text == "a�b"
    assert document.notices == ("1 half of a character (lone surrogate) was replaced by �.",)


@pytest.mark.parametrize(
    ("data", "text", "notice"),
    [
        (b"a\0b", "a�b", "1 NUL character was replaced by �."),
        (b"a\0bc", "a�bc", "1 NUL character was replaced by �."),
        (b"some words\0and\0more words", "some words�and�more words", "2 NUL characters were replaced by �."),
    ],
)
def test_a_few_nuls_are_kept_as_replacements(data: bytes, text: str, notice: str):
    document = read("notes.txt", data)
    assert document.text == text
    assert document.notices == (notice,)


@pytest.mark.parametrize(
    ("data", "text", "places"),
    [
        (JAPANESE.encode()[:-2], JAPANESE[:-2] + "�", 1),
        ("only one 猫".encode()[:-1], "only one �", 1),
        ("a sign 😀".encode()[:-1], "a sign �", 1),
        ("café, a \xff and more".encode().replace(b"\xc3\xbf", b"\xff"), "café, a � and more", 1),
        ("é".encode() * 9 + b"\xe9" + "é".encode() * 9 + b"\xff", "é" * 9 + "�" + "é" * 9 + "�", 2),
        (b"one bad \x81 byte", "one bad � byte", 1),
        ("a genuine � and a bad \xff".encode().replace(b"\xc3\xbf", b"\xff"), "a genuine � and a bad �", 1),
    ],
)
def test_damaged_utf8_is_still_utf8(data: bytes, text: str, places: int):
    document = read("notes.txt", data)
    assert document.text == text
    what = "1 place was" if places == 1 else f"{places} places were"
    assert document.notices == (f"{what} not valid UTF-8 and became �.",)


# --- older encodings ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        FRENCH,
        "l’été",
        "café",
        "“É”",
        "Größe, Übung und Äpfel: „schön“ – weiß.",
        "¿Dónde está el niño? ¡Mañana!",
        "perché è così",
        "Yö on pimeä, ja työ jää tekemättä.",
        "Rødgrød med fløde på Ærø",
        "It’s a “quote” — see the menu…what?",
        ENGLISH * 5_000 + FRENCH,
    ],
    ids=lambda text: text[:12],
)
def test_windows_1252(text: str):
    document = read("notes.txt", text.encode("cp1252"))
    assert document.text == text
    assert document.notices == (certain("Windows-1252"),)


OLDER = [
    ("cp932", "Shift-JIS", JAPANESE),
    ("cp932", "Shift-JIS", "これは日本語の文章です。"),
    ("cp932", "Shift-JIS", "テスト"),
    ("cp932", "Shift-JIS", "# README\nThis is 日本語 text and テスト.\n"),
    ("cp932", "Shift-JIS", "日本語"),
    ("cp932", "Shift-JIS", ENGLISH * 5_000 + JAPANESE),
    ("cp932", "Shift-JIS", "猫である。" * 20_000),
    ("euc_jp", "EUC-JP", JAPANESE),
    ("cp949", "EUC-KR", KOREAN),
    ("cp949", "EUC-KR", "안녕하세요"),
    ("gb18030", "GB18030", CHINESE),
    ("big5", "Big5", TAIWANESE),
    ("cp1251", "Windows-1251", RUSSIAN),
    ("cp1251", "Windows-1251", "Привет, мир!"),
    ("koi8_r", "KOI8-R", RUSSIAN),
    ("cp866", "CP866", RUSSIAN),
    ("cp1253", "Windows-1253", GREEK),
    ("cp1255", "Windows-1255", HEBREW),
    ("cp1256", "Windows-1256", ARABIC),
    ("cp874", "Windows-874", THAI),
    ("cp1250", "Windows-1250", POLISH),
]


@pytest.mark.parametrize(("codec", "name", "text"), OLDER, ids=[f"{c}-{t[:9].strip()}-{len(t)}" for c, _, t in OLDER])
def test_older_encodings_are_guessed(codec: str, name: str, text: str):
    document = read("notes.txt", text.encode(codec))
    assert document.text == text
    assert document.notices == (guessed(name),)


def test_a_damaged_guess_counts_its_replacements():
    document = read("notes.txt", JAPANESE.encode("cp932") + b"\x82")
    assert document.text == JAPANESE + "�"
    assert document.notices == (guessed("Shift-JIS"), "1 place was not valid Shift-JIS and became �.")


def test_the_detector_gets_a_sample_of_bounded_size(monkeypatch: pytest.MonkeyPatch):
    sizes: list[int] = []
    real = charset_normalizer.from_bytes

    def recorded(data: bytes, **options: object) -> charset_normalizer.CharsetMatches:
        sizes.append(len(data))
        return real(data, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(charset_normalizer, "from_bytes", recorded)
    text = CHINESE * 20_000
    assert read("notes.txt", text.encode("gb18030")).text == text
    assert len(sizes) == 1
    assert 60_000 < sizes[0] <= 65_536


# --- empty, large, binary -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "notices"),
    [
        (b"", ("notes.txt is empty.",)),
        (b"\xef\xbb\xbf", ("notes.txt is empty.", "A byte order mark at the start was removed.")),
        (b"\xff\xfe", ("notes.txt is empty.", certain(LE))),
    ],
)
def test_empty(data: bytes, notices: tuple[str, ...]):
    document = read("notes.txt", data)
    assert document.text == ""
    assert document.notices == notices


def test_white_space_only():
    document = read("notes.txt", b" \n\t\n")
    assert document.text == " \n\t\n"
    assert document.notices == ("The document holds only white space: it becomes one chunk without any words.",)


def test_too_large_is_refused_before_it_is_decoded(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(READERS, ".txt", None)  # nobody may call it
    with pytest.raises(ReadError) as refusal:
        read("big.txt", bytes(MAX_BYTES + 1))
    assert str(refusal.value) == (
        "big.txt is too large: 10,485,761 bytes, and at most 10,485,760 bytes (10 MB) can be read. Upload a part of it."
    )


def test_the_largest_size_is_read():
    assert len(read("big.txt", b"x" * MAX_BYTES)) == MAX_BYTES


def test_too_large_on_disk_is_refused_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "big.md"
    path.write_bytes(b"12345678")
    monkeypatch.setattr(readers, "MAX_BYTES", 7)
    monkeypatch.setattr(Path, "read_bytes", None)
    with pytest.raises(ReadError, match=r"^big\.md is too large: 8 bytes, and at most 7 bytes "):
        read(path)


def zipped(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, "<x/>" * 999)
    return buffer.getvalue()


BINARIES = [
    (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG image"),
    (b"\xff\xd8\xff\xe0\0\x10JFIF\0", "a JPEG image"),
    (b"GIF89a\x01\0\x01\0\x80", "a GIF image"),
    (b"RIFF\x24\0\0\0WEBPVP8 ", "a WebP image"),
    (b"RIFF\x24\0\0\0WAVEfmt \x10\0", "a WAV sound"),
    (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "a PDF"),
    (b"%PDF-1.4\n1 0 obj\n<< >>\nendobj\n", "a PDF"),
    (zipped("a.txt"), "a ZIP archive"),
    (zipped("[Content_Types].xml", "word/document.xml"), "a Word document"),
    (zipped("[Content_Types].xml", "xl/workbook.xml"), "an Excel workbook"),
    (zipped("[Content_Types].xml", "ppt/presentation.xml"), "a PowerPoint presentation"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", "an old Office document"),
    (b"\x1f\x8b\x08\0\0\0\0\0", "a gzip archive"),
    (b"7z\xbc\xaf\x27\x1c\0\4", "a 7-Zip archive"),
    (b"notes.txt" + bytes(91) + b"0000644\0" + bytes(149) + b"ustar\x0000", "a tar archive"),
    (b"\x7fELF\2\1\1\0", "a Linux program (ELF)"),
    (b"MZ\x90\0\3\0\0\0", "a Windows program"),
    (b"ID3\4\0\0\0\0\0\0", "an MP3 sound"),
    (b"\xff\xfb\x90\x64\0\0\0\0", "an MP3 sound"),
    (b"\0\0\0\x20ftypisom\0\0\2\0", "an MP4 film"),
    (b"SQLite format 3\0\x10\0", "an SQLite database"),
    (bytes(range(256)) * 4, "binary data"),
    (b"\0\1\2\3", "binary data"),
    (b"\0" * 50, "binary data"),
    (b"words and \0\0\0\0\0\0\0\0\0\0 many NULs" * 9, "binary data"),
    (b"\xc5\x02\xd7\x11\x99\x7f\xee\x05\x81\x1f" * 9, "binary data"),
]


@pytest.mark.parametrize(("data", "kind"), BINARIES, ids=[f"{i} {kind}" for i, (_, kind) in enumerate(BINARIES)])
@pytest.mark.parametrize("name", ["photo.txt", "photo.md", "photo", "photo.xyz"])
def test_binary_is_refused_by_its_name(data: bytes, kind: str, name: str):
    with pytest.raises(ReadError) as refusal:
        read(name, data)
    assert str(refusal.value) == f"{name} looks like {kind}, not text. {ADVICE.get(kind, UPLOAD)}"


def test_a_pdf_that_is_no_pdf_is_refused_by_its_own_reader():
    """A file's name chooses its reader; a PDF under a name of text is refused above, by what it looks like."""
    with pytest.raises(ReadError) as refusal:
        read("report.PDF", b"%PDF-1.7\n")
    assert str(refusal.value).startswith("report.PDF ")
    assert "not text" not in str(refusal.value)


def test_bytes_that_fit_no_encoding_are_refused():
    data = bytes(0x80 + (i * i * 37 + i // 7) % 128 for i in range(4_000))
    with pytest.raises(ReadError) as refusal:
        read("noise.txt", data)
    assert str(refusal.value) == (
        "The encoding of noise.txt could not be recognised: it is not UTF-8, and nothing else fits. "
        "Save it as UTF-8 and upload it again."
    )


@pytest.mark.parametrize(
    "text",
    ["BMW builds cars", "MZ is a code", "GIF89a is a format", "ID3 tags", "PK is short", "Rar! she said", "OTTO"],
)
def test_words_that_start_like_a_file_format_are_text(text: str):
    assert kind_of_binary(text.encode()) is None
    assert read("notes.txt", text.encode()).text == text


@given(st.binary(max_size=300))
def test_any_bytes_give_a_document_or_a_refusal(data: bytes):
    try:
        text = read("notes.txt", data).text
    except ReadError as refusal:
        text = str(refusal)
    assert text.encode("utf-8").decode("utf-8") == text
    assert "\0" not in text


# --- names and types ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("a.txt", "text/plain"),
        ("a.TEXT", "text/plain"),
        ("a.log", "text/plain"),
        ("a.md", "text/markdown"),
        ("a.MarkDown", "text/markdown"),
        ("a.xyz", "text/plain"),
        ("README", "text/plain"),
    ],
)
def test_media_type_follows_the_extension(name: str, media_type: str):
    document = read(name, b"# Title\n")
    assert (document.title, document.media_type, document.text) == (name, media_type, "# Title\n")


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("../../etc/passwd.txt", "passwd.txt"),
        ("C:\\Users\\me\\plan.md", "plan.md"),
        ("<img src=x onerror=alert(1)>.md", "<img src=x onerror=alert(1)>.md"),
        ("a\nb\0c\x1b\x85.txt", "abc.txt"),
        ("invoice\u202etxt.exe.md", "invoicetxt.exe.md"),
        ("日本語.md", "日本語.md"),
        ("a\udcffb.txt", "a�b.txt"),
        ("x" * 300 + ".md", "x" * 197 + ".md"),
        ("x" * 300, "x" * 200),
        ("x." + "y" * 300, "x." + "y" * 198),
        ("..", "untitled"),
        ("folder/", "untitled"),
        ("", "untitled"),
    ],
)
def test_titles_are_harmless(name: str, title: str):
    assert read(name, b"words").title == title


def test_a_name_with_markup_stays_as_it_is_in_a_refusal():
    with pytest.raises(ReadError) as refusal:
        read("<img src=x onerror=alert(1)>.md", b"\x1f\x8b")
    assert str(refusal.value) == f"<img src=x onerror=alert(1)>.md looks like a gzip archive, not text. {UPLOAD}"


def test_a_file_on_disk(tmp_path: Path):
    path = tmp_path / "folder" / "notes.md"
    path.parent.mkdir()
    path.write_bytes("línea\r\n".encode())
    for name in (path, str(path)):
        document = read(name)
        assert (document.title, document.text, document.media_type) == ("notes.md", "línea\r\n", "text/markdown")


def test_a_missing_file_says_so(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "missing.md")


def test_a_new_format_is_one_entry(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(READERS, ".new", lambda title, data: READERS[".txt"](title, data[::-1]))
    assert read("a.NEW", b"olleh").text == "hello"
