"""Everything works with no network: core, page and channel, in a process that may reach nothing but itself.

The process has an empty home, so that no tokenizer or model left there by an earlier download can help. What it tries
to reach is noted even where a library swallows the error. A second process proves that the guard would notice.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

GUARD = """
import ipaddress, socket

TRIED = []

class Forbidden(OSError):
    pass

def is_loopback(host):
    try:
        return host in (None, "", "localhost") or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

def forbid(what, target):
    TRIED.append(f"{what} {target}")
    raise Forbidden(f"{what} {target} is forbidden here")

def guarded(name, host_of):
    original = getattr(socket.socket, name)
    def method(self, *args):
        address = host_of(args)
        if self.family != socket.AF_UNIX and not is_loopback(address):
            forbid(name, address)
        return original(self, *args)
    return method

class Guarded(socket.socket):
    connect = guarded("connect", lambda args: args[0][0])
    connect_ex = guarded("connect_ex", lambda args: args[0][0])
    sendto = guarded("sendto", lambda args: args[-1][0])

def resolving(name):
    original = getattr(socket, name)
    def function(host, *args, **kwargs):
        return original(host, *args, **kwargs) if is_loopback(host) else forbid(name, host)
    return function

for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex", "gethostbyaddr"):
    setattr(socket, name, resolving(name))
socket.socket = Guarded
"""

CORE = """
from playground import Document, ChunkingConfig, chunk, describe, read
from playground.core.modes import MODES
from playground.core.rulers import UNITS
from playground.resources import TOKENIZERS
from playground.live.store import SAMPLES, sample_names

for name in sample_names():
    document = read(SAMPLES / name)
    for mode in MODES:
        for unit in UNITS:
            for tokenizer in TOKENIZERS:
                chunking = chunk(document, ChunkingConfig(mode, unit, 100, 15, tokenizer))
                assert describe(chunking).check.passed and chunking[0].tokens and chunking[0].reason
assert read("a.txt", "Grüße".encode("cp1252")).text == "Grüße"
"""

PAGE = """
from streamlit.testing.v1 import AppTest

visit = AppTest.from_file("playground/ui/main.py", default_timeout=120).run()
assert not visit.exception and {found.key for found in visit.get("bidi_component")} == {"stage", "panel", "history"}
visit.session_state["painted"] = True  # the figure, too
assert not visit.run().exception and len(visit.get("plotly_chart")) == 1
for page in ("compare", "learn", "documents"):
    assert not visit.segmented_control[0].set_value(page).run().exception
assert len(visit.dataframe) == 1
"""

CHANNEL = """
import asyncio, json
from starlette.applications import Starlette
from playground.live.channel import Channel
from playground.live.store import STORE, sample_names
from playground.ui.components import FOLDER

async def ask(app, request):
    coming, going = asyncio.Queue(), asyncio.Queue()
    scope = {"type": "websocket", "path": "/live/ws", "root_path": "", "query_string": b"", "subprotocols": [],
             "headers": [(b"host", b"localhost")], "client": None, "server": ("localhost", 80), "scheme": "ws"}
    for message in ({"type": "websocket.connect"}, {"type": "websocket.receive", "text": json.dumps(request)}):
        coming.put_nowait(message)
    server = asyncio.create_task(app(scope, coming.get, going.put))
    assert (await asyncio.wait_for(going.get(), 60))["type"] == "websocket.accept"
    answer = json.loads((await asyncio.wait_for(going.get(), 60))["text"])
    coming.put_nowait({"type": "websocket.disconnect", "code": 1000})
    await server
    return answer

app = Starlette(routes=Channel(STORE, FOLDER).routes())
for name in sample_names():
    answer = asyncio.run(ask(app, {"doc": name, "panes": [{"settings": {"mode": "sentence"}, "from": 0, "to": 6000}]}))
    assert answer["panes"][0]["numbers"]["count"] > 1, answer
    answer = asyncio.run(ask(app, {"doc": name, "kind": "chunk", "index": 1, "tokens": True}))
    assert answer["tokens"]["lengths"], answer
"""

END = """
assert TRIED == [], TRIED
print("nothing was tried")
"""

HINTS = ("CACHE", "DATA", "PROXY", "NLTK", "TIKTOKEN", "HF_", "XDG", "STREAMLIT")
"""Parts of the names of variables that could lead to data or to a way out."""


def alone(source: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Run `source` after the guard, in a process that knows nothing but the project and its libraries."""
    inherited = {key: value for key, value in os.environ.items() if not any(hint in key.upper() for hint in HINTS)}
    environment = inherited | {"HOME": str(home), "PYTHONPATH": str(ROOT), "TMPDIR": str(home / "tmp")}
    (home / "tmp").mkdir()
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(GUARD + source)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize("source", [CORE, PAGE, CHANNEL], ids=["core", "page", "channel"])
def test_it_works_with_no_network(source, tmp_path):
    done = alone(source + END, tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout == "nothing was tried\n"
    left = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert source != CORE or left == [], "nothing is downloaded into the home"


# 192.0.2.0/24 is set aside for examples: nobody answers there.
@pytest.mark.parametrize(
    ("attempt", "noted"),
    [
        ("socket.create_connection(('192.0.2.1', 80), timeout=1)", "getaddrinfo 192.0.2.1"),
        ("socket.socket().connect(('192.0.2.1', 80))", "connect 192.0.2.1"),
        ("socket.socket().connect_ex(('192.0.2.1', 80))", "connect_ex 192.0.2.1"),
        ("socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53))", "sendto 192.0.2.1"),
        ("socket.gethostbyname('example.com')", "gethostbyname example.com"),
        ("import urllib.request; urllib.request.urlopen('http://example.com', timeout=1)", "getaddrinfo example.com"),
        ("import tiktoken; tiktoken.get_encoding('p50k_base')", "getaddrinfo"),
    ],
)
def test_the_guard_would_notice(attempt, noted, tmp_path):
    source = f"""
try:
    {attempt}
except Exception:
    pass
print(TRIED[0])
{END}"""
    done = alone(source, tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith(noted)
    assert "nothing was tried" not in done.stdout


def test_the_guard_lets_a_process_talk_to_itself(tmp_path):
    source = """
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname(), timeout=5)
one, other = socket.socketpair()
"""
    assert alone(source + END, tmp_path).returncode == 0


SERVER = """
import signal, sys, threading, time, urllib.request
from streamlit.web import cli

def visit_and_leave():
    deadline = time.monotonic() + 60
    address = "http://127.0.0.1:%d"
    while time.monotonic() < deadline:
        try:
            page = urllib.request.urlopen(address, timeout=5).status
            text = urllib.request.urlopen(address + "/live/text/thousand-tokens.txt", timeout=5).read()
            print(page, len(text), flush=True)
            break
        except OSError:
            time.sleep(0.2)
    print("tried", TRIED, flush=True)
    signal.raise_signal(signal.SIGTERM)

threading.Thread(target=visit_and_leave, daemon=True).start()
sys.argv = ["streamlit", "run", "app.py", "--server.port=%d", "--server.address=127.0.0.1"]
cli.main()
"""


def test_the_server_as_it_is_started_asks_nobody_for_anything(tmp_path):
    """Streamlit itself would ask a public service for the machine's address when it greets."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    done = alone(SERVER % (port, port), tmp_path)
    text = (ROOT / "sample_docs" / "thousand-tokens.txt").read_bytes()
    assert f"200 {len(text)}\ntried []\n" in done.stdout, done.stdout + done.stderr[-3000:]
