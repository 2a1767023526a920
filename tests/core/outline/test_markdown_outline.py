"""Markdown's outline: CommonMark's own examples, markdown-it's plain pipeline as oracle, documents of known blocks."""

from __future__ import annotations

import json
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from playground.core.document import KINDS, Block
from playground.core.outline.front_matter import front_matter
from playground.core.outline.markdown import markdown_blocks, plain_text
from playground.core.outline.markdown_parser import DEEPEST, outline_state
from playground.core.outline.markdown_rules import WANTED, OutlineState

EXAMPLES = json.loads(Path(__file__).with_name("commonmark_examples.json").read_text("utf-8"))["examples"]
PLAIN = MarkdownIt("commonmark", {"maxNesting": 1_000}).enable("table")
LINE_START = re.compile(r"\A|(?<=\n)|(?<=\r)(?!\n)")


class Counted(HTMLParser):
    """What a page of HTML shows: its headings in order, and how many elements of each tag it has."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.headings: list[list[object]] = []
        self.open = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        if re.fullmatch("h[1-6]", tag):
            self.headings.append([int(tag[1]), ""])
            self.open = True
        if tag == "img":
            self.handle_data(dict(attrs).get("alt") or "")

    def handle_endtag(self, tag: str) -> None:
        self.open = self.open and not re.fullmatch("h[1-6]", tag)

    def handle_data(self, data: str) -> None:
        if self.open:
            self.headings[-1][1] = f"{self.headings[-1][1]}{data}"

    def named(self) -> list[tuple[int, str]]:
        return [(level, " ".join(words.split())) for level, words in self.headings]


TAGS = {"code": "pre", "item": "li", "quote": "blockquote", "rule": "hr", "row": "tr", "table": "table"}


def headings(text: str) -> list[tuple[int, str]]:
    return [(block.level, block.name) for block in markdown_blocks(text) if block.kind == "heading"]


def kinds(text: str) -> list[tuple[str, str]]:
    return [(block.kind, text[block.start : block.end]) for block in markdown_blocks(text)]


def check_shape(text: str, blocks: tuple[Block, ...]) -> None:
    """Sorted, nested, in bounds, of known kinds, and from a line's start to before a line's end."""
    starts = {found.start() for found in LINE_START.finditer(text)}
    holders: list[Block] = []
    assert list(blocks) == sorted(blocks, key=lambda block: (block.start, -block.end))
    for block in blocks:
        assert block.kind in KINDS
        assert 0 <= block.start < block.end <= len(text)
        assert block.start in starts
        assert block.end == len(text) or text[block.end] in "\r\n"
        assert not block.head or block.start < block.head <= block.end
        while holders and holders[-1].end <= block.start:
            holders.pop()
        assert not holders or block.end <= holders[-1].end
        holders.append(block)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example['number']}-{example['section']}")
def test_commonmark_examples(example):
    text, shown = example["markdown"], Counted(example["html"])
    blocks = markdown_blocks(text)
    check_shape(text, blocks)
    # Front matter is no part of CommonMark: an example that looks like it is told apart here.
    assert front_matter(text)[0] == 0
    assert headings(text) == shown.named()
    found = Counter(block.kind for block in blocks)
    raw = Counted("".join(re.findall("(?s)<.*", text))).tags if "<" in text else Counter()
    for kind, tag in TAGS.items():
        if not raw[tag]:
            assert found[kind] == shown.tags[tag], kind


PIECES = (
    "a", "b c", "# ", "## h", "#", "===", "---", "--- ", "- ", "* ", "+ ", "1. ", "2) ", "> ", ">", "    ", "  ", " ",
    "\t", "```", "~~~", "````", "|", "a|b", "-|-", "|:-|", "\\|", "<div>", "<!--", "-->", "</div>", "<b>", "<?", "[",
    "]", "[x]: /u", "'t", "'", ":", "*e*", "`c`", "***", "_ _ _", "x?", "\u2028", "\x85", "\f", "\u00a0",
)  # fmt: skip
SOUP = st.lists(
    st.tuples(
        st.lists(st.sampled_from(PIECES), max_size=5).map("".join), st.sampled_from(("\n", "\n", "\n\n", "\r\n", "\r"))
    ),
    max_size=14,
).map(lambda lines: "".join(map("".join, lines)))


def plain_lines(text: str) -> list[tuple[str, str, int, list[int]]]:
    """What markdown-it itself says: kind, tag, depth and lines of every token that becomes a block.

    A row has no depth here (in a token's count it lies in the table's head or body), and a header's row takes the
    delimiter's line with it.
    """
    lines, before = [], ""
    for token in PLAIN.parse(text):
        if token.type in WANTED and token.nesting >= 0:
            row, extra = token.tag == "tr", before == "thead_open"
            first, end = token.map
            lines.append((WANTED[token.type], token.tag, 0 if row else token.level, [first, end + extra]))
        before = token.type
    return lines


@given(SOUP)
def test_the_light_rules_equal_markdown_it(text):
    state = outline_state(text.replace("\r\n", "\n").replace("\r", "\n"))
    found = [(block.kind, block.tag, 0 if block.tag == "tr" else block.depth, block.map) for block in state.found]
    assert found == plain_lines(text)


@given(SOUP)
def test_soup_has_the_headings_and_elements_of_its_html(text):
    blocks = markdown_blocks(text)
    check_shape(text, blocks)
    body = text[front_matter(text)[0] :]
    tokens = PLAIN.parse(body)
    assert [block.level for block in blocks if block.kind == "heading"] == [
        int(token.tag[1]) for token in tokens if token.type == "heading_open"
    ]
    if "<" not in text:
        shown = Counted(PLAIN.render(body))
        assert headings(text) == shown.named()
        found = Counter(block.kind for block in blocks)
        assert {kind: found[kind] for kind in TAGS} == {kind: shown.tags[tag] for kind, tag in TAGS.items()}


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_any_text_has_an_outline(text):
    check_shape(text, markdown_blocks(text))


WORDS = st.text("abcxyz", min_size=1, max_size=8)
LEAVES = st.one_of(
    st.builds(lambda level, word: ("heading", f"{'#' * level} {word}", []), st.integers(1, 6), WORDS),
    st.builds(lambda word, mark: ("heading", f"{word}\n{mark * 3}", []), WORDS, st.sampled_from("=-")),
    st.lists(WORDS, min_size=1, max_size=3).map(lambda lines: ("paragraph", "\n".join(lines), [])),
    st.builds(
        lambda fence, lines: ("code", "\n".join([fence, *lines, fence]), []),
        st.sampled_from(("```", "~~~~")),
        st.lists(st.sampled_from(("# no heading", "", "- none", "| a |", "---")), max_size=4),
    ),
    st.just(("rule", "* * *", [])),
)


def _table(rows: list[tuple[str, str]]) -> tuple[str, str, list[str]]:
    lines = [f"| {a} | {b} |" for a, b in rows]
    header = f"{lines[0]}\n|---|:-:|"
    return "table", "\n".join([header, *lines[1:]]), [header, *lines[1:]]


TABLES = st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=4).map(_table)
LISTS = st.lists(WORDS, min_size=1, max_size=4).map(
    lambda words: ("list", "\n".join(f"- {word}" for word in words), [f"- {word}" for word in words])
)
INNER = {"table": "row", "list": "item"}


@given(st.lists(st.one_of(LEAVES, TABLES, LISTS), max_size=8))
def test_a_document_gives_the_blocks_it_is_made_of(parts):
    # Two lists in a row would be one, so a rule stands between parts.
    text = "".join(f"{source}\n\n***\n\n" for _, source, _ in parts)
    expected = []
    for kind, source, inner in parts:
        expected += [(kind, source), *((INNER[kind], line) for line in inner), ("rule", "***")]
    assert kinds(text) == expected


def test_blocks_of_one_document():
    text = "Top\n===\n\n> ## In\n> words\n\n1. one\n   - two\n\n     more\n2. x\n\n|a|b|\n|-|-|\n|1|2|\n\n    code\n"
    assert kinds(text) == [
        ("heading", "Top\n==="),
        ("section", "> ## In\n> words"),
        ("quote", "> ## In\n> words"),
        ("heading", "> ## In"),
        ("paragraph", "> words"),
        ("list", "1. one\n   - two\n\n     more\n2. x"),
        ("item", "1. one\n   - two\n\n     more"),
        ("paragraph", "1. one"),
        ("item", "   - two\n\n     more"),
        ("paragraph", "   - two"),
        ("paragraph", "     more"),
        ("item", "2. x"),
        ("table", "|a|b|\n|-|-|\n|1|2|"),
        ("row", "|a|b|\n|-|-|"),
        ("row", "|1|2|"),
        ("code", "    code"),
    ]
    blocks = markdown_blocks(text)
    assert [block.level for block in blocks if block.kind == "item"] == [1, 2, 1]
    (table,) = (block for block in blocks if block.kind == "table")
    assert text[table.start : table.head] == "|a|b|\n|-|-|\n"


def test_a_table_of_a_header_alone_has_its_head_in_bounds():
    (table, row) = markdown_blocks("|a|\n|-|\n")
    assert (table.head, row.end) == (7, 7)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end):
    text = end.join(("# a", "", "b\u2028# no", "c\x85", "===", "", "- d", "", "```", "e", "```", ""))
    assert kinds(text) == [
        ("heading", "# a"),
        ("heading", end.join(("b\u2028# no", "c\x85", "==="))),
        ("list", "- d"),
        ("item", "- d"),
        ("code", end.join(("```", "e", "```"))),
    ]


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("plain", "plain"),
        ("*a* **b** `c_d`", "a b c_d"),
        ("[a *b*](/u) <http://x.y> ![alt *t*](i.png)", "a b http://x.y alt t"),
        ("a &amp; b \\* c <b>d</b>", "a & b * c d"),
        ("snake_case_name", "snake_case_name"),
        ("trailing ##", "trailing"),
    ],
)
def test_names_have_no_markup(content, name):
    assert headings(f"## {content}") == [(2, name)]


def test_a_name_follows_references():
    assert headings("# See [it]\n\n[it]: /there\n") == [(1, "See it")]
    assert headings("two *lines\nof* name\n---\n") == [(2, "two lines of name")]
    assert plain_text("# [none]") == "# [none]"


def test_front_matter_is_one_record():
    text = "---\ntitle: A\n---\n# B\n"
    assert kinds(text) == [("record", "---\ntitle: A\n---"), ("heading", "# B")]
    assert markdown_blocks(text)[0].name == "front matter"
    assert [kind for kind, _ in kinds("---\n\nwords\n\n---\n")] == ["rule", "paragraph", "rule"]


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("---\na: 1\nb: 'x, y' # c\nd: [1, \"p, q\", r]\ne:\n- f\n  - g\nh: |\n  i\n  j\n---\n",
         {"a": "1", "b": "x, y", "d": ["1", "p, q", "r"], "e": ["f", "g"], "h": "i\nj"}),
        ("---\r\na: b: c\r\n...\r\n", {"a": "b: c"}),
        ("---\na: {b: 1}\nc:\n  d: 2\ne:\n---", {"e": ""}),
        ("+++\na = 1\nb = [1.50, 'x']\nc = true\n[d]\ne = 1\n+++\n", {"a": "1", "b": ["1.50", "x"], "c": "true"}),
    ],
)  # fmt: skip
def test_front_matter_pairs(text, pairs):
    assert text.endswith("---") or front_matter(f"{text}# x\n") == (len(text), pairs)
    assert front_matter(text) == (len(text), pairs)


@pytest.mark.parametrize(
    "text", ["", "---", "---\n", "---\n---\n", "---\nwords here\n---\n", "----\na: b\n----\n", " ---\na: b\n---\n",
             "---\na: b\n", "+++\na = \n+++\n", "+++\na = " + "[" * 9_000 + "\n+++\n",
             "---\n" + "a: b\n" * 20_000 + "---\n"]
)  # fmt: skip
def test_no_front_matter(text):
    assert front_matter(text) == (0, {})


@given(st.sampled_from(("---", "+++")), st.text(st.sampled_from("ab:=-[]{},#'\"| \n\t>1."), max_size=40), st.booleans())
def test_front_matter_never_raises(fence, inside, closed):
    text = f"{fence}\n{inside}\n{fence if closed else ''}\n"
    end, pairs = front_matter(text)
    assert text[:end].strip().endswith(fence) if end else pairs == {}


HOSTILE = {
    "quotes": "> " * 50_000 + "a",
    "items": "- " * 50_000 + "a",
    "both": "- > 1. " * 20_000 + "a",
    "brackets": "[" * 500_000,
    "stars": "*" * 500_000,
    "images": "# " + "![" * 100_000,
    "emphasis": "# " + "*a " * 100_000,
    "headings": "# a\n" * 20_000,
    "paragraphs": "short\n\n" * 2_000,
    "label": "[\n" + "a\n" * 20_000,
    "name": "---\na" + " " * 60_000 + "\n---\n",
    "title": "[a]: b 'c\n" + "x\n" * 20_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text(name):
    text = HOSTILE[name]
    blocks = markdown_blocks(f"{text}\n\n# After\n")
    check_shape(f"{text}\n\n# After\n", blocks)
    assert blocks[-1].name == "After"
    depth = [
        sum(holder.start <= block.start and block.end <= holder.end for holder in blocks[:100])
        for block in blocks[:100]
    ]
    assert max(depth) <= DEEPEST + 2


def test_work_grows_with_the_text(monkeypatch):
    """Every line of a long paragraph that starts like a definition is read a bounded number of times."""
    seen = Counter()
    plain = OutlineState.isEmpty
    monkeypatch.setattr(OutlineState, "isEmpty", lambda self, line: seen.update([line]) or plain(self, line))
    markdown_blocks("[a]: b 'c\n" * 1_000 + "x\n" * 1_000)
    assert max(seen.values()) <= 200
