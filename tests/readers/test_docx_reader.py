"""Reading Word files: what is written comes out in order, once, with its blocks; bad files are refused in bounds."""

from __future__ import annotations

import io
import random
import zipfile
from datetime import datetime

import docx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.readers import docx as reader
from playground.readers import docx_parts
from playground.readers.docx import read_docx
from playground.readers.errors import ReadError

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
SPACES = f'xmlns:w="{WORD}" xmlns:mc="{MC}"'
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 500


def archive(parts):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in parts.items():
            target.writestr(name, content)
    return file.getvalue()


def part(name, content):
    return f"<w:{name} {SPACES}>{content}</w:{name}>"


def word(body, **parts):
    others = {f"word/{name}.xml": part(name, content) for name, content in parts.items()}
    return archive({"word/document.xml": part("document", f"<w:body>{body}</w:body>"), **others})


def run(text):
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(text, properties=""):
    return f"<w:p><w:pPr>{properties}</w:pPr>{run(text)}</w:p>"


def cell(text, properties=""):
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(text)}</w:tc>"


def table(*rows):
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>"


def item(text, depth=0, list_id=1):
    return paragraph(text, f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{list_id}"/></w:numPr>')


def numbering(*formats, more=""):
    levels = "".join(f'<w:lvl w:ilvl="{n}"><w:numFmt w:val="{form}"/></w:lvl>' for n, form in enumerate(formats))
    abstract = f'<w:abstractNum w:abstractNumId="7">{levels}</w:abstractNum>'
    return f'{abstract}<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>{more}'


def read(body, **parts):
    return read_docx("a.docx", word(body, **parts))


def pieces(document, kind):
    return [document.text[block.start : block.end] for block in document.blocks if block.kind == kind]


def saved(made):
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


PHRASES = st.text("abc xyz é漢😀|#-\t", min_size=1, max_size=30).filter(str.strip)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["Normal", "Heading 1", "Heading 3", "Quote"]), PHRASES), min_size=1))
def test_paragraphs_are_those_of_python_docx(contents):
    made = docx.Document()
    for style, text in contents:
        made.add_paragraph(text, style)
    data = saved(made)
    document = read_docx("a.docx", data)
    expected = [paragraph.text for paragraph in docx.Document(io.BytesIO(data)).paragraphs]
    assert document.text == "\n".join(f"{text}\n" for text in expected)
    headings = [(int(style[-1]), " ".join(text.split())) for style, text in contents if style.startswith("Heading")]
    assert [(block.level, block.name) for block in document.blocks if block.kind == "heading"] == headings
    assert len(document.blocks) == len(contents)


def test_order_lists_and_tables_of_a_real_file():
    made = docx.Document()
    made.add_heading("Plan", 0)
    made.add_paragraph("First.")
    for style in ("List Number", "List Number", "List Bullet", "List Bullet 2", "List Bullet"):
        made.add_paragraph(f"an item of {style}", style)
    grid = made.add_table(3, 2)
    for n, target in enumerate(grid._cells):
        target.text = f"cell {n}"
    made.add_heading("End", 2)
    made.core_properties.title, made.core_properties.author = "The plan", "Chunking Playground"
    made.core_properties.created = made.core_properties.modified = datetime(2023, 10, 14, 15, 0)
    document = read_docx("a.docx", saved(made))
    assert document.text == (
        "Plan\n\nFirst.\n\n"
        "1. an item of List Number\n2. an item of List Number\n\n"
        "- an item of List Bullet\n  - an item of List Bullet 2\n- an item of List Bullet\n\n"
        "| cell 0 | cell 1 |\n| --- | --- |\n| cell 2 | cell 3 |\n| cell 4 | cell 5 |\n\n"
        "End\n"
    )
    assert dict(document.metadata) == {
        "title": "The plan",
        "author": "Chunking Playground",
        "created": "2023-10-14T15:00:00Z",
        "last_updated": "2023-10-14T15:00:00Z",
    }
    assert [(block.kind, block.level) for block in document.blocks] == [
        *[("heading", 1), ("paragraph", 0), ("list", 0), ("item", 1), ("item", 1)],
        *[("list", 0), ("item", 1), ("item", 2), ("item", 1)],
        *[("table", 0), ("row", 0), ("row", 0), ("row", 0), ("heading", 2)],
    ]
    (whole,) = [block for block in document.blocks if block.kind == "table"]
    assert document.text[whole.start : whole.head] == "| cell 0 | cell 1 |\n| --- | --- |\n"
    assert pieces(document, "item")[2] == "- an item of List Bullet\n  - an item of List Bullet 2\n"


