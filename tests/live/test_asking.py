"""A question, live: the fate of its answer worked out by hand, its ranking by the library, words for what is wrong."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st
from strategies import texts

from playground import Document, chunk, prepare
from playground.core.document import Block
from playground.core.prepared import Prepared
from playground.live.asking import LISTED, LONGEST, MOST_ANSWERS, Ask, AskError, asked
from playground.live.protocol import MAX_PANES, ProtocolError, answer, chunks_answer
from playground.live.store import Store, sample_names, sample_questions
from playground.retrieval.expand import shown
from playground.retrieval.ranking import RETRIEVERS, Pool
from playground.settings import parse, to_config

LIMIT = 20 * 1024
KEY = "The key lies under the mat."
WORDS = "word " * 10 + f"{KEY} " + "word " * 11
CATS = "Cats sleep on warm stones. " * 4 + f"{KEY} " + "Dogs bark at night, and nobody knows why. " * 5


def wire(message) -> str:
    """The message as the channel sends it."""
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def javascript_index(text: str, part: str) -> list[int]:
    """Where `part` starts and ends in `text`, as JavaScript counts."""
    low = len(text[: text.index(part)].encode("utf-16-le")) // 2
    return [low, low + len(part.encode("utf-16-le")) // 2]


def chunking_of(document: Document | Prepared, **settings):
    values, notices = parse(settings)
    assert not notices
    return chunk(document, to_config(values))


def ask_of(document: Document | str, ask, **settings):
    """What the first pane's answer holds for a question."""
    prepared = prepare(document if isinstance(document, Document) else Document.from_text(document))
    return chunks_answer(prepared, {"panes": [{"settings": settings}], "ask": ask})["panes"][0]["asked"]


def parts_of(document: Document | str, *answers: str, **settings):
    """The fate of each of these passages, for a question about a key."""
    text = document.text if isinstance(document, Document) else document
    ask = {"question": "Where is the key?", "answers": [javascript_index(text, one) for one in answers]}
    return ask_of(document, ask, **settings)["answer"]["parts"]


# --- what becomes of the answer ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "overlap", "part"),
    [
        # 27 words: 20 and 7; the answer is words 11 to 16, all in the first chunk. "mat." is two tokens, and the space
        # after the last word is part of the next word's token: 7 of 22 tokens.
        (
            20,
            0,
            {
                "kind": "whole",
                "boundaries": [],
                "holders": [1],
                "rank": 1,
                "best": 1,
                "share": 0.318,
                "tokens": [7, 22],
            },
        ),
        # 13, 13 and 1: the first ends after "The key lies".
        (
            13,
            0,
            {
                "kind": "split",
                "boundaries": [1],
                "holders": [],
                "rank": None,
                "best": None,
                "share": 0.0,
                "tokens": [7, 0],
            },
        ),
        # 47% of 13 words are 6: the second chunk starts 3 words before the answer.
        (
            13,
            47,
            {
                "kind": "rescued",
                "boundaries": [1],
                "holders": [2],
                "rank": 1,
                "best": 2,
                "share": 0.467,
                "tokens": [7, 15],
            },
        ),
        # Chunks of 5: the third is "The key lies under the", the fourth starts with "mat."
        (
            5,
            0,
            {
                "kind": "split",
                "boundaries": [3],
                "holders": [],
                "rank": None,
                "best": None,
                "share": 0.0,
                "tokens": [7, 0],
            },
        ),
    ],
    ids=["whole", "split", "rescued", "small"],
)
def test_the_fate_of_a_sentence_by_hand(size, overlap, part):
    assert parts_of(WORDS, KEY, unit="word", size=size, overlap=overlap) == [part]


def test_an_answer_over_many_boundaries_names_the_first_six():
    text = " ".join(f"w{number}" for number in range(60))
    (found,) = parts_of(text, text[:-1], unit="word", size=5, overlap=0)
    assert found["kind"] == "split"
    assert found["boundaries"] == [1, 2, 3, 4, 5, 6]  # of 11
    (found,) = parts_of(text, "w20", unit="word", size=10, overlap=90)
    assert found["kind"] == "whole"
    assert found["holders"] == list(range(12, 18))  # of 10: each chunk of ten starts one word after the one before


