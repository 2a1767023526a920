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
from strategies import grapheme_bounds, texts, token_spans

from playground import ChunkingConfig, Document, chunk, describe, prepare
from playground.core.modes import MODES
from playground.core.rulers import UNITS
from playground.core.separators import LONGEST, MOST
from playground.core.stats import histogram
from playground.live.extras import MAX_BREAKS, MAX_TOKENS, token_lengths
from playground.live.inspection import as_text
from playground.live.near import spans_near
from playground.live.protocol import MAX_PANES, ProtocolError, answer, chunks_answer
from playground.live.store import Store, sample_names
from playground.live.views import numbers
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
    assert found["spans"] == {
        "first": 0,
        "from": 0,
        "to": 28,
        "starts": [0],
        "ends": [28],
        "flags": "-",
        "names": ["token"],
        "levels": "0",
        "parents": None,
    }


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
    assert part["levels"] == whole["levels"][first : first + count]
    assert part["names"] == whole["names"]
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
    assert ranges(found["spans"]) == []
    assert [found["spans"][name] for name in ("first", "from", "to")] == [0, 0, 0]
    assert (found["spans"]["flags"], found["spans"]["levels"], found["spans"]["parents"]) == ("", "", None)
    assert (found["remarks"], found["topics"], found["over"], found["spaces"]) == ([], None, None, None)
    assert found["numbers"]["count"] == found["numbers"]["parents"] == 0
    assert found["numbers"]["fits"] is False
    assert found["numbers"]["cut_levels"] == []
    assert found["numbers"]["check"]["passed"] is True


@pytest.mark.parametrize(("low", "high"), [(0, 0), (10**9, 2 * 10**9), (2**31 - 1, 2**31 - 1), (500, 3), (1.5, 2.5)])
def test_any_visible_range_is_answered(low, high):
    text = EMOJI * 400
    (found,) = asked(text, pane(low, high, unit="word", size=5))["panes"]
    spans = found["spans"]
    assert len(spans["starts"]) == len(spans["ends"]) == len(spans["flags"]) == len(spans["levels"])
    assert 0 <= spans["from"] <= spans["to"] <= len(text.encode("utf-16-le")) // 2
    pieces = shown_texts(text, spans)
    chunking = chunk(Document.from_text(text), to_config(found["settings"]))
    assert pieces == [chunking[spans["first"] + number].text for number in range(len(pieces))]


# --- kinds of cuts and parents -----------------------------------------------------------------------------------

HARBOUR = """# Harbour

The harbour was quiet 😀. Nobody had seen the boat, or so they said.

## Ropes

Ropes were coiled on the quay. The old man counted them twice, and then once more.

## Weather

The wind turned to the north. It blew for three days.
"""


def harbour() -> Document:
    return Document.from_text(HARBOUR, title="harbour.md", media_type="text/markdown")


def harbour_pane(low=0, high=6000, /, extras=None, **settings):
    return chunks_answer(prepare(harbour()), {"panes": [pane(low, high, **settings)], **(extras or {})})["panes"][0]


@pytest.mark.parametrize("mode", sorted(MODES))
def test_a_letter_says_at_what_kind_of_boundary_a_chunk_ends(mode):
    found = harbour_pane(mode=mode, unit="word", size=8, overlap=0)
    names = [found["spans"]["names"][int(letter, 36)] for letter in found["spans"]["levels"]]
    assert len(names) == found["numbers"]["count"] > 3
    counted = {one["name"]: one["count"] for one in found["numbers"]["cut_levels"]}
    assert {name: names[:-1].count(name) for name in set(names[:-1])} == counted


def test_kinds_of_cuts_are_those_of_the_reasons():
    found = harbour_pane(mode="paragraph", unit="word", size=8, overlap=0)
    kinds = [found["spans"]["names"][int(letter, 36)] for letter in found["spans"]["levels"]]
    pieces = shown_texts(HARBOUR, found["spans"])
    for kind, piece in zip(kinds[:-1], pieces, strict=False):
        assert (kind == "paragraph") == piece.endswith("\n\n"), piece
    assert "word" in kinds
    assert "paragraph" in kinds


def test_as_many_rungs_as_a_ladder_may_have_still_have_a_letter_each():
    ladder = [chr(0xE1 + number) for number in range(MOST)]
    text = "".join(f"{rung}x" * 3 for rung in ladder)
    found = first_pane(text, mode="recursive", unit="character", size=20, overlap=0, separators="\n".join(ladder))
    assert len(found["spans"]["names"]) > MOST
    assert all(int(letter, 36) < len(found["spans"]["names"]) for letter in found["spans"]["levels"])


