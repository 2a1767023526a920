"""How long one waits: for the first chunk, and for large or awkward files: `python -m tests.bench.opening`."""

from __future__ import annotations

import time
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from tests.bench.table import TEXTS, median, megabytes, table
from tests.bench.visiting import visiting
from tests.browser.serving import Server
from tests.browser.visit import Visit

TIMES = 5
# How an upload ended: "shown" once the stage has chunks of the text that starts so, "refused" once there is a message.
_ENDED = """
(begins) => {
  if (document.querySelector("[data-testid=stAlertContentError]")) return "refused";
  const hosts = [...document.querySelectorAll("div")];
  const stage = hosts.map((host) => host.shadowRoot?.querySelector(".stage")).find(Boolean);
  const block = stage?.querySelector(".block");
  return block?.textContent.startsWith(begins) && block.querySelector(".c") ? "shown" : null;
}
"""
FILES = {
    "1 MB of English": lambda: TEXTS["English"](1_000_000).encode(),
    "5 MB of English": lambda: TEXTS["English"](5_000_000).encode(),
    "9 MB of “x.” lines": lambda: b"x.\n" * 3_000_000,
    "12 MB of “x.” lines": lambda: b"x.\n" * 4_000_000,
    "9 MB in one line": lambda: b"word " * 1_800_000,
    "1,000,000 spaces": lambda: b" " * 1_000_000,
    "20 MB in one line": lambda: b"word " * 4_000_000,
}


def first_chunk(visit: Visit) -> float:
    """Milliseconds from opening the page to the first painted chunk."""
    started = time.perf_counter()
    visit.page.goto(visit.origin, wait_until="commit")
    visit.page.locator(".stage .text .c").first.wait_for()
    visit.page.evaluate("() => new Promise((then) => requestAnimationFrame(() => setTimeout(then)))")
    return 1000 * (time.perf_counter() - started)


def opening(visit: Visit) -> None:
    """The first paint on a warm server, with the browser's cache cold once and warm afterwards."""
    visit.open().rested()
    warm = [first_chunk(visit) for _ in range(TIMES)]
    session = visit.page.context.new_cdp_session(visit.page)
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    cold = [first_chunk(visit) for _ in range(TIMES)]
    session.detach()
    rows = [("browser's cache warm", median(warm), max(warm)), ("cache disabled", median(cold), max(cold))]
    table("First painted chunk on a warm server", ("", "median ms", "slowest ms"), rows)


def alive(server: Server) -> str:
    """Whether the server still answers."""
    try:
        with build_opener(ProxyHandler({})).open(f"{server.origin}/_stcore/health", timeout=10) as response:
            return "yes" if response.status == 200 else f"status {response.status}"
    except (URLError, TimeoutError) as error:
        return str(error)


def bringing(visit: Visit, server: Server) -> None:
    """Each file from the choice of it to its chunks or its refusal, and whether anything was shown meanwhile."""
    rows = []
    for number, (name, make) in enumerate(FILES.items()):
        visit.open().rested()
        data, title = make(), f"file-{number}.txt"
        visit.add()
        started = time.perf_counter()
        visit.upload([{"name": title, "mimeType": "text/plain", "buffer": data}])
        end = visit.page.wait_for_function(_ENDED, arg=data[:20].decode()).json_value()
        rows.append((name, end, time.perf_counter() - started, alive(server), megabytes(server.pid)))
    table("Uploads", ("file", "", "after s", "server answers", "server MB"), rows)


def main() -> None:
    """Both tables."""
    with visiting() as (visit, server):
        opening(visit)
        bringing(visit, server)


if __name__ == "__main__":
    main()
