"""Questions and answers: each form of a question, where an answer ends, and pages made of known pairs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.core.outline.faq import faq_blocks, looks_like_faq
from playground.core.outline.markdown import markdown_blocks


def pairs(text: str) -> list[tuple[str, str, str]]:
    """Each pair's name, question and whole text."""
    return [
        (block.name, text[block.start : block.head], text[block.start : block.end])
        for block in faq_blocks(text)
        if block.kind == "pair"
    ]


def check_shape(text: str) -> None:
    holders = []
    blocks = faq_blocks(text)
    assert list(blocks) == sorted(blocks, key=lambda block: (block.start, -block.end))
    for block in blocks:
        assert 0 <= block.start < block.end <= len(text)
        assert block.start == 0 or text[block.start - 1] in "\r\n"
        assert block.kind != "pair" or block.start < block.head <= block.end
        while holders and holders[-1].end <= block.start:
            holders.pop()
        assert not holders or block.end <= holders[-1].end
        holders.append(block)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("## Why *now*?", "Why now?"),
        ("Why now?\n---", "Why now?"),
        ("### 何ですか？", "何ですか？"),
        ("# ما هذا؟", "ما هذا؟"),
        ("## Q3: Tell me", "Tell me"),
        ("Q: Why?", "Why?"),
        ("Question: Why?", "Why?"),
        ("**Q12.** Why `now`?", "Why now?"),
        ("**Q: Why?**", "Why?"),
        ("**Why now?**", "Why now?"),
        ("__Why now__?", "Why now?"),
        ("Q: I ask at length\nand then: why?", "I ask at length and then: why?"),
    ],
)
def test_forms_of_a_question(question, name):
    text = f"{question}\n\nBecause.\n\n- a\n- b\n"
    assert pairs(text) == [(name, question, f"{question}\n\nBecause.\n\n- a\n- b")]


@pytest.mark.parametrize(
    "text",
    ["## Why not\n\na", "Why not?\n\na", "**Why** not?\n\na", "**a** and **b?**\n\na", "> ## Why?\n\na", "- **Why?**\n",
     "Quit: why?",
     "```\nQ: a?\n```\n", "**No**\n", ""],
)  # fmt: skip
def test_no_question(text):
    assert pairs(text) == []
    assert faq_blocks(text) == markdown_blocks(text)


def test_questions_and_answers_line_by_line():
    text = "Q: One?\nA: Yes\nand more.\nQ: Two\nor so\nA: No.\nQ: Three?\nNobody knows.\n"
    assert pairs(text) == [
        ("One?", "Q: One?", "Q: One?\nA: Yes\nand more."),
        ("Two or so", "Q: Two\nor so", "Q: Two\nor so\nA: No."),
        ("Three?", "Q: Three?", "Q: Three?\nNobody knows."),
    ]
    inner = [text[block.start : block.end] for block in faq_blocks(text) if block.kind == "paragraph"]
    assert inner == ["A: Yes\nand more.", "A: No.", "Nobody knows."]


def test_an_answer_ends_with_its_section():
    text = (
        "# Help\n\n## Money\n\n### May I pay?\n\nYes.\n\n#### Notes\n\nx\n\n### How?\n\nBy card.\n\n## Other\n\nend\n"
    )
    assert [name for name, _, _ in pairs(text)] == ["May I pay?", "How?"]
    assert pairs(text)[0][2] == "### May I pay?\n\nYes.\n\n#### Notes\n\nx"
    assert pairs(text)[1][2] == "### How?\n\nBy card."
    assert [block.name for block in faq_blocks(text) if block.kind == "heading"] == ["Help", "Money", "Notes", "Other"]
    # The heading inside an answer holds no longer than the answer.
    sections = [(block.start, block.end) for block in faq_blocks(text) if block.kind == "section"]
    assert sections == [(text.index("### May"), text.index("\n\n### How"))]


def test_a_bold_question_ends_at_any_heading():
    assert pairs("**Why?**\n\nx\n\n###### Sub\n\ny\n") == [("Why?", "**Why?**", "**Why?**\n\nx")]


def test_a_question_ends_the_sections_of_its_level_and_below():
    text = "# All\n\n## Money\n\n### Cards\n\nx\n\n## Why?\n\ny\n"
    sections = [text[block.start : block.end] for block in faq_blocks(text) if block.kind == "section"]
    assert sections == ["## Money\n\n### Cards\n\nx", "### Cards\n\nx"]


def test_blocks_of_an_answer_are_kept():
    text = "## Why?\n\nwords\n\n| a |\n|---|\n| 1 |\n\n```\nQ: none?\n```\n"
    assert [block.kind for block in faq_blocks(text)] == ["pair", "paragraph", "table", "row", "row", "code"]


def test_what_looks_like_a_faq():
    faq = "# FAQ\n\n" + "".join(f"## Is it {number}?\n\nIt is, and there is more to say.\n\n" for number in range(3))
    assert looks_like_faq(faq, faq_blocks(faq))
    two = faq[: faq.index("## Is it 2")]
    assert not looks_like_faq(two, faq_blocks(two))
    padded = faq.replace("# FAQ\n\n", "# Guide\n\n" + "Many words. " * 60 + "\n\n")
    assert not looks_like_faq(padded, faq_blocks(padded))


WORDS = st.text("abcxyz ", min_size=1, max_size=10).map(lambda words: f"w{words.strip()}")
QUESTIONS = st.builds(
    lambda form, words: (form.format(words), f"{words}?"),
    st.sampled_from(("## {}?", "Q: {}?", "**{}?**", "**Q:** {}?", "{}?\n---")),
    WORDS,
)
ANSWERS = st.lists(
    st.one_of(WORDS, st.just("- a\n- b"), st.just("|a|\n|-|\n|1|"), st.just("```\n# x?\n```"), st.just("### Sub")),
    max_size=3,
).map(lambda parts: "\n\n***\n\n".join(parts))


@given(st.lists(st.tuples(QUESTIONS, ANSWERS), max_size=6))
def test_a_page_gives_the_pairs_it_is_made_of(page):
    made = [(question, name, "\n\n".join(filter(None, (question, answer)))) for (question, name), answer in page]
    text = "# Page\n\n" + "\n\n".join(whole for _, _, whole in made) + "\n"
    check_shape(text)
    found = pairs(text)
    assert [(name, question) for name, question, _ in found] == [(name, question) for question, name, _ in made]
    for (_, question, whole), (_, _, expected) in zip(found, made, strict=True):
        # A heading inside an answer ends it only where the question is no heading itself.
        cut = expected.find("### Sub") if question.startswith(("Q", "**")) else -1
        assert whole == (expected if cut < 0 else expected[:cut].rstrip("\n"))


PIECES = (
    "# a\n",
    "## b?\n",
    "### c?\n",
    "#### d\n",
    "Q: e?\n",
    "A: f\n",
    "**g?**\n",
    "\n",
    "- h\n",
    "> # i?\n",
    "j\n",
    "---\n",
    "  Q: k\r\n",
    "\r",
)


@given(st.lists(st.sampled_from(PIECES), max_size=16).map("".join))
def test_blocks_nest_whatever_the_order(text):
    check_shape(text)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_any_text_has_an_outline(text):
    check_shape(text)


@pytest.mark.parametrize(
    "piece", ["Q: a\nA: b\n", "## a?\n\nb\n\n", "# s\n## a?\n### t\n", "**a? ", "**a\n", "Q: a?\n\nA: b\n\n"]
)
def test_long_pages(piece):
    check_shape(piece * 3_000)