@pytest.mark.parametrize("mode", sorted(MODES))
@pytest.mark.parametrize("parents", [1, 2, 5])
def test_parents_are_the_spans_around_the_chunks_that_are_sent(mode, parents):
    prepared = prepare(harbour())
    settings = {"mode": mode, "unit": "word", "size": 6, "overlap": 30, "parents": parents}
    chunking = chunk(prepared, to_config(parse(settings)[0]))
    for low, high in ((0, 0), (0, 6000), (200, 210), (0, 2**31 - 1)):
        spans = spans_near(chunking, low, high)
        found = spans["parents"]
        sent = range(spans["first"], spans["first"] + len(spans["starts"]))
        around = list(dict.fromkeys(chunking[index].parent.index for index in sent))
        assert list(range(found["first"], found["first"] + len(found["starts"]))) == around
        assert shown_texts(HARBOUR, found) == [chunking.parents[index].text for index in around]
        for index, (low_, high_) in zip(sent, ranges(spans), strict=True):
            start, end = ranges(found)[chunking[index].parent.index - found["first"]]
            assert start <= low_ < high_ <= end


def test_parents_of_a_part_are_numbered_from_the_first_of_the_document():
    prepared = prepare(Document.from_text("The harbour was quiet. " * 3000))
    chunking = chunk(prepared, to_config(parse({"unit": "word", "size": 5, "overlap": 0, "parents": 2})[0]))
    found = spans_near(chunking, 40_000, 41_000)
    assert found["first"] > 0
    assert found["parents"]["first"] == chunking[found["first"]].parent.index > 0


def test_without_parents_there_are_none():
    found = harbour_pane(unit="word", size=6)
    assert found["spans"]["parents"] is None
    assert found["numbers"]["parents"] == 0
    assert first_pane("", parents=3)["spans"]["parents"] is None


# --- what else a pane is asked to show ---------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["fixed", "structure"])
@pytest.mark.parametrize("limit", [1, 12, 20, 10_000])
@pytest.mark.parametrize(("low", "high"), [(0, 6000), (150, 151)])
def test_chunks_that_a_model_cannot_take_are_counted_and_named(mode, limit, low, high):
    settings = {"mode": mode, "unit": "word", "size": 12, "overlap": 20}
    found = harbour_pane(low, high, {"limit": limit}, **settings)
    tokens = token_spans(HARBOUR, "cl100k_base")
    over = []
    for one in chunk(prepare(harbour()), to_config(parse(settings)[0])):
        inside = sum(start < one.end and end > one.start for start, end, _ in tokens)
        context = len(token_spans(f"{one.context}\n\n", "cl100k_base")) if one.context else 0
        over.append(inside + context > limit)
    first = found["spans"]["first"]
    sent = over[first : first + len(found["spans"]["starts"])]
    assert found["over"] == {"limit": limit, "count": sum(over), "near": "".join("01"[flag] for flag in sent)}


@pytest.mark.parametrize("limit", [None, 0, False])
def test_without_a_limit_nothing_is_over_it(limit):
    assert harbour_pane(0, 6000, {"limit": limit})["over"] is None
    assert harbour_pane()["over"] is None


@pytest.mark.parametrize("limit", [-1, "512", True, 2**31, [512], {"limit": 1}, float("nan")], ids=repr)
def test_a_limit_is_a_number_from_nothing_on(limit):
    with pytest.raises(ProtocolError, match="number from 0"):
        asked(EMOJI, pane(), limit=limit)


def undone(near: list[int]) -> list[int]:
    """[start, length, ...] with every start counted from 0."""
    starts = accumulate(near[::2])
    return [value for pair in zip(starts, near[1::2], strict=True) for value in pair]


def test_idle_white_space_is_shown_where_it_is_asked_for():
    text = "One 😀  two.   \n\n\n\nThree    four."
    (found,) = asked(text, pane(), spaces=True)["panes"]
    places = undone(found["spaces"]["near"])
    pieces = [
        javascript_slice(text, start, start + length) for start, length in zip(places[::2], places[1::2], strict=True)
    ]
    assert pieces == [" ", "   ", "\n\n", "   "]
    assert [javascript_slice(text, 0, start) for start in places[::2]] == [
        "One 😀 ",
        "One 😀  two.",
        "One 😀  two.   \n\n",
        "One 😀  two.   \n\n\n\nThree ",
    ]
    assert found["spaces"]["characters"] == sum(map(len, pieces)) == 9
    before, after = (len(token_spans(one, "cl100k_base")) for one in (text, "One 😀 two.\n\nThree four."))
    assert found["spaces"]["tokens"] == before - after


