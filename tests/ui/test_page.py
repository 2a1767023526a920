"""The page script, run as Streamlit runs it: what the components are given, what a commit changes, what is refused.

Most tests read what the real components were mounted with. Where the hand lets go, a component of two buttons stands
in for the stage, so that its callbacks run where Streamlit runs callbacks: before the page does.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import streamlit as st
from streamlit.runtime.caching import cache_resource_api
from streamlit.testing.v1 import AppTest
from ui.visiting import arriving, sound, upload

from playground import Document, chunk, describe, prepare
from playground.lessons.glossary import as_rows
from playground.live.protocol import MAX_PANES, chunks_answer
from playground.live.store import STORE, sample_names
from playground.settings import as_table, changed, parse, to_config
from playground.ui import bringing
from playground.ui.address import FIRST_DOCUMENT, PAGES
from playground.ui.components import FOLDER
from playground.ui.words import plain

ROOT = Path(__file__).parents[2]
DEFAULTS = parse({})[0]
MARKUP = "<img src=x onerror=alert(1)>"
SECRET = "The visitor's own sentence. Nobody else reads it."


def page(**query) -> AppTest:
    """A first visit with `query` in the address."""
    return sound(arriving(**query).run())


def shown(visit: AppTest, key: str) -> dict:
    """What the component `key` was mounted with, as the browser gets it."""
    (element,) = [found for found in visit.get("bidi_component") if found.key == key]
    return json.loads(element.proto.json or element.proto.mixed.json)


def address(visit: AppTest) -> dict[str, str]:
    return {name: visit.query_params[name] for name in visit.query_params}


def messages(visit: AppTest, kind: str) -> list[str]:
    return [found.value for found in getattr(visit, kind)]


# --- every page on every document --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "name"),
    [
        *(("compare", name) for name in (FIRST_DOCUMENT, "inventory.py", "survey-report.pdf", "tide-tables.csv")),
        ("playground", FIRST_DOCUMENT),  # on all of them below
        ("documents", FIRST_DOCUMENT),  # it lists all of them anyway
    ],
)
def test_every_page_shows_documents_of_every_form(where, name):
    visit = page(page=where, doc=name)
    assert not visit.warning
    assert not visit.error
    assert address(visit) | {"page": where, "doc": name} == address(visit)
    components = {found.key for found in visit.get("bidi_component")}
    mounted = {"playground": {"stage", "panel"}, "compare": {"comparison"}, "documents": set()}[where]
    assert components == {*mounted, "history"}


@pytest.mark.parametrize("name", sample_names())
def test_the_stage_is_given_the_document_its_settings_and_the_first_answer(name):
    visit = page(doc=name)
    assert not visit.warning
    assert not visit.error
    assert address(visit)["doc"] == name
    data = shown(visit, "stage")
    asked = {"panes": [{"settings": DEFAULTS, "from": 0, "to": 6000}]}
    assert data["id"] == "stage"
    assert (data["doc"], data["title"], data["revision"]) == (name, name, 0)
    assert data["panes"] == [DEFAULTS]
    assert data["table"] == as_table()
    assert data["answer"] == json.loads(json.dumps(chunks_answer(STORE.get(name), asked)))
    assert shown(visit, "panel") == {"id": "stage", "answer": data["answer"], "glossary": as_rows()}


def test_the_first_screen_teaches_an_overlap():
    (one,) = shown(page(), "stage")["answer"]["panes"]
    assert one["numbers"]["count"] > 10
    assert one["numbers"]["deepest_cover"] >= 2
    assert one["numbers"]["duplicated_percent"] > 5
    assert one["numbers"]["sentence_cuts"] > 0
    assert one["numbers"]["check"]["passed"] is True


def test_the_text_itself_is_not_sent_with_the_page():
    """It comes once, by its own route; with the page it would be sent again at every commit."""
    visit = page()
    text = STORE.get(FIRST_DOCUMENT).document.text
    assert text[200:300] not in json.dumps(shown(visit, "stage"), ensure_ascii=False)


def test_components_load_their_modules_by_version():
    visit = page()
    for name in ("stage", "panel"):
        (element,) = [found for found in visit.get("bidi_component") if found.key == name]
        assert f"/{name}/{name}.js" in element.proto.js_content
        assert (FOLDER / name / f"{name}.js").is_file()


# --- the link is the picture -------------------------------------------------------------------------------------


def test_an_untouched_visit_gets_an_address_that_says_everything():
    found = address(page())
    assert found == {"page": "playground", "doc": FIRST_DOCUMENT} | {
        name: str(DEFAULTS[name]) for name in ("mode", "unit", "size", "overlap", "tokenizer", "tail")
    }


def test_a_link_gives_its_picture_and_keeps_its_address():
    query = {"page": "playground", "doc": "multilingual.md", "mode": "sentence", "unit": "character", "size": "300",
             "overlap": "40", "tokenizer": "r50k_base", "tail": "merge"}  # fmt: skip
    visit = page(**query)
    assert address(visit) == query
    data = shown(visit, "stage")
    assert data["doc"] == "multilingual.md"
    assert data["panes"] == [parse(query)[0]]
    assert {name: str(value) for name, value in changed(data["panes"][0]).items()} == {
        name: value for name, value in query.items() if name not in ("page", "doc")
    }


def test_a_link_holds_the_finer_settings_too():
    finer = {"mode": "semantic", "threshold": "deviation", "amount": "15", "window": "5", "parents": "3",
             "snap": "word", "smallest": "10", "separators": "a\nb"}  # fmt: skip
    visit = page(**finer)
    assert not visit.warning
    assert address(visit) | finer == address(visit)
    (settings,) = shown(visit, "stage")["panes"]
    assert {name: str(settings[name]) for name in finer} == finer
    assert "form" not in address(visit)


def test_a_link_to_a_comparison_gives_all_its_panes():
    query = {"page": "compare", "size": "200", "b_size": "300", "c_size": "400", "c_mode": "sentence"}
    data = shown(page(**query), "comparison")
    assert [pane["size"] for pane in data["panes"]] == [200, 300, 400]
    assert [pane["mode"] for pane in data["panes"]] == ["fixed", "fixed", "sentence"]
    assert len(data["answer"]["panes"]) == 3


@pytest.mark.parametrize("where", PAGES)
def test_an_impossible_link_shows_the_nearest_picture_with_a_warning(where):
    visit = page(page=where, doc="../app.py", size="-5", mode="foo", overlap="500")
    found = messages(visit, "warning")
    assert len(found) == 4
    assert any("size" in message.lower() and r"\-5" in message for message in found)
    found = {"page": where} | ({} if where == "learn" else {"doc": FIRST_DOCUMENT})
    assert address(visit) | found == address(visit)
    if where == "playground":
        assert shown(visit, "stage")["panes"] == [DEFAULTS | {"size": 8, "overlap": 90}]


def test_markup_in_a_link_is_shown_as_text():
    visit = page(page=MARKUP, doc=f"**{MARKUP}**", mode=":red[x]", size="$x$")
    found = messages(visit, "warning")
    assert len(found) == 4
    assert plain(MARKUP) in found[0]
    for message in found:
        bare = message.replace("\\\\", "")
        for opener in "<[*$:":
            assert bare.count(opener) == bare.count("\\" + opener)


@pytest.mark.parametrize("size", ["9" * 5000, "NaN", "", "\ufffd", "1e999", "١٢٠", "0x10", "½"], ids=ascii)
def test_no_size_in_a_link_breaks_the_page(size):
    assert 8 <= shown(page(size=size), "stage")["panes"][0]["size"] <= 2048


# --- the hand lets go --------------------------------------------------------------------------------------------


class Hand:
    """Stands in for the browser: keeps what the components were mounted with, and calls back like them."""

    def __init__(self, monkeypatch):
        self.mounted = {}
        for name in ("stage", "panel"):
            monkeypatch.setattr(f"playground.ui.components.{name}.component", self.component)

    def component(self, name, *styles):
        def mount(*, key, data, on_commit_change=None, on_ready_change=None, **others):
            self.mounted[key] = json.loads(json.dumps(data))
            for what, callback in (("commit", on_commit_change), ("ready", on_ready_change)):
                if callback:
                    st.button(f"{key} {what}", key=f"{key}-{what}", on_click=callback)

        return mount

    def commits(self, visit, commit, key="stage"):
        """The stage `key` sets its commit and Streamlit runs the page again."""
        visit.session_state[key] = {"commit": commit}
        return sound(visit.button(key=f"{key}-commit").click().run())

    def settles(self, visit, *panes, key="stage", low=0, high=6000):
        """A commit as the page's own stage sends it."""
        panes = [{"settings": DEFAULTS | settings, "from": low, "to": high} for settings in panes]
        return self.commits(visit, {"number": 1, "doc": self.mounted[key]["doc"], "panes": panes}, key)


