"""Words that are explained where they stand: by mouse, key and tap, inside any window, as text whatever they hold."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from browser.test_look import _CONTRAST
from browser.visit import Visit
from playwright.sync_api import Locator, Page, expect

from playground.lessons.glossary import as_rows, glossary
from playground.live.channel import version
from playground.live.protocol import chunks_answer
from playground.live.store import STORE
from playground.settings import parse
from playground.ui.components import FOLDER

SAYS = {form: one.says for one in glossary() for form in one.forms}
# What the panel explains without anything being unfolded, in the order of the Tab key: the label and the term.
PANEL = {
    "Chunks": "chunk",
    "Tokens": "token",
    "duplicated": "duplicated",
    "processed": "tokens processed",
    "context": "context",
    "Cuts": "cut",
    "boundaries": "boundary",
    "Overlap": "overlap",
    "asked": "overlap asked",
    "achieved": "overlap achieved",
}
ATTACK = "<img src=x onerror=alert(1)><script>alert(2)</script> & <b>bold</b>"
HOSTILE = [
    {"term": "chunk", "also": ["chunks", "<b>chunk</b>"], "says": ATTACK},
    {"term": "chunk size", "also": [], "says": "How large."},
    {"term": "recall@k", "also": ["(.*)+", "größe"], "says": "How much."},
]


def word(visit: Visit, label: str) -> Locator:
    """A word of the panel that is explained."""
    return visit.numbers.get_by_role("button", name=label, exact=True)


def tip(page: Page) -> Locator:
    """The tooltip that is open."""
    return page.locator(".tip:visible")


def test_a_mouse_that_rests_on_a_word_is_told_what_it_means(shared: Visit) -> None:
    duplicated = word(shared, "duplicated")
    duplicated.scroll_into_view_if_needed()
    duplicated.hover()
    expect(tip(shared.page)).to_have_text(SAYS["duplicated"])
    expect(tip(shared.page)).to_have_role("tooltip")
    expect(duplicated).to_have_attribute("aria-describedby", str(tip(shared.page).get_attribute("id")))
    tip(shared.page).hover()  # one may go into the tooltip, and select what it says
    shared.page.wait_for_timeout(400)
    expect(tip(shared.page)).to_have_count(1)
    shared.page.mouse.move(2, 2)
    expect(tip(shared.page)).to_have_count(0)
    assert duplicated.get_attribute("aria-describedby") is None


def test_the_keyboard_goes_from_word_to_word_and_escape_closes(shared: Visit) -> None:
    page = shared.page
    word(shared, "Chunks").focus()
    for label, term in PANEL.items():
        expect(word(shared, label)).to_be_focused()
        expect(tip(page)).to_have_text(SAYS[term])
        page.keyboard.press("Tab")
    expect(tip(page)).to_have_count(0)
    page.keyboard.press("Shift+Tab")
    expect(tip(page)).to_have_text(SAYS["overlap achieved"])
    page.keyboard.press("Escape")
    expect(tip(page)).to_have_count(0)
    expect(word(shared, "achieved")).to_be_focused()
    for key in ("Enter", "Space"):
        page.keyboard.press(key)
        expect(tip(page)).to_have_text(SAYS["overlap achieved"])
        page.keyboard.press(key)
        expect(tip(page)).to_have_count(0)


def test_escape_closes_the_tooltip_before_the_inspector(shared: Visit) -> None:
    shared.open_inspector(1)
    shared.text().focus()
    word(shared, "Chunks").hover()
    expect(tip(shared.page)).to_have_text(SAYS["chunk"])
    shared.page.keyboard.press("Escape")
    expect(tip(shared.page)).to_have_count(0)
    expect(shared.inspector).to_be_visible()
    shared.page.keyboard.press("Escape")
    expect(shared.inspector).to_be_hidden()


def test_a_move_of_the_hand_leaves_the_words_alone(shared: Visit) -> None:
    terms = shared.numbers.locator(".term")
    count = terms.evaluate_all("nodes => { for (const node of nodes) node.known = true; return nodes.length; }")
    assert count == len(PANEL) + 2  # and what is folded: coverage, stride
    before = shared.numbers.inner_text()
    shared.entry().fill("75")
    shared.entry().press("Enter")
    shared.eventually(lambda: _differ(before, shared.numbers.inner_text()))
    shared.numbers.get_by_text("The arithmetic").click()
    expect(shared.numbers.locator(".arithmetic li").first).to_have_text("stride = size − overlap = 75 − 11 = 64")
    assert terms.evaluate_all("nodes => nodes.filter((node) => node.known).length") == count
    shared.numbers.get_by_text("The arithmetic").click()


def _differ(before: str, after: str) -> None:
    assert before != after


def test_every_tooltip_fits_into_a_narrow_window(visit: Visit) -> None:
    page = visit.page
    page.set_viewport_size({"width": 420, "height": 900})
    visit.open()
    for label, term in PANEL.items():
        word(visit, label).click()
        expect(tip(page)).to_have_text(SAYS[term])
        box = tip(page).bounding_box()
        assert box
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 420, label
        assert 0 <= box["y"] <= box["y"] + box["height"] <= 900, label
        assert box["width"] <= 320, label
    page.mouse.wheel(0, -60)
    expect(tip(page)).to_have_count(0)
    word(visit, "Chunks").click()
    expect(tip(page)).to_have_count(1)
    page.mouse.click(210, 5)
    expect(tip(page)).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_and_tooltips_can_be_read(shared: Visit, scheme: Literal["light", "dark"]) -> None:
    shared.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    expect(shared.page.locator(".stApp")).to_have_css("color-scheme", scheme)
    word(shared, "duplicated").click()
    expect(tip(shared.page)).to_have_css("animation-name", "none")
    assert tip(shared.page).evaluate(_CONTRAST) >= 4.5
    for label in PANEL:
        assert word(shared, label).evaluate(_CONTRAST) >= 4.5, label
    shared.page.keyboard.press("Escape")
    shared.page.emulate_media(color_scheme=None, reduced_motion=None)


# --- the parts by themselves -------------------------------------------------------------------------------------


@pytest.fixture
def unit(visit: Visit) -> Page:
    """An empty page of the server, with a shadow root to put things into."""
    page = visit.page
    body = "<!doctype html><title>Unit</title><div id=host></div>"
    page.route("**/unit.html", lambda route: route.fulfill(content_type="text/html", body=body))
    page.goto(f"{visit.origin}/unit.html")
    page.evaluate("() => { window.root = document.querySelector('#host').attachShadow({ mode: 'open' }); }")
    return page


def modules(page: Page, script: str, argument: object) -> Any:
    """Run the body of a function with the components' modules at `base` and `argument` as `given`."""
    run = "new (async () => {}).constructor('base', 'given', script)"
    given = {"base": f"/live/assets/{version(FOLDER)}", "given": argument, "script": script}
    return page.evaluate(f"({{ base, given, script }}) => ({run})(base, given)", given)


