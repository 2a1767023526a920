"""The page as a visitor handles it: open, upload, paste, drag; and what is on the screen, read back for comparison."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlencode, urlsplit

import numpy as np
from playwright.sync_api import FilePayload, Locator, Page, expect

from playground import Chunking, Document, chunk
from playground.settings import changed, parse, to_config
from playground.ui.address import PREFIXES

T = TypeVar("T")
PATIENCE = 20.0
STEPS = 1000  # positions of the size slider
DEEPEST = 4

_PIECES = """
(text, onlyVisible) => {
  const frame = text.getBoundingClientRect();
  const pieces = [];
  for (const block of text.querySelectorAll(".block")) {
    const box = block.getBoundingClientRect();
    if (onlyVisible && (box.bottom < frame.top || box.top > frame.bottom)) continue;
    let at = block.block.start;
    for (const node of block.childNodes) {
      const piece = { start: at, end: at + node.textContent.length, text: node.textContent };
      const [number, ...level] = (node.dataset?.n ?? "0").split(" · ");
      at = piece.end;
      pieces.push({
        ...piece, low: node.low ?? -1, high: node.high ?? -1, kind: node.className ?? "",
        number: Number(number), level: level.join(" · "),
      });
    }
  }
  return pieces;
}
"""


@dataclass(frozen=True)
class Piece:
    """A stretch of the text on screen: UTF-16 offsets, the chunks that cover it, its classes and its number.

    `level` is what the page calls the cut before it, "" where it names none.
    """

    start: int
    end: int
    text: str
    low: int
    high: int
    kind: str
    number: int
    level: str = ""

    @property
    def classes(self) -> frozenset[str]:
        """The classes of its element."""
        return frozenset(self.kind.split())


class Visit:
    """One tab on the page."""

    def __init__(self, page: Page, origin: str) -> None:
        self.page = page
        self.origin = origin
        self.rerun_messages = 0
        self.pressed: dict[str, str] = {}
        page.on("websocket", self._listen)

    def _listen(self, socket: Any) -> None:
        if socket.url.endswith("/_stcore/stream"):
            socket.on("framesent", self._count)

    def _count(self, _: object) -> None:
        self.rerun_messages += 1

    def in_front(self) -> Visit:
        """Bring the tab to the front: the browser slows down those behind."""
        self.page.bring_to_front()
        return self

    # --- going somewhere -----------------------------------------------------------------------------------------

    def open(self, **query: object) -> Visit:
        """Open the page with these settings, and wait for its chunks."""
        self.page.goto(f"{self.origin}/?{urlencode(query)}")
        return self.painted()

    def painted(self) -> Visit:
        """Wait until chunks are shown, the channel is open and Streamlit has nothing left to do."""
        expect(self.page.locator(".stage .text .c").first).to_be_attached()
        expect(self.page.locator(".stage")).to_have_attribute("data-connection", "live")
        return self

    def use(self, **settings: object) -> None:
        """Set the controls of the first pane as a hand would: these settings, and the defaults of all others."""
        values = parse(settings)[0]
        for name in ("mode", "unit"):
            radio = self.pane().locator(f"input[type=radio][name^={name}][value={values[name]}]")
            if not radio.is_checked():
                radio.check()
                self.wait_for_query(**{name: values[name]})
                self.eventually(self._address_is_right)
        for name in ("size", "overlap"):
            if self.entry(name).input_value() != str(values[name]):
                self.entry(name).fill(str(values[name]))
                self.entry(name).press("Enter")
        self.wait_for_query(**changed(values))

    def more(self, number: int = 0) -> Locator:
        """The finer settings of a pane, unfolded."""
        details = self.pane(number).locator("details.more")
        if not details.evaluate("node => node.open"):
            details.locator("summary").click()
        return details

    def _address_is_right(self) -> None:
        assert self.query["size"] == self.entry().input_value()

    def rested(self) -> Visit:
        """Wait until Streamlit has nothing left to do, figures included."""
        if self.query.get("page", "playground") == "playground":
            expect(self.page.locator(".st-key-figure .js-plotly-plot")).to_have_count(1)
        expect(self.page.locator(".stApp")).to_have_attribute("data-test-script-state", "notRunning")
        return self

    @property
    def query(self) -> dict[str, str]:
        """What the address holds."""
        return {name: values[-1] for name, values in parse_qs(urlsplit(self.page.url).query).items()}

    def wait_for_query(self, **wanted: object) -> None:
        """Wait until the address holds these values."""
        text = {name: str(value) for name, value in wanted.items()}
        self.eventually(lambda: _same({name: self.query.get(name) for name in text}, text))

    # --- bringing documents --------------------------------------------------------------------------------------

    def add(self) -> None:
        """Open the form for own documents."""
        button = self.page.get_by_role("button", name="Add documents")
        if button.get_attribute("aria-expanded") != "true":
            button.click()
        expect(self.page.locator(".stTextArea textarea")).to_have_count(
            1
        )  # for a moment the form before it is still there

    def upload(self, files: Sequence[FilePayload]) -> None:
        """Upload files; the form closes again."""
        self.add()
        self.page.locator("input[type=file]").set_input_files(list(files))

    def paste(self, text: str) -> None:
        """Use a pasted text, and wait until it is shown."""
        self.add()
        area = self.page.locator(".stTextArea textarea")
        area.fill(text)
        area.press("Control+Enter")
        before = self.chosen.input_value()
        self.page.get_by_role("button", name="Use this text").click()
        expect(self.chosen).not_to_have_value(before)
        self.shows(text)

    def scroll_to(self, place: float) -> None:
        """Scroll the first pane's text at once, and wait until its chunks are drawn and known to be in view."""
        self.text().evaluate("(text, place) => text.scrollTo({ top: place, behavior: 'instant' })", place)
        self.page.evaluate(
            "() => new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(then))))"
        )

    def shows(self, text: str) -> None:
        """Wait until the stage shows exactly this text, with its chunks."""
        self.eventually(lambda: _same(self.text_shown(), text))
        expect(self.text().locator(".c").first).to_be_attached()
        self.page.keyboard.press("Escape")
        expect(self.page.locator(".stApp")).to_have_attribute("data-test-script-state", "notRunning")

    # --- what there is -------------------------------------------------------------------------------------------

    def pane(self, number: int = 0) -> Locator:
        """A pane of the stage."""
        return self.page.locator(".pane").nth(number)

    def text(self, number: int = 0) -> Locator:
        """The scrolling text of a pane."""
        return self.pane(number).locator(".text")

    def slider(self, name: str = "size", number: int = 0) -> Locator:
        """The range of a pane's slider."""
        return self.pane(number).locator(f".slider.{name} input[type=range]")

    def entry(self, name: str = "size", number: int = 0) -> Locator:
        """The number beside a pane's slider."""
        return self.pane(number).locator(f".slider.{name} input[type=number]")

    def mark(self, chunk: int, number: int = 0) -> Locator:
        """The piece of a pane's text that a chunk starts with, by the chunk's number."""
        return self.text(number).locator(f".start[data-n='{chunk}'], .start[data-n^='{chunk} ·']")

    @property
    def chosen(self) -> Locator:
        """The field that names the document on screen."""
        return self.page.get_by_role("combobox", name="Document")

    @property
    def numbers(self) -> Locator:
        """The side panel."""
        return self.page.locator(".numbers").first

    @property
    def inspector(self) -> Locator:
        """The first pane's inspector."""
        return self.pane().locator(".inspector")

    @property
    def status(self) -> Locator:
        """The line about the chunk under the hand."""
        return self.pane().locator(".status")

    def text_shown(self, number: int = 0) -> str:
        """All the text that a pane holds now."""
        return "".join(piece.text for piece in self.pieces(number))

    def pieces(self, number: int = 0, *, visible: bool = False) -> list[Piece]:
        """The stretches that a pane shows, all that are drawn or only those in view."""
        return [Piece(**found) for found in self.text(number).evaluate(_PIECES, visible)]

    def count(self, number: int = 0) -> int:
        """The number of chunks that the panel says."""
        return int(self.page.locator(".numbers").nth(number).locator(".big b").first.inner_text().replace(",", ""))

    # --- the hand ------------------------------------------------------------------------------------------------

    def grip(self, slider: Locator) -> tuple[float, float]:
        """The middle of a slider's thumb."""
        slider.scroll_into_view_if_needed()
        box = slider.bounding_box()
        assert box
        part = slider.evaluate("range => (range.value - range.min) / (range.max - range.min)")
        return box["x"] + 10 + (box["width"] - 20) * part, box["y"] + box["height"] / 2

    def point(self, piece: Locator) -> tuple[float, float]:
        """Move the mouse onto the first line of a piece of text; returns where."""
        piece.scroll_into_view_if_needed()
        place = "node => { const line = node.getClientRects()[0]; return [line.x + 4, line.y + line.height / 2]; }"
        x, y = self.eventually(lambda: _still(piece.evaluate(place), piece.evaluate(place)))
        self.page.mouse.move(x, y)
        return x, y

    def open_inspector(self, number: int) -> None:
        """Click the chunk with this number."""
        self.page.mouse.click(*self.point(self.mark(number)))
        expect(self.inspector.locator("h2")).to_contain_text(f"Chunk {number} of")

    def press(self, slider: Locator) -> tuple[float, float]:
        """Take hold of a slider's thumb with the mouse; returns where."""
        x, y = self.grip(slider)
        self.pressed = self.query
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        return x, y

    def let_go(self, name: str = "size", number: int = 0) -> int:
        """Let go of a slider; returns what it was set to, once the last move arrived and the address says so."""
        before = self.pressed[f"{PREFIXES[number]}{name}"]  # a hand that rests settles before it lets go
        self.page.mouse.up()
        return self.settled(before, name, number)

    def settled(self, before: str, name: str = "size", number: int = 0) -> int:
        """The value of a slider that was `before`, once the slider and the address agree on another one."""

        def agreed() -> int:
            value = self.entry(name, number).input_value()
            assert before != value == self.query[f"{PREFIXES[number]}{name}"]
            expect(self.page.locator(".stApp")).to_have_attribute("data-test-script-state", "notRunning")
            assert value == self.entry(name, number).input_value()
            return int(value)

        return self.eventually(agreed)

    def eventually(self, check: Callable[[], T], within: float = PATIENCE) -> T:
        """The result of `check` as soon as it raises no AssertionError."""
        ends = time.monotonic() + within
        while True:
            try:
                return check()
            except AssertionError:
                if time.monotonic() > ends:
                    raise
                self.page.wait_for_timeout(40)