@pytest.fixture
def hand(monkeypatch):
    return Hand(monkeypatch)


def test_a_commit_changes_the_address_and_the_answer(hand):
    visit = page()
    hand.settles(visit, {"mode": "sentence", "size": 300, "overlap": 0})
    assert address(visit)["mode"] == "sentence"
    assert address(visit)["size"] == "300"
    assert address(visit)["overlap"] == "0"
    settings = DEFAULTS | {"mode": "sentence", "size": 300, "overlap": 0}
    data = hand.mounted["stage"]
    assert data["panes"] == [settings]
    chunking = chunk(STORE.get(FIRST_DOCUMENT), to_config(settings))
    assert data["answer"]["panes"][0]["numbers"]["count"] == describe(chunking).count
    assert hand.mounted["panel"]["answer"] == data["answer"]


def test_a_commit_is_no_change_from_outside(hand):
    """The revision stays, so the stage keeps the slider that is still under the hand."""
    visit = page()
    hand.settles(visit, {"size": 300})
    assert hand.mounted["stage"]["revision"] == 0


def test_the_next_answer_is_for_the_range_that_was_in_view(hand):
    visit = page()
    hand.settles(visit, {"size": 8}, low=9000, high=9600)
    spans = hand.mounted["stage"]["answer"]["panes"][0]["spans"]
    assert 0 < spans["from"] <= 9000
    assert spans["to"] >= 9600
    sound(visit.selectbox[0].select("api-reference.md").run())
    assert hand.mounted["stage"]["answer"]["panes"][0]["spans"]["from"] == 0


