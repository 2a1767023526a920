"""The channel breaks: the page says so, follows on release through Streamlit, and comes back by itself."""

from __future__ import annotations

from browser.visit import Visit, check_pieces, check_whole, chunked
from playwright.sync_api import expect

from playground.live.store import read_sample

# Stands between the page and the network, so that a broken channel is quiet: no socket at all while it is blocked.
_BREAKABLE = """
(() => {
  const sockets = [];
  const Real = WebSocket;
  window.WebSocket = new Proxy(Real, {
    construct(target, [url, ...rest]) {
      if (!String(url).endsWith("/live/ws")) return new target(url, ...rest);
      if (window.__blocked) {
        const dead = { readyState: Real.CLOSED, send() {}, close() {} };
        setTimeout(() => dead.onclose?.({}), 10);
        return dead;
      }
      sockets.push(new target(url, ...rest));
      return sockets.at(-1);
    },
  });
  window.__block = (blocked) => {
    window.__blocked = blocked;
    if (blocked) for (const socket of sockets) socket.close();
  };
})();
"""


def test_without_the_channel_the_page_follows_on_release(visit: Visit) -> None:
    document = read_sample("thousand-tokens.txt")
    visit.page.add_init_script(_BREAKABLE)
    visit.open(doc="thousand-tokens.txt")
    stage, banner = visit.page.locator(".stage"), visit.page.locator(".connection")
    visit.page.evaluate("window.__block(true)")
    expect(banner).to_be_visible()
    expect(banner).to_contain_text("The live connection is down")
    x, y = visit.press(visit.slider())
    visit.page.mouse.move(x - 40, y, steps=8)
    size = visit.let_go()
    assert size < 120
    visit.eventually(lambda: check_pieces(visit.pieces(visible=True), chunked(document, size=size)))
    assert visit.count() == len(chunked(document, size=size))
    expect(stage).not_to_have_attribute("data-connection", "live")
    visit.page.evaluate("window.__block(false)")
    expect(stage).to_have_attribute("data-connection", "live")
    expect(banner).to_be_hidden()
    visit.slider().press("ArrowRight")
    visit.eventually(lambda: check_whole(visit.pieces(), chunked(document, size=size + 1)))


def test_a_slow_answer_never_wins_over_a_newer_one(visit: Visit) -> None:
    """The answer to the first of many moves arrives last, and late."""
    visit.page.add_init_script(
        """
        const receive = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
        let late = 0;
        Object.defineProperty(WebSocket.prototype, "onmessage", {
          set(listener) {
            const later = (event) => setTimeout(() => listener(event), late++ % 2 ? 0 : 300);
            receive.set.call(this, this.url.endsWith("/live/ws") ? later : listener);
          },
        });
        """
    )
    visit.open(doc="thousand-tokens.txt")
    slider = visit.slider()
    for _ in range(6):
        slider.press("Shift+ArrowLeft")
    visit.wait_for_query(size=60)
    chunking = chunked(read_sample("thousand-tokens.txt"), size=60)
    visit.eventually(lambda: check_whole(visit.pieces(), chunking))
    visit.page.wait_for_timeout(700)  # whatever is still on its way has arrived by then
    check_whole(visit.pieces(), chunking)
    assert visit.count() == len(chunking)