def test_headings_of_other_languages_and_of_ones_own():
    styles = (
        '<w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>'
        '<w:style w:styleId="Mine"><w:name w:val="Mein Kapitel"/><w:basedOn w:val="berschrift2"/></w:style>'
        '<w:style w:styleId="Flat"><w:basedOn w:val="Mine"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>'
        '<w:style w:styleId="Round"><w:basedOn w:val="Circle"/></w:style>'
        '<w:style w:styleId="Circle"><w:basedOn w:val="Round"/></w:style>'
    )
    body = "".join(paragraph(name, f'<w:pStyle w:val="{name}"/>') for name in ("berschrift2", "Mine", "Flat", "Round"))
    document = read(body + paragraph("Direct", '<w:outlineLvl w:val="7"/>'), styles=styles)
    assert [(block.kind, block.level) for block in document.blocks] == [
        *[("heading", 2), ("heading", 2), ("paragraph", 0), ("paragraph", 0), ("heading", 6)]
    ]


def test_numbers_count_at_every_depth_and_begin_anew():
    again = (
        '<w:num w:numId="2"><w:abstractNumId w:val="7"/>'
        '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>'
    )
    body = item("a") + item("b", 1) + item("c", 1) + item("d", 2) + item("e") + item("f", 1) + item("g", list_id=2)
    document = read(body, numbering=numbering("decimal", "lowerLetter", "upperRoman", more=again))
    assert document.text == "1. a\n  a. b\n  b. c\n    I. d\n2. e\n  a. f\n\n5. g\n"
    assert pieces(document, "list") == ["1. a\n  a. b\n  b. c\n    I. d\n2. e\n  a. f\n", "5. g\n"]


@pytest.mark.parametrize(("count", "roman"), [(1, "i"), (4, "iv"), (19, "xix"), (94, "xciv"), (399, "cccxcix")])
def test_roman_numbers(count, roman):
    assert docx_parts._roman(count) == roman


def test_lines_of_an_item_stay_below_it():
    broken = "<w:r><w:t>a</w:t><w:br/><w:t>b</w:t></w:r></w:p>"
    body = item("x", 1).replace(run("x") + "</w:p>", broken)
    assert read(body, numbering=numbering("bullet", "bullet")).text == "  - a\n    b\n"


def test_merged_cells_pipes_and_nested_tables():
    restart, goes_on = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    inner = f"<w:tc>{table(cell('in') + cell('side'))}{paragraph('after')}</w:tc>"
    document = read(
        table(
            cell("wide", '<w:gridSpan w:val="2"/>') + cell("a|b"),
            cell("tall", restart) + cell("1") + inner,
            cell("hidden", goes_on) + cell("2") + cell(""),
        )
    )
    assert document.text == ("| wide |  | a\\|b |\n| --- | --- | --- |\n| tall | 1 | in side after |\n|  | 2 |  |\n")


def test_header_rows_are_those_that_repeat():
    rows = "".join(f"<w:tr><w:trPr><w:tblHeader/></w:trPr>{cell(name)}</w:tr>" for name in ("one", "two"))
    document = read(f"<w:tbl>{rows}<w:tr>{cell('three')}</w:tr></w:tbl>")
    (whole,) = [block for block in document.blocks if block.kind == "table"]
    assert document.text[: whole.head] == "| one |\n| two |\n| --- |\n"
    assert pieces(document, "row") == ["| one |\n", "| two |\n", "| three |\n"]


def test_one_row_is_no_header():
    document = read(table(cell("alone")))
    assert document.text == "| alone |\n"
    assert [block.head for block in document.blocks] == [0, 0]


def test_a_table_of_one_row_is_named_before_its_row():
    document = read(paragraph("Before.") + table(cell("alone")) + paragraph("After."))
    assert [(block.kind, block.start, block.end) for block in document.blocks] == [
        *[("paragraph", 0, 8), ("table", 9, 19), ("row", 9, 19), ("paragraph", 20, 27)]
    ]


