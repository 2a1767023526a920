"""Sentence-aware mode, written out: whole sentences, whole overlaps, and what happens to a sentence too large."""

from __future__ import annotations

import pytest

from playground import Chunking, ChunkingConfig, Document, chunk

FOUR = "One two three. Four five six. Seven eight nine. Ten eleven twelve."
LAST = "The document ends here."


def sentence(text: str, unit: str, size: int, overlap: int = 0, **settings: object) -> Chunking:
    return chunk(Document.from_text(text), ChunkingConfig("sentence", unit, size, overlap, **settings))


def texts(chunking: Chunking) -> list[str]:
    return [one.text for one in chunking]


def reasons(chunking: Chunking) -> list[str]:
    return [one.reason for one in chunking]


def overlap_reasons(chunking: Chunking) -> list[str]:
    return [one.overlap_reason for one in chunking]


# --- whole sentences -------------------------------------------------------------------------------------------


def test_as_many_whole_sentences_as_fit():
    chunking = sentence(FOUR, "word", 8)
    assert texts(chunking) == ["One two three. Four five six. ", "Seven eight nine. Ten eleven twelve."]
    assert chunking.sizes.tolist() == [6, 6]
    assert reasons(chunking) == ["The next sentence (3 words) does not fit into the 2 that are left.", LAST]


def test_a_size_that_fits_to_the_unit():
    assert texts(sentence(FOUR, "word", 9)) == [
        "One two three. Four five six. Seven eight nine. ",
        "Ten eleven twelve.",
    ]
    assert texts(sentence(FOUR, "character", 30)) == [FOUR[:30], FOUR[30:48], FOUR[48:]]
    assert texts(sentence(FOUR, "character", 29))[0] == "One two three. "


def test_a_document_that_fits_is_one_chunk():
    chunking = sentence(FOUR, "word", 12, 6)
    assert texts(chunking) == [FOUR]
    assert reasons(chunking) == [LAST]
    assert overlap_reasons(chunking) == [""]


def test_in_tokens_a_sentence_takes_the_space_before_it_if_its_token_does():
    # " Four" is one token: four tokens to a sentence, and the counts add up.
    chunking = sentence(FOUR, "token", 8)
    assert texts(chunking) == ["One two three. Four five six.", " Seven eight nine. Ten eleven twelve."]
    assert chunking.sizes.tolist() == [8, 8]
    assert [one.tokens for one in chunking] == [8, 8]
    assert texts(sentence(FOUR, "token", 8, 4)) == [FOUR[:29], FOUR[14:47], FOUR[29:]]


def test_white_space_in_front_belongs_to_the_first_sentence():
    assert texts(sentence("\n\n One two. Three.", "word", 2)) == ["\n\n One two. ", "Three."]
    assert texts(sentence("\n\n One two. Three.", "character", 12)) == ["\n\n One two. ", "Three."]


def test_sentences_of_a_list_and_a_heading_are_kept_apart():
    text = "# Title\n\nFirst here. Second here.\n\n- item one\n- item two\n"
    blocks = ["# Title\n\n", "First here. ", "Second here.\n\n"]
    assert texts(sentence(text, "word", 3)) == [*blocks, "- item one\n", "- item two\n"]
    assert texts(sentence(text, "word", 2)) == [*blocks, "- item ", "one\n", "- item ", "two\n"]


# --- overlap by whole sentences --------------------------------------------------------------------------------


def test_an_overlap_repeats_whole_sentences():
    chunking = sentence(FOUR, "word", 6, 3)
    assert texts(chunking) == [
        "One two three. Four five six. ",
        "Four five six. Seven eight nine. ",
        "Seven eight nine. Ten eleven twelve.",
    ]
    assert chunking.overlaps.tolist() == [3, 3]
    assert overlap_reasons(chunking) == ["", "", ""]


def test_an_overlap_of_two_sentences():
    chunking = sentence(FOUR, "word", 9, 6)
    assert texts(chunking) == [FOUR[:48], FOUR[15:]]
    assert chunking.overlaps.tolist() == [6]