def test_a_commit_in_the_comparison_changes_its_panes(hand):
    visit = page(page="compare")
    assert [pane["mode"] for pane in hand.mounted["comparison"]["panes"]] == ["fixed", "sentence"]
    hand.settles(visit, {"size": 200}, {"size": 400, "mode": "sentence"}, key="comparison")
    found = address(visit)
    assert (found["size"], found["b_size"], found["b_mode"]) == ("200", "400", "sentence")
    assert [pane["size"] for pane in hand.mounted["comparison"]["panes"]] == [200, 400]


def test_impossible_settings_in_a_commit_are_mended(hand):
    visit = page()
    hand.settles(visit, {"size": -5, "mode": MARKUP, "overlap": 1e300})
    assert hand.mounted["stage"]["panes"] == [DEFAULTS | {"size": 8, "overlap": 90}]


GOOD_PANE = {"settings": DEFAULTS | {"size": 300}, "from": 0, "to": 6000}


@pytest.mark.parametrize(
    "commit",
    [
        None,
        [],
        "commit",
        {},
        {"doc": FIRST_DOCUMENT},
        {"doc": FIRST_DOCUMENT, "panes": None},
        {"doc": FIRST_DOCUMENT, "panes": {}},
        {"doc": FIRST_DOCUMENT, "panes": []},
        {"doc": FIRST_DOCUMENT, "panes": [None]},
        {"doc": FIRST_DOCUMENT, "panes": [GOOD_PANE, GOOD_PANE]},
        {"doc": FIRST_DOCUMENT, "panes": [{}]},
        {"doc": FIRST_DOCUMENT, "panes": [{"settings": None}]},
        {"doc": FIRST_DOCUMENT, "panes": [{"settings": 3}]},
        {"doc": FIRST_DOCUMENT, "panes": [{"settings": []}]},
        {"doc": FIRST_DOCUMENT, "panes": [{"settings": "mode"}]},
        {"doc": FIRST_DOCUMENT, "panes": [{"settings": ["size"]}]},
        {"doc": FIRST_DOCUMENT, "panes": [{"settings": DEFAULTS, "from": -1, "to": "x"}]},
        {"doc": FIRST_DOCUMENT, "panes": [{"settings": DEFAULTS, "from": 2**40, "to": None}]},
        {"doc": FIRST_DOCUMENT, "panes": [{"settings": DEFAULTS, "from": 9000, "to": 3}]},
        {"doc": FIRST_DOCUMENT, "panes": [GOOD_PANE | {"from_unit": "word", "from": "x"}]},
    ],
    ids=lambda commit: repr(commit)[:60],
)
def test_a_commit_that_cannot_be_changes_nothing(hand, commit):
    visit = page()
    hand.commits(visit, commit)
    data = hand.mounted["stage"]
    assert data["doc"] == FIRST_DOCUMENT
    assert data["panes"] == [DEFAULTS]
    assert data["answer"]["panes"][0]["spans"]["starts"]