@pytest.mark.parametrize("marks", ["\ufeff", "\ufeff\ufeff"])
def test_byte_order_marks_at_the_start_shift_nothing(marks):
    heading = paragraph(f"{marks}Title", '<w:outlineLvl w:val="0"/>')
    document = read(heading + paragraph("Text.") + table(cell("a") + cell("b")))
    assert document.text == "Title\n\nText.\n\n| a | b |\n"
    assert [(block.kind, block.name, document.text[block.start : block.end]) for block in document.blocks] == [
        ("heading", "Title", "Title\n"),
        ("paragraph", "", "Text.\n"),
        ("table", "", "| a | b |\n"),
        ("row", "", "| a | b |\n"),
    ]


def test_what_a_reader_sees_and_nothing_else():
    body = (
        f"<w:p>{run('a')}<w:ins>{run('b')}</w:ins><w:del><w:r><w:delText>GONE</w:delText></w:r></w:del>"
        f"<w:moveFrom>{run('GONE')}</w:moveFrom><w:moveTo>{run('c')}</w:moveTo>"
        "<w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>"
        f"<w:hyperlink>{run('d')}</w:hyperlink><w:sdt><w:sdtPr/><w:sdtContent>{run('e')}</w:sdtContent></w:sdt>"
        "<w:r><w:tab/><w:t>f</w:t><w:br w:type='page'/><w:noBreakHyphen/><w:commentReference w:id='1'/></w:r>"
        "<w:r><w:sym w:font='Wingdings' w:char='F0FC'/><w:sym w:font='Symbol' w:char='F061'/></w:r></w:p>"
        f"<w:tbl><w:tr><w:trPr><w:del/></w:trPr>{cell('GONE')}</w:tr><w:tr>{cell('kept')}</w:tr></w:tbl>"
        "<w:sectPr><w:headerReference w:id='x'/></w:sectPr>"
    )
    document = read(body, comments=paragraph("a comment"), header1=paragraph("a header"))
    assert document.text == "abcde\tf\n\N{NON-BREAKING HYPHEN}✓α\n\n| kept |\n"
    assert document.notices == (
        "Comments were left out.",
        "Text that is marked as deleted (tracked changes) was left out.",
    )


def test_a_text_box_comes_once_and_after_its_paragraph():
    box = f"<w:txbxContent>{paragraph('in the box')}</w:txbxContent>"
    twice = f"<mc:AlternateContent><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent>"
    document = read(f"<w:p>{run('before ')}<w:r>{twice}</w:r>{run('and after')}</w:p>")
    assert document.text == "before and after\n\nin the box\n"


def test_notes_follow_at_the_end_in_the_order_of_their_marks():
    def mark(kind, name):
        return f'<w:r><w:{kind}Reference w:id="{name}"/></w:r>'

    notes = "".join(f'<w:footnote w:id="{n}">{paragraph(f"note {n}")}</w:footnote>' for n in (0, 1, 2))
    document = read(
        f"<w:p>{run('x')}{mark('footnote', 2)}{run('y')}{mark('endnote', 1)}{mark('footnote', 1)}</w:p>",
        footnotes=notes,
        endnotes=f'<w:endnote w:id="1">{paragraph("at the end")}</w:endnote>',
    )
    assert document.text == "x[1]y[2][3]\n\n[1] note 2\n\n[2] at the end\n\n[3] note 1\n"


def test_a_strict_file_with_parts_of_other_names():
    def relations(kind, target):
        return f'<R><R Type="http://example.org/{kind}" Target="{target}"/></R>'

    heading = paragraph("Hi", '<w:pStyle w:val="H"/>')
    content = part("document", f"<w:body>{heading}</w:body>").replace(WORD, STRICT)
    styles = part("styles", '<w:style w:styleId="H"><w:name w:val="heading 1"/></w:style>').replace(WORD, STRICT)
    data = archive(
        {
            "_rels/.rels": relations("officeDocument", "/word/document2.xml"),
            "word/document2.xml": content.encode("utf-16"),
            "word/_rels/document2.xml.rels": relations("styles", "../other/my.xml"),
            "other/my.xml": styles,
        }
    )
    assert [block.name for block in read_docx("a.docx", data).blocks] == ["Hi"]


def test_no_text_is_said():
    assert read("<w:p/>").notices == ("The document holds no text: perhaps pictures only.",)


LAUGHS = "".join(f'<!ENTITY a{n} "' + f"&a{n - 1};" * 10 + '">' for n in range(1, 12))
SECRET = '<!ENTITY x SYSTEM "file:///etc/hostname">'


