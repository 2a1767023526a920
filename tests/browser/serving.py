"""A server of the page for tests and benchmarks, and the Chromium that visits it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

ROOT = Path(__file__).resolve().parents[2]
STARTS_WITHIN = 60.0
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Whatever the page might ask for elsewhere is neither found nor waited for.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


@dataclass(frozen=True)
class Server:
    """A running server: where it is, its process and what it wrote so far."""

    port: int
    pid: int
    log: Path

    @property
    def origin(self) -> str:
        """The address of the page without a slash."""
        return f"http://127.0.0.1:{self.port}"

    def written(self) -> str:
        """Everything that the server printed."""
        return self.log.read_text("utf-8", "replace")


def chromium() -> str | None:
    """Where the browser is; None for the one that Playwright brings along."""
    names = ("chromium", "/usr/bin/chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if (found := shutil.which(name))), None)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def served(home: Path) -> Iterator[Server]:
    """The page on a free port, started as the README says, in the empty folder `home`; stopped afterwards."""
    port, log = free_port(), home / "server.log"
    command = [sys.executable, "-m", "streamlit", "run", "app.py"]
    options = [f"--server.port={port}", "--server.address=127.0.0.1"]
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(home), "PYTHONUNBUFFERED": "1"}
    with log.open("wb") as output:
        process = subprocess.Popen(
            command + options, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
        try:
            server = Server(port, process.pid, log)
            _wait_for(server, process)
            yield server
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait_for(server: Server, process: subprocess.Popen[bytes]) -> None:
    """Return as soon as the server says that it is well."""
    opener = build_opener(ProxyHandler({}))
    ends = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < ends and process.poll() is None:
        try:
            with opener.open(f"{server.origin}/_stcore/health", timeout=5) as response:
                if response.status == 200:
                    return
        except (URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    raise RuntimeError(f"The server did not start:\n{server.written()}")