@pytest.mark.parametrize("doc", ["multilingual.md", None])
def test_a_hand_that_lets_go_while_another_document_is_opened_keeps_its_settings(hand, doc):
    visit = page()
    hand.commits(visit, {"doc": doc, "panes": [GOOD_PANE | {"from": 9000, "to": 9500}]})
    data = hand.mounted["stage"]
    assert (data["doc"], data["panes"]) == (FIRST_DOCUMENT, [GOOD_PANE["settings"]])
    assert data["answer"]["panes"][0]["spans"]["from"] == 0, "the range was of the other document"


def test_a_unit_that_is_switched_while_the_channel_is_down_converts_the_size(hand):
    visit = page()
    switched = DEFAULTS | {"unit": "character"}
    hand.commits(visit, {"doc": FIRST_DOCUMENT, "panes": [{"settings": switched, "from_unit": "token"}]})
    (settings,) = hand.mounted["stage"]["panes"]
    assert settings == switched | {"size": 510}, "14,358 characters and 3,398 tokens: 120 * 4.23 = 507"


def test_the_figure_waits_for_the_first_paint(hand):
    visit = page()
    assert not visit.get("plotly_chart")
    hand.settles(visit, {"size": 300})
    assert not visit.get("plotly_chart")
    sound(visit.button(key="stage-ready").click().run())
    assert len(visit.get("plotly_chart")) == 1
    sound(visit.run())
    assert len(visit.get("plotly_chart")) == 1


def test_the_figure_shows_what_was_committed(hand):
    visit = page()
    sound(visit.button(key="stage-ready").click().run())

    def figure():
        (element,) = visit.get("plotly_chart")
        return json.loads(element.proto.spec)

    def counted():
        (trace,) = figure()["data"]
        return sum(trace["y"])

    before = counted()
    assert before == hand.mounted["stage"]["answer"]["panes"][0]["numbers"]["count"]
    hand.settles(visit, {"size": 300, "unit": "word"})
    assert counted() == hand.mounted["stage"]["answer"]["panes"][0]["numbers"]["count"] != before
    assert figure()["layout"]["annotations"][0]["text"] == "size 300"
    assert figure()["layout"]["xaxis"]["title"]["text"] == "size in words"


# --- going about -------------------------------------------------------------------------------------------------


def test_pages_and_documents_can_be_changed(hand):
    visit = page()
    for where in ("compare", "documents", "playground"):
        sound(visit.segmented_control[0].set_value(where).run())
        assert address(visit)["page"] == where
    sound(visit.selectbox[0].select("multilingual.md").run())
    assert address(visit)["doc"] == "multilingual.md"
    assert hand.mounted["stage"]["doc"] == "multilingual.md"


def test_settings_of_the_playground_survive_a_visit_to_another_page(hand):
    visit = page()
    hand.settles(visit, {"size": 300})
    sound(visit.segmented_control[0].set_value("documents").run())
    sound(visit.segmented_control[0].set_value("playground").run())
    assert hand.mounted["stage"]["panes"][0]["size"] == 300
    assert address(visit)["size"] == "300"


def test_the_comparison_opens_with_fixed_against_sentence_aware_at_the_present_size(hand):
    visit = page()
    hand.settles(visit, {"size": 300})
    sound(visit.segmented_control[0].set_value("compare").run())
    panes = hand.mounted["comparison"]["panes"]
    assert panes == [DEFAULTS | {"size": 300, "mode": mode} for mode in ("fixed", "sentence")]
    breaks = [one["breaks"] for one in hand.mounted["comparison"]["answer"]["panes"]]
    assert breaks[0]["count"] > 0
    assert breaks[0]["near"]


def test_a_third_pane_comes_and_goes(hand):
    visit = page(page="compare")

    def press(label):
        (button,) = [found for found in visit.button if found.label == label]
        sound(button.click().run())
        return hand.mounted["comparison"]

    third = press("Add a third pane")
    assert len(third["panes"]) == len(third["answer"]["panes"]) == MAX_PANES
    assert third["revision"] > 0
    assert "c_mode" in address(visit)
    assert not [found for found in visit.button if found.label == "Add a third pane"]
    assert len(press("Remove the third pane")["panes"]) == 2
    assert "c_mode" not in address(visit)
    hand.settles(visit, {"mode": "sentence"}, {"mode": "sentence"}, key="comparison")
    again = press("Fixed against sentence-aware")
    assert [pane["mode"] for pane in again["panes"]] == ["fixed", "sentence"]