def with_entities(entities, use):
    xml = f"<!DOCTYPE d [{entities}]>" + part("document", f"<w:body>{use}</w:body>")
    return archive({"word/document.xml": xml})


def lying(data):
    """The same archive, its directory and headers claiming that the part unpacks to 10 bytes."""
    size = zipfile.ZipFile(io.BytesIO(data)).getinfo("word/document.xml").file_size
    return data.replace(size.to_bytes(4, "little"), (10).to_bytes(4, "little"))


def packed(method):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as target:
        target.writestr("word/document.xml", part("document", ""))
    return file.getvalue()


GOOD = word(paragraph("Good."), styles="<w:style/>")
REFUSED = {
    "old": (OLE + "WordDocument".encode("utf-16-le"), "an old Office file"),
    "locked": (OLE + "EncryptedPackage".encode("utf-16-le"), "protected with a password"),
    "text": (b"Only words.", "looks like something else"),
    "empty": (b"", "looks like an empty file"),
    "rtf": (b"{\\rtf1 words}", "looks like an RTF file"),
    "pdf": (b"%PDF-1.7\n", "looks like a PDF"),
    "cut short": (GOOD[:-30], "is damaged or cut short"),
    "cut very short": (GOOD[:60], "is damaged or cut short"),
    "a workbook": (archive({"xl/workbook.xml": "<x/>"}), "looks like an Excel workbook"),
    "any archive": (archive({"a.txt": "a"}), "looks like a ZIP archive"),
    "broken XML": (archive({"word/document.xml": "<w:document"}), "is damaged inside"),
    "no body": (archive({"word/document.xml": "<document/>"}), "holds no Word document"),
    "unpacks too far": (word(" " * (reader.MAX_UNPACKED + 1)), "unpacks to more than 100 MB"),
    "lies about its size": (lying(word(paragraph("a" * 66_000))), "is damaged"),
    "too much markup": (word("<w:p/>" * docx_parts.MAX_MARKS), "has too much markup"),
    "deep": (word("<w:sdt>" * 100_000 + "</w:sdt>" * 100_000), "nested too deeply"),
    "laughs": (with_entities('<!ENTITY a0 "ha">' + LAUGHS, paragraph("&a11;")), "declares entities|is damaged"),
    "laughs in an attribute": (with_entities('<!ENTITY a0 "ha">' + LAUGHS, '<w:p w:x="&a11;"/>'), "is damaged"),
    "a file from outside": (with_entities(SECRET, paragraph("&x;")), "declares entities"),
    "an encoding that hides marks": (
        archive({"word/document.xml": '<?xml version="1.0" encoding="cp037"?>'.encode("cp037")}),
        "is damaged",
    ),
    "too much text": (word(paragraph("a" * 9_000_000) * 3), "more than 20,000,000 characters"),
    "lzma": (packed(zipfile.ZIP_LZMA), "packed or encrypted in a way"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_say_what_was_found(name):
    data, words = REFUSED[name]
    with pytest.raises(ReadError, match=words) as refusal:
        read_docx("a.docx", data)
    assert str(refusal.value).startswith("a.docx ")


def test_depth_just_below_the_bound_is_read():
    around = ["<w:tbl><w:tr><w:tc>" * 80, "</w:tc></w:tr></w:tbl>" * 80]
    assert read(paragraph("x").join(around)).text == "| x |\n"
    assert read(paragraph("x").join(["<w:sdt>" * 240, "</w:sdt>" * 240])).text == "x\n"


def test_blocks_are_bounded_and_headings_stay():
    body = paragraph("Top", '<w:outlineLvl w:val="0"/>') + paragraph("a") * 30_000
    document = read(body)
    assert [block.name for block in document.blocks] == ["Top"]
    assert len(document) == 30_000 * 3 + 4


@pytest.mark.parametrize("seed", range(300))
def test_a_broken_file_is_read_or_refused_and_nothing_else(seed):
    chance = random.Random(seed)
    data = bytearray(GOOD)
    for _ in range(chance.randint(1, 8)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    try:
        document = read_docx("a.docx", bytes(data))
    except ReadError as refusal:
        assert str(refusal).endswith(".")  # noqa: PT017 - either outcome is right
    else:
        assert document.text in ("Good.\n", "")
