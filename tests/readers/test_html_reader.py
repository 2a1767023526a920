"""Reading HTML: what is visible and in which order, blocks, encodings, hostile pages; BeautifulSoup is the oracle."""

from __future__ import annotations

import html
import re

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from playground.core.document import Document
from playground.readers.errors import ReadError
from playground.readers.html import read_html


def page(markup: str) -> Document:
    return read_html("page.html", markup.encode())


def blocks(document: Document, *kinds: str) -> list[tuple[str, str]]:
    return [(b.kind, document.text[b.start : b.end]) for b in document.blocks if b.kind in kinds]


def ink(text: str) -> str:
    return "".join(text.split())


# --- text ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>one <b>two</b> three</p>", "one two three"),
        ("<p>un<em>load</em>ing</p>", "unloading"),
        ("<p>one<b> two </b> three</p>", "one two three"),
        ("<p> a\n  b\t<i> c</i> \n</p>", "a b c"),
        ("<p>a&nbsp; b &amp; &eacute;&#8212;&hellip;</p>", "a\xa0 b & é—…"),
        ("<div>a</div><div>b</div>c<p>d</p>e", "a\nb\nc\n\nd\n\ne"),
        ("<h1>A</h1>text<h2>B</h2>more", "A\n\ntext\n\nB\n\nmore"),
        ("a<br>b<br><br>c", "a\nb\n\nc"),
        ("<p>a<!-- no --> b<script>no()</script><style>no{}</style><noscript>no</noscript> c</p>", "a b c"),
        ("<template><h2>no</h2></template><p hidden>no</p><p style='color:red; DISPLAY : none'>no</p>yes", "yes"),
        ("<p hidden>no <b>no</b><br><img alt=no></p><p>yes</p>", "yes"),
        ("<head><title>T</title><meta name=a content=no></head><body>b", "b"),
        ("see <img src=x alt='the map'>here", "see the map here"),
        ("<details><summary>Why?</summary><p>Because.</p></details>", "Why?\n\nBecause."),
        ("<pre>\n a\n   b  c\n</pre>x", " a\n   b  c\n\nx"),
        ("<pre>a<b>\n\n</b>b</pre>", "a\n\nb"),
        ("<textarea>\n a  b\nc</textarea>", " a  b\nc"),
        ("a\r\nb<pre>c\r\nd</pre>", "a b\n\nc\nd"),
        ("a < b & c <nosuch>d</nosuch> </p></b> &nosuch;", "a < b & c d &nosuch;"),
    ],
)
def test_visible_text(markup: str, text: str):
    assert page(markup).text == text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<ul><li>a<li>b</ul>c", "- a\n- b\n\nc"),
        ("<ol start=3><li>a<li value=7>b<li>c</ol>", "3. a\n7. b\n8. c"),
        ("<ul><li>a<ol><li>b<br>c</ol>d</li></ul>", "- a\n  1. b\n     c\n  d"),
        ("<ul><li><ul><li>a</ul></ul>", "- - a"),
        ("<ul><li></li><li>a</li></ul>", "- a"),
        ("<ol><li><pre>x\n  y</pre>z</ol>", "1.\n\nx\n  y\n\n   z"),
        ("<dl><dt>a<dd>b<dd>c<dt>d<dd>e</dl>", "a\n  b\n  c\nd\n  e"),
        ("<dl><dt>a<dd><pre>x\n  y</pre>z</dl>", "a\n\nx\n  y\n\n  z"),
        ("<dl><dt>a<dd>b<pre>x\n  y</pre><dt>c<dd>d</dl>", "a\n  b\n\nx\n  y\n\nc\n  d"),
    ],
)
def test_lists(markup: str, text: str):
    assert page(markup).text == text


def test_list_blocks_nest_with_their_depth():
    document = page("<p>x</p><ul><li>a<ul><li>b</ul><li>c</ul>")
    assert blocks(document, "list", "item") == [
        ("list", "- a\n  - b\n- c"),
        ("item", "- a\n  - b"),
        ("item", "  - b"),
        ("item", "- c"),
    ]
    assert [b.level for b in document.blocks if b.kind == "item"] == [1, 2, 1]


def test_a_term_and_its_descriptions_are_one_item():
    document = page("<dl><dt>a<dt>b<dd>c<dd>d<dt>e<dd>f</dl>")
    assert blocks(document, "list", "item") == [
        ("list", "a\nb\n  c\n  d\ne\n  f"),
        ("item", "a\nb\n  c\n  d"),
        ("item", "e\n  f"),
    ]