@pytest.mark.parametrize("spaces", [False, None, 1, "true", [], {}], ids=repr)
def test_white_space_is_shown_only_where_it_is_asked_for(spaces):
    assert asked("a  b", pane(), spaces=spaces)["panes"][0]["spaces"] is None


def test_of_idle_white_space_what_is_near_is_sent_and_all_is_counted():
    text = "word  word. " * 8000
    for low in (0, 40_000, 90_000):
        (found,) = asked(text, pane(low, low + 3000), spaces=True)["panes"]
        starts = undone(found["spaces"]["near"])[::2]
        inside = [at for at in range(5, len(text), 12) if low <= at < low + 3000]
        assert set(inside) <= set(starts)
        assert found["spaces"]["characters"] == 8001  # with the blank at the very end
        assert all(low - 2600 <= start < low + 5600 for start in starts)


def test_without_idle_white_space_there_is_none():
    assert asked("One two.", pane(), spaces=True)["panes"][0]["spaces"] == {"characters": 0, "tokens": 0, "near": []}
    assert asked("", pane(), spaces=True)["panes"][0]["spaces"] == {"characters": 0, "tokens": 0, "near": []}


TOPICS = "Cats sleep on warm stones. Kittens play with wool. A cat hunts mice. " * 6 + (
    "The bank raised its interest rate. Loans became dearer. Shares fell at once. " * 6
)


@pytest.mark.parametrize("window", [1, 3, 12])
@pytest.mark.parametrize("threshold", [{}, {"threshold": "deviation"}, {"threshold": "absolute", "amount": 90}])
def test_topics_are_where_the_semantic_mode_cuts(window, threshold):
    settings = {"mode": "semantic", "unit": "character", "size": 8000, "overlap": 0, "window": window, **threshold}
    found = first_pane(TOPICS, **settings)
    chunking = chunk(Document.from_text(TOPICS), to_config(parse(settings)[0]))
    topics = found["topics"]
    sentences = chunking.prepared.sentences
    assert topics["count"] == len(topics["cuts"]) == found["numbers"]["boundaries"]
    assert [int(sentences[cut + 1]) for cut in topics["cuts"]] == chunking.ends[:-1].tolist()
    assert topics["window"] == window
    assert -1 <= topics["threshold"] <= 1


def test_a_change_of_subject_is_found():
    found = first_pane(TOPICS, mode="semantic", size=2000, overlap=0, threshold="percentile", amount=3)
    assert any(abs(cut + 1 - 18) <= 2 for cut in found["topics"]["cuts"])


@pytest.mark.parametrize("mode", sorted(set(MODES) - {"semantic"}))
def test_only_the_semantic_mode_has_topics(mode):
    assert harbour_pane(mode=mode)["topics"] is None


@pytest.mark.parametrize("text", ["", " \n ", "One sentence only", "One. Two."])
def test_a_text_without_topics_is_answered(text):
    found = first_pane(text, mode="semantic")
    assert found["topics"] is None or found["topics"]["cuts"] == []
    assert found["numbers"]["check"]["passed"] is True


@pytest.mark.parametrize(
    ("text", "settings", "remark"),
    [
        ("No pairs here.", {"mode": "structure", "form": "faq"}, "No question was found"),
        ("def f(): pass", {"mode": "structure", "form": "code"}, "it is read as Python"),
        ("No pages here.", {"mode": "structure", "form": "pages"}, "no pages"),
        ("One. Two. Three.", {"mode": "semantic"}, "fewer than 20 sentences"),
        ("Cats sleep on stones. " * 40, {"mode": "semantic"}, "hardly varies"),
    ],
)
def test_what_the_page_should_say_of_a_chunking(text, settings, remark):
    (found,) = first_pane(text, **settings)["remarks"]
    assert remark in found
    assert first_pane(text)["remarks"] == []


def test_each_pane_is_shown_what_is_asked_for():
    panes = asked("word  word. " * 40, pane(mode="fixed"), pane(mode="semantic"), spaces=True, limit=5)["panes"]
    assert [one["topics"] is None for one in panes] == [True, False]
    assert all(one["spaces"]["near"] and one["over"]["count"] for one in panes)
    assert [bool(one["remarks"]) for one in panes] == [False, True]