def test_what_is_left_out_has_no_holder():
    text = "Home News Shop\nThe boat leaves at noon.\nImprint Privacy\nIt is blue.\n"
    cuts = [0, 15, 40, 56, len(text)]
    kinds = ("boilerplate", "paragraph", "boilerplate", "paragraph")
    blocks = tuple(Block(low, high, kind) for low, high, kind in zip(cuts, cuts[1:], kinds, strict=False))
    document = Document(text, media_type="text/html", blocks=blocks)
    settings = {"mode": "structure", "size": 40, "overlap": 0, "boilerplate": "leave out"}
    menu, boat, both = parts_of(document, "News", "The boat leaves", "noon.\nImprint", **settings)
    assert menu == {
        "kind": "left out",
        "boundaries": [],
        "holders": [],
        "rank": None,
        "best": None,
        "share": 0.0,
        "tokens": [1, 0],
    }
    assert (boat["kind"], boat["holders"]) == ("whole", [1])
    assert (both["kind"], both["boundaries"], both["holders"]) == ("split", [1], [])


def test_every_part_of_an_answer_has_its_own_fate():
    kinds = [one["kind"] for one in parts_of(WORDS, KEY, "The key", "under the mat.", unit="word", size=13, overlap=0)]
    assert kinds == ["split", "whole", "whole"]


def test_offsets_are_those_of_javascript():
    text = "😀 " * 10 + f"{KEY} 😀 " + "👨‍👩‍👧 " * 11
    ask = {"question": "key 😀 mat", "answers": [javascript_index(text, KEY)]}
    assert ask["answers"] == [[30, 57]]  # ten emoji of two units, and a space each
    settings = {"unit": "word", "size": 13, "overlap": 47}
    found = ask_of(text, ask, **settings)
    chunking = chunking_of(Document.from_text(text), **settings)
    (part,) = found["answer"]["parts"]
    assert (part["kind"], part["boundaries"], part["holders"]) == ("rescued", [1], [2])
    order = RETRIEVERS["bm25"].ranking(chunking, ask["question"]).order
    assert [one["chunk"] for one in found["ranked"]] == order.tolist()
    assert part["rank"] == order.tolist().index(1) + 1


def test_half_of_an_emoji_counts_as_its_character():
    half, whole = (ask_of("😀 key", {"question": "key", "answers": [[at, 6]]}) for at in (1, 0))
    assert half == whole
    assert half["answer"]["parts"][0]["kind"] == "whole"


@pytest.mark.parametrize("span", [[3, 3], [5, 2], [len(CATS), len(CATS) + 5], [0, len(CATS) + 1], [7, 2**31 - 1]])
def test_a_span_that_is_empty_or_not_in_the_document_has_no_fate(span):
    """It is that of another text: no other stretch stands in for it."""
    assert ask_of(CATS, {"question": "key", "answers": [span]})["answer"] is None


@given(text=texts(), size=st.integers(5, 30), overlap=st.integers(0, 90), data=st.data())
def test_a_fate_by_the_words_of_its_definition(text, size, overlap, data):
    prepared = prepare(Document.from_text(text))
    length = len(prepared.document)
    low, high = sorted((data.draw(st.integers(0, length)), data.draw(st.integers(0, length))))
    chunking = chunking_of(prepared, unit="word", size=size, overlap=overlap)
    span = prepared.utf16(np.array([low, high], np.int32)).tolist()
    found = asked(chunking, Ask("cat word", answers=(tuple(span),)))
    if found is None or low == high:
        assert not len(chunking) or found["answer"] is None
        return
    (part,) = found["answer"]["parts"]
    spans = list(zip(chunking.starts.tolist(), chunking.ends.tolist(), strict=True))
    holders = [number for number, (start, end) in enumerate(spans, start=1) if start <= low and high <= end]
    assert part["holders"] == holders[:6]
    assert part["kind"] in (("whole", "rescued") if holders else ("split", "left out"))
    ends = {end for _, end in spans[:-1] if low < end < high}
    if all(start <= end for (start, _), (_, end) in zip(spans[1:], spans, strict=False)):  # no gaps
        assert part["boundaries"] == [number for number, (_, end) in enumerate(spans, start=1) if end in ends][:6]
    order = RETRIEVERS["bm25"].ranking(chunking, "cat word", True).order.tolist()
    ranks = [order.index(number - 1) + 1 for number in holders]
    assert part["rank"] == (min(ranks) if ranks else None)
    assert part["best"] == (order[min(ranks) - 1] + 1 if ranks else None)
    assert part["share"] == (round(part["tokens"][0] / part["tokens"][1], 3) if part["tokens"][1] else 0)


