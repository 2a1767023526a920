from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from playground import ChunkingConfig, Document, chunk
from playground.core.versions import changes

PARAGRAPHS = ["One is the first.", "Two comes after it.", "Three ends it all."]


def chunked(*paragraphs, mode="paragraph", size=25, **other):
    document = Document.from_text("\n\n".join(paragraphs), title="a.txt")
    return chunk(document, ChunkingConfig(mode=mode, unit="character", size=size, overlap=0, **other))


def test_nothing_changes_from_a_chunking_to_itself():
    found = changes(chunked(*PARAGRAPHS), chunked(*PARAGRAPHS))
    assert not found.stale.any()
    assert not found.new.any()
    assert (found.unchanged, found.same_ids) == (3, 3)


def test_a_paragraph_put_in_front_moves_the_others_but_leaves_their_text():
    found = changes(chunked(*PARAGRAPHS), chunked("Nought is new.", *PARAGRAPHS))
    assert found.stale.tolist() == [False, False, False]
    assert found.new.tolist() == [True, False, False, False]
    assert found.unchanged == 3
    assert found.same_ids == 0  # each stands elsewhere


def test_a_word_changed_in_the_last_makes_one_stale_and_one_new():
    found = changes(chunked(*PARAGRAPHS), chunked(*PARAGRAPHS[:2], "Three ends it now."))
    assert found.stale.tolist() == [False, False, True]
    assert found.new.tolist() == [False, False, True]
    assert found.same_ids == 3  # it stands where it stood: the id is known, the text is not


def test_in_fixed_mode_all_behind_an_insertion_is_new():
    before, after = (chunked(text, mode="fixed", size=4) for text in ("abcdefghijkl", "abcdXefghijkl"))
    found = changes(before, after)
    assert found.stale.tolist() == [False, True, True]
    assert found.new.tolist() == [False, True, True, True]


def test_a_text_that_occurs_twice_is_matched_twice():
    before = chunked("Same old words.", "Same old words.", size=17)
    after = chunked("Same old words.", "Same old words.", "Same old words.", size=17)
    texts = [one.text for one in after]
    assert len(set(texts[:-1])) == 1
    assert changes(before, after).new.sum() == len(texts) - sum(one.text in texts for one in before)


def test_of_nothing_all_is_new():
    found = changes(chunked(""), chunked(*PARAGRAPHS))
    assert (len(found.stale), found.unchanged, int(found.new.sum())) == (0, 0, 3)


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_what_stays_is_the_common_part_of_two_bags(first, second):
    before, after = (chunked("".join(one), mode="fixed", size=1) for one in (first, second))
    found = changes(before, after)
    common = sum(min(first.count(letter), second.count(letter)) for letter in "abc")
    assert found.unchanged == common == int(np.count_nonzero(~found.stale))