def test_an_overlap_too_small_for_a_sentence_repeats_nothing_and_says_so():
    chunking = sentence(FOUR, "word", 6, 2)
    assert texts(chunking) == ["One two three. Four five six. ", "Seven eight nine. Ten eleven twelve."]
    assert chunking.overlaps.tolist() == [0]
    assert overlap_reasons(chunking) == [
        "",
        "Asked for 2, achieved 0: only whole sentences are repeated, and one more would be too much.",
    ]


def test_an_overlap_between_one_and_two_sentences_repeats_one():
    chunking = sentence(FOUR, "word", 9, 5)
    assert chunking.overlaps.tolist() == [3]
    assert chunking[1].overlap_reason == (
        "Asked for 5, achieved 3: only whole sentences are repeated, and one more would be too much."
    )


def test_a_sentence_larger_than_the_stride_stands_alone_after_a_short_one():
    text = "Short one. This sentence is much longer than that. End here now."
    chunking = sentence(text, "word", 8, 3)
    assert texts(chunking) == ["Short one. ", "This sentence is much longer than that. ", "End here now."]
    assert chunking.overlaps.tolist() == [0, 0]
    assert overlap_reasons(chunking) == [
        "",
        "Asked for 3, achieved 0: repeating more would leave no room for the next sentence.",
        "Asked for 3, achieved 0: only whole sentences are repeated, and one more would be too much.",
    ]


# --- a sentence larger than the size ---------------------------------------------------------------------------

LARGE = "Go now. A very long sentence goes on and on without any end. Stop it."


def test_a_large_sentence_is_cut_between_words():
    chunking = sentence(LARGE, "word", 5)
    assert texts(chunking) == [
        "Go now. ",
        "A very long sentence goes ",
        "on and on without any ",
        "end. Stop it.",
    ]
    assert reasons(chunking) == [
        "The next sentence (11 words) is larger than the size; it is cut on its own.",
        "The sentence is larger than 5 words, so it is cut between words.",
        "The sentence is larger than 5 words, so it is cut between words.",
        LAST,
    ]


def test_inside_a_large_sentence_whole_words_are_repeated():
    chunking = sentence(LARGE, "word", 5, 2)
    assert texts(chunking) == [
        "Go now. ",
        "A very long sentence goes ",
        "sentence goes on and on ",
        "and on without any end. ",
        "Stop it.",
    ]
    assert chunking.overlaps.tolist() == [0, 2, 2, 0]
    assert overlap_reasons(chunking) == [
        "",
        "Asked for 2, achieved 0: the next sentence is larger than the size, so it starts afresh.",
        "",
        "",
        "Asked for 2, achieved 0: only whole sentences are repeated, and one more would be too much.",
    ]


def test_the_sentence_after_a_large_one_joins_its_end_if_it_fits():
    chunking = sentence(LARGE, "word", 6)
    assert texts(chunking) == ["Go now. ", "A very long sentence goes on ", "and on without any end. ", "Stop it."]
    assert texts(sentence(LARGE, "word", 7)) == [
        "Go now. ",
        "A very long sentence goes on and ",
        "on without any end. Stop it.",
    ]


def test_a_large_word_is_cut_between_characters():
    chunking = sentence("I saw Donaudampfschiff. Yes.", "character", 8)
    assert texts(chunking) == ["I saw ", "Donaudam", "pfschiff", ". Yes."]
    assert reasons(chunking) == [
        "The sentence is larger than 8 characters, so it is cut between words.",
        "The word is larger than 8 characters, so it is cut between characters.",
        "The word is larger than 8 characters, so it is cut between characters.",
        LAST,
    ]


def test_in_tokens_a_large_sentence_is_cut_between_words_with_their_spaces():
    chunking = sentence(LARGE, "token", 5)
    assert texts(chunking) == [
        "Go now.",
        " A very long sentence goes",
        " on and on without any",
        " end. Stop it.",
    ]
    assert [one.tokens for one in chunking] == chunking.sizes.tolist() == [3, 5, 5, 5]