# --- the ranking, and what is read ---------------------------------------------------------------------------------


@pytest.mark.parametrize("retriever", RETRIEVERS)
@pytest.mark.parametrize("context", ["on", "off"])
@pytest.mark.parametrize("name", ["company-handbook.md", "multilingual.md"])
def test_the_ranking_is_that_of_the_retriever(name, context, retriever):
    store = Store()
    settings = {"mode": "structure", "size": 60, "overlap": 20, "context": context}
    chunking = chunking_of(store.get(name), **settings)
    for question in ("refunds for contractors", "港 harbour?", "zzz"):
        for with_context in (True, False):
            ask = {"question": question, "retriever": retriever, "with_context": with_context}
            found = answer(store, {"doc": name, "panes": [{"settings": settings}], "ask": ask})["panes"][0]["asked"]
            ranking = RETRIEVERS[retriever].ranking(chunking, question, with_context)
            top = ranking.order[:LISTED].tolist()
            assert [one["chunk"] for one in found["ranked"]] == top
            assert [one["score"] for one in found["ranked"]] == [round(float(ranking.scores[one]), 3) for one in top]
            assert found["found"] == sum(score > 0 for score in ranking.scores.tolist())


@pytest.mark.parametrize("with_budget", [{}, {"budget": 90}, {"budget": 1}], ids=["k", "budget", "none fits"])
@pytest.mark.parametrize("neighbours", [0, 1, 3])
@pytest.mark.parametrize("parents", [False, True])
def test_what_is_read_is_what_the_library_shows(parents, neighbours, with_budget):
    settings = {"unit": "word", "size": 8, "overlap": 25, "parents": 3}
    ask = {"question": "key mat", "k": 2, "neighbours": neighbours, "parents": parents, **with_budget}
    found = ask_of(CATS, ask, **settings)["shown"]
    chunking = chunking_of(Document.from_text(CATS), **settings)
    order = RETRIEVERS["bm25"].ranking(chunking, "key mat").order
    budget = with_budget.get("budget")
    wanted = shown(chunking, order, None if budget else 2, budget, neighbours, parents)
    assert found["chunks"] == len(wanted.taken)
    assert (found["repeated"], found["copies"]) == (wanted.removed_overlap, wanted.removed_content)
    assert found["tokens"] == wanted.tokens_spent <= (budget or 10**6)
    assert found["retrieved"] == found["tokens"] + found["repeated"] + found["copies"]


def test_neighbours_parents_and_a_budget_by_hand():
    # Eight chunks of five words, four of them a parent. A word is two tokens, of which the first begins with the space
    # before it: the first chunk has one more than ten, the last one less.
    text = " ".join(f"w{number:02}" for number in range(40))

    def read(**more) -> tuple[int, int]:
        ask = {"question": "w17", "k": 1, **more}
        found = ask_of(text, ask, unit="word", size=5, overlap=0, parents=4)["shown"]
        return found["chunks"], found["tokens"]

    assert read() == (1, 10)
    assert read(neighbours=1) == (1, 30)
    assert read(parents=True) == (1, 41)
    assert read(parents=True, neighbours=1) == (1, 80)
    assert read(budget=9) == (0, 0)
    assert read(budget=10) == (1, 10)
    assert read(question="w17 w02", k=2) == (2, 21)
    assert read(question="w17 w02", k=2, parents=True) == (2, 41)


