"""One request, one answer: spans in UTF-16, numbers of the core, small whatever the document, an error for the rest."""

from __future__ import annotations

import json
from functools import cache
from itertools import accumulate, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st
from strategies import grapheme_bounds, texts

from playground import ChunkingConfig, Document, chunk, describe, prepare
from playground.core.modes import MODES
from playground.core.rulers import UNITS
from playground.core.stats import histogram
from playground.live.protocol import MAX_PANES, ProtocolError, answer, chunks_answer
from playground.live.store import Store, sample_names
from playground.live.views import MAX_BREAKS, MAX_TOKENS, numbers, spans_near, token_lengths
from playground.settings import BY_NAME, parse, to_config

EMOJI = "Hi 😀😀😀 there. Second one."
LIMIT = 20 * 1024
EVERYTHING = {"from": 0, "to": 2**31 - 1}


def wire(message) -> str:
    """The message as the channel sends it."""
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False)


def pane(low=0, high=6000, **settings):
    return {"settings": settings, "from": low, "to": high}


def asked(text: str, *panes, **more):
    """The answer for `panes` on `text`."""
    store = Store()
    key = store.put(Document.from_text(text))
    return answer(store, {"doc": key, "seq": 7, "panes": list(panes), **more})


def first_pane(text: str, **settings):
    return asked(text, pane(**settings))["panes"][0]


def ranges(spans) -> list[tuple[int, int]]:
    """The spans of an answer as pairs of UTF-16 offsets."""
    return list(zip(accumulate(spans["starts"]), accumulate(spans["ends"]), strict=True))


def javascript_slice(text: str, low: int, high: int) -> str:
    """`text.slice(low, high)` of JavaScript, which counts UTF-16 code units."""
    return text.encode("utf-16-le")[2 * low : 2 * high].decode("utf-16-le")


def shown_texts(text: str, spans) -> list[str]:
    return [javascript_slice(text, low, high) for low, high in ranges(spans)]


# --- spans -------------------------------------------------------------------------------------------------------


def test_emoji_before_a_chunk_do_not_shift_it():
    text = EMOJI + " Third one, and some more words to the end."
    found = first_pane(text, unit="word", size=5, overlap=0, mode="sentence")
    assert shown_texts(text, found["spans"]) == [
        "Hi 😀😀😀 there. Second one. ",
        "Third one, and some more ",
        "words to the end.",
    ]
    assert ranges(found["spans"])[0] == (0, 29)  # three characters of two code units


def test_a_document_smaller_than_the_size_is_one_chunk():
    found = first_pane(EMOJI)
    assert shown_texts(EMOJI, found["spans"]) == [EMOJI]
    assert found["spans"] == {"first": 0, "from": 0, "to": 28, "starts": [0], "ends": [28], "flags": "-"}


@given(
    text=texts(),
    mode=st.sampled_from(sorted(MODES)),
    unit=st.sampled_from(UNITS),
    size=st.integers(5, 40),
    overlap=st.integers(0, 90),
    tail=st.sampled_from(["stop", "keep", "merge"]),
)
def test_spans_are_the_chunks(text, mode, unit, size, overlap, tail):
    prepared = prepare(Document.from_text(text))
    values, _ = parse({"mode": mode, "unit": unit, "size": size, "overlap": overlap, "tail": tail})
    chunking = chunk(prepared, to_config(values))
    (found,) = chunks_answer(prepared, {"panes": [{"settings": values, **EVERYTHING}]})["panes"]
    assert found["settings"] == values
    assert shown_texts(prepared.document.text, found["spans"]) == [one.text for one in chunking]
    assert found["spans"]["first"] == 0
    assert found["spans"]["to"] == len(prepared.document.text.encode("utf-16-le")) // 2