# --- numbers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sample_names())
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"mode": "sentence", "unit": "word"},
        {"unit": "character", "overlap": 60},
        {"mode": "structure", "parents": 3},
        {"mode": "recursive", "unit": "word"},
        {"mode": "semantic", "smallest": 20},
    ],
    ids=lambda settings: settings.get("mode", settings.get("unit", "as it is")),
)
def test_the_numbers_are_those_of_the_core(name, settings):
    store = Store()
    (found,) = answer(store, {"doc": name, "panes": [pane(**settings)]})["panes"]
    chunking = chunk(store.get(name), to_config(parse(settings)[0]))
    stats = describe(chunking)
    shown = found["numbers"]
    for field in (
        "count", "smallest", "largest", "oversized", "document_tokens", "processed_tokens", "duplicated_tokens",
        "deepest_cover", "boundaries", "word_cuts", "sentence_cuts", "overlap_asked", "overlap_least", "overlap_full",
        "context_tokens", "parents", "fits",
    ):  # fmt: skip
        assert shown[field] == getattr(stats, field), field
    for field in ("median", "mean", "overlap_mean", "duplicated_percent"):
        assert shown[field] == pytest.approx(getattr(stats, field), abs=0.0501)
    assert shown["overlap_limits"] == {limit.name.lower(): count for limit, count in stats.overlap_limits.items()}
    assert [(one["name"], one["count"]) for one in shown["cut_levels"]] == list(stats.cut_levels.items())
    assert sum(one["count"] for one in shown["cut_levels"]) == shown["boundaries"]
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


def test_a_chunk_says_what_is_read_before_it():
    store = Store()
    key = store.put(harbour())
    asked_for = {"mode": "structure", "unit": "word", "size": 12, "overlap": 0, "parents": 3}
    chunking = chunk(harbour(), to_config(parse(asked_for)[0]))
    for index, one in enumerate(chunking):
        found = answer(store, {"doc": key, "kind": "chunk", "pane": pane(**asked_for), "index": index})
        assert found["context"] == one.context
        assert found["embedded_tokens"] == len(token_spans(one.embedded, "cl100k_base"))
        assert found["parent"] == one.parent.index
        assert found["metadata"]["parent_id"] == one.parent_id
        assert found["metadata"]["heading_path"] == " > ".join(one.path)
    assert any("Ropes" in one.context for one in chunking)


def test_a_chunk_without_context_or_parent_says_so():
    found = about("One two three.")
    assert (found["context"], found["parent"], found["oversized_reason"]) == ("", None, "")
    assert found["embedded_tokens"] == found["sizes"]["token"]
    assert found["metadata"]["parent_id"] == found["metadata"]["page"] == "none"


def test_a_chunk_larger_than_the_size_says_why():
    text = "👨‍👩‍👧‍👦" * 9
    found = about(text, 0, mode="fixed", unit="token", size=8, overlap=0)
    one = chunk(Document.from_text(text), ChunkingConfig(unit="token", size=8, overlap=0))[0]
    assert found["oversized"] is one.oversized is True
    assert found["oversized_reason"] == one.oversized_reason != ""


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "none"),
        (True, "yes"),
        (False, "no"),
        (0, "0"),
        (1.5, "1.5"),
        ("", ""),
        ([], "none"),
        (["Purchases", "Refunds"], "Purchases > Refunds"),
        ((1, 2), "1 > 2"),
        ({"cl100k_base": 6, "r50k_base": 7}, "cl100k_base 6, r50k_base 7"),
        ({"a": {"b": None}}, "a b none"),
    ],
    ids=repr,
)
def test_metadata_is_told_as_a_person_reads_it(value, text):
    assert as_text(value) == text


def test_the_documents_own_metadata_is_told_too():
    store = Store()
    known = {"access": ["staff", "legal"], "last_updated": "2025-06-30", "draft": False}
    key = store.put(Document.from_text("One two.", metadata=known))
    found = answer(store, {"doc": key, "kind": "chunk", "pane": pane(), "index": 0})["metadata"]
    assert found["last_updated"] == "2025-06-30"
    assert found["draft"] == "no"
    assert "staff" in found["access"]
    assert found["settings"].startswith("mode fixed, unit token, size 120, ")