_EXPLAIN = """
const { Glossary } = await import(`${base}/shared/glossary.js`);
const glossary = new Glossary(given.rows);
const seen = new Set();
return given.texts.map((text) => {
  const nodes = glossary.explain(text, seen);
  root.append(...nodes);
  return nodes.map((node) => (node.nodeType === Node.TEXT_NODE ? node.textContent : [node.textContent]));
});
"""


def explained(page: Page, *texts: str, rows: list[dict[str, Any]] = HOSTILE) -> list[list[str | list[str]]]:
    """The nodes of each text, one after the other with the same set of terms seen; a term is a list of one."""
    found: list[list[str | list[str]]] = modules(page, _EXPLAIN, {"rows": rows, "texts": texts})
    return found


def test_the_first_of_each_term_is_explained_and_the_longest_form_wins(unit: Page) -> None:
    assert explained(
        unit,
        "The Chunk size of chunks: chunkless, a CHUNK, chunk\nsize, unchunk, recall@k.",
        "Chunks (.*)+ and GRÖSSE, größe.",
        "",
    ) == [
        ["The ", ["Chunk size"], " of ", ["chunks"], ": chunkless, a CHUNK, chunk\nsize, unchunk, ", ["recall@k"], "."],
        ["Chunks (.*)+ and GRÖSSE, größe."],
        [],
    ]
    assert explained(unit, "a chunk\n size", "(.*)+ Größen größe") == [
        ["a ", ["chunk\n size"]],
        [["(.*)+"], " Größen größe"],
    ]
    assert explained(unit, "a chunk", rows=[]) == [["a chunk"]]


def test_labels_are_explained_under_another_name(unit: Page) -> None:
    label = """
    const { Glossary } = await import(`${base}/shared/glossary.js`);
    const labels = [["chunks", "Pieces"], ["unknown", "Label"], ["unknown"]];
    return labels.map((one) => new Glossary(given).term(...one)).map((node) => [node.nodeName, node.textContent]);
    """
    assert modules(unit, label, HOSTILE) == [["BUTTON", "Pieces"], ["#text", "Label"], ["#text", "unknown"]]


