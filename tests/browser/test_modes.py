"""Every mode: it switches live, shows its own settings and no others, and the text stays where it is meanwhile."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from browser.visit import Piece, Visit, check_pieces, check_whole, chunked
from playwright.sync_api import expect

from playground import Chunking
from playground.core.identity import token_count
from playground.core.modes import MODES
from playground.live.store import read_sample
from playground.settings import SETTINGS

NAME = "thousand-tokens.txt"
HANDBOOK = "company-handbook.md"
SHORT = read_sample(NAME)

# Which controls of the mode can be seen, by the name of their setting (the last of their classes).
_SHOWN = """
group => [...group.children].filter((node) => node.checkVisibility()).map((node) => node.className.split(" ").at(-1))
"""
# In every frame: where the text's frame is, how far it is scrolled, and how many chunks the panel says.
_RECORD = """
([text, numbers]) => {
  const record = (window.__frame = []);
  const sample = () => {
    const { top, height } = text.getBoundingClientRect();
    record.push([top, height, text.scrollTop, Number(numbers.querySelector(".big b").textContent.replaceAll(",", ""))]);
    window.__frames = requestAnimationFrame(sample);
  };
  sample();
}
"""


def choose(visit: Visit, mode: str) -> None:
    """Switch to a mode."""
    visit.pane().get_by_role("radio", name=MODES[mode].label).check()


def own_settings(mode: str) -> list[str]:
    """The settings that stand with the mode and have an effect in it; a ladder has no name of its own on the page."""
    found = [one for one in SETTINGS if one.place == "mode" and mode in one.only["mode"]]
    return ["ladder" if one.name == "separators" else one.name for one in found]


def test_every_mode_switches_live_and_shows_its_own_settings_only(shared: Visit) -> None:
    shared.open(doc=NAME)
    group = shared.pane().locator(".finer.mode")
    for mode in [*MODES][1:] + [*MODES][:1]:
        choose(shared, mode)
        chunking = chunked(SHORT, mode=mode)
        shared.eventually(lambda c=chunking: check_whole(shared.pieces(), c))
        assert shared.count() == len(chunking)
        assert group.evaluate(_SHOWN) == own_settings(mode)
        assert group.is_visible() == bool(own_settings(mode))
        shared.wait_for_query(mode=mode, size=120, overlap=15)
        assert not set(shared.query) & {one.name for one in SETTINGS if one.place == "mode"}


def levels(pieces: Sequence[Piece], chunking: Chunking) -> None:
    """The pieces that start a chunk name the kind of the cut before it; the first chunk has none before it."""
    check_pieces(pieces, chunking)
    kinds = chunking.packed.cuts.level.tolist()
    wanted = {number: chunking.levels[kinds[number - 2]].name for number in range(2, len(chunking) + 1)}
    found = {piece.number: piece.level for piece in pieces if piece.number}
    assert found == {number: wanted.get(number, "") for number in found}
    assert found


def test_a_ladder_written_by_hand_cuts_at_once_and_enters_the_address(shared: Visit) -> None:
    shared.open(doc=NAME, mode="recursive", size=60, overlap=0)
    shared.eventually(lambda: levels(shared.pieces(), chunked(SHORT, mode="recursive", size=60, overlap=0)))
    ladder = shared.pane().locator(".ladder")
    pick, rungs = ladder.locator("select"), ladder.locator("textarea")
    expect(rungs).to_have_value("\\n\\n\n\\n\n{sentence}\n\\s")
    written = "the\n{clause}\n\\s"
    settings = {"mode": "recursive", "size": 60, "overlap": 0, "separators": written}
    rungs.fill(written)  # the field keeps the focus: nothing is settled by leaving it
    shared.eventually(lambda: levels(shared.pieces(), chunked(SHORT, **settings)))
    assert "“the” piece" in {piece.level for piece in shared.pieces()}
    assert rungs.input_value() == written
    expect(pick).to_have_value("own")
    shared.wait_for_query(**settings)
    shared.page.reload()
    shared.painted()
    shared.eventually(lambda: levels(shared.pieces(), chunked(SHORT, **settings)))
    expect(rungs).to_have_value(written)
    pick.select_option("classic")
    settings["separators"] = "classic"
    shared.eventually(lambda: levels(shared.pieces(), chunked(SHORT, **settings)))
    expect(rungs).to_have_value("\\n\\n\n\\n\n\\s")
    shared.wait_for_query(**settings)
    expect(shared.pane().locator(".remark")).to_contain_text("Cut at: ")


@pytest.mark.parametrize("mode", ["structure", "recursive", "semantic"])
def test_the_text_keeps_its_place_while_the_hand_drags(shared: Visit, mode: str) -> None:
    shared.open(doc=HANDBOOK, mode=mode).rested()
    shared.scroll_to(300)
    x, y = shared.press(shared.slider())
    shared.page.evaluate(_RECORD, [shared.text().element_handle(), shared.numbers.element_handle()])
    shared.page.mouse.move(x - 110, y, steps=12)
    shared.page.mouse.move(x + 150, y, steps=16)
    shared.page.wait_for_function("() => new Set(window.__frame.map((sample) => sample[3])).size >= 4")
    size = shared.let_go()
    shared.eventually(
        lambda: check_pieces(shared.pieces(visible=True), chunked(read_sample(HANDBOOK), mode=mode, size=size))
    )
    shared.rested()
    samples = shared.page.evaluate("() => { cancelAnimationFrame(window.__frames); return window.__frame; }")
    assert {tuple(sample[:3]) for sample in samples} == {tuple(samples[0][:3])}


def test_the_context_can_be_seen_and_left_out(shared: Visit) -> None:
    shared.open(doc=HANDBOOK, mode="structure")
    chunking = chunked(read_sample(HANDBOOK), mode="structure")
    one = next(found for found in chunking if found.context and found.index > 2)
    before, facts = shared.inspector.locator(".before"), shared.inspector.locator(".facts")
    shared.open_inspector(one.index + 1)
    toggle = shared.inspector.get_by_label("Context")
    expect(toggle).to_be_checked()
    expect(before).to_be_visible()
    assert before.text_content() == one.context
    total = token_count(one.embedded, "cl100k_base")
    read_with = f"{total} tokens: the context ({total - one.tokens}) and the text"
    expect(facts).to_contain_text(read_with)
    expect(facts).to_contain_text(f"{one.tokens} tokens")
    toggle.uncheck()
    expect(before).to_be_hidden()
    expect(facts).not_to_contain_text("a model reads")
    expect(facts).to_contain_text(f"{one.tokens} tokens")
    assert shared.inspector.locator(".inspected").text_content() == one.text
    shared.inspector.get_by_role("button", name="Next").click()
    expect(before).to_be_hidden()  # left out of the next chunk, too
    shared.inspector.get_by_role("button", name="Previous").click()
    toggle.check()
    expect(before).to_have_text(one.context)
    expect(facts).to_contain_text(read_with)
    shared.pane().get_by_label("Heading path").select_option("off")
    expect(toggle).to_be_hidden()
    expect(before).to_be_hidden()
    expect(facts).not_to_contain_text("a model reads")
    shared.inspector.get_by_role("button", name="Close the inspector").click()