def test_without_parents_in_the_settings_the_chunks_are_read():
    plain = ask_of(CATS, {"question": "key"}, unit="word", size=8, overlap=0)
    assert ask_of(CATS, {"question": "key", "parents": True}, unit="word", size=8, overlap=0) == plain is not None


def test_repeats_are_counted_once():
    found = ask_of("The key lies here. " * 12, {"question": "key", "k": 50}, mode="sentence", unit="word", size=5)
    assert found["shown"]["copies"] > 0
    assert found["shown"]["tokens"] < found["shown"]["retrieved"]
    assert ask_of(CATS, {"question": "key"}, unit="word", size=8, overlap=50)["shown"]["repeated"] > 0


def test_the_blurry_vector_is_the_cosine_of_the_whole_document():
    filler = "The harbour was quiet. Boats lay on the sand, and gulls slept. " * 10
    text = filler + "A refund takes ten working days to arrive. " + filler
    found = ask_of(text, {"question": "How long does a refund take?"}, mode="sentence", size=16, overlap=0)["blurry"]
    whole = ask_of(text, {"question": "How long does a refund take?"}, unit="character", size=8000)["blurry"]
    assert whole["document"] == whole["best"] == found["document"]  # one chunk is the whole document
    assert found["best"] > found["document"] + 0.2


def test_each_pane_tells_its_own():
    request = {
        "panes": [{"settings": {"unit": "word", "size": 13, "overlap": overlap}} for overlap in (0, 47)],
        "ask": {"question": "key", "answers": [javascript_index(WORDS, KEY)]},
    }
    panes = chunks_answer(prepare(Document.from_text(WORDS)), request)["panes"]
    assert [one["asked"]["answer"]["parts"][0]["kind"] for one in panes] == ["split", "rescued"]


# --- nothing to ask, nothing to search -----------------------------------------------------------------------------


def test_without_a_question_nothing_is_asked():
    assert ask_of(CATS, None) is None
    for question in ("", " \n\t", "\u3000"):
        assert ask_of(CATS, {"question": question}) is None
    assert chunks_answer(prepare(Document.from_text(CATS)), {"panes": [{}]})["panes"][0]["asked"] is None


@pytest.mark.parametrize("retriever", RETRIEVERS)
def test_a_document_without_text_has_no_answer_and_a_blank_one_no_score(retriever):
    ask = {"question": "key", "retriever": retriever, "answers": [[0, 2]]}
    assert ask_of("", ask) is None
    blank = ask_of(" \n \n ", ask)
    assert blank is None or (blank["found"] == 0 and {one["score"] for one in blank["ranked"]} == {0})