@given(text=texts(), low=st.integers(0, 20_000), length=st.integers(0, 9000), repeat=st.integers(1, 40))
def test_the_spans_sent_are_all_there_are_where_they_say_so(text, low, length, repeat):
    prepared = prepare(Document.from_text((text + "x") * repeat))
    config = ChunkingConfig(unit="character", size=20, overlap=8)
    whole = spans_near(chunk(prepared, config), 0, 2**31 - 1)
    part = spans_near(chunk(prepared, config), low, low + length)
    everything = ranges(whole)
    first, count = part["first"], len(part["starts"])
    assert ranges(part) == everything[first : first + count]
    assert part["flags"] == whole["flags"][first : first + count]
    touching = {number for number, (a, b) in enumerate(everything) if a < part["to"] and b > part["from"]}
    assert touching <= set(range(first, first + count))
    # What can be seen is within what was sent, as far as the text goes.
    end = everything[-1][1]
    assert part["from"] <= min(low, end)
    assert part["to"] >= min(low + length, end)


def test_two_identical_chunks_are_both_shown():
    text = "the same five words again " * 3
    found = first_pane(text, unit="word", size=5, overlap=0)
    assert shown_texts(text, found["spans"]) == ["the same five words again "] * 3
    assert found["numbers"]["count"] == 3


@pytest.mark.parametrize(
    ("text", "settings", "flags"),
    [
        ("One two three four five six. Seven eight.", {"unit": "word", "size": 5}, "s-"),
        ("One two three four five. Six seven eight.", {"unit": "word", "size": 5}, "--"),
        ("Twenty characters, here more.", {"unit": "character", "size": 20}, "w-"),
        ("Nineteen character, here more.", {"unit": "character", "size": 20}, "s-"),
        ("One two three four. Five six.\n\nSeven eight.", {"unit": "word", "size": 5, "mode": "sentence"}, "--"),
        ("no end " * 12, {"unit": "word", "size": 8}, "ss-"),
        ("", {}, ""),
        ("   \n ", {}, "-"),
    ],
)
def test_a_letter_says_what_a_cut_broke(text, settings, flags):
    assert first_pane(text, overlap=0, **settings)["spans"]["flags"] == flags


@pytest.mark.parametrize("low", [0, 1, 1200, 40_000])
@pytest.mark.parametrize("length", [0, 2000, 6000, 2**30])
def test_where_there_are_too_many_spans_those_in_view_come_first(low, length):
    """At the smallest step a screen holds thousands; a text without spans at its top would be asked for for ever."""
    prepared = prepare(Document.from_text("abcdefghi " * 10_000))
    spans = spans_near(chunk(prepared, ChunkingConfig(unit="character", size=20, overlap=18)), low, low + length)
    assert spans["from"] <= low
    assert spans["to"] >= min(low + length, low + 1000)


def test_an_empty_document_has_no_spans():
    found = first_pane("")
    assert found["spans"] == {"first": 0, "from": 0, "to": 0, "starts": [], "ends": [], "flags": ""}
    assert found["numbers"]["count"] == 0
    assert found["numbers"]["check"]["passed"] is True


@pytest.mark.parametrize(("low", "high"), [(0, 0), (10**9, 2 * 10**9), (2**31 - 1, 2**31 - 1), (500, 3), (1.5, 2.5)])
def test_any_visible_range_is_answered(low, high):
    text = EMOJI * 400
    (found,) = asked(text, pane(low, high, unit="word", size=5))["panes"]
    spans = found["spans"]
    assert len(spans["starts"]) == len(spans["ends"]) == len(spans["flags"])
    assert 0 <= spans["from"] <= spans["to"] <= len(text.encode("utf-16-le")) // 2
    pieces = shown_texts(text, spans)
    chunking = chunk(Document.from_text(text), to_config(found["settings"]))
    assert pieces == [chunking[spans["first"] + number].text for number in range(len(pieces))]


