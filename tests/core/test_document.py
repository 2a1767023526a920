"""A document's text is cleaned once, when it is made, and every change leaves a notice."""

from __future__ import annotations

import hashlib
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import texts

from playground import Block, Document
from playground.core.document import clean

ANYTHING = st.text(st.characters(exclude_categories=[]), max_size=30)
BLANK = "The document holds only white space: it becomes one chunk without any words."


@pytest.mark.parametrize(
    ("text", "cleaned", "notices"),
    [
        ("", "", ()),
        ("plain", "plain", ()),
        # case 22: a lone surrogate; a surrogate pair
        ("a\ud800b", "a\ufffdb", ("1 half of a character (lone surrogate) was replaced by \ufffd.",)),
        ("\udc00\ud800", "\ufffd\ufffd", ("2 halves of characters (lone surrogates) were replaced by \ufffd.",)),
        ("a\ud83d\ude00b", "a😀b", ("Surrogate pairs were joined into the characters they stand for.",)),
        ("\ud83d\ud83d\ude00", "\ufffd😀", ("1 half of a character (lone surrogate) was replaced by \ufffd.",)),
        # case 23: NUL
        ("a\0b", "a\ufffdb", ("1 NUL character was replaced by \ufffd.",)),
        ("\0\0", "\ufffd\ufffd", ("2 NUL characters were replaced by \ufffd.",)),
        ("\ufeffa\ufeffb", "a\ufeffb", ("A byte order mark at the start was removed.",)),
        ("\ufeff\ufeffa", "\ufeffa", ("A byte order mark at the start was removed.",)),
        (
            "\ufeff\0\ud800",
            "\ufffd\ufffd",
            (
                "A byte order mark at the start was removed.",
                "1 half of a character (lone surrogate) was replaced by \ufffd.",
                "1 NUL character was replaced by \ufffd.",
            ),
        ),
    ],
)
def test_what_is_cleaned(text, cleaned, notices):
    assert clean(text) == (cleaned, notices)
    document = Document.from_text(text)
    assert (document.text, document.notices) == (cleaned, notices)


@given(texts())
def test_everything_else_stays_as_it_is(text):
    document = Document.from_text(text)
    assert document.text == text.removeprefix("\ufeff")
    assert len(document) == len(document.text)


# case 24
@pytest.mark.parametrize(
    "character", ["\u00a0", "\t", "\u200b", "\u2028", "\u2029", "\f", "\v", "\r", "\r\n", "\x85", "\x1c"]
)
def test_white_space_and_controls_stay(character):
    text = f"{character}one{character}{character}two{character}"
    assert Document.from_text(text).text == text
    assert Document.from_text(text).notices == ()


@given(ANYTHING)
def test_the_result_can_be_encoded_and_keeps_what_was_sound(text):
    cleaned, _ = clean(text)
    cleaned.encode("utf-8")
    assert "\0" not in cleaned
    sound = text.removeprefix("\ufeff").encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    assert cleaned == sound.replace("\0", "\ufffd")


@given(ANYTHING.filter(lambda text: not text.startswith("\ufeff\ufeff")))
def test_cleaning_twice_changes_nothing_more(text):
    cleaned, _ = clean(text)
    assert clean(cleaned) == (cleaned, ())


@pytest.mark.parametrize(
    ("text", "blank"), [(" \n\t", True), ("\u2028", True), ("", False), ("\u200b", False), (" a ", False)]
)
def test_white_space_alone_is_noticed(text, blank):
    assert (BLANK in Document.from_text(text).notices) == blank


def test_notices_of_a_reader_come_first():
    document = Document.from_text(" \0"[:1], notices=("Read as cp1252.",))
    assert document.notices == ("Read as cp1252.", BLANK)


def test_the_version_is_the_hash_of_the_text():
    document = Document.from_text("食べ物")
    assert document.version == hashlib.sha256("食べ物".encode()).hexdigest()
    assert document.version == Document.from_text("食べ物", title="another").version
    assert document.version != Document.from_text("食べ物 ").version
    assert Document.from_text("\ud800").version == Document.from_text("\ufffd").version


def test_what_is_known_of_a_document_is_kept():
    blocks = (Block(0, 3, "heading", 1),)
    metadata = {"author": "nobody"}
    document = Document.from_text("One", title="one.md", media_type="text/markdown", blocks=blocks, metadata=metadata)
    metadata["author"] = "changed"
    assert (document.title, document.media_type, document.blocks) == ("one.md", "text/markdown", blocks)
    assert dict(document.metadata) == {"author": "nobody"}


def test_a_document_never_changes():
    document = Document.from_text("One")
    with pytest.raises(FrozenInstanceError):
        document.text = "Two"
    with pytest.raises(TypeError):
        document.metadata["author"] = "somebody"


def test_a_document_without_anything_said_of_it():
    document = Document.from_text("One")
    assert (document.title, document.media_type, document.blocks, dict(document.metadata)) == (
        "untitled",
        "text/plain",
        (),
        {},
    )