def test_code_in_a_description_lies_in_its_item():
    document = page("<dl><dt>a<dd><pre>x\n  y</pre>z<dt>b<dd>c</dl>")
    assert blocks(document, "item", "code") == [("item", "a\n\nx\n  y\n\n  z"), ("code", "x\n  y"), ("item", "b\n  c")]


# --- tables -------------------------------------------------------------------------------------------------

HEAD = "| A | B |\n| --- | --- |\n"


@pytest.mark.parametrize(
    ("markup", "text", "head"),
    [
        ("<tr><th>A<th>B<tr><td>1<td>2|3", HEAD + "| 1 | 2\\|3 |", HEAD),
        ("<thead><tr><td>A<td>B</thead><tbody><tr><td>1<td> x <b>y</b><br>z", HEAD + "| 1 | x y z |", HEAD),
        ("<tr><td>1<td>2<tr><td>3<td>4", "| 1 | 2 |\n| 3 | 4 |", ""),
        ("<tr><th>A<td>1<tr><th>B<td>2", "| A | 1 |\n| B | 2 |", ""),
        ("<tr><th>A<th>B", HEAD.strip(), HEAD.strip()),
        ("<caption>C</caption><tr><th>A<th>B<tr><td>1<td>2", f"C\n{HEAD}| 1 | 2 |", f"C\n{HEAD}"),
        (
            "<tr><th>A<th>B<tr><td rowspan=2>1<td>2<tr><td>3<tr><td colspan=2>4<tr><td>",
            HEAD + "| 1 | 2 |\n|  | 3 |\n| 4 |  |",
            HEAD,
        ),
        ("<tr><th><h3>A</h3><th>B<tr><td><ul><li>1<li>2</ul><td>3", HEAD + "| 1 2 | 3 |", HEAD),
    ],
)
def test_tables_are_rows_between_pipes(markup: str, text: str, head: str):
    document = page(f"<p>x</p><table>{markup}</table>y")
    assert document.text == f"x\n\n{text}\n\ny"
    (table,) = (block for block in document.blocks if block.kind == "table")
    assert document.text[table.start : table.end] == text
    assert document.text[table.start : table.head or table.start] == head
    rows = [line for line in text.splitlines() if line.startswith("|") and "---" not in line]
    assert blocks(document, "row") == [("row", row) for row in rows]


@pytest.mark.parametrize("inner", ["<table><tr><td>a</table>", "<h2>a</h2>", "<pre>a</pre>", "<nav>a</nav>"])
def test_tables_for_the_layout_leave_no_pipes(inner: str):
    document = page(f"<table><tr><td>left<td>{inner}</table>")
    assert document.text.replace("| a |", "a") == "left\n\na"


@pytest.mark.parametrize(
    ("hidden", "before"),
    [
        ("<table hidden><tr><th>no<tr><td>no</table>", ""),
        ("<table style='display:none'><tr><td>no<td><h2>no</h2></table>", ""),
        ("<table hidden><caption>no</caption><tr><td>no<td><table><tr><td>no</table></table>", ""),
        ("<div hidden><table><tr><td>no</table></div>", ""),
        ("<table><tr><td hidden>no<td><p>left</p><td><table hidden><tr><td>no</table></table>", "left\n\n"),
    ],
)
def test_a_hidden_table_leaves_nothing_and_the_next_is_read_as_ever(hidden: str, before: str):
    document = page(f"<p>x</p>{hidden}<table><tr><th>A<th>B<tr><td>1<td>2</table>y")
    assert document.text == f"x\n\n{before}{HEAD}| 1 | 2 |\n\ny"
    assert blocks(document, "table", "row", "heading") == [
        ("table", f"{HEAD}| 1 | 2 |"),
        ("row", "| A | B |"),
        ("row", "| 1 | 2 |"),
    ]


def test_hidden_rows_and_cells_of_a_table_are_left_out():
    document = page("<table><tr><td>a<td hidden>no<tr hidden><td>no<td>no<tr><td>c<td>d</table>")
    assert blocks(document, "table", "row") == [("table", "| a |\n| c | d |"), ("row", "| a |"), ("row", "| c | d |")]


# --- headings, sections, what repeats -----------------------------------------------------------------------


