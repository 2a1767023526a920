"""The hand drags, and the document falls into chunks: live while the button is down, kept once it is up."""

from __future__ import annotations

from typing import Any

from browser.visit import Visit, check_pieces, check_whole, chunked
from playwright.sync_api import expect

from playground import Document
from playground.live.store import read_sample

PAUSE = 200  # milliseconds without a move after which the page may settle

_RECORD = """
([stage, numbers, offset]) => {
  const text = stage.querySelector(".text");
  const range = stage.querySelector(".slider.size input[type=range]");
  const record = (window.__record = { samples: [], pauses: 0, inputs: 0, last: Infinity });
  range.addEventListener("input", () => {
    const now = performance.now();
    if (now - record.last > PAUSE) record.pauses += 1;
    record.last = now;
    record.inputs += 1;
  });
  const place = () => {
    const block = [...text.querySelectorAll(".block")].find((node) => offset < node.block.end);
    let at = block.block.start;
    for (const node of block.childNodes) {
      const length = node.textContent.length;
      if (offset < at + length) {
        const letter = document.createRange();
        letter.setStart(node.firstChild, offset - at);
        letter.setEnd(node.firstChild, offset - at + 1);
        const { left, top } = letter.getBoundingClientRect();
        return [left, top];
      }
      at += length;
    }
  };
  const sample = () => {
    record.samples.push({
      count: Number(numbers.querySelector(".big b").textContent.replaceAll(",", "")),
      marks: text.querySelectorAll(".start[data-n]").length,
      scroll: text.scrollTop,
      place: place(),
    });
    record.frame = requestAnimationFrame(sample);
  };
  sample();
}
""".replace("PAUSE", str(PAUSE))
_STOP = """
() => {
  const { record = window.__record } = {};
  cancelAnimationFrame(record.frame);
  if (performance.now() - record.last > PAUSE) record.pauses += 1;
  return record;
}
""".replace("PAUSE", str(PAUSE))


def record(visit: Visit, offset: int) -> None:
    """Note in every frame what the panel says, how many numbers the text has, and where one letter is."""
    stage, numbers = visit.page.locator(".stage").element_handle(), visit.numbers.element_handle()
    visit.page.evaluate(_RECORD, [stage, numbers, offset])


def drag_and_hold(visit: Visit, by: float, steps: int = 28) -> dict[str, Any]:
    """Drag the size and keep the button down; what was recorded meanwhile."""
    x, y = visit.press(visit.slider())
    before = visit.rerun_messages
    visit.page.mouse.move(x + by, y, steps=steps)
    moves = visit.page.evaluate("() => window.__stage.moves.length")
    visit.page.wait_for_function("before => window.__stage.moves.length >= Math.max(1, before)", arg=moves)
    found: dict[str, Any] = visit.page.evaluate(_STOP)
    return {**found, "reruns": visit.rerun_messages - before}


def test_text_and_numbers_follow_the_hand_before_it_lets_go(visit: Visit) -> None:
    text = read_sample("thousand-tokens.txt").text[:2400]
    visit.open(size=90, overlap=20).paste(text)
    visit.rested()
    document = Document.from_text(text)
    visit.eventually(lambda: check_whole(visit.pieces(), chunked(document, size=90, overlap=20)))
    record(visit, 100)
    held = drag_and_hold(visit, -80)
    assert held["inputs"] >= 10
    # The whole document is in view: in every single frame there are as many numbers in it as the panel says.
    assert [sample["marks"] for sample in held["samples"]] == [sample["count"] for sample in held["samples"]]
    assert len({sample["count"] for sample in held["samples"]}) >= 5
    # The page may settle when the hand rests, so a slow machine is allowed one settling for each rest.
    assert held["reruns"] <= held["pauses"] < held["inputs"] / 2
    size = visit.let_go()
    assert size < 60
    visit.wait_for_query(size=size, unit="token", mode="fixed", overlap=20)
    assert "doc" not in visit.query
    visit.eventually(lambda: check_whole(visit.pieces(), chunked(document, size=size, overlap=20)))


def test_nothing_moves_but_the_shading(visit: Visit) -> None:
    visit.open().rested()
    visit.text().evaluate("text => (text.scrollTop = 700)")
    visit.page.wait_for_function("text => text.scrollTop > 600", arg=visit.text().element_handle())
    in_view = visit.eventually(lambda: _an_offset_in_view(visit))
    record(visit, in_view)
    held = drag_and_hold(visit, 60)
    size = visit.let_go()
    samples = held["samples"]
    assert len({sample["count"] for sample in samples}) >= 3
    assert {sample["scroll"] for sample in samples} == {samples[0]["scroll"]}
    left, top = samples[0]["place"]
    assert all(abs(sample["place"][1] - top) < 0.5 and abs(sample["place"][0] - left) < 2 for sample in samples)
    visit.wait_for_query(size=size, doc="company-handbook.md", unit="token", mode="fixed", overlap=15)
    assert visit.text().evaluate("text => text.scrollTop") == samples[0]["scroll"]
    _reload_gives_the_same(visit, size)


def _reload_gives_the_same(visit: Visit, size: int) -> None:
    chunking = chunked(read_sample("company-handbook.md"), size=size)
    visit.eventually(lambda: check_pieces(visit.pieces(visible=True), chunking))
    visit.text().evaluate("text => (text.scrollTop = 0)")
    visit.eventually(lambda: check_pieces(visit.pieces(visible=True), chunking))
    before, panel, address = visit.pieces(visible=True), visit.numbers.inner_text(), visit.page.url
    visit.page.reload()
    visit.painted()
    visit.eventually(lambda: check_pieces(visit.pieces(visible=True), chunking))
    assert visit.pieces(visible=True) == before
    assert visit.numbers.inner_text() == panel
    assert visit.entry().input_value() == str(size)
    assert visit.page.url == address


def _an_offset_in_view(visit: Visit) -> int:
    """The offset of a letter in the middle of what is in view."""
    found: int = visit.text().evaluate(
        """text => {
          const frame = text.getBoundingClientRect();
          const middle = (frame.top + frame.bottom) / 2;
          let best = -1;
          for (const block of text.querySelectorAll(".block")) {
            let at = block.block.start;
            for (const node of block.childNodes) {
              if (node.getBoundingClientRect?.().bottom < middle && node.textContent.trim()) {
                best = at + node.textContent.search(/\\S/);
              }
              at += node.textContent.length;
            }
          }
          return best;
        }"""
    )
    assert found > 0
    return found


def test_overlap_follows_the_hand_and_three_covers_are_shaded_three_times(shared: Visit) -> None:
    shared.open()
    x, y = shared.press(shared.slider("overlap"))
    shared.page.mouse.move(x + 90, y, steps=10)
    expect(shared.text().locator(".d3").first).to_be_attached()
    overlap = shared.let_go("overlap")
    assert overlap > 50
    chunking = chunked(read_sample("company-handbook.md"), overlap=overlap)
    shared.eventually(lambda: check_pieces(shared.pieces(visible=True), chunking))
    expect(shared.pane().locator(".slider.overlap .beside")).to_have_text(f"= {120 * overlap // 100} tokens")