# --- hostile questions ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("retriever", RETRIEVERS)
@pytest.mark.parametrize(
    "question",
    [
        "<script>alert(1)</script> & <b>key</b>",
        "'; DROP TABLE chunks; -- key",
        "(((((((((((((((((( [a-z]* \\",
        "\x00\x01 key \x7f\ufeff\u202e",
        "<|endoftext|>",
        "😀👨‍👩‍👧",
        "e" + "\u0301" * (LONGEST - 1),
        "猫" * LONGEST,
        "key " * (LONGEST // 4),
    ],
    ids=ascii,
)
def test_a_strange_question_is_a_question(question, retriever):
    found = ask_of(CATS, {"question": question, "retriever": retriever}, unit="word", size=8, overlap=0)
    assert [one["chunk"] for one in found["ranked"]] != []
    assert question not in wire(found)  # it is not sent back
    if "key" in question and retriever == "bm25":
        chunking = chunking_of(Document.from_text(CATS), unit="word", size=8, overlap=0)
        assert "key" in chunking[found["ranked"][0]["chunk"]].text


NOT_TEXTS = [None, 5, True, 1.5, [], ["key"], {}, {"key": 1}]
NOT_NUMBERS = [None, -1, 10**400, True, 1.0, float("nan"), "3", [], {}]
WRONG = [
    *[({"question": found}, "text of at most 600") for found in [*NOT_TEXTS, "x" * 10_000, "x" * (LONGEST + 1)]],
    *[({"question": found}, "character") for found in ["\ud800", "key \udfff?", "\ude00\ud83d"]],
    *[({"question": "key", "retriever": found}, "bm25, vectors, fused") for found in [*NOT_TEXTS, "BM25", "__class__"]],
    *[({"question": "key", "k": found}, "“k” is a whole number from 1 to 50") for found in [0, 51, *NOT_NUMBERS]],
    *[({"question": "key", "neighbours": found}, "“neighbours”") for found in [4, *NOT_NUMBERS]],
    *[({"question": "key", "budget": found}, "“budget”") for found in [200_001, *NOT_NUMBERS]],
    *[({"question": "key", "answers": found}, "“answers” is a list") for found in [None, {}, "ab", 3, [[0, 1]] * 9]],
    *[({"question": "key", "others": found}, "“others” is a list") for found in [None, {}, "ab", [1], [["a"]], [None]]],
    *[
        ({"question": "key", "answers": [found]}, "two whole numbers")
        for found in [None, 3, "ab", {}, [], [1], [1, 2, 3], [0, -1], [0, 2**31], [0, 1.0], ["0", "1"], [False, True]]
    ],
]


@pytest.mark.parametrize(("ask", "words"), WRONG, ids=lambda value: ascii(value)[:40])
def test_a_question_that_cannot_be_asked_is_refused_with_words(ask, words):
    with pytest.raises(AskError, match=words):
        Ask.of(ask)
    with pytest.raises(ProtocolError, match=words) as error:
        ask_of(CATS, ask)
    assert len(str(error.value)) < 200


def test_other_documents_are_ranked_together_with_this_one():
    store = Store()
    key, other, empty = (store.put(Document.from_text(text, title=text[:4])) for text in (CATS, WORDS, ""))
    settings = {"unit": "word", "size": 8, "overlap": 0, "parents": 2}
    ask = {"question": "key mat", "parents": True, "k": 50, "others": [other, empty, key, other, "unknown"]}
    found = answer(store, {"doc": key, "panes": [{"settings": settings}], "ask": ask})["panes"][0]["asked"]
    chunkings = [chunking_of(store.get(one), **settings) for one in (key, other)]
    order = RETRIEVERS["bm25"].ranking(Pool(tuple(chunkings)), "key mat", True).order.tolist()
    own = len(chunkings[0])
    wanted = [(one, None) if one < own else (one - own, "word") for one in order[:LISTED]]
    assert [(one["chunk"], one.get("title")) for one in found["ranked"]] == wanted
    assert {title for _, title in wanted} == {None, "word"}
    assert found["shown"]["chunks"] == own + len(chunkings[1])
    pool = Pool(tuple(chunkings))
    assert found["shown"]["passages"] == len(shown(pool, order, k=50, parents=True).starts)


def test_titles_of_other_documents_do_not_make_a_larger_answer():
    store = Store()
    key, *others = (store.put(Document.from_text(f"{CATS} {number}", title="猫" * 4000)) for number in range(13))
    panes = [{"settings": {"unit": "word", "size": 8}}] * MAX_PANES
    found = answer(store, {"doc": key, "panes": panes, "ask": {"question": "key", "others": others}})
    assert len(wire(found).encode()) < LIMIT


@pytest.mark.parametrize("ask", [5, True, "key", [], ["key"], 0, "", False], ids=repr)
def test_a_question_is_an_object(ask):
    with pytest.raises(ProtocolError, match="JSON object"):
        ask_of(CATS, ask)


def test_what_may_be_left_out():
    assert Ask.of({"question": "key"}) == Ask("key", "bm25", 5, 0, 0, False, True, ())
    assert Ask.of({"question": "key", "parents": "yes", "with_context": 1}) == Ask("key", with_context=False)
    assert Ask.of({"question": "key", "answers": [[0, 1]] * MOST_ANSWERS}).answers == ((0, 1),) * MOST_ANSWERS
    assert Ask.of({"question": "k" * LONGEST, "more": {}}).question == "k" * LONGEST


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=6), st.sampled_from([10**400, "\ud800"])
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)),
    max_leaves=5,
)
OFFSETS = st.one_of(st.integers(0, 60), st.integers(0, 60), st.integers(-1, 2**31), SCALARS)
ASKS = st.fixed_dictionaries(
    {"question": st.one_of(texts(4), texts(4), texts(4), JSON)},
    optional={
        "retriever": st.one_of(*[st.sampled_from(sorted(RETRIEVERS))] * 4, JSON),
        "k": st.one_of(*[st.integers(1, 50)] * 4, JSON),
        "budget": st.one_of(*[st.integers(0, 60)] * 4, JSON),
        "neighbours": st.one_of(*[st.integers(0, 3)] * 4, JSON),
        "parents": st.one_of(st.booleans(), JSON),
        "with_context": st.one_of(st.booleans(), JSON),
        "others": st.one_of(
            *[st.lists(st.sampled_from(["emoji", "empty", "blank", "x", "\ud800"]), max_size=3)] * 4, JSON
        ),
        "answers": st.one_of(*[st.lists(st.lists(OFFSETS, min_size=2, max_size=2), max_size=8)] * 4, JSON),
    },
)
STORE = Store()
STORE.put(Document.from_text("Hi 😀😀😀 there. The key lies under the mat. Second one."), "emoji")
STORE.put(Document.from_text(""), "empty")
STORE.put(Document.from_text(" \n \n"), "blank")


