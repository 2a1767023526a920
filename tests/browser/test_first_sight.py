"""The first screen, untouched, already teaches: chunks, a double-shaded overlap, numbers, three lines."""

from __future__ import annotations

import re

from browser.visit import Visit, check_pieces, chunked
from playwright.sync_api import expect

from playground import describe
from playground.live.store import read_sample


def test_the_first_screen_teaches(visit: Visit) -> None:
    visit.page.set_viewport_size({"width": 1280, "height": 900})
    visit.page.goto(visit.origin)
    visit.painted().rested()
    chunking = chunked(read_sample("company-handbook.md"))
    visit.eventually(lambda: check_pieces(visit.pieces(visible=True), chunking))
    expect(visit.text().locator(".d2").first).to_be_in_viewport()
    expect(visit.text().locator(".start[data-n='2']")).to_be_in_viewport()
    stats = describe(chunking)
    assert visit.count() == stats.count
    expect(visit.numbers).to_contain_text(f"{stats.duplicated_percent:.1f}%")
    expect(visit.numbers).to_contain_text(f"{stats.processed_tokens:,}")
    expect(visit.numbers).to_contain_text("Every offset verified, coverage 100%, no gap.")
    lines = visit.page.locator(".stage .lines li")
    expect(lines).to_have_count(3)
    for line in lines.all():
        expect(line).to_have_text(re.compile(r"\w+ \w+ \w+"))
        expect(line).to_be_in_viewport()
    expect(visit.page.locator(".legend")).to_contain_text("shaded twice")
    expect(visit.page.locator("[data-testid=stException]")).to_have_count(0)
    expect(visit.page.locator(".st-key-figure .js-plotly-plot")).to_contain_text("size 120")


def test_a_doubly_shaded_stretch_shows_both_tints(shared: Visit) -> None:
    shared.open()
    twice = shared.text().locator(".d2").first.evaluate("node => getComputedStyle(node).backgroundImage")
    once = [
        shared.text().locator(f".d1.{tint}").first.evaluate("node => getComputedStyle(node).backgroundColor")
        for tint in ("p0", "p1")
    ]
    assert once[0] != once[1]
    for tint in once:
        assert tint in twice


def test_an_impossible_link_shows_the_nearest_picture_and_says_so(visit: Visit) -> None:
    visit.open(mode="foo", unit="token", size=-5, overlap=900, doc="<img src=x onerror=alert(1)>")
    body = visit.page.locator("[data-testid=stAlert]")
    expect(body.filter(has_text="“foo” is not known")).to_be_visible()
    expect(body.filter(has_text="“-5” is outside 8 to 2,048; 8 is used")).to_be_visible()
    expect(body.filter(has_text="“900” is outside 0 to 90; 90 is used")).to_be_visible()
    expect(body.filter(has_text="“<img src=x onerror=alert(1)>” is not known")).to_be_visible()
    visit.wait_for_query(mode="fixed", size=8, overlap=90, doc="company-handbook.md")
    check_pieces(visit.pieces(visible=True), chunked(read_sample("company-handbook.md"), size=8, overlap=90))
