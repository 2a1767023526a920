"""The link is the picture: page, bundled document and every setting, there and back; nothing of a visitor's own."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground import Document
from playground.core.separators import PRESETS
from playground.lessons.catalogue import lessons
from playground.live.protocol import MAX_PANES
from playground.live.store import STORE, new_key, sample_names
from playground.settings import SETTINGS, Choice, Whole, parse, to_config
from playground.settings.parts import PARTS
from playground.ui.address import FIRST_DOCUMENT, PAGES, PREFIXES, Picture, read_address, write_address
from playground.ui.state import State, update_address

DEFAULTS = parse({})[0]
FIRST_LESSON = next(iter(lessons()))
ALWAYS = ("mode", "unit", "size", "overlap", "tokenizer", "tail")
MARKUP = "<img src=x onerror=alert(1)>"


@st.composite
def values(draw):
    """Valid settings of one pane."""
    found = {}
    for setting in SETTINGS:
        if isinstance(setting, Choice):
            found[setting.name] = draw(st.sampled_from(tuple(setting.choices)))
        elif isinstance(setting, Whole):
            found[setting.name] = draw(st.integers(*setting.bounds[found[setting.by]]))
        else:
            lines = st.lists(st.text(max_size=8), max_size=4).map("\n".join)
            found[setting.name] = draw(st.one_of(st.sampled_from(list(PRESETS)), lines))
    return parse(found)[0]


@st.composite
def pictures(draw):
    """Pages with as many panes as they show."""
    page = draw(st.sampled_from(tuple(PAGES)))
    about = {"hidden": frozenset(draw(st.sets(st.sampled_from(list(PARTS))))), "presenting": draw(st.booleans())}
    if page == "learn":
        slug = draw(st.sampled_from(["", *lessons()]))
        step = draw(st.integers(0, len(lessons()[slug].steps) - 1)) if slug else 0
        return Picture(page, lesson=slug, step=step, **about)
    several = st.lists(values(), min_size=2, max_size=MAX_PANES)
    panes = draw(several if page == "compare" else st.lists(values(), min_size=1, max_size=1))
    return Picture(page, draw(st.sampled_from(sample_names())), panes, **about)


@given(picture=pictures())
def test_a_picture_comes_back_from_its_link(picture):
    query = write_address(picture)
    assert read_address(query) == picture
    # As a browser carries it.
    assert read_address(dict(parse_qsl(urlencode(query), keep_blank_values=True))) == picture


@given(picture=pictures())
def test_what_every_pane_is_known_by_is_in_the_link_and_what_differs(picture):
    query = write_address(picture)
    expected = {"page": picture.page, "doc": picture.document}
    if picture.page == "learn":
        expected = {"page": "learn"}
        if picture.lesson:
            expected |= {"lesson": picture.lesson, "step": str(picture.step + 1)}
    if picture.hidden:
        expected["hide"] = ",".join(sorted(picture.hidden))
    if picture.presenting:
        expected["present"] = "1"
    for prefix, pane in zip(PREFIXES, () if picture.page == "learn" else picture.panes, strict=False):
        usual = parse({name: pane[name] for name in ("unit", "threshold")})[0]
        for name, value in pane.items():
            if name in ALWAYS or (name == "threshold" and value != "percentile") or value != usual[name]:
                expected[prefix + name] = str(value)
    assert query == expected


def test_the_empty_link_is_the_first_picture():
    assert read_address({}) == Picture("playground", FIRST_DOCUMENT, [DEFAULTS], [])
    assert FIRST_DOCUMENT in sample_names()


def test_a_link_by_hand():
    picture = read_address({"page": "compare", "doc": "multilingual.md", "size": "300", "b_mode": "sentence"})
    assert picture.page == "compare"
    assert picture.document == "multilingual.md"
    assert picture.panes == [DEFAULTS | {"size": 300}, DEFAULTS | {"mode": "sentence"}]
    assert picture.notices == []


def test_an_impossible_link_gives_the_nearest_picture_and_says_so():
    picture = read_address({"page": "x", "doc": "../app.py", "size": "-5", "mode": "foo", "overlap": "150"})
    assert picture.page == "playground"
    assert picture.document == FIRST_DOCUMENT
    assert picture.panes == [DEFAULTS | {"size": 8, "overlap": 90}]
    assert [notice.split(":")[0] for notice in picture.notices] == ["Page", "Document", "Mode", "Size", "Overlap"]
    for found, notice in zip(("x", "../app.py", "foo", "-5", "150"), picture.notices, strict=True):
        assert f"“{found}”" in notice


@pytest.mark.parametrize("overlap", ["100", "120", "99999999999999999999"])
def test_a_link_cannot_hold_an_overlap_as_large_as_the_size(overlap):
    picture = read_address({"size": "100", "overlap": overlap})
    config = to_config(picture.panes[0])
    assert (config.size, config.overlap) == (100, 90)
    assert len(picture.notices) == 1


def test_impossible_settings_of_further_panes_are_mended_too():
    picture = read_address({"page": "compare", "b_size": "0", "c_unit": MARKUP})
    assert [pane["size"] for pane in picture.panes] == [120, 8, 120]
    assert picture.panes[2]["unit"] == "token"
    assert len(picture.notices) == 2


@given(
    query=st.dictionaries(
        st.one_of(
            st.text(max_size=8),
            st.sampled_from(["page", "doc", *(prefix + s.name for prefix in PREFIXES for s in SETTINGS)]),
        ),
        st.one_of(st.text(max_size=30), st.sampled_from([MARKUP, "compare", "documents", "-1", "99", "NaN", "word"])),
    )
)
def test_any_link_gives_a_picture_that_can_be_shown(query):
    picture = read_address(query)
    assert picture.page in PAGES
    assert picture.document in sample_names()
    assert 1 <= len(picture.panes) <= MAX_PANES
    for pane in picture.panes:
        to_config(pane)
    assert all(len(notice) < 300 for notice in picture.notices)
    again = read_address(write_address(picture))
    assert (again.page, again.document, again.panes, again.notices) == (
        picture.page,
        picture.document,
        picture.panes,
        [],
    )


@pytest.mark.parametrize(
    ("query", "lesson", "step", "notice"),
    [
        ({"lesson": FIRST_LESSON}, FIRST_LESSON, 0, ""),
        ({"lesson": FIRST_LESSON, "step": "2"}, FIRST_LESSON, 1, ""),
        ({"lesson": FIRST_LESSON, "step": "0"}, FIRST_LESSON, 0, "Step: “0” is not one of 1 to 2"),
        ({"lesson": FIRST_LESSON, "step": "3"}, FIRST_LESSON, 0, "Step: “3” is not one of 1 to 2"),
        ({"lesson": FIRST_LESSON, "step": "²"}, FIRST_LESSON, 0, "Step: “²”"),
        ({"lesson": FIRST_LESSON, "step": "9" * 5000}, FIRST_LESSON, 0, "Step: “999"),
        ({"lesson": "../secrets"}, "", 0, "Lesson: “../secrets” is not known"),
        ({"lesson": MARKUP}, "", 0, "is not known"),
    ],
)
def test_a_lesson_is_known_by_its_name_and_step(query, lesson, step, notice):
    picture = read_address(query)
    assert (picture.page, picture.lesson, picture.step) == ("learn", lesson, step)
    assert len(picture.notices) == bool(notice)
    assert not notice or notice in picture.notices[0]


def test_parts_to_hide_are_those_that_are_known():
    picture = read_address({"hide": f"unit, numbers,{MARKUP},,x", "present": "yes"})
    assert picture.hidden == {"unit", "numbers"}
    assert not picture.presenting
    assert len(picture.notices) == 2
    assert all(notice.startswith("Hide: ") for notice in picture.notices)
    assert len(read_address({"hide": ",".join(f"x{number}" for number in range(1000))}).notices) == 5


@pytest.mark.parametrize("title", ["my notes.txt", "company-handbook.md", MARKUP])
def test_a_visitors_own_document_never_enters_the_link(title):
    text = "The secret sentence of a visitor."
    key = STORE.put(Document.from_text(text, title=title))
    try:
        query = write_address(Picture("playground", key, [DEFAULTS]))
    finally:
        STORE.drop([key])
    assert "doc" not in query
    assert key not in urlencode(query)
    assert title not in query.values()
    assert read_address(query).document == FIRST_DOCUMENT


def test_a_link_cannot_name_a_visitors_document():
    key = STORE.put(Document.from_text("The secret sentence of a visitor."))
    try:
        picture = read_address({"doc": key})
    finally:
        STORE.drop([key])
    assert picture.document == FIRST_DOCUMENT
    assert len(picture.notices) == 1
    assert read_address({"doc": new_key()}).document == FIRST_DOCUMENT


class Told:
    """The address as a session has it: what the browser last said, and all that it was told since."""

    def __init__(self, said: dict[str, str]) -> None:
        self.said, self.messages = said, []

    def to_dict(self) -> dict[str, str]:
        return dict(self.said)

    def from_dict(self, query: dict[str, str]) -> None:
        self.said = dict(query)
        self.messages.append(dict(query))


def test_two_quick_changes_leave_the_address_of_the_second(monkeypatch):
    state = State.of(read_address({}))
    first = write_address(state.picture)
    told = Told(first)
    monkeypatch.setattr("playground.ui.state.st.query_params", told)
    state.addressed = first
    update_address(state)
    assert told.messages == [], "the browser knows"
    state.panes = [DEFAULTS | {"size": 121}]
    update_address(state)
    told.said = first  # the second change left the browser before the first one's address reached it
    state.panes = [DEFAULTS]
    update_address(state)
    assert [message["size"] for message in told.messages] == ["121", "120"]
    update_address(state)
    assert len(told.messages) == 2


def test_a_lesson_link_is_judged_by_what_a_lesson_needs():
    """Its page, document and settings are the lesson's: nothing is said of others in the link."""
    picture = read_address({"lesson": "overlap", "page": "zzz", "doc": "nope", "size": "7", "b_mode": "zz"})
    assert (picture.page, picture.lesson, picture.notices) == ("learn", "overlap", [])