# --- numbers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sample_names())
@pytest.mark.parametrize("settings", [{}, {"mode": "sentence", "unit": "word"}, {"unit": "character", "overlap": 60}])
def test_the_numbers_are_those_of_the_core(name, settings):
    store = Store()
    (found,) = answer(store, {"doc": name, "panes": [pane(**settings)]})["panes"]
    chunking = chunk(store.get(name), to_config(parse(settings)[0]))
    stats = describe(chunking)
    shown = found["numbers"]
    for field in (
        "count", "smallest", "largest", "oversized", "document_tokens", "processed_tokens", "duplicated_tokens",
        "deepest_cover", "boundaries", "word_cuts", "sentence_cuts", "overlap_asked", "overlap_least", "overlap_full",
    ):  # fmt: skip
        assert shown[field] == getattr(stats, field), field
    for field in ("median", "mean", "overlap_mean", "duplicated_percent"):
        assert shown[field] == pytest.approx(getattr(stats, field), abs=0.0501)
    assert shown["overlap_limits"] == {limit.name.lower(): count for limit, count in stats.overlap_limits.items()}
    assert shown["check"]["passed"] is True
    assert shown["check"]["coverage_percent"] == 100
    counts, width = histogram(chunking.sizes, chunking.config.size)
    assert shown["histogram"] == {"counts": counts.tolist(), "width": width, "limit": chunking.config.size}
    assert sum(shown["histogram"]["counts"]) == len(chunking)


def test_the_worked_example_a_thousand_tokens_at_240_and_40():
    (found,) = answer(Store(), {"doc": "thousand-tokens.txt", "panes": [pane(size=240, overlap=17)]})["panes"]
    shown = found["numbers"]
    assert shown["arithmetic"] == {
        "size": 240,
        "overlap": 40,
        "stride": 200,
        "total": 1000,
        "starts": [0, 200, 400, 600, 800],
        "sizes": [240, 240, 240, 240, 200],
    }
    assert (shown["count"], shown["processed_tokens"], shown["duplicated_tokens"]) == (5, 1160, 160)
    assert shown["duplicated_percent"] == 16.0
    assert len(found["spans"]["starts"]) == 5


def test_the_arithmetic_shows_the_first_six():
    chunking = chunk(Document.from_text("word " * 100), ChunkingConfig(unit="word", size=10, overlap=2))
    shown = numbers(chunking)["arithmetic"]
    assert shown["starts"] == [0, 8, 16, 24, 32, 40]
    assert shown["sizes"] == [10] * 6


def test_a_failed_check_is_shown(monkeypatch):
    from dataclasses import replace

    from playground.live import views

    def broken(chunking):
        stats = describe(chunking)
        return replace(stats, check=replace(stats.check, no_gap=False, coverage_percent=91.236))

    monkeypatch.setattr(views, "describe", broken)
    check = first_pane(EMOJI)["numbers"]["check"]
    assert check["passed"] is False
    assert check["no_gap"] is False
    assert check["coverage_percent"] == 91.24


# --- settings ----------------------------------------------------------------------------------------------------


def test_settings_go_through_the_table():
    found = first_pane(EMOJI, size=-5, mode="<img src=x onerror=alert(1)>", overlap=1000)
    assert found["settings"] == parse({})[0] | {"size": 8, "overlap": 90}
    assert len(found["notices"]) == 3


@pytest.mark.parametrize(
    ("from_unit", "unit", "size", "right"),
    [
        ("word", "character", 90, 450),
        ("character", "word", 500, 100),
        ("word", "character", 1500, 7500),
        ("character", "word", 8000, 1500),  # 1,600 would be as much, and is above the bound
        ("character", "word", 20, 5),
        ("word", "word", 90, 90),
        ("word", "token", 1000, 1000),  # one token a word in this text
        ("word", "character", 123, 620),  # 615, to two digits
    ],
)
def test_a_size_is_converted_at_the_documents_own_ratio(from_unit, unit, size, right):
    # 1,000 words, 5,000 characters, 1,000 tokens and one for the last space.
    (found,) = asked("word " * 1000, {**pane(unit=unit, size=size), "from_unit": from_unit})["panes"]
    assert found["settings"]["size"] == right
    assert found["notices"] == []


@pytest.mark.parametrize("from_unit", [None, "page", 3, [], {}, ""])
def test_an_unknown_unit_to_convert_from_changes_nothing(from_unit):
    (found,) = asked("word " * 1000, {**pane(unit="word", size=90), "from_unit": from_unit})["panes"]
    assert found["settings"]["size"] == 90