def test_headings_have_levels_and_names_of_one_line():
    document = page("<h1>A <em>b</em><br>c</h1><ul><li><h3>D</h3></ul><h2><img src=x></h2>")
    assert [(b.level, b.name) for b in document.blocks if b.kind == "heading"] == [(1, "A b c"), (3, "D")]


def test_sections_and_boilerplate():
    document = page(
        "<header><p>Site</p><nav><a>Go</a></nav></header><main><h1>T</h1><section>s</section>"
        "<article>a<aside>note</aside><footer>by</footer></article></main>"
        "<div role=contentinfo>c</div><footer>f</footer>"
    )
    assert blocks(document, "boilerplate") == [
        ("boilerplate", "Site\n\nGo"),
        ("boilerplate", "Go"),
        ("boilerplate", "c"),
        ("boilerplate", "f"),
    ]
    assert [text for _, text in blocks(document, "section")] == [
        "Go",
        "T\n\ns\n\na\n\nnote\n\nby",
        "s",
        "a\n\nnote\n\nby",
        "note",
        "by",
        "c",
        "f",
    ]


def test_a_header_with_the_page_heading_is_no_boilerplate():
    document = page("<header><h1>T</h1><nav>Go</nav></header>")
    assert blocks(document, "boilerplate") == [("boilerplate", "Go")]


def test_metadata():
    document = page(
        "<html lang=de><head><title> A\n b </title><meta name=last-updated content=2024-04-02></head>"
        "<body><svg><title>icon</title></svg>x"
    )
    assert document.metadata == {"title": "A b", "language": "de", "last_updated": "2024-04-02"}
    assert (document.text, document.media_type) == ("x", "text/html")


# --- encodings ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "text", "notices"),
    [
        ("<meta charset=utf-8><p>é".encode(), "é", ()),
        ("<meta charset='ISO-8859-1'><p>é – €".encode("cp1252"), "é – €", ("iso-8859-1",)),
        ("<meta content='text/html; charset=koi8-r'>мир".encode("koi8-r"), "мир", ("koi8-r",)),
        ('<?xml version="1.0" encoding="shift_jis"?><html><p>猫</p></html>'.encode("cp932"), "猫", ("shift_jis",)),
        (
            '<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml"><p>é<br/>x</p></html>'.encode(),
            "é\nx",
            (),
        ),
        ("\ufeff<meta charset=koi8-r>é".encode(), "é", ("byte order mark",)),
        ("\ufeff<p>猫".encode("utf-16-le"), "猫", ("UTF-16",)),
        ("<meta charset=nosuch><p>Voilà, un café".encode("cp1252"), "Voilà, un café", ("Windows-1252",)),
        ("<meta charset=rot13><p>é".encode(), "é", ()),
        (b"<meta charset=ascii>plain", "plain", ()),
    ],
)
def test_encodings(data: bytes, text: str, notices: tuple[str, ...]):
    document = read_html("page.html", data)
    assert document.text == text
    assert len(document.notices) == len(notices)
    assert all(part in notice for part, notice in zip(notices, document.notices, strict=True))


@pytest.mark.parametrize("before", ["\ufeff", "\ufeff\ufeff", "<h1>\ufeff", "\ufeff<h1>\ufeff\ufeff"])
def test_byte_order_marks_at_the_start_shift_nothing(before: str):
    document = page(
        f"{before}{'' if '<h1>' in before else '<h1>'}Title</h1><table><tr><th>A<tr><td>1</table><p>\ufeffb"
    )
    assert document.text == "Title\n\n| A |\n| --- |\n| 1 |\n\n\ufeffb"
    assert [(block.kind, block.name, document.text[block.start : block.end]) for block in document.blocks] == [
        ("heading", "Title", "Title"),
        ("table", "", "| A |\n| --- |\n| 1 |"),
        ("row", "", "| A |"),
        ("row", "", "| 1 |"),
        ("paragraph", "", "\ufeffb"),
    ]
    (table,) = (block for block in document.blocks if block.kind == "table")
    assert document.text[table.start : table.head] == "| A |\n| --- |\n"


def test_pictures_are_refused():
    with pytest.raises(ReadError, match="PNG"):
        read_html("page.html", b"\x89PNG\r\n\x1a\n<meta charset=latin1>")


# --- hostile and empty pages --------------------------------------------------------------------------------


@pytest.mark.parametrize("markup", ["<p> </p>", "<!-- only this", "<script>x</script>", "<a " * 27_000])
def test_pages_without_visible_text_say_so(markup: str):
    document = page(markup)
    assert (document.text, document.notices) == ("", ("page.html holds no visible text.",))