@pytest.mark.parametrize("name", sample_names())
def test_every_chunk_of_a_bundled_document_can_be_looked_at(name):
    store = Store()
    for mode in MODES:
        found = answer(store, {"doc": name, "panes": [pane(mode=mode)]})["panes"][0]
        for index in (0, found["numbers"]["count"] // 2, found["numbers"]["count"] - 1):
            request = {"doc": name, "kind": "chunk", "pane": pane(mode=mode, parents=2), "index": index}
            one = answer(store, request)
            assert len(wire(one).encode()) < LIMIT
            assert one["reason"]
            assert one["parent"] is not None


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
@pytest.mark.parametrize("mode", ["fixed", "sentence"])
@pytest.mark.parametrize("name", sorted(LARGE))
def test_an_answer_stays_small(name, mode, unit):
    prepared = large(name)
    middle = len(prepared.document) // 2
    for settings in extremes(unit):
        chunking = chunk(prepared, to_config(parse({"mode": mode, "unit": unit, **settings})[0]))
        rest = len(wire({"numbers": numbers(chunking), "settings": parse({})[0], "seq": 10**9, "core_ms": 10000.25}))
        for low, high in ((0, 6000), (middle, middle + 20_000), (0, 2**31 - 1)):
            spans = spans_near(chunking, low, high)
            assert len(wire(spans)) + rest < LIMIT, (settings, low, high)


LARGEST_SAMPLE = max(sample_names(), key=lambda name: len(Store().get(name).document))
RANGES = ((0, 6000), (0, 2**31 - 1))


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("mode", sorted(MODES))
def test_an_answer_about_the_largest_bundled_document_stays_small(mode, unit):
    prepared = bundled(LARGEST_SAMPLE)
    for settings in extremes(unit)[:3]:
        for parents in (0, 1, 12):
            for low, high in RANGES:
                shown = pane(low, high, mode=mode, unit=unit, parents=parents, **settings)
                found = chunks_answer(prepared, {"panes": [shown], "limit": 8, "spaces": True})
                assert len(wire(found).encode()) < LIMIT, (settings, parents, high, parts(found))


@cache
def bundled(name: str):
    return Store().get(name)


def parts(found) -> dict[str, int]:
    """The bytes of each part of the first pane, the largest first: where to save."""
    one = found["panes"][0]
    sizes = {name: len(wire(value).encode()) for name, value in {**one, **one["spans"]}.items()}
    return dict(sorted(sizes.items(), key=lambda item: -item[1])[:6])


ROPES = """# Part {0}

The harbour was quiet. Nobody had seen the boat  for {0} days.

## Ropes {0}

Ropes were coiled!   Was it so? Cats sleep on warm stones.



"""


@cache
def sections():
    text = "".join(ROPES.format(number) for number in range(6600))
    assert 0.97e6 <= len(text) <= 1.3e6
    return prepare(Document.from_text(text, title="ropes.md", media_type="text/markdown"))


@pytest.mark.parametrize("limit", [0, 4])
@pytest.mark.parametrize(("unit", "size", "parents"), [("word", 5, 1), ("token", 120, 12)])
@pytest.mark.parametrize("mode", ["recursive", "structure", "semantic"])
def test_an_answer_with_everything_on_stays_small(mode, unit, size, parents, limit):
    settings = {"mode": mode, "unit": unit, "size": size, "overlap": 90, "parents": parents}
    for low, high in ((0, 6000), (984_000, 990_000), (500_000, 2**31 - 1)):
        request = {"panes": [pane(low, high, **settings)], "limit": limit, "spaces": True}
        found = chunks_answer(sections(), request)
        assert len(wire(found).encode()) < LIMIT, (low, high, parts(found))


@pytest.mark.parametrize("mode", ["recursive", "structure", "semantic"])
def test_three_panes_with_everything_on_stay_small(mode):
    settings = {"mode": mode, "unit": "word", "size": 5, "overlap": 90, "parents": 1}
    panes = [pane(500_000, 520_000, **settings)] * MAX_PANES
    found = chunks_answer(sections(), {"panes": panes, "limit": 4, "spaces": True})
    assert len(wire(found).encode()) < LIMIT, parts(found)


@pytest.mark.parametrize("letter", ["x", "猫", "😀"])
def test_the_longest_ladder_does_not_make_a_larger_answer(letter):
    ladder = "\n".join(chr(ord(letter) + number) * LONGEST for number in range(MOST))
    found = asked(EMOJI * 200, *[pane(mode="recursive", size=8, separators=ladder)] * MAX_PANES)
    assert len(wire(found).encode()) < LIMIT, parts(found)


def test_half_a_character_in_a_ladder_can_still_be_sent():
    """JSON may hold a lone surrogate, UTF-8 may not: the answer repeats the settings that were asked for."""
    found = asked(EMOJI, pane(mode="recursive", separators="a\ud800"))
    assert wire(found).encode("utf-8")


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