def test_nothing_is_converted_in_an_empty_document():
    (found,) = asked("", {**pane(unit="word", size=90), "from_unit": "character"})["panes"]
    assert found["settings"]["size"] == 90


@pytest.mark.parametrize(
    "size",
    [None, "90", "x", [], 1e400, float("nan"), -5, 0, 10**400, -(10**400), True, 90.5],
    ids=lambda size: f"{size!r:.12}",
)
@pytest.mark.parametrize("unit", UNITS)
def test_a_size_that_cannot_be_converted_is_mended_like_any_other(size, unit):
    (found,) = asked("word " * 1000, {**pane(unit=unit, size=size), "from_unit": "word"})["panes"]
    low, high = BY_NAME["size"].bounds[unit]
    assert low <= found["settings"]["size"] <= high


# --- two panes and more ------------------------------------------------------------------------------------------

THREE = "One two three four. Five six seven eight. Nine ten eleven twelve."


def test_breaks_between_fixed_and_sentence_aware():
    fixed, sentence = (pane(unit="word", size=6, overlap=0, mode=mode) for mode in ("fixed", "sentence"))
    found = asked(THREE, fixed, sentence)["panes"]
    assert found[0]["breaks"] == {"count": 1, "near": [{"boundary": 1, "at": THREE.index("seven")}]}
    assert found[1]["breaks"] == {"count": 0, "near": []}


def test_a_sentence_that_both_cut_is_no_difference():
    fixed, other = (pane(unit="word", size=size, overlap=0) for size in (6, 7))
    found = asked(THREE, fixed, other)["panes"]
    assert [one["breaks"]["count"] for one in found] == [0, 0]


def test_a_third_pane_is_compared_with_the_first():
    panes = [pane(unit="word", size=6, overlap=0, mode=mode) for mode in ("sentence", "sentence", "fixed")]
    found = asked(THREE, *panes)["panes"]
    assert [one["breaks"]["count"] for one in found] == [0, 0, 1]


def test_one_pane_has_no_breaks():
    assert "breaks" not in asked(THREE, pane())["panes"][0]


def test_breaks_are_in_utf16_and_near_what_is_visible():
    text = "So 😀 😀 😀 😀 😀 end. " * 400
    fixed, sentence = (pane(9000, 12_000, unit="word", size=size, overlap=0, mode=mode)
                       for size, mode in ((5, "fixed"), (7, "sentence")))  # fmt: skip
    found = asked(text, fixed, sentence)["panes"][0]["breaks"]
    chunking = chunk(Document.from_text(text), to_config(parse(fixed["settings"])[0]))
    # Four of five boundaries fall inside a sentence of seven words; none of the 35th words'.
    assert found["count"] == sum(end % 35 != 0 for end in range(5, 7 * 400, 5))
    assert 1 <= len(found["near"]) <= MAX_BREAKS
    for one in found["near"]:
        before = text[: chunking[one["boundary"] - 1].end]
        assert one["at"] == len(before.encode("utf-16-le")) // 2
    places = [one["at"] for one in found["near"]]
    assert places == sorted(places)
    assert sum(place < 9000 for place in places) <= 2
    assert any(9000 <= place < 12_000 for place in places)


# --- one chunk ---------------------------------------------------------------------------------------------------


def about(text: str, index: int = 0, *, tokens: bool = True, **settings):
    store = Store()
    key = store.put(Document.from_text(text, title="<b>title</b>"))
    request = {"doc": key, "seq": 1, "kind": "chunk", "pane": {"settings": settings}, "index": index, "tokens": tokens}
    return answer(store, request)