def _same(found: object, wanted: object) -> None:
    assert found == wanted, f"{found!r} is not {wanted!r}"


def _still(before: list[float], after: list[float]) -> list[float]:
    assert before == after
    return after


# --- what there should be ------------------------------------------------------------------------------------------


def chunked(document: Document, **settings: object) -> Chunking:
    """The chunks that the page should show for these settings of the link."""
    values, notices = parse(settings)
    assert not notices
    return chunk(document, to_config(values))


def utf16(text: str) -> np.ndarray[Any, np.dtype[np.int64]]:
    """For each character offset, the end included, its offset in UTF-16 units."""
    wide = np.array([1 + (ord(character) > 0xFFFF) for character in text], dtype=np.int64)
    return np.concatenate(([0], np.cumsum(wide)))


def check_pieces(pieces: Sequence[Piece], chunking: Chunking) -> None:
    """Hold what is on screen against the chunks: text, covers, shading, numbers; each worked out from the spans."""
    text = chunking.document.text
    offsets, units = utf16(text), text.encode("utf-16-le")
    starts, ends = offsets[chunking.starts], offsets[chunking.ends]
    assert pieces
    for piece in pieces:
        exact = units[2 * piece.start : 2 * piece.end].decode("utf-16-le")
        assert piece.text == re.sub(r"\r(?!\n)", "\n", exact)
        covering = np.flatnonzero((starts <= piece.start) & (piece.end <= ends)).tolist()
        touching = np.flatnonzero((starts < piece.end) & (piece.start < ends)).tolist()
        assert covering == touching, piece
        if not covering:
            assert piece.classes == {"bare"}
            assert not piece.text.strip()
            continue
        assert (piece.low, piece.high) == (covering[0], covering[-1])
        assert piece.classes >= {"c", f"d{min(len(covering), DEEPEST)}", f"p{covering[0] % 2}"}
        begun = np.flatnonzero(starts == piece.start).tolist()
        assert piece.number == (begun[-1] + 1 if begun else 0), piece
        assert ("start" in piece.classes) == bool(begun)


def check_whole(pieces: Sequence[Piece], chunking: Chunking) -> None:
    """`check_pieces`, and that nothing of the document is missing and every chunk has its number once."""
    check_pieces(pieces, chunking)
    assert [piece.start for piece in pieces[1:]] == [piece.end for piece in pieces[:-1]]
    assert "".join(piece.text for piece in pieces) == re.sub(r"\r(?!\n)", "\n", chunking.document.text)
    assert [piece.number for piece in pieces if piece.number] == list(range(1, len(chunking) + 1))
