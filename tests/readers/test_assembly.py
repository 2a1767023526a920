"""Text put together piece by piece: whatever the pieces hold, blocks and pages stand where they were named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.core.document import clean
from playground.readers.assembly import Assembly

PIECES = st.lists(st.text("a \n\ufeff\0\ud83d\ude00é", max_size=6), max_size=6)


@given(PIECES)
def test_blocks_and_pages_stand_where_their_pieces_went(pieces):
    assembly = Assembly()
    for number, piece in enumerate(pieces):
        assembly.page()
        assembly.block(*assembly.add(piece), "paragraph", name=str(number))
    document = assembly.document(title="a", media_type="text/plain")
    wanted = [clean(piece.lstrip("\ufeff"))[0] for piece in pieces]
    assert document.text == "".join(wanted)
    assert [document.text[block.start : block.end] for block in document.blocks] == [one for one in wanted if one]
    assert list(document.pages) == [sum(map(len, wanted[:number])) for number in range(len(pieces))]


@pytest.mark.parametrize(
    "pieces", [("\ufeffone", "two"), ("\ufeff", "\ufeff\ufeffone", "two"), ("", "\ufeffone", "two")]
)
def test_no_byte_order_mark_is_left_at_the_start(pieces):
    assembly = Assembly()
    spans = [assembly.add(piece) for piece in pieces]
    document = assembly.document(title="a", media_type="text/plain")
    assert (document.text, document.notices) == ("onetwo", ())
    assert spans[-2:] == [(0, 3), (3, 6)]


def test_a_name_begins_with_what_is_seen():
    assembly = Assembly()
    assembly.block(*assembly.add("\ufeffTitle\n"), "heading", level=1, name="\ufeff\ufeffTitle")
    (block,) = assembly.document(title="a", media_type="text/plain").blocks
    assert (block.start, block.end, block.name) == (0, 6, "Title")