def test_an_empty_file():
    assert page("").notices == ("page.html is empty.",)


@pytest.mark.parametrize("tag", ["div", "section", "blockquote", "ul><li", "table><tr><td", "dl><dt", "b", "pre", "h1"])
def test_depth_does_not_matter(tag: str):
    document = page(f"<{tag}>" * 30_000 + "x<h2>end</h2>")
    assert document.text.strip("-| ").startswith("x")
    assert document.text.rstrip(" |").endswith("end")
    assert len(document.blocks) <= 20_000


def test_an_element_with_very_many_attributes():
    assert page("<a " + " ".join(f"b{n}=1" for n in range(100_000)) + ">x").text == "x"


def test_wide_and_high_cells_stay_in_bounds():
    document = page("<table>" + "<tr><td rowspan=60000 colspan=60000>x" * 2000 + "</table>")
    assert len(document.text) < 1_000_000


# --- the oracle ---------------------------------------------------------------------------------------------

WORDS = st.text(st.sampled_from("abc é猫😀\xa0&<>\n\t "), max_size=12).map(html.escape)
INLINE = st.sampled_from(["b", "em", "a", "span", "code", "sup"])
BLOCK = st.sampled_from(
    ["div", "section", "article", "nav", "aside", "header", "footer", "main", "blockquote", "details", "figure"]
)
LEAF = st.sampled_from(["p", "h1", "h2", "h3", "h6", "pre", "summary", "address"])
DROPPED = st.sampled_from(
    ["<script>no<b></script>", "<style>no</style>", "<template><p>no</p></template>", "<!-- no -->"]
)


def wrapped(tags: st.SearchStrategy[str], inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(lambda tag, text: f"<{tag}>{text}</{tag}>", tags, inner)


def several(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(inner, max_size=4).map("".join)


PHRASES = several(WORDS | wrapped(INLINE, WORDS) | st.just("<br>") | DROPPED)
LEAVES = wrapped(LEAF, PHRASES) | PHRASES | DROPPED


def rows(cells: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return several(wrapped(st.just("tr"), several(wrapped(st.sampled_from(["td", "th"]), cells))))


def nest(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    items = several(wrapped(st.just("li"), several(inner)))
    terms = several(wrapped(st.sampled_from(["dt", "dd"]), PHRASES))
    return (
        wrapped(BLOCK, several(inner))
        | wrapped(st.sampled_from(["ul", "ol"]), items)
        | wrapped(st.just("dl"), terms)
        | wrapped(st.just("table"), rows(inner | PHRASES))
    )


PAGES = several(st.recursive(LEAVES, nest, max_leaves=12))


def expected(markup: str) -> str:
    soup = BeautifulSoup(markup, "html.parser")
    for unseen in soup(["script", "style", "template", "title", "noscript"]):
        unseen.decompose()
    return ink(soup.get_text())


def without_markers(text: str) -> str:
    """Text whose words hold no digit, dot, hyphen or pipe: those are all ours."""
    return re.sub(r"[-|0-9.\\]", "", ink(text))


@given(PAGES)
def test_ink_is_that_of_beautiful_soup(markup: str):
    assert without_markers(page(f"<html><body>{markup}</body></html>").text) == expected(markup)


@given(PAGES)
def test_blocks_nest_and_start_lines(markup: str):
    document = page(markup)
    around = []
    for block in document.blocks:
        assert block.start < block.end <= len(document.text)
        assert block.start == 0 or document.text[block.start - 1] == "\n"
        assert document.text[block.end - 1].strip(" \t\n\r\f")
        while around and around[-1].end <= block.start:
            around.pop()
        assert not around or block.end <= around[-1].end
        assert block.head == 0 or block.start < block.head <= block.end
        around.append(block)


@given(st.text(st.sampled_from("<>/ abptdrulih1=\"'&;!-"), max_size=80))
def test_any_markup_is_read(markup: str):
    assert isinstance(page(markup).text, str)


def test_a_whole_page_against_beautiful_soup():
    markup = (
        "<html><head><title>t</title></head><body><h1>A</h1><p>b <b>c</b>d&nbsp;e</p>"
        "<ul><li>f<li>g</ul><table><tr><th>h<td>i</table></body></html>"
    )
    assert without_markers(page(markup).text) == expected(markup) == "Abcdefghi"