def test_everything_about_one_chunk():
    text = "One two three four five six. Seven eight nine 😀 ten."
    found = about(text, 1, unit="word", size=5, overlap=40)
    chunking = chunk(Document.from_text(text), ChunkingConfig(unit="word", size=5, overlap=2))
    one = chunking[1]
    assert one.text == "four five six. Seven eight "
    assert (found["index"], found["total"], found["kind"], found["seq"]) == (1, len(chunking), "chunk", 1)
    assert (found["start"], found["end"]) == (one.start, one.end)
    assert found["offsets"] == [one.start, one.end]
    assert found["sizes"] == {"character": 27, "word": 5, "token": one.tokens}
    assert (found["unit"], found["limit"], found["oversized"]) == ("word", 5, False)
    assert (found["overlap_before"], found["overlap_after"]) == (2, 2)
    assert found["reason"] == one.reason == "The window of 5 words is full."
    assert found["overlap_reason"] == ""
    assert found["metadata"]["source"] == "<b>title</b>"
    assert found["metadata"]["mode"] == "fixed"
    assert all(isinstance(value, str) for value in found["metadata"].values())
    last = about(text, 2, unit="word", size=5, overlap=40)
    assert (last["start"], last["end"]) == (text.index("Seven"), len(text) + 1)
    assert last["offsets"] == [text.index("Seven"), len(text)]
    assert (last["overlap_after"], last["reason"]) == (0, "The document ends here.")


def test_why_an_overlap_is_smaller_than_asked():
    found = about("One two three four. Five six seven eight. ", 1, mode="sentence", unit="word", size=5, overlap=80)
    assert found["overlap_before"] == 0
    assert found["overlap_reason"].startswith("Asked for 4, achieved 0:")


def test_tokens_come_only_when_asked_for():
    assert about(EMOJI, tokens=False)["tokens"] is None
    assert about(EMOJI, tokens=True)["tokens"]["lengths"]


@pytest.mark.parametrize("name", sample_names())
def test_the_pieces_of_a_chunk_add_up_to_it(name):
    store = Store()
    for index in range(3):
        request = {"doc": name, "kind": "chunk", "pane": pane(), "index": index, "tokens": True}
        found = answer(store, request)
        tokens = found["tokens"]
        assert sum(tokens["lengths"]) == found["end"] - found["start"]
        assert sum(tokens["counts"]) == found["sizes"]["token"]
        assert tokens["rest"] == 0


@given(text=texts(), tokenizer=st.sampled_from(["cl100k_base", "o200k_base", "r50k_base"]))
def test_pieces_never_halve_what_a_reader_sees(text, tokenizer):
    text = Document.from_text(text).text
    found = token_lengths(text, tokenizer)
    ends = list(accumulate(found["lengths"], initial=0))
    shown = [javascript_slice(text, low, high) for low, high in pairwise(ends)]
    assert "".join(shown) == text
    assert set(accumulate(map(len, shown))) <= grapheme_bounds(text)
    assert len(found["counts"]) == len(found["lengths"])
    assert all(count >= 1 for count in found["counts"])


def test_a_family_is_one_piece_of_many_tokens():
    found = token_lengths("x👨‍👩‍👧y", "cl100k_base")
    assert found["lengths"] == [1, 8, 1]
    assert found["counts"][1] > 1
    assert found["rest"] == 0


def test_of_a_very_long_chunk_the_first_pieces_and_how_many_tokens_follow():
    found = about("a b " * 2000, unit="character", size=8000)
    tokens = found["tokens"]
    assert len(tokens["lengths"]) == MAX_TOKENS
    assert sum(tokens["counts"]) + tokens["rest"] == found["sizes"]["token"]
    assert tokens["rest"] > 0
    assert len(wire(found).encode()) < LIMIT


# --- size of an answer -------------------------------------------------------------------------------------------

LARGE = {
    "prose": "The harbour was quiet. Nobody had seen the boat for 3 days, or so they said! Was it so? " * 11_400,
    "one word": "x" * 1_000_000,
    "emoji": "😀👨‍👩‍👧 " * 43_000,
    "East Asian": "港は静かだった。誰も舟を見なかった！" * 19_000,
}


@cache
def large(name: str):
    text = LARGE[name]
    assert 0.97e6 <= len(text.encode()) <= 1.3e6
    return prepare(Document.from_text(text, title="t" * 200))


def extremes(unit: str):
    low, high = BY_NAME["size"].bounds[unit]
    return [{"size": low, "overlap": 90}, *({"size": size, "overlap": 0} for size in (low, 100, 1000, high))]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("mode", sorted(MODES))
