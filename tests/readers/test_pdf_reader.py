"""Reading PDFs: the text that was drawn, page by page; damaged, locked, scanned and hostile files."""

from __future__ import annotations

import io
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from playground.readers import pdf as reader
from playground.readers import pdf_child as child
from playground.readers.assembly import Assembly
from playground.readers.errors import ReadError
from playground.readers.pdf import read_pdf

LOREM = "Hedges keep stock in and wind out, and hold soil on a slope, line {} of them."


def drawn(*pages, encrypt=None, **properties):
    """A PDF with these pages, each a list of lines (None: a wide gap)."""
    file = io.BytesIO()
    canvas = Canvas(file, encrypt=encrypt, pageCompression=1)
    for name, text in properties.items():
        getattr(canvas, f"set{name}")(text)
    for lines in pages:
        height = 800
        for line in lines:
            height -= 14
            if line is not None:
                canvas.drawString(72, height, line)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def built(content, *, pages=1, count=None, filters=b"/FlateDecode", font=b""):
    """A PDF written by hand: `pages` times one page with this content stream."""
    kids = b"3 0 R " * pages
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, pages if count is None else count),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
        b"<</Length %d/Filter[%s]>>stream\n%s\nendstream" % (len(content), filters, content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica%s>>" % font,
        b"<</Length %d>>stream\n%s\nendstream" % (len(UNICODE), UNICODE),
    ]
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(b"%010d 00000 n \n" % len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"xref\n0 7\n0000000000 65535 f \n" + b"".join(offsets)
    return out + table + b"trailer<</Size 7/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(out)


# A is an emoji, beyond the 16 bits that PDFium's interface thinks in.
UNICODE = b"1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <41> <D83DDE00> endbfchar"
HELLO = b"BT /F 12 Tf 72 700 Td (Hello) Tj ET\n"


def inflating(unit, size):
    """A stream that inflates to `size` bytes of `unit` over and over: one piece is packed, and repeated as it is."""
    packer, piece = zlib.compressobj(9), unit * (2**20 // len(unit))
    head = packer.compress(b"") + packer.flush(zlib.Z_FULL_FLUSH)
    body = packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)
    return head + body * (size // len(piece)) + packer.flush()


def test_pages_are_what_was_drawn_with_a_blank_line_between_them():
    pages = [[LOREM.format(f"{page}.{line}") for line in range(5)] for page in range(12)]
    document = read_pdf("a.pdf", drawn(*pages))
    expected = ["\n".join(lines) for lines in pages]
    assert document.text == "\n\n".join(expected)
    starts = [sum(len(text) + 2 for text in expected[:page]) for page in range(12)]
    assert document.pages == tuple(starts)
    assert (document.media_type, document.metadata["page_count"], document.notices) == ("application/pdf", 12, ())


def test_a_hyphen_at_the_end_of_a_line_stays_as_it_was_drawn():
    assert read_pdf("a.pdf", drawn(["It ends with a hy-", "phen and goes on."])).text == (
        "It ends with a hy-\nphen and goes on."
    )


def test_clear_gaps_make_paragraphs_and_leave_the_text_alone():
    lines = [LOREM.format(n) for n in range(9)]
    document = read_pdf("a.pdf", drawn([*lines[:3], None, *lines[3:5], None, *lines[5:]]))
    assert document.text == "\n".join(lines)
    found = [document.text[block.start : block.end].splitlines() for block in document.blocks]
    assert found == [lines[:3], lines[3:5], lines[5:]]
    assert {block.kind for block in document.blocks} == {"paragraph"}


def test_scattered_words_make_no_paragraphs():
    assembly = Assembly()
    reader._add_page(assembly, ["here\n"] * 30)
    assert assembly.document(title="a", media_type="b").blocks == ()


def test_metadata_is_plain():
    data = drawn(["x"], Title="The hedges", Author="Chunking Playground")
    found = dict(read_pdf("a.pdf", data).metadata)
    assert (found.pop("title"), found.pop("author")) == ("The hedges", "Chunking Playground")
    assert found.pop("created")[:2] == found.pop("last_updated")[:2] == "20"
    assert found == {"page_count": 1}


@pytest.mark.parametrize(
    ("date", "iso"),
    [
        ("D:20231120090000+01'30'", "2023-11-20T09:00:00+01:30"),
        ("D:20231120090000Z", "2023-11-20T09:00:00+00:00"),
        ("D:202311200900", "2023-11-20T09:00:00"),
        ("D:20231120", "2023-11-20"),
        ("last autumn", "last autumn"),
    ],
)
def test_dates(date, iso):
    assert child._iso(date) == iso


def test_a_character_beyond_16_bits():
    content = zlib.compress(b"BT /F 12 Tf 72 700 Td (xAy) Tj ET")
    assert read_pdf("a.pdf", built(content, font=b"/ToUnicode 6 0 R")).text == "x😀y"


def test_pages_without_text_are_counted():
    document = read_pdf("a.pdf", drawn(["one"], [], ["three"], []))
    assert document.text == "one\n\n\n\nthree\n\n"
    assert document.pages == (0, 5, 7, 14)
    assert document.notices == ("2 of 4 pages hold no text: probably scanned images.",)


def test_a_lost_end_is_recovered_with_a_notice():
    data = built(zlib.compress(HELLO))
    document = read_pdf("a.pdf", data[: data.index(b"startxref")])
    assert document.text == "Hello"
    assert document.notices == ("The end of the file is missing: this is what could be recovered.",)


def test_a_page_that_is_missing_is_counted():
    data = built(zlib.compress(HELLO), pages=2).replace(b"3 0 R 3 0 R", b"3 0 R 9 0 R")
    document = read_pdf("a.pdf", data)
    assert document.text == "Hello\n\n"
    assert document.notices == ("1 of 2 pages could not be read: they are damaged, and left empty.",)


def test_an_empty_password_opens():
    assert read_pdf("a.pdf", drawn(["open"], encrypt=StandardEncryption("", "owner"))).text == "open"


REFUSED = {
    "a password": (lambda: drawn(["secret"], encrypt=StandardEncryption("user", "owner")), "protected with a password"),
    "scanned": (lambda: drawn([], []), "no text on any page: it seems scanned"),
    "text": (lambda: b"Only words.", "is not a PDF: it looks like something else"),
    "nothing": (lambda: b"", "is not a PDF: it looks like an empty file"),
    "rtf": (lambda: b"{\\rtf1 words}", "is not a PDF: it looks like an RTF file"),
    "an image": (lambda: b"\x89PNG\r\n\x1a\n", "looks like a PNG image"),
    "only a header": (lambda: b"%PDF-1.7\n", "damaged or cut short"),
    "cut in the middle": (lambda: drawn(*[["x"]] * 40)[:4000], "damaged or cut short"),
    "too many pages": (lambda: built(zlib.compress(HELLO), pages=3001), "3,001 pages, and at most 3,000"),
    "a bomb of spaces": (lambda: built(inflating(b" ", 600 * 2**20)), "more than 512 MB of memory"),
    "a bomb of text": (lambda: built(inflating(HELLO, 300 * 2**20)), "more than 512 MB of memory"),
    "a bomb of states": (lambda: built(inflating(b"q ", 300 * 2**20)), "more than 512 MB of memory"),
    "a bomb in a bomb": (
        lambda: built(zlib.compress(inflating(b" ", 900 * 2**20)), filters=b"/FlateDecode/FlateDecode"),
        "more than 512 MB of memory",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_say_what_was_found(name):
    make, words = REFUSED[name]
    with pytest.raises(ReadError, match=words) as refusal:
        read_pdf("a.pdf", make())
    assert str(refusal.value).startswith("a.pdf ")


def test_a_false_count_of_pages_harms_nothing():
    assert read_pdf("a.pdf", built(zlib.compress(HELLO), count=2**31 - 1)).text == "Hello"


def test_too_much_text_is_given_up_where_the_bound_is_passed(monkeypatch):
    monkeypatch.setattr(child, "MAX_CHARACTERS", 12)
    answers = list(child._extract(built(zlib.compress(HELLO), pages=9)))
    assert answers[1:] == [("page", ["Hello"]), ("page", ["Hello"]), ("characters", 15)]


def test_work_without_end_is_stopped(monkeypatch):
    monkeypatch.setattr(reader, "MAX_SECONDS", 1)
    with pytest.raises(ReadError, match="given up after"):
        read_pdf("a.pdf", built(inflating(b" ", 50 * 2**20), pages=3000))


def test_threads_read_at_once():
    files = [drawn([LOREM.format(n)]) for n in range(6)]
    with ThreadPoolExecutor(6) as threads:
        texts = [document.text for document in threads.map(lambda data: read_pdf("a.pdf", data), files)]
    assert texts == [LOREM.format(n) for n in range(6)]
