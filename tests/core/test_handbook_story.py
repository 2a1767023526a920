"""What the bundled documents are there to show, as facts: each has a passage that some way of chunking gets wrong."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from playground import Chunk, Chunking, ChunkingConfig, Prepared, chunk, prepare
from playground.core.modes import MODES
from playground.core.modes.structure import structure_of
from playground.live.store import read_sample

HANDBOOK = "company-handbook.md"
TITLE = "Marrowbrook Company Handbook"
RULE = (
    "The amount that comes back has to be signed off before the order can be closed. The person who placed the order "
    "may sign off a refund of up to $500; a larger one goes to the budget owner."
)
WHOSE = re.compile("contractor|agreement|outside|insurance", re.IGNORECASE)
"""Words that say whose refunds the rule is about."""


@cache
def prepared(name: str) -> Prepared:
    return prepare(read_sample(name))


def chunked(name: str, mode: str, unit: str, size: int, overlap: int = 0, **settings: object) -> Chunking:
    return chunk(prepared(name), ChunkingConfig(mode, unit, size, overlap, **settings))


def holding(chunking: Chunking, passage: str) -> Chunk:
    """The one chunk that holds the passage whole."""
    found = [one for one in chunking if passage in one.text]
    assert len(found) == 1
    return found[0]


# --- the handbook: whose refunds? ------------------------------------------------------------------------------


def test_the_same_sentence_stands_under_five_headings_and_the_rule_for_refunds_under_one():
    text = prepared(HANDBOOK).document.text
    chunking = chunked(HANDBOOK, "structure", "token", 240)
    sentence = "Requests above the limit need approval from the budget owner. Without it"
    assert [one.path[1:] for one in chunking if sentence in one.text] == [
        ("Employee purchases", "Ordering"),
        ("Contractor purchases", "Ordering"),
        ("Travel", "Hotels"),
        ("Learning", "Courses"),
        ("Home office and equipment", "Furniture"),
    ]
    assert [one.path[1] for one in chunking if "### Refunds" in one.text] == [
        "Employee purchases",
        "Contractor purchases",
    ]
    assert text.count(RULE) == 1


def test_fixed_windows_tear_the_rule():
    chunking = chunked(HANDBOOK, "fixed", "character", 500)
    place = prepared(HANDBOOK).document.text.index(RULE)
    parts = [one for one in chunking if one.start < place + len(RULE) and one.end > place]
    assert len(parts) == 2
    assert parts[0].text.endswith("has to be signed off before the o")
    assert parts[1].text.startswith(
        "rder can be closed. The person who placed the order may sign off a refund of up to $500"
    )
    assert "Refunds" in parts[0].text
    assert "Refunds" not in parts[1].text
    assert not any(RULE in one.text for one in chunking)


def test_whole_sentences_keep_the_rule_and_lose_whose_it_is():
    one = holding(chunked(HANDBOOK, "sentence", "token", 60), RULE)
    assert one.context == ""
    assert not WHOSE.search(one.embedded)
    assert "Refunds" not in one.embedded
    assert one.path == (TITLE, "Contractor purchases", "Refunds")


@pytest.mark.parametrize("size", [60, 90, 120, 240])
def test_structure_says_whose_it_is(size):
    passage = RULE.split(". ")[1]
    one = holding(chunked(HANDBOOK, "structure", "token", size), passage)
    assert one.context == f"{TITLE} > Contractor purchases > Refunds"
    assert one.embedded == f"{one.context}\n\n{one.text}"
    assert one.size + int(one.chunking.context_sizes[one.index]) <= size


def test_without_the_path_the_same_section_does_not_say_it():
    with_path = holding(chunked(HANDBOOK, "structure", "token", 120), RULE)
    without = holding(chunked(HANDBOOK, "structure", "token", 120, context=False), RULE)
    assert (without.start, without.end) == (with_path.start, with_path.end)
    assert without.context == ""
    assert WHOSE.search(with_path.embedded)
    assert not WHOSE.search(without.embedded)


def test_a_parent_brings_the_whole_section():
    text = prepared(HANDBOOK).document.text
    chunking = chunked(HANDBOOK, "structure", "token", 40, parent_size=240)
    one = holding(chunking, RULE.split(". ")[1])
    start = text.index("### Refunds", text.index("## Contractor purchases"))
    assert (one.parent.start, one.parent.end) == (start, text.index("## Travel"))
    assert one.parent.text.startswith(
        "### Refunds\n\nThings that do not suit may go back to the supplier within 14 days"
    )
    assert one.parent.text.endswith("your own outlay is settled with your next invoice.\n\n")
    assert RULE not in one.text
    assert RULE in one.parent.text
    assert one.parent.context == f"{TITLE} > Contractor purchases > Refunds"


# --- forty questions -------------------------------------------------------------------------------------------


def test_forty_questions_are_forty_pairs():
    chunking = chunked("faq.md", "structure", "token", 1000)
    questions = [re.findall(r"^### (.*)$", one.text, re.MULTILINE) for one in chunking]
    assert questions[0] == []
    assert [len(found) for found in questions[1:]] == [1] * 40
    assert [block.kind for block in structure_of(prepared("faq.md"), "auto").outline.blocks].count("pair") == 40


def test_an_answer_too_long_repeats_its_question():
    question = "### What must I do after an accident?"
    chunking = chunked("faq.md", "structure", "token", 240)
    start = prepared("faq.md").document.text.index(question)
    end = prepared("faq.md").document.text.index("### What happens if the bicycle is stolen")
    pieces = [one for one in chunking if start <= one.start < end]
    assert [question in one.text for one in pieces] == [True, False, False]
    assert [question in one.context for one in pieces] == [False, True, True]
    assert "".join(one.text for one in pieces) == prepared("faq.md").document.text[start:end]
    others = [one for one in chunking if one not in pieces]
    assert len(others) == 40
    assert not any("###" in one.context for one in others)


# --- a guide with a table and code -----------------------------------------------------------------------------

GUIDE = "field-guide.md"
COLUMNS = "| Code | Cloud | Base (m) | How to know it | What has usually followed |\n|---|:---|---:|---|---|"


def test_rows_of_a_table_too_large_are_read_under_its_header():
    found = [
        one for one in chunked(GUIDE, "structure", "token", 120) if re.search(r"^\| \w.* \|$", one.text, re.MULTILINE)
    ]
    assert len(found) > 5
    assert [COLUMNS in one.text for one in found] == [True] + [False] * (len(found) - 1)
    assert [COLUMNS in one.context for one in found] == [False] + [True] * (len(found) - 1)
    lines = "".join(one.text for one in found).strip().split("\n")
    assert len(lines) == 2 + 20
    assert all(line.startswith("|") and line.endswith("|") for line in lines)


def test_a_table_that_fits_is_in_one_chunk():
    one = holding(chunked(GUIDE, "structure", "token", 900), COLUMNS)
    assert one.text.count("\n| ") == 21
    assert one.context == "A Field Guide to the Sky over Hallin Head > Clouds > The twenty that you will meet"


def test_windows_leave_rows_without_their_header():
    found = [one for one in chunked(GUIDE, "fixed", "token", 120) if "Cumulonimbus" in one.text]
    assert len(found) == 1
    assert "Code" not in found[0].embedded


def test_lines_of_code_are_no_headings():
    text = prepared(GUIDE).document.text
    headings = [block for block in structure_of(prepared(GUIDE), "auto").outline.blocks if block.kind == "heading"]
    names = [block.name for block in headings]
    assert len(names) == 25
    assert names[:2] == ["A Field Guide to the Sky over Hallin Head", "Before you go out"]
    assert "High > middle > low / what to write when levels mix" in names
    for line in (
        "# Open today's file",
        "## Two number signs make no difference",
        "# station.yaml",
        "# Cover is in eighths",
        "## Also seen",
        "# 1987, Feb. 3",
        "## Old chapter: the brass barometer",
        "#4 on the mast",
    ):
        place = text.index(line)
        assert not any(block.start <= place < block.end for block in headings)


def test_code_that_fits_is_whole():
    chunking = chunked(GUIDE, "structure", "token", 400)
    for opening, closing in (
        ("```bash", "/media/stick/\n```"),
        ("~~~yaml", "do not close this block\n~~~"),
        ("````markdown", "far out.\n````"),
    ):
        assert closing in next(one.text for one in chunking if opening in one.text)


# --- code ------------------------------------------------------------------------------------------------------


def test_methods_are_read_under_the_header_of_their_class():
    chunking = chunked("inventory.py", "structure", "token", 240)
    methods = [one for one in chunking if (one.symbol or "").startswith("StockBook.")]
    assert len(methods) == 14
    assert {one.context for one in methods} == {"@dataclass\nclass StockBook:"}
    assert holding(chunking, "def parse(cls, line").context == "@dataclass(frozen=True, slots=True)\nclass Item:"
    assert holding(chunking, "def order_list(").context == ""


def test_decorators_stay_with_what_they_decorate():
    chunking = chunked("inventory.py", "structure", "token", 240)
    assert holding(chunking, "def issue(").text.startswith('    @recorded("issued")\n    @positive\n    def issue(')
    assert holding(chunking, "def parse(").text.startswith("    @classmethod\n    def parse(")
    assert not any(one.symbol == "sell" for one in chunking)


# --- a page of the web -----------------------------------------------------------------------------------------


def test_navigation_is_left_out_on_request():
    kept = chunked("opening-hours.html", "structure", "token", 120)
    left = chunked("opening-hours.html", "structure", "token", 120, boilerplate="leave out")
    spans = {(one.start, one.end) for one in left}
    assert spans < {(one.start, one.end) for one in kept}
    gone = [one.text.strip() for one in kept if (one.start, one.end) not in spans]
    assert [text.split("\n")[0][:40] for text in gone] == [
        "The Harbour Museum at Pellan Quay",
        "- Opening hours",
        "Opening hours | Prices | Write to us",
        "The Harbour Museum is kept by a society ",
    ]
    assert left[0].text.startswith("Visiting the Harbour Museum\n\nThe museum fills three sheds")
    assert holding(left, "accordion on the tug").context == (
        "Visiting the Harbour Museum > Opening hours > Days that follow no rule > Late evenings"
    )


def test_what_a_visitor_does_not_see_is_not_there():
    text = prepared("opening-hours.html").document.text
    assert not re.search("Draft note|font-family|Remove this note|</|<p|<b>", text)
    assert "one two three, and up" in text
    assert "as in unloading, which" in text


# --- pages of a PDF --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_every_chunk_of_a_pdf_has_its_page(mode):
    chunking = chunked("survey-report.pdf", mode, "token", 200, 20)
    pages = [one.page for one in chunking]
    assert set(pages) == {1, 2, 3, 4, 5}
    assert all(first <= second for first, second in pairwise(pages))
    starts = chunking.document.pages
    for one in chunking:
        assert starts[one.page - 1] <= one.start + len(one.text) - len(one.text.lstrip())
        assert one.metadata["page"] == one.page


def test_by_pages_no_chunk_goes_from_one_page_to_the_next():
    chunking = chunked("survey-report.pdf", "structure", "token", 200)
    assert not any(one.start < page < one.end for one in chunking for page in chunking.document.pages)
    feet = [one.text.strip() for one in chunking if re.search(r"Page \d of 5\s*$", one.text)]
    assert [text[-6] for text in feet] == list("12345")


# --- tables that look alike ------------------------------------------------------------------------------------


def test_tables_that_look_alike_are_told_apart_by_their_context():
    chunking = chunked("api-reference.md", "structure", "token", 120)
    tables = [one for one in chunking if one.text.startswith("| Parameter | Type | Default | Meaning |")]
    assert [one.context for one in tables] == [
        f"Lanternshelf API Reference > {name} > List {name.lower()}"
        for name in ("Items", "Members", "Loans", "Holds", "Fines")
    ]
    same = {re.sub(r"\d+", "n", one.text) for one in tables}
    assert len(same) < len(tables)
    assert not any(re.search("items|members|loans|holds|fines", one.text, re.IGNORECASE) for one in tables)


# --- data ------------------------------------------------------------------------------------------------------


def test_readings_keep_the_names_of_their_columns():
    chunking = chunked("tide-tables.csv", "structure", "token", 200)
    columns = "date,station,tide,time_utc,height_m,light,note"
    assert chunking[0].text.startswith(f"{columns}\n")
    assert [one.context for one in chunking] == ["", *[columns] * (len(chunking) - 1)]
    lines = prepared("tide-tables.csv").document.text.splitlines(keepends=True)
    ends = np.cumsum([len(line) for line in lines])
    assert set(chunking.ends.tolist()) <= set(ends.tolist())


@pytest.mark.parametrize("size", [120, 160, 240, 500])
def test_a_record_that_fits_is_never_split(size):
    chunking = chunked("support-tickets.jsonl", "structure", "token", size)
    records = chunking.document.blocks
    assert len(records) == 30
    for record in records:
        assert any(one.start <= record.start and record.end <= one.end for one in chunking)
    torn = chunked("support-tickets.jsonl", "fixed", "token", size)
    assert any(record.start < one.end < record.end for record in records for one in torn)


# --- minutes ---------------------------------------------------------------------------------------------------


def test_headings_of_a_word_file_are_the_path():
    chunking = chunked("meeting-minutes.docx", "structure", "token", 120)
    for passage, path in (
        ("the hand pump by the gate is the only source", ("Water", "The pump")),
        ("Anyone who takes a plot after 1 July", ("Money", "Rent for the coming year")),
        ("Plot 36 would like to keep four hens", ("Requests", "Hens on plot 36")),
        ("Turn the common compost", ("Tasks",)),
    ):
        one = holding(chunking, passage)
        assert one.path == ("Minutes of the autumn meeting", *path)
        assert one.context.startswith(" > ".join(one.path))
        assert one.metadata["heading_path"] == list(one.path)
    assert holding(chunking, "Turn the common compost").context.endswith(
        "| Task | Plot | Until | Costs at most |\n| --- | --- | --- | --- |"
    )
