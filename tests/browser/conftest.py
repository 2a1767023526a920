"""One server and one browser for all tests here; every test fails on an error in the page, in the server's log, and
on any request that leaves the host."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from browser.serving import FLAGS, Server, chromium, served
from browser.visit import PATIENCE, Visit
from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Page, Playwright, expect, sync_playwright

WINDOW = {"width": 1280, "height": 1200}  # high enough for all of a document of a thousand tokens to have its chunks


class Watch:
    """What must never happen on any page, as it happens."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.faults: list[str] = []
        self._read = 0

    def attach(self, page: Page) -> None:
        """Watch a page from now on."""
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("console", self._console)
        page.on("request", lambda request: self._asked(request.url))
        page.on("websocket", lambda socket: self._asked(socket.url))
        page.on("crash", lambda _: self.faults.append("the page crashed"))
        page.on("dialog", self._dialog)

    def check(self) -> None:
        """Fail on whatever happened since the last check."""
        written = self.server.written()
        if "Traceback" in written[self._read :]:
            self.faults.append(written[self._read :])
        self._read = len(written)
        faults, self.faults = self.faults, []
        assert not faults, "\n".join(faults)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.faults.append(f"console: {message.text}")

    def _asked(self, url: str) -> None:
        here = (self.server.origin + "/", self.server.origin.replace("http", "ws", 1) + "/", "data:", "blob:")
        if not url.startswith(here) and url != "about:blank":
            self.faults.append(f"a request left the host: {url}")

    def _dialog(self, dialog: Dialog) -> None:
        self.faults.append(f"a dialog opened: {dialog.message}")
        dialog.dismiss()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The page, served to an empty home."""
    with served(tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Playwright."""
    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """Chromium with a profile on disk, so that Streamlit's scripts are compiled once and not for every test."""
    profile = tmp_path_factory.mktemp("profile")
    context = playwright.chromium.launch_persistent_context(
        profile, executable_path=chromium(), args=FLAGS, viewport=WINDOW
    )
    context.set_default_timeout(1000 * PATIENCE)
    yield context
    context.close()


@pytest.fixture(scope="session")
def watch(server: Server) -> Watch:
    """What must not happen."""
    return Watch(server)


@pytest.fixture(autouse=True)
def _nothing_bad(watch: Watch) -> Iterator[None]:
    yield
    watch.check()


@pytest.fixture(scope="session")
def new_visit(browser: BrowserContext, watch: Watch, server: Server) -> Callable[[], Visit]:
    """How to open a tab."""

    def make() -> Visit:
        page = browser.new_page()
        watch.attach(page)
        return Visit(page, server.origin)

    return make


@pytest.fixture
def visit(new_visit: Callable[[], Visit]) -> Iterator[Visit]:
    """A tab of the test's own."""
    made = new_visit()
    yield made
    made.page.close()


@pytest.fixture(scope="session")
def _tabs(new_visit: Callable[[], Visit]) -> Iterator[dict[str, Visit]]:
    """Tabs that tests share: opening one for each would take most of the time."""
    tabs = {"bundled": new_visit().open(), "own": new_visit().open(doc="thousand-tokens.txt")}
    yield tabs
    for tab in tabs.values():
        tab.page.close()


@pytest.fixture
def shared(_tabs: dict[str, Visit]) -> Visit:
    """A shared tab on the bundled documents."""
    return _tabs["bundled"].in_front()


@pytest.fixture
def at_settings(_tabs: dict[str, Visit]) -> Visit:
    """A shared tab to set the controls and then to paste or upload a text."""
    return _tabs["own"].in_front()