def test_what_a_term_holds_stays_text(unit: Page) -> None:
    assert explained(unit, f"{ATTACK} chunk <b>chunk</b>")[0] == [f"{ATTACK} ", ["chunk"], " <b>chunk</b>"]
    unit.get_by_role("button", name="chunk", exact=True).click()
    expect(tip(unit)).to_have_text(ATTACK)
    assert (
        unit.evaluate("root.querySelectorAll('img, script, b').length + document.querySelectorAll('img, b').length")
        == 0
    )


def test_each_root_has_one_tooltip_of_its_own(unit: Page) -> None:
    explained(unit, "chunk and chunk size")
    both = """
    const { Glossary } = await import(`${base}/shared/glossary.js`);
    document.body.append(new Glossary(given).term("chunk", "outside"));
    """
    modules(unit, both, HOSTILE)
    for name in ("chunk", "chunk size", "outside", "chunk"):
        unit.get_by_role("button", name=name, exact=True).click()
        expect(tip(unit)).to_have_count(1)
    assert unit.evaluate("[root, document].map((one) => one.querySelectorAll('.tip').length)") == [1, 1]
    assert len(set(unit.evaluate("[root, document].map((one) => one.querySelector('.tip').id)"))) == 2


_NUMBERS = """
const { Numbers } = await import(`${base}/shared/numbers.js`);
const panel = root.appendChild(document.createElement("div"));
new Numbers(panel).show(given.numbers, given.settings);
return [panel.innerText, panel.querySelectorAll("button").length];
"""


def test_without_a_glossary_the_numbers_have_the_same_words_and_no_buttons(unit: Page, shared: Visit) -> None:
    values = parse({"size": 75})[0]
    (pane,) = chunks_answer(STORE.get("company-handbook.md"), {"panes": [{"settings": values}]})["panes"]
    text, buttons = modules(unit, _NUMBERS, json.loads(json.dumps(pane)))
    assert buttons == 0
    shared.open(doc="company-handbook.md", size=75)
    shared.eventually(lambda: _same(shared.numbers.inner_text().lower().split(), text.lower().split()))


def _same(found: object, wanted: object) -> None:
    assert found == wanted


_MOUNT = """
const { mount } = await import(`${base}/glossary/glossary.js`);
root.innerHTML = given.html;
mount({ data: given, parentElement: root });
root.querySelector("input").value = "kept";
mount({ data: given, parentElement: root });
return root.querySelector("input").value;
"""


def test_the_whole_glossary_is_a_list_that_can_be_narrowed(unit: Page) -> None:
    rows = as_rows()
    html = (FOLDER / "glossary" / "glossary.html").read_text("utf-8")
    sheet = (FOLDER / "glossary" / "glossary.css").read_text("utf-8")
    assert modules(unit, _MOUNT, {"rows": rows, "html": f"<style>{sheet}</style>{html}"}) == "kept"
    names = unit.locator("dt").all_inner_texts()
    assert sorted(names, key=str.lower) == sorted((one.term for one in glossary()), key=str.lower)
    assert [name.lower()[0] for name in names] == sorted(name.lower()[0] for name in names)
    field = unit.get_by_label("Find a term")
    field.fill("RRF")
    expect(unit.locator("dt:visible")).to_have_text(["reciprocal rank fusion"])
    expect(unit.get_by_role("status")).to_have_text(f"1 of {len(rows)} terms")
    field.fill("<b>nothing</b>")
    expect(unit.locator("dt:visible")).to_have_count(0)
    expect(unit.get_by_text("Nothing here has “<b>nothing</b>” in it.")).to_be_visible()
    field.fill("")
    expect(unit.locator("dt:visible")).to_have_count(len(rows))
    for width, columns in ((1440, 3), (900, 2), (420, 1)):
        unit.set_viewport_size({"width": width, "height": 900})
        lefts = unit.locator("dt").evaluate_all(
            "nodes => nodes.map((node) => Math.round(node.getBoundingClientRect().x))"
        )
        assert len(set(lefts)) == columns, json.dumps(lefts)


def test_hostile_terms_in_the_list_stay_text(unit: Page) -> None:
    html = (FOLDER / "glossary" / "glossary.html").read_text("utf-8")
    rows = [{"term": ATTACK, "also": [], "says": ATTACK}]
    modules(unit, _MOUNT, {"rows": rows, "html": html})
    expect(unit.locator("dt")).to_have_text(ATTACK)
    expect(unit.locator("dd")).to_have_text(ATTACK)
    assert unit.evaluate("root.querySelectorAll('img, script, b').length") == 0
