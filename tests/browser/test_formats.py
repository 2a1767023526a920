"""Files of every format: read into the text that the readers give, and what they hold is never more than text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from io import BytesIO

import docx
import pytest
from browser.visit import Visit, check_pieces, chunked
from playwright.sync_api import expect
from reportlab.pdfgen.canvas import Canvas

from playground import Document, read
from playground.live.store import SAMPLES
from playground.readers import ReadError

KINDS = {
    "html": "text/html",
    "csv": "text/csv",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "pdf": "application/pdf",
    "md": "text/markdown",
}
MARKUP = "<img src=x onerror=alert(3)><script>alert(4)</script>"
ESCAPED = MARKUP.replace("<", "&lt;")
SCRIPTED = f"""<!doctype html><html><head><title>{ESCAPED}</title><script>alert(5)</script>
<link rel="stylesheet" href="http://127.0.0.1:1/away.css"></head>
<body onload="alert(6)"><h1>{ESCAPED}</h1><p onclick="alert(7)">First paragraph {ESCAPED}, with <b>bold</b> words.</p>
<img src="http://127.0.0.1:1/away.png" onerror="alert(8)"><iframe src="http://127.0.0.1:1/"></iframe>
<svg onload="alert(9)"><text>drawn</text></svg><p>{"A second paragraph of some length. " * 12}</p></body></html>"""
TABLE = f'name,"{MARKUP}"\n=1+1,"{MARKUP}"\nplain,"<b>bold</b>"\n' * 6


def word() -> bytes:
    """A Word file whose heading, words and table are markup."""
    file, made = BytesIO(), docx.Document()
    made.add_heading(MARKUP, 1)
    made.add_paragraph(f"Some words, {MARKUP}, and more of them. " * 12)
    table = made.add_table(2, 2)
    table.cell(0, 0).text = table.cell(1, 1).text = MARKUP
    made.save(file)
    return file.getvalue()


def printed() -> bytes:
    """A PDF of two pages whose words are markup."""
    file = BytesIO()
    canvas = Canvas(file)
    for page in range(2):
        for line in range(12):
            canvas.drawString(60, 760 - 16 * line, f"Page {page + 1}, line {line + 1}: {MARKUP}")
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def shown(visit: Visit, document: Document) -> None:
    """The document is on the stage, chunked, and nothing of it became an element."""
    expect(visit.chosen).to_have_value(document.title)
    visit.page.keyboard.press("Escape")
    chunking = chunked(document, mode="structure", size=40)
    visit.eventually(lambda: check_pieces(visit.pieces(visible=True), chunking))
    assert visit.count() == len(chunking)
    for selector in ("img[src='x']", "img[src*='away']", "script:has-text('alert')", ".stage b:has-text('bold')"):
        expect(visit.page.locator(selector)).to_have_count(0)


@pytest.fixture(scope="module")
def _tab(new_visit: Callable[[], Visit]) -> Iterator[Visit]:
    made = new_visit().open(mode="structure", size=40)
    yield made
    made.page.close()


@pytest.fixture
def bringing(_tab: Visit) -> Visit:
    """A tab in structure mode: headings go before the chunks."""
    return _tab.in_front()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("page.html", SCRIPTED.encode()),
        ("table.csv", TABLE.encode()),
        ("letter.docx", word()),
        ("print.pdf", printed()),
        ("notes.md", f"# {MARKUP}\n\n## **bold** `code` $x$\n\n{'Words under a heading. ' * 40}\n".encode()),
    ],
    ids=("html", "csv", "docx", "pdf", "markdown"),
)
def test_markup_in_a_file_of_any_format_is_text(bringing: Visit, name: str, data: bytes) -> None:
    document = read(name, data)
    assert "onerror" in document.text
    bringing.upload([{"name": name, "mimeType": KINDS[name.split(".")[-1]], "buffer": data}])
    shown(bringing, document)
    chunking = chunked(document, mode="structure", size=40)
    one = max(chunking, key=lambda found: len(found.context))
    assert bool(one.context) == (name not in ("print.pdf", "table.csv"))
    bringing.text().focus()
    for _ in range(one.index + 1):
        bringing.text().press("ArrowDown")

    def opened() -> None:
        bringing.text().press("Enter")
        name = f"Chunk {one.index + 1} of {len(chunking)}"
        expect(bringing.inspector.locator("h2")).to_have_text(name, timeout=3000)

    bringing.eventually(opened)
    expect(bringing.inspector.locator(".before")).to_have_text(one.context, use_inner_text=False)
    assert bringing.inspector.locator(".inspected").text_content() == one.text
    shown(bringing, document)
    bringing.page.keyboard.press("Escape")


@pytest.mark.parametrize("name", ["survey-report.pdf", "meeting-minutes.docx", "opening-hours.html"])
def test_an_uploaded_file_is_what_the_reader_reads(bringing: Visit, name: str) -> None:
    data = (SAMPLES / name).read_bytes()
    bringing.upload([{"name": f"my-{name}", "mimeType": KINDS[name.split(".")[-1]], "buffer": data}])
    shown(bringing, read(f"my-{name}", data))
    assert "doc" not in bringing.query


def test_a_broken_file_is_refused_in_words(bringing: Visit) -> None:
    whole = (SAMPLES / "survey-report.pdf").read_bytes()
    broken = {
        "broken.pdf": whole[:600],
        "no.pdf": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        "broken.docx": (SAMPLES / "meeting-minutes.docx").read_bytes()[:900],
        "<img src=x onerror=alert(9)>.pdf": whole[:40],
    }
    before = bringing.chosen.input_value()
    bringing.upload([{"name": name, "mimeType": "", "buffer": data} for name, data in broken.items()])
    alerts = bringing.page.locator("[data-testid=stAlert]")
    expect(alerts).to_have_count(len(broken))
    bringing.page.keyboard.press("Escape")
    for name, data in broken.items():
        with pytest.raises(ReadError) as refused:
            read(name, data)
        assert not re.search(r"Traceback|Error|Exception", str(refused.value))
        expect(alerts.filter(has_text=str(refused.value))).to_have_count(1)
    expect(bringing.page.locator("[data-testid=stException]")).to_have_count(0)
    expect(bringing.page.locator("img[src='x']")).to_have_count(0)
    expect(bringing.chosen).to_have_value(before)
