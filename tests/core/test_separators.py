"""Ladders of separators: how they are spelled and read back, where each rung cuts, and what a configuration refuses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import texts

from playground import ChunkingConfig, ConfigError, Document, chunk, prepare
from playground.core.cuts import Cuts
from playground.core.separators import LONGEST, MOST, PRESETS, label, read_ladder, rung, spelled

separators = st.text(
    st.one_of(
        st.sampled_from("\n\t\r\f \\nsabc#{}"), st.characters(exclude_categories=["Cs"], exclude_characters="\0")
    ),
    min_size=1,
)


def cuts(text: str, separator: str) -> list[int]:
    """The offsets where the rung of `separator` cuts `text`."""
    found = rung(separator)
    assert isinstance(found, Cuts)
    return found.find(prepare(Document(text))).tolist()


# --- spelling --------------------------------------------------------------------------------------------------


@given(separators)
def test_a_separator_reads_back_as_it_was_spelled(separator):
    assert read_ladder(spelled(separator)) == (separator,)


@given(st.lists(separators, max_size=8, unique=True).map(tuple))
def test_a_ladder_reads_back_as_it_was_spelled(ladder):
    assert read_ladder("\n".join(map(spelled, ladder))) == ladder


@given(separators)
def test_a_spelled_separator_is_one_line_whose_ends_can_be_seen(separator):
    line = spelled(separator)
    assert not set(line) & set("\n\r\t\f")
    assert line == line.strip(" ")


@pytest.mark.parametrize(
    ("separator", "line"),
    [
        ("\n\n", "\\n\\n"),
        (" ", "\\s"),
        ("  ", "\\s\\s"),
        ("   ", "\\s \\s"),
        ("\n# ", "\\n#\\s"),
        (". ", ".\\s"),
        ("\\n", "\\\\n"),
        ("\\", "\\\\"),
        ("\t", "\\t"),
        ("a b", "a b"),
        ("{sentence}", "{sentence}"),
    ],
)
def test_spellings(separator, line):
    assert spelled(separator) == line
    assert read_ladder(line) == (separator,)


def test_what_was_typed_is_read_as_meant():
    assert read_ladder("") == ()
    assert read_ladder("\n\n") == ()
    assert read_ladder("\\n\\n\r\n\\n\r\n\\s\r\n") == ("\n\n", "\n", " ")
    assert read_ladder("; \n; \n, ") == ("; ", ", ")
    assert read_ladder("\\d+") == ("\\d+",)
    assert read_ladder(" ") == (" ",)
    assert read_ladder("\\") == ("\\",)


@pytest.mark.parametrize(
    ("separator", "name"),
    [("\n\n", "paragraph"), ("\n", "line"), (" ", "word"), ("\n# ", "“#” piece"), (";", "“;” piece")],
)
def test_what_a_rung_is_called(separator, name):
    assert label(separator) == name
    found = rung(separator)
    assert isinstance(found, Cuts)
    assert found.name == name


# --- where a rung cuts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "separator", "expected"),
    [
        ("a\n\nb\n\n\nc\n\n\n\nd", "\n\n", [3, 6, 10, 12]),  # from left to right, never one inside another
        ("a, b,c, ", ", ", [3, 8]),
        ("a\n# b\n## c", "\n# ", [2]),  # the heading keeps its mark
        ("a\n# b\n## c", "\n## ", [6]),
        ("# a\n# b", "\n# ", [4]),  # the one at the very start has nothing before it
        ("x\n\nclass A:\n", "\nclass ", [3]),
        ("<p>a</p><p>b</p>", "<p", [0, 8]),
        ("a<b", "<", [1]),  # what begins with a bracket opens
        ("aaaa", "aa", [2, 4]),
        ("abc", "x", []),
        ("", "x", []),
    ],
)
def test_where_a_separator_cuts(text, separator, expected):
    assert cuts(text, separator) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one, two; three: four", [5, 10, 17]),
        ("1,000 at 10:30", []),  # no white space, no clause
        ("他来了，我走了；再见", [4, 8]),
        ("a – b—c", [4, 6]),
        ("well-known", []),
        ("هذا، وذاك؛", [5, 10]),
        ("one,\n two", [6]),
    ],
)
def test_where_a_clause_starts(text, expected):
    assert cuts(text, "{clause}") == expected


def test_a_sentence_is_the_boundary_that_every_mode_knows():
    assert rung("{sentence}") == "sentence"


@given(texts(), st.sampled_from(sorted({one for ladder in PRESETS.values() for one in ladder} - {"{sentence}"})))
def test_cuts_go_forward_and_stay_in_the_text(text, separator):
    found = cuts(text, separator)
    assert found == sorted(set(found))
    assert not found or (found[0] >= 0 and found[-1] <= len(text))


# --- ready-made ladders and what is refused --------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_ready_made_ladders_are_valid(name):
    ladder = PRESETS[name]
    assert ChunkingConfig("recursive", separators=ladder).separators == ladder
    assert read_ladder("\n".join(map(spelled, ladder))) == ladder


def test_ready_made_ladders_cannot_be_changed_by_accident():
    with pytest.raises(TypeError):
        PRESETS["mine"] = ("\n",)


@pytest.mark.parametrize(
    ("ladder", "message"),
    [
        ("\n", "separators is '\\n'; it must be a sequence of texts, the coarsest first."),
        (None, "separators is None; it must be a sequence of texts, the coarsest first."),
        (7, "separators is 7; it must be a sequence of texts, the coarsest first."),
        (("\n", ""), "separators holds ''; each must be a text of 1 to 40 characters."),
        (("\n", 7), "separators holds 7; each must be a text of 1 to 40 characters."),
        (("x" * 41,), f"separators holds '{'x' * 41}'; each must be a text of 1 to 40 characters."),
        (("\n", " ", "\n"), "separators holds one twice; the second could never cut."),
        (tuple(map(str, range(13))), "separators holds 13; it may hold at most 12."),
    ],
)
def test_what_is_no_ladder(ladder, message):
    with pytest.raises(ConfigError) as caught:
        ChunkingConfig("recursive", separators=ladder)
    assert str(caught.value) == message


def test_the_longest_ladder_and_the_longest_separator_work():
    ladder = ("x" * LONGEST, *map(chr, range(ord("a"), ord("a") + MOST - 1)))
    text = "ab" + "x" * LONGEST + "cd"
    config = ChunkingConfig("recursive", "character", LONGEST + 2, 0, separators=ladder)
    assert [one.text for one in chunk(Document(text), config)] == ["ab" + "x" * LONGEST, "cd"]


def test_a_list_is_kept_as_a_tuple():
    assert ChunkingConfig(separators=["\n", " "]).separators == ("\n", " ")
    assert ChunkingConfig(separators=[]).separators == ()