@pytest.mark.parametrize("name", sorted(LARGE))
def test_an_answer_stays_small(name, mode, unit):
    prepared = large(name)
    middle = len(prepared.document) // 2
    for settings in extremes(unit):
        chunking = chunk(prepared, to_config(parse({"mode": mode, "unit": unit, **settings})[0]))
        rest = len(wire({"numbers": numbers(chunking), "settings": parse({})[0], "seq": 10**9, "core_ms": 10000.25}))
        for low, high in ((0, 6000), (middle, middle + 20_000), (middle, middle), (0, 2**31 - 1), (10**9, 10**9)):
            spans = spans_near(chunking, low, high)
            assert len(wire(spans)) + rest < LIMIT, (settings, low, high)


@pytest.mark.parametrize("count", range(1, MAX_PANES + 1))
@pytest.mark.parametrize("unit", UNITS)
def test_an_answer_for_several_panes_stays_small(unit, count):
    prepared = large("prose")
    for settings in extremes(unit):
        for low, high in ((300_000, 306_000), (0, 2**31 - 1)):
            panes = [pane(low, high, unit=unit, mode=mode, **settings) for mode in ("fixed", "sentence", "fixed")]
            found = {"seq": 10**9, "kind": "chunks", **chunks_answer(prepared, {"panes": panes[:count]})}
            assert len(wire(found).encode()) < LIMIT, (settings, low, high)
            # However few the spans: they start where the eye is.
            assert all(one["spans"]["from"] <= low < one["spans"]["to"] for one in found["panes"])


def test_the_largest_document_does_not_make_a_larger_answer():
    prepared = prepare(Document.from_text("x" * 2_200_000))
    for size in (500, 1000):
        found = chunks_answer(prepared, {"panes": [{**pane(unit="character", size=size, overlap=0), **EVERYTHING}]})
        assert len(wire(found)) < LIMIT, size


def test_hostile_settings_do_not_make_a_larger_answer():
    settings = dict.fromkeys(BY_NAME, "<猫>" * 4000)
    found = asked(EMOJI, *[pane(**settings)] * MAX_PANES)
    assert len(wire(found).encode()) < LIMIT


@pytest.mark.parametrize("name", sorted(LARGE))
def test_an_answer_about_one_chunk_stays_small(name):
    store = Store()
    key = store.put(large(name).document)
    for unit in UNITS:
        size = BY_NAME["size"].bounds[unit][1]
        request = {"doc": key, "kind": "chunk", "pane": pane(unit=unit, size=size), "index": 0, "tokens": True}
        assert len(wire(answer(store, request)).encode()) < LIMIT


# --- what cannot be answered -------------------------------------------------------------------------------------

GOOD = {"doc": sample_names()[0], "panes": [pane()]}
GOOD_CHUNK = {"doc": sample_names()[0], "kind": "chunk", "pane": pane(), "index": 0}
NOT_OFFSETS = [-1, -(10**9), 2**31, 10**400, float("inf"), float("nan"), True, False, None, "0", [], {}, -0.5]


@pytest.mark.parametrize("request_", [None, 1, "chunks", [], [GOOD], True, 1.5], ids=repr)
def test_a_request_is_an_object(request_):
    with pytest.raises(ProtocolError, match="JSON object"):
        answer(Store(), request_)


@pytest.mark.parametrize("doc", [None, "", "x", "../README.md", 1, [], {}, True, "\ud800", "a" * 10_000], ids=ascii)
def test_an_unknown_document_is_an_error(doc):
    with pytest.raises(ProtocolError, match="no longer held"):
        answer(Store(), GOOD | {"doc": doc})
    with pytest.raises(ProtocolError, match="no longer held"):
        answer(Store(), {})


@pytest.mark.parametrize("kind", [None, "", "Chunks", "delete", 1, True, [], ["chunks"], {}, {"chunks": 1}], ids=repr)
def test_an_unknown_kind_is_an_error(kind):
    with pytest.raises(ProtocolError, match="chunks, chunk"):
        answer(Store(), GOOD | {"kind": kind})