def test_a_warning_about_the_link_goes_when_the_visitor_goes_on(hand):
    visit = page(size="-5")
    assert len(visit.warning) == 1
    hand.settles(visit, {"size": 300})
    assert not visit.warning


# --- a visitor's own documents -----------------------------------------------------------------------------------


def test_an_uploaded_file_is_opened_and_never_enters_the_address(hand):
    visit = upload(page(), ("mine.md", SECRET.encode()))
    data = hand.mounted["stage"]
    assert data["title"] == "mine.md"
    assert data["doc"] not in sample_names()
    assert len(data["doc"]) >= 32
    assert STORE.get(data["doc"]).document.text == SECRET
    assert "doc" not in address(visit)
    assert not any(data["doc"] in value or "mine" in value for value in address(visit).values())
    hand.settles(visit, {"size": 300})
    assert "doc" not in address(visit)


def test_several_files_open_the_documents_page(hand):
    visit = upload(page(), *((f"{number}.txt", f"Text {number}.".encode()) for number in range(3)))
    assert address(visit)["page"] == "documents"
    assert list(visit.dataframe[0].value["Document"])[:3] == ["0.txt", "1.txt", "2.txt"]
    assert visit.selectbox[0].options[:3] == ["0.txt", "1.txt", "2.txt"]
    # The form is empty again: the same files are not read twice.
    assert len(sound(visit.run()).dataframe[0].value) == 3 + len(sample_names())


def test_two_files_of_one_name_are_two_documents(hand):
    visit = upload(page(), ("a.txt", b"One."), ("a.txt", b"One and two."))
    assert list(visit.dataframe[0].value["Characters"])[:2] == [4, 12]


def test_a_pasted_text_is_opened(hand):
    visit = page()
    visit.text_area[0].set_value(SECRET).run()
    (button,) = [found for found in visit.button if found.label == "Use this text"]
    sound(button.click().run())
    data = hand.mounted["stage"]
    assert data["title"] == "Pasted text 1"
    assert STORE.get(data["doc"]).document.text == SECRET
    assert "doc" not in address(visit)
    assert not any(SECRET[:10] in value for value in address(visit).values())
    assert visit.text_area[0].value in ("", None)


REFUSED = [
    ("picture.txt", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, "a PNG image"),
    ("archive.md", b"PK\x03\x04" + bytes(range(256)) * 20, "archive"),
    ("noise.txt", bytes(range(256)) * 50, "binary data"),
    ("large.txt", b"x" * (10 * 2**20 + 1), "too large"),
]


@pytest.mark.parametrize(("name", "data", "why"), REFUSED, ids=[name for name, _, _ in REFUSED])
def test_a_file_that_is_no_text_is_refused_by_name(hand, name, data, why):
    visit = upload(page(), (name, data), ("good.txt", b"A good text."))
    (message,) = messages(visit, "error")
    assert plain(name) in message
    assert why in message
    assert hand.mounted["stage"]["title"] == "good.txt"
    upload(visit, ("another.txt", b"Another text."))
    assert not visit.error


AWKWARD = [
    ("empty.txt", b"", "is empty"),
    ("blank.txt", b" \n\t\n ", "only white space"),
    ("wide.txt", "Grüße, 世界.".encode("utf-16"), "UTF-16"),
    ("old.txt", "Grüße aus Köln, schöne Straße.".encode("cp1252"), "Windows-1252"),
    ("japan.txt", ("これはペンです。" * 30).encode("shift-jis"), "Shift-JIS"),
    ("nul.txt", b"before\0after and a longer text", "NUL character"),
]


@pytest.mark.parametrize(("name", "data", "notice"), AWKWARD, ids=[name for name, _, _ in AWKWARD])
def test_an_awkward_file_is_shown_with_a_notice(hand, name, data, notice):
    visit = upload(page(), (name, data))
    assert hand.mounted["stage"]["title"] == name
    assert any(plain(notice) in message for message in messages(visit, "info"))
    for where in PAGES:
        sound(visit.segmented_control[0].set_value(where).run())


