"""What the chunk with the answer does not say: the heading, the table's header, the other part of the answer."""

from __future__ import annotations

from playground import ChunkingConfig, Document, chunk, evaluate
from playground.retrieval.questions import Question
from playground.retrieval.surroundings import HEADER, HEADING, REST, missing, missing_from_all

TEXT = (
    "# Rules\n\n## Refunds\n\nSend it back within ten days. We pay the post.\n\n"
    "## Prices\n\n| Thing | Price |\n|---|---|\n| Lamp | 4 |\n| Rope | 9 |\n| Sail | 70 |\n"
)
DOCUMENT = Document.from_text(TEXT, title="rules.md", media_type="text/markdown")


def question(*quotes: str) -> Question:
    spans = [(TEXT.index(quote), TEXT.index(quote) + len(quote), quote) for quote in quotes]
    return Question("What?", spans)


def lacking(config: ChunkingConfig, *quotes: str) -> list[str]:
    return missing(chunk(DOCUMENT, config), question(*quotes))


def test_a_sentence_alone_comes_without_its_heading():
    alone = ChunkingConfig("sentence", "character", 32, 0)
    assert lacking(alone, "We pay the post.") == [HEADING]
    assert lacking(ChunkingConfig("sentence", "character", 400, 0), "We pay the post.") == []


def test_context_is_a_heading_that_was_not_lost():
    config = ChunkingConfig("structure", "character", 60, 0)
    assert lacking(config, "We pay the post.") == []
    without = ChunkingConfig("structure", "character", 34, 0, context=False)
    assert lacking(without, "We pay the post.") == [HEADING]


def test_a_row_alone_comes_without_heading_and_header():
    assert lacking(ChunkingConfig("fixed", "character", 14, 0), "| 70 |") == [HEADING, HEADER]
    rows = ChunkingConfig("structure", "character", 100, 0)
    assert lacking(rows, "| Sail | 70 |") == []


def test_an_answer_in_two_places_comes_without_the_other():
    small = ChunkingConfig("structure", "character", 90, 0)
    assert lacking(small, "Send it back within ten days.", "| Rope | 9 |") == [REST]
    assert lacking(ChunkingConfig("fixed", "character", 1000, 0), "Send it back within ten days.", "| Rope | 9 |") == []


def test_a_torn_answer_lacks_nothing_that_could_be_named():
    assert lacking(ChunkingConfig("fixed", "character", 10, 0), "Send it back within ten days.") == []


def test_questions_go_with_their_documents():
    other = Document.from_text("Nothing here. We pay the post.")
    start = other.text.index("We pay")
    asked = [(0, Question("What?", [(start, start + 16, "We pay the post.")])), (1, question("We pay the post."))]
    found = evaluate([other, DOCUMENT], asked, ChunkingConfig("sentence", "character", 32, 0))
    assert missing_from_all(found) == [[], [HEADING]]