@effort(max_examples=150)
@given(doc=st.sampled_from(["emoji"] * 3 + ["empty", "blank"]), ask=st.one_of(ASKS, ASKS, ASKS, JSON))
def test_any_question_is_answered_or_refused_with_words(doc, ask):
    settings = {"unit": "word", "size": 5, "overlap": 30, "parents": 2}
    try:
        found = answer(STORE, {"doc": doc, "panes": [{"settings": settings}], "ask": ask})
    except ProtocolError as error:
        found = {"error": str(error)}
    assert found != {"error": ""}
    assert len(wire(found).encode("utf-8")) < LIMIT


# --- size of an answer ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sample_names())
def test_every_known_question_of_a_bundled_document_gets_a_small_answer(name):
    store = Store()
    prepared = store.get(name)
    questions = sample_questions(prepared.document)[::7]
    assert questions
    for known in questions:
        spans = [prepared.utf16(np.array([one.start, one.end], np.int32)).tolist() for one in known.references]
        ask = {"question": known.question, "retriever": "fused", "answers": spans, "k": 20}
        panes = [{"settings": {"size": size}, "to": 6000} for size in (20, 120, 400)]
        found = answer(store, {"doc": name, "panes": panes, "ask": ask, "limit": 8, "spaces": True})
        assert len(wire(found).encode()) < LIMIT
        for one in found["panes"]:
            assert len(one["asked"]["answer"]["parts"]) == len(known.references)
            assert one["asked"]["ranked"]


ROPES = """# Part {0}

The harbour was quiet. Nobody had seen  the boat.

## Ropes {0}

Was it so?   Cats sleep.


"""


@pytest.mark.parametrize("mode", ["recursive", "structure", "semantic"])
def test_three_panes_with_everything_on_and_a_question_stay_small(mode):
    text = "".join(ROPES.format(number) for number in range(400))
    prepared = prepare(Document.from_text(text, title="ropes.md", media_type="text/markdown"))
    length = len(prepared.document)
    settings = {"mode": mode, "unit": "word", "size": 5, "overlap": 90, "parents": 1}
    panes = [{"settings": settings, "from": length // 2, "to": length // 2 + 20_000}] * MAX_PANES
    ask = {
        "question": "harbour boat cats 999",
        "retriever": "fused",
        "k": 50,
        "neighbours": 3,
        "answers": [[length // 2 + at, length - at] for at in range(MOST_ANSWERS)],
    }
    found = chunks_answer(prepared, {"panes": panes, "limit": 4, "spaces": True, "ask": ask})
    sizes = {key: len(wire(value).encode()) for key, value in found["panes"][0].items()}
    assert len(wire(found).encode()) < LIMIT, sizes