@pytest.mark.parametrize("panes", [None, [], {}, "abc", 3, [pane()] * (MAX_PANES + 1), [pane()] * 1000], ids=type)
def test_panes_are_a_short_list(panes):
    with pytest.raises(ProtocolError, match="list of 1 to 3"):
        answer(Store(), GOOD | {"panes": panes})


@pytest.mark.parametrize(
    "one", [None, 1, "pane", [], {"settings": None}, {"settings": []}, {"settings": "x"}], ids=repr
)
def test_a_pane_is_an_object_with_settings(one):
    with pytest.raises(ProtocolError, match="object with settings"):
        answer(Store(), GOOD | {"panes": [one]})
    with pytest.raises(ProtocolError, match="object with settings"):
        answer(Store(), GOOD_CHUNK | {"pane": one})


@pytest.mark.parametrize("found", NOT_OFFSETS, ids=lambda found: f"{type(found).__name__}")
def test_an_offset_is_a_number_from_nothing_on(found):
    for name in ("from", "to"):
        with pytest.raises(ProtocolError, match="number from 0"):
            answer(Store(), GOOD | {"panes": [pane() | {name: found}]})
    with pytest.raises(ProtocolError, match="number from 0"):
        answer(Store(), GOOD_CHUNK | {"index": found})


def test_a_chunk_that_is_not_there_is_an_error():
    with pytest.raises(ProtocolError, match=r"no chunk 1001"):
        answer(Store(), GOOD_CHUNK | {"index": 1000})
    with pytest.raises(ProtocolError, match=r"no chunk 1; "):
        about("")


def test_a_request_is_answered_with_its_own_number():
    assert answer(Store(), GOOD | {"seq": 41})["seq"] == 41
    assert answer(Store(), GOOD)["kind"] == "chunks"


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=6),
    st.sampled_from([10**400, -(10**400), "\ud800", "chunk", "chunks", "word", "token", "sentence", "NaN"]),
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)),
    max_leaves=5,
)
SETTINGS = st.dictionaries(st.sampled_from([*BY_NAME, "x"]), JSON, max_size=6)
PANES = st.fixed_dictionaries(
    {},
    optional={
        "settings": st.one_of(SETTINGS, SETTINGS, JSON),
        "from": st.one_of(st.integers(0, 2**31), JSON),
        "to": st.one_of(st.integers(0, 2**31), JSON),
        "from_unit": st.one_of(st.sampled_from(UNITS), JSON),
    },
)
REQUESTS = st.fixed_dictionaries(
    {"doc": st.one_of(*[st.sampled_from(["emoji", "empty", "thousand-tokens.txt"])] * 4, JSON)},
    optional={
        "seq": JSON,
        "kind": st.one_of(*[st.sampled_from(["chunks", "chunk"])] * 4, JSON),
        "panes": st.one_of(*[st.lists(PANES, min_size=1, max_size=3)] * 4, JSON),
        "pane": st.one_of(PANES, PANES, JSON),
        "index": st.one_of(st.integers(0, 3), JSON),
        "tokens": JSON,
    },
)
STORE = Store()
STORE.put(Document.from_text(EMOJI), "emoji")
STORE.put(Document.from_text(""), "empty")


@effort(max_examples=400)
@given(request_=st.one_of(REQUESTS, REQUESTS, REQUESTS, JSON))
def test_any_request_is_answered_or_refused_with_words(request_):
    try:
        found = answer(STORE, request_)
    except ProtocolError as error:
        found = {"error": str(error)}
    assert found != {"error": ""}
    sent = json.dumps(found, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    assert len(sent.encode("utf-8")) < LIMIT


def test_offsets_are_whole_numbers_of_python():
    """NumPy's own would not become JSON; `json.dumps` above would say so, this names the place."""
    spans = spans_near(chunk(Document.from_text(EMOJI * 50), ChunkingConfig(size=8, overlap=2)), 0, 100)
    for name in ("first", "from", "to"):
        assert type(spans[name]) is int
    assert not any(isinstance(value, np.integer) for value in (*spans["starts"], *spans["ends"]))