@pytest.mark.parametrize(
    "name", [f"{MARKUP}.txt", "**bold** :red[x].md", "`a` $b$ [c](http://d).txt", "\u202etxt.exe.md"]
)
def test_a_name_with_markup_is_shown_as_text(hand, name):
    visit = upload(page(), (name, b""), (f"refused {name}", b"\x89PNG\r\n\x1a\n" + bytes(300)))
    title = hand.mounted["stage"]["title"]
    assert title == name.replace("\u202e", "").rpartition("/")[2]
    for message in messages(visit, "error") + messages(visit, "info"):
        bare = message.replace("\\\\", "")
        for opener in "<[*`$:":
            assert bare.count(opener) == bare.count("\\" + opener)
    html = "".join(found.proto.body for found in visit.get("html"))
    assert MARKUP not in html


def test_two_visitors_do_not_see_each_others_documents(hand, visitor):
    one = upload(page(), ("mine.txt", SECRET.encode()))
    key = hand.mounted["stage"]["doc"]
    visitor[0] = "another visitor"
    two = page()
    assert two.selectbox[0].options == list(sample_names())
    assert key not in str(two.selectbox[0].proto)
    sound(two.segmented_control[0].set_value("documents").run())
    assert len(two.dataframe[0].value) == len(sample_names())
    # Not even with the key in the address.
    guess = page(doc=key)
    assert hand.mounted["stage"]["doc"] == FIRST_DOCUMENT
    assert len(guess.warning) == 1
    upload(two, ("theirs.txt", b"Theirs."))
    visitor[0] = "a visitor"
    sound(one.run())
    assert one.selectbox[0].options == ["mine.txt", *sample_names()]


def test_the_end_of_a_session_forgets_its_documents(hand, visitor):
    upload(page(), ("mine.txt", SECRET.encode()))
    key = hand.mounted["stage"]["doc"]
    assert STORE.get(key)
    cache_resource_api.clear_session_cache(visitor[0])
    assert STORE.get(key) is None


def test_a_document_that_the_store_dropped_is_still_the_visitors(hand):
    visit = upload(page(), ("mine.txt", SECRET.encode()))
    key = hand.mounted["stage"]["doc"]
    STORE.drop([key])
    sound(visit.run())
    assert hand.mounted["stage"]["doc"] == key
    assert STORE.get(key).document.text == SECRET


def test_a_session_has_room_for_so_many_documents(hand, monkeypatch):
    monkeypatch.setattr("playground.ui.library.MAX_UPLOADS", 2)
    visit = upload(page(), *((f"{number}.txt", b"Text.") for number in range(4)))
    found = messages(visit, "error")
    assert len(found) == 2
    assert all("no room" in message and "at most 2 documents" in message for message in found)
    assert visit.selectbox[0].options == ["0.txt", "1.txt", *sample_names()]


def test_a_session_has_room_for_so_many_characters(hand, monkeypatch):
    monkeypatch.setattr("playground.ui.library.MAX_UPLOADED_CHARACTERS", 100)
    visit = upload(page(), ("a.txt", b"x" * 60), ("b.txt", b"x" * 60), ("c.txt", b"x" * 40))
    assert len(visit.error) == 1
    assert visit.selectbox[0].options == ["a.txt", "c.txt", *sample_names()]


# --- reading many files ------------------------------------------------------------------------------------------


class File:
    """A file as the uploader hands it over."""

    def __init__(self, name, data):
        self.name, self._data = name, data

    def getvalue(self):
        return self._data


def test_every_file_is_read_or_says_why_not():
    files = [File(f"{number}.txt", f"Text {number}.".encode()) for number in range(498)]
    files += [File("picture.txt", b"\x89PNG\r\n\x1a\n" + bytes(300)), File("large.txt", bytes(10 * 2**20 + 1))]
    found = bringing._read_all(files)
    assert len(found) == 500
    assert [document.text for document in found[:498]] == [f"Text {number}." for number in range(498)]
    assert "picture.txt" in found[498]
    assert "large.txt" in found[499]


def test_a_page_holds_a_document_of_ten_megabytes(hand):
    text = "The harbour was quiet. Nobody had seen the boat.\n" * 200_000
    upload(page(), ("large.txt", text.encode()))
    numbers = hand.mounted["stage"]["answer"]["panes"][0]["numbers"]
    assert numbers["check"]["passed"] is True
    assert numbers["count"] == describe(chunk(STORE.get(hand.mounted["stage"]["doc"]), to_config(DEFAULTS))).count


def test_prepared_documents_are_shared_between_page_and_channel(hand):
    upload(page(), ("mine.txt", SECRET.encode()))
    prepared = STORE.get(hand.mounted["stage"]["doc"])
    assert prepared.encodes == 1
    assert prepared.document.text == prepare(Document.from_text(SECRET)).document.text