def test_a_large_word_never_loses_a_mark():
    assert texts(sentence("Z\u0351\u0352aa\u0301bb\u0302\u0303cc", "character", 4)) == [
        "Z\u0351\u0352a",
        "a\u0301b",
        "b\u0302\u0303c",
        "c",
    ]


def test_a_grapheme_larger_than_the_size_stays_whole_and_is_flagged():
    family = "👨‍👩‍👧"
    chunking = sentence(f"a{family}b", "character", 3)
    assert texts(chunking) == ["a", family, "b"]
    assert chunking.oversized.tolist() == [False, True, False]
    assert reasons(chunking) == [
        "The word is larger than 3 characters, so it is cut between characters.",
        "This piece of 5 characters is larger than 3: it is one character to a reader and cannot be cut.",
        LAST,
    ]


@pytest.mark.parametrize("unit", ["character", "word", "token"])
def test_a_size_of_one(unit):
    chunking = sentence("Hi, you. Go!", unit, 1)
    assert "".join(texts(chunking)) == "Hi, you. Go!"
    assert (chunking.sizes == 1).all()
    if unit == "word":
        assert texts(chunking) == ["Hi, ", "you. ", "Go!"]


# --- the tail --------------------------------------------------------------------------------------------------


def test_a_small_tail_joins_the_chunk_before():
    chunking = sentence(FOUR, "word", 9, tail="merge", min_size=4)
    assert texts(chunking) == [FOUR]
    assert reasons(chunking) == ["The tail was smaller than 4 words and joined this chunk."]
    assert chunking.oversized.tolist() == [True]
    assert len(sentence(FOUR, "word", 9, tail="merge", min_size=3)) == 2


def test_a_kept_tail_starts_at_sentences():
    chunking = sentence(FOUR, "word", 9, 6, tail="keep")
    assert texts(chunking) == [FOUR[:48], FOUR[15:], FOUR[30:], FOUR[48:]]
    assert reasons(chunking)[1:] == [LAST] * 3
    assert chunking.overlaps.tolist() == [6, 6, 3]
    assert chunking[3].overlap_reason.startswith("Asked for 6, achieved 3: ")
    assert "would be too much" not in chunking[3].overlap_reason


# --- what a chunk tells ----------------------------------------------------------------------------------------


def test_a_chunk_knows_its_place():
    document = Document.from_text(FOUR, title="four.txt", metadata={"author": "nobody"})
    config = ChunkingConfig("sentence", "word", 6, 3)
    chunking = chunk(document, config)
    second = chunking[1]
    assert (second.index, second.start, second.end, second.size, second.overlap_before) == (1, 15, 48, 6, 3)
    assert second.metadata == {
        "author": "nobody",
        "chunk_id": second.id,
        "document_id": document.id,
        "document_version": document.version,
        "source": "four.txt",
        "title": "four.txt",
        "media_type": "text/plain",
        "heading_path": [],
        "page": None,
        "symbol": None,
        "start": 15,
        "end": 48,
        "token_start": 4,
        "token_end": 13,
        "index": 1,
        "total": 3,
        "previous_id": chunking[0].id,
        "next_id": chunking[2].id,
        "parent_id": None,
        "parent_start": None,
        "parent_end": None,
        "mode": "sentence",
        "settings": {**config.as_dict(), "separators": ["\n\n", "\n", "{sentence}", " "]},
        "oversized": False,
        "oversized_reason": "",
        "reason": second.reason,
        "tokens": {"cl100k_base": 9, "o200k_base": 9, "r50k_base": 9},
    }
    assert chunking[-1].index == 2
    assert chunking[0].overlap_before == 0


def test_there_is_no_chunk_beyond_the_last():
    chunking = sentence(FOUR, "word", 6)
    assert len(chunking) == 2
    for index in (2, -3):
        with pytest.raises(IndexError, match=f"chunk {index} of 2"):
            chunking[index]


def test_tokens_of_a_chunk_are_counted_afresh():
    chunking = sentence("Hello world. Hello moon.", "word", 2)
    assert [one.tokens for one in chunking] == [4, 3]
