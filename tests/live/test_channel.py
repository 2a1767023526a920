"""The live routes, spoken to as a server speaks to them: what a page may ask, what a stranger may not, what wins.

A connection is driven by hand over its two queues. So a burst truly arrives at once, what is sent must be text that a
socket can carry, and an answer that never comes is a failure instead of a test that hangs.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections import Counter
from functools import wraps

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from playground import Document, chunk
from playground.live import channel as channel_module
from playground.live.channel import MAX_CONNECTIONS, MAX_MESSAGE, Channel, version
from playground.live.protocol import ProtocolError, chunks_answer
from playground.live.store import Store, new_key, sample_names
from playground.settings import parse, to_config

PATIENCE = 20
"""Seconds after which an answer counts as lost."""
TEXT = "Hi 😀 there. A line.\r\n\n\t<b>Second</b> one.\u2028 End. "
HOST = "page.example:8501"


# --- driving it --------------------------------------------------------------------------------------------------


class Refused(Exception):
    """The server closed the connection; the argument is its code."""


class Visitor:
    """One connection to the live socket: `async with Visitor(app) as visitor`."""

    def __init__(self, app, path="/live/ws", origin=None, host=HOST):
        headers = [(b"host", host.encode())]
        if origin is not None:
            headers.append((b"origin", origin.encode()))
        self._scope = {
            "type": "websocket", "asgi": {"version": "3.0", "spec_version": "2.4"}, "http_version": "1.1",
            "scheme": "ws", "server": ("127.0.0.1", 8501), "client": ("127.0.0.1", 5000), "path": path,
            "raw_path": path.encode(), "root_path": "", "query_string": b"", "headers": headers, "subprotocols": [],
            "state": {}, "extensions": {},
        }  # fmt: skip
        self._app = app

    async def __aenter__(self):
        self._up: asyncio.Queue = asyncio.Queue()
        self._down: asyncio.Queue = asyncio.Queue()
        self.server = asyncio.create_task(self._app(self._scope, self._up.get, self._deliver))
        self._up.put_nowait({"type": "websocket.connect"})
        message = await self._next()
        if message["type"] != "websocket.accept":
            await self._leave()
            raise Refused(message.get("code"))
        return self

    async def __aexit__(self, *_):
        await self._leave()

    async def _leave(self):
        self._up.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await asyncio.wait_for(self.server, PATIENCE)

    async def _deliver(self, message):
        if message.get("text") is not None:
            message["text"].encode("utf-8")  # a socket carries UTF-8; half a surrogate pair would end it here
        self._down.put_nowait(message)

    async def _next(self):
        """The next message from the server, or the fault that ended it."""
        coming = asyncio.ensure_future(self._down.get())
        await asyncio.wait({coming, self.server}, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        if coming.done():
            return coming.result()
        coming.cancel()
        if self.server.done():
            self.server.result()
            raise Refused("the server left without a word")
        raise TimeoutError("no answer came")

    def say(self, text):
        """Send a frame; nothing waits, so several arrive at once."""
        self._up.put_nowait({"type": "websocket.receive", ("bytes" if isinstance(text, bytes) else "text"): text})

    def ask(self, request):
        self.say(json.dumps(request))

    async def hear(self):
        """The next answer. Raises Refused if the server closed instead."""
        message = await self._next()
        if message["type"] == "websocket.close":
            raise Refused(message["code"])
        return json.loads(message["text"], parse_constant=_no_json)


def _no_json(constant):
    raise AssertionError(f"{constant} is no JSON")


async def fetch(app, path, method="GET", raw_path=None):
    """Status, headers and body of a plain request."""
    scope = {
        "type": "http", "asgi": {"version": "3.0", "spec_version": "2.4"}, "http_version": "1.1", "method": method,
        "scheme": "http", "server": ("127.0.0.1", 8501), "client": ("127.0.0.1", 5000), "path": path,
        "raw_path": raw_path or path.encode("utf-8", "surrogatepass"), "root_path": "", "query_string": b"",
        "headers": [(b"host", HOST.encode())], "state": {}, "extensions": {},
    }  # fmt: skip
    sent = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    await asyncio.wait_for(app(scope, receive, send), PATIENCE)
    headers = {key.decode(): value.decode() for key, value in sent[0]["headers"]}
    return sent[0]["status"], headers, b"".join(message.get("body", b"") for message in sent[1:])


def live(test):
    """Run an asynchronous test."""

    @wraps(test)
    def run(*args, **kwargs):
        return asyncio.run(test(*args, **kwargs))

    return run


@pytest.fixture
def store():
    return Store()


@pytest.fixture
def key(store):
    return store.put(Document.from_text(TEXT))


@pytest.fixture
def assets(tmp_path):
    """A folder of modules, beside something that is nobody's business."""
    folder = tmp_path / "components"
    (folder / "stage").mkdir(parents=True)
    (folder / "stage" / "stage.js").write_text("export const a = '猫';", "utf-8")
    (folder / "shared.js").write_text("export const b = 2;", "utf-8")
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    return folder


@pytest.fixture
def app(store, assets):
    return Starlette(routes=Channel(store, assets, ("https://allowed.example",)).routes())


def request(key, seq=1, **settings):
    return {"doc": key, "seq": seq, "kind": "chunks", "panes": [{"settings": settings, "from": 0, "to": 6000}]}


async def still_works(visitor, key):
    """The connection answers in full."""
    visitor.ask(request(key, 9999, unit="word", size=7))
    while (found := await visitor.hear()).get("seq") != 9999:
        pass
    assert found["panes"][0]["settings"]["size"] == 7


# --- the socket --------------------------------------------------------------------------------------------------


@live
async def test_the_socket_answers(app, key):
    async with Visitor(app) as visitor:
        visitor.ask(request(key, 5, unit="word", size=5, overlap=0))
        found = await visitor.hear()
    chunking = chunk(Document.from_text(TEXT), to_config(parse({"unit": "word", "size": 5, "overlap": 0})[0]))
    assert found["seq"] == 5
    assert found["kind"] == "chunks"
    assert found["core_ms"] >= 0
    (one,) = found["panes"]
    assert one["numbers"]["count"] == len(chunking) == len(one["spans"]["starts"])


@live
async def test_answers_are_compact_utf8(app, key):
    async with Visitor(app) as visitor:
        visitor.ask(request(key, mode="猫"))
        message = await visitor._next()
    assert "“猫”" in message["text"]
    assert '", "' not in message["text"]
    assert '": ' not in message["text"]


@live
async def test_a_chunk_and_chunks_are_asked_side_by_side(app, key):
    async with Visitor(app) as visitor:
        visitor.ask(request(key, 1))
        visitor.ask({"doc": key, "seq": 2, "kind": "chunk", "pane": {"settings": {}}, "index": 0, "tokens": True})
        answers = [await visitor.hear(), await visitor.hear()]
    assert {found["seq"]: found["kind"] for found in answers} == {1: "chunks", 2: "chunk"}
    assert not any("superseded" in found or "error" in found for found in answers)


@live
async def test_bundled_documents_are_answered_by_name(app):
    async with Visitor(app) as visitor:
        for name in sample_names():
            visitor.ask(request(name))
            assert (await visitor.hear())["panes"][0]["numbers"]["check"]["passed"]


@live
async def test_several_visitors_do_not_hear_each_other(app, store):
    keys = [store.put(Document.from_text("word " * count)) for count in (10, 20, 30)]
    async with Visitor(app) as one, Visitor(app) as two, Visitor(app) as three:
        visitors = (one, two, three)
        for visitor, own in zip(visitors, keys, strict=True):
            visitor.ask(request(own, unit="word", size=10, overlap=0))
        counts = [(await visitor.hear())["panes"][0]["numbers"]["count"] for visitor in visitors]
    assert counts == [1, 2, 3]


@live
async def test_a_large_document_is_answered_off_the_loop(app, store, monkeypatch):
    """What takes long must not stop the other visitors; what is short must not pay for a thread."""
    asked_in = []

    def noting(store, request):
        asked_in.append(threading.current_thread())
        return {"seq": request["seq"]}

    monkeypatch.setattr(channel_module, "answer", noting)
    small = store.put(Document.from_text("x"))
    large = store.put(Document.from_text("x" * (channel_module.INLINE_CHARACTERS + 1)))
    for key in (small, large):
        chunks_answer(store.get(key), {"panes": [{}]})
    new = store.put(Document.from_text("not yet prepared"))
    async with Visitor(app) as visitor:
        for own in (small, large, new):
            visitor.ask(request(own))
            await visitor.hear()
    assert [thread is threading.current_thread() for thread in asked_in] == [True, False, False]


# --- who may open it ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "origin",
    [None, f"http://{HOST}", f"https://{HOST}", "https://allowed.example"],
    ids=["none", "same", "tls", "listed"],
)
@live
async def test_the_own_page_and_programs_may_connect(app, key, origin):
    async with Visitor(app, origin=origin) as visitor:
        await still_works(visitor, key)


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "http://page.example",  # another port is another origin
        "http://page.example:8502",
        f"http://{HOST}.evil.example",
        f"http://evil.example/{HOST}",
        f"http://{HOST}@evil.example",
        "https://allowed.example.evil.example",
        "http://allowed.example",
        "null",
        "",
        "file://",
        "http://[::1",
        "http://]",
        "\x7f",
    ],
)
@live
async def test_a_foreign_page_is_refused(app, key, origin):
    with pytest.raises(Refused) as refusal:
        async with Visitor(app, origin=origin):
            pass
    assert refusal.value.args == (1008,)
    async with Visitor(app) as visitor:
        await still_works(visitor, key)


@live
async def test_only_so_many_connections_are_open_at_once(store, assets, key, monkeypatch):
    assert MAX_CONNECTIONS >= 100
    monkeypatch.setattr(channel_module, "MAX_CONNECTIONS", 2)
    app = Starlette(routes=Channel(store, assets).routes())
    async with Visitor(app) as one:
        async with Visitor(app) as two:
            with pytest.raises(Refused):
                async with Visitor(app):
                    pass
            await still_works(two, key)
        async with Visitor(app) as after:  # a place is free again
            await still_works(after, key)
        await still_works(one, key)


# --- bad messages ------------------------------------------------------------------------------------------------

SURROGATE = "\\ud800"
BAD = {
    "empty": "",
    "no JSON": "{",
    "words": "hello",
    "a number": "1",
    "null": "null",
    "a list": "[1, 2]",
    "a string": '"chunks"',
    "not a number": "NaN",
    "two objects": "{}{}",
    "too long": json.dumps({"x": "y" * MAX_MESSAGE}),
    "far too long": "x" * 5_000_000,
    "deep lists": "[" * (MAX_MESSAGE - 1),
    "deep objects": '{"a":' * (MAX_MESSAGE // 5),
    "deep and closed": "[" * 8000 + "]" * 8000,
    "a number of 5,000 digits": "9" * 5000,
    "no document": "{}",
    "an unknown document": json.dumps(request("../README.md")),
    "an unknown kind": json.dumps({"doc": sample_names()[0], "kind": "delete"}),
    "a kind that is a list": json.dumps({"doc": sample_names()[0], "kind": ["chunks"]}),
    "half a character as document": f'{{"doc": "{SURROGATE}"}}',
    "half a character as kind": f'{{"doc": "{sample_names()[0]}", "kind": "{SURROGATE}"}}',
    "panes of a wrong type": json.dumps({"doc": sample_names()[0], "panes": "x"}),
    "a negative offset": json.dumps({"doc": sample_names()[0], "panes": [{"from": -1}]}),
}


@pytest.mark.parametrize("name", BAD)
@live
async def test_a_bad_message_gets_an_error_and_the_conversation_goes_on(app, key, name):
    async with Visitor(app) as visitor:
        visitor.say(BAD[name])
        found = await visitor.hear()
        assert found["error"]
        assert "panes" not in found
        await still_works(visitor, key)


SETTINGS_WITH_HALVES = (
    f'{{"doc": "%s", "seq": 3, "panes": [{{"settings": {{"mode": "{SURROGATE}", "size": "{SURROGATE}"}}}}]}}'
)


@live
async def test_half_a_character_in_the_settings_is_mended_like_any_other_value(app, key):
    """The notice quotes what was found; a socket cannot carry half a surrogate pair."""
    async with Visitor(app) as visitor:
        visitor.say(SETTINGS_WITH_HALVES % key)
        found = await visitor.hear()
        assert found["seq"] == 3
        assert len(found["panes"][0]["notices"]) == 2
        await still_works(visitor, key)


@pytest.mark.parametrize(
    "seq", [f'"{SURROGATE}"', "NaN", "-Infinity", '"x"', "[1]", "{}", "1e400", "null", "true", '"' + "x" * 15_000 + '"']
)
@live
async def test_a_sequence_number_that_is_none_does_not_silence_the_conversation(app, key, seq):
    async with Visitor(app) as visitor:
        visitor.say(f'{{"doc": "{key}", "seq": {seq}, "panes": [{{}}]}}')
        found = await visitor.hear()
        assert "panes" in found or "error" in found
        await still_works(visitor, key)


@live
async def test_no_depth_of_nesting_silences_the_conversation(app, key):
    """What Python can just read it may not be able to write or to print again."""
    async with Visitor(app) as visitor:
        for depth in (1, 10, 100, *range(300, 1010, 8), 2000, 4000):
            nest = "[" * depth + "]" * depth
            for message in (
                f'{{"doc": "{key}", "seq": {nest}, "panes": [{{}}]}}',
                f'{{"doc": "{key}", "seq": 1, "panes": [{{"settings": {{"mode": {nest}}}}}]}}',
                f'{{"doc": {nest}, "seq": 1}}',
                f'{{"doc": "{key}", "kind": {nest}, "seq": 1}}',
            ):
                visitor.say(message)
                found = await visitor.hear()
                assert "panes" in found or found["error"], depth
        await still_works(visitor, key)


@live
async def test_a_binary_frame_ends_its_own_connection_and_no_other(app, key):
    async with Visitor(app) as other:
        async with Visitor(app) as visitor:
            visitor.say(b"\xff\x00\x01")
            with pytest.raises(Refused, match="1003"):
                await visitor.hear()
        await still_works(other, key)
    async with Visitor(app) as later:
        await still_works(later, key)


@live
async def test_a_fault_of_ours_is_reported_and_logged_and_the_conversation_goes_on(app, key, monkeypatch, caplog):
    def faulty(store, request):
        raise ZeroDivisionError("the cause")

    async with Visitor(app) as visitor:
        with monkeypatch.context() as patch:
            patch.setattr(channel_module, "answer", faulty)
            visitor.ask(request(key, 4))
            found = await visitor.hear()
        assert found["seq"] == 4
        assert found["error"] == "The server could not answer this request."
        assert "the cause" not in json.dumps(found)
        assert "ZeroDivisionError: the cause" in caplog.text
        await still_works(visitor, key)


@live
async def test_an_error_carries_the_number_of_its_request(app, key):
    async with Visitor(app) as visitor:
        visitor.ask(request("unknown", 77))
        found = await visitor.hear()
        assert (found["seq"], found["kind"]) == (77, "chunks")
        assert "no longer held" in found["error"]


@live
async def test_a_visitor_who_leaves_in_the_middle_takes_nobody_along(app, key, store, monkeypatch):
    large = store.put(Document.from_text("word " * 60_000))
    faults = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
    async with Visitor(app) as other:
        for _ in range(5):
            async with Visitor(app) as visitor:
                for seq in range(20):
                    visitor.ask(request(large, seq, size=8 + seq))
        await still_works(other, key)
    assert faults == []


# --- the newest wins ---------------------------------------------------------------------------------------------


async def burst(visitor, key, count):
    """The replies to `count` requests that arrive at once: one for each."""
    for seq in range(count):
        visitor.ask(request(key, seq, unit="word", size=5 + seq))
    return [await visitor.hear() for _ in range(count)]


@pytest.mark.parametrize("count", [1, 2, 3, 10, 100])
@live
async def test_of_many_at_once_the_newest_is_answered_in_full(app, key, count):
    async with Visitor(app) as visitor:
        heard = await burst(visitor, key, count)
    assert Counter(found["seq"] for found in heard) == Counter(range(count))
    full = [found for found in heard if "panes" in found]
    for found in full:
        assert found["panes"][0]["settings"]["size"] == 5 + found["seq"]
    assert all(found == {"seq": found["seq"], "superseded": True} for found in heard if "panes" not in found)
    # Answers come in the order in which they were asked for: an old one never overwrites a newer one.
    assert [found["seq"] for found in full] == sorted(found["seq"] for found in full)
    assert full[-1]["seq"] == count - 1


@live
async def test_what_is_asked_during_a_slow_answer_waits_and_only_the_newest_is_computed(app, store, monkeypatch):
    large = store.put(Document.from_text("x" * (channel_module.INLINE_CHARACTERS + 1)))
    started, go_on = threading.Event(), threading.Event()
    computed = []

    def slow(store, request):
        computed.append(request["seq"])
        started.set()
        assert go_on.wait(PATIENCE)
        return {"seq": request["seq"], "panes": []}

    monkeypatch.setattr(channel_module, "answer", slow)
    async with Visitor(app) as visitor:
        visitor.ask(request(large, 0))
        await asyncio.to_thread(started.wait, PATIENCE)
        for seq in range(1, 6):
            visitor.ask(request(large, seq))
        superseded = [await visitor.hear() for _ in range(4)]
        go_on.set()
        heard = [await visitor.hear(), await visitor.hear()]
    assert [found["seq"] for found in superseded] == [1, 2, 3, 4]
    assert all(found["superseded"] for found in superseded)
    assert [found["seq"] for found in heard] == [0, 5]
    assert computed == [0, 5]


@live
async def test_a_slow_visitor_does_not_delay_another(app, store, key, monkeypatch):
    large = store.put(Document.from_text("x" * (channel_module.INLINE_CHARACTERS + 1)))
    go_on, original = threading.Event(), channel_module.answer

    def slow(store, request):
        if request["doc"] == large:
            assert go_on.wait(PATIENCE)
        return original(store, request)

    monkeypatch.setattr(channel_module, "answer", slow)
    async with Visitor(app) as waiting, Visitor(app) as other:
        waiting.ask(request(large, 1, unit="character"))
        for _ in range(5):
            await still_works(other, key)
        go_on.set()
        assert "panes" in await waiting.hear()


# --- rate --------------------------------------------------------------------------------------------------------


@live
async def test_only_so_many_requests_a_second_are_computed(app, key, monkeypatch):
    rate = 20
    monkeypatch.setattr(channel_module, "MESSAGES_PER_SECOND", rate)
    began = time.monotonic()
    async with Visitor(app) as visitor:
        heard = []
        for seq in range(60):
            visitor.ask(request(key, seq))
            heard.append(await visitor.hear())
    full = sum("panes" in found for found in heard)
    # However slow the machine: a full bucket, and what has come into it since.
    assert full <= rate + rate * (time.monotonic() - began) + 1
    assert [found["seq"] for found in heard] == list(range(60))


@live
async def test_beyond_the_rate_the_newest_still_wins(app, key, monkeypatch):
    """ "Superseded" says that something newer is coming; of the last request that would not be true."""
    monkeypatch.setattr(channel_module, "MESSAGES_PER_SECOND", 20)
    async with Visitor(app) as visitor:
        heard = await burst(visitor, key, 60)
    assert Counter(found["seq"] for found in heard) == Counter(range(60))
    assert next(found for found in heard if found["seq"] == 59)["panes"]


# --- keys --------------------------------------------------------------------------------------------------------


@live
async def test_an_upload_is_reachable_only_with_its_key(app, store):
    secret = store.put(Document.from_text("the secret sentence"))
    guesses = [
        "",
        "*",
        "0",
        "untitled",
        secret[:-1],
        secret + "=",
        secret.swapcase(),
        secret[::-1],
        new_key(),
        f" {secret}",
    ]
    async with Visitor(app) as visitor:
        for guess in guesses:
            visitor.ask(request(guess))
            assert "no longer held" in (await visitor.hear())["error"]
            status, _, body = await fetch(app, f"/live/text/{guess}")
            assert status == 404
            assert b"secret" not in body
        assert (await fetch(app, f"/live/text/{secret}"))[2] == b"the secret sentence"
        store.drop([secret])
        visitor.ask(request(secret))
        assert "no longer held" in (await visitor.hear())["error"]
        assert (await fetch(app, f"/live/text/{secret}"))[0] == 404


@pytest.mark.parametrize(
    "name",
    ["../README.md", "../app.py", "company-handbook.md/../../app.py", "..", "/etc/passwd", "company-handbook.md\0"],
)
@live
async def test_a_samples_name_never_reaches_another_file(app, name):
    async with Visitor(app) as visitor:
        visitor.ask(request(name))
        assert "no longer held" in (await visitor.hear())["error"]
    status, _, body = await fetch(app, f"/live/text/{name}")
    assert status == 404
    assert b"import" not in body
    assert b"root:" not in body


# --- texts -------------------------------------------------------------------------------------------------------


@live
async def test_a_text_comes_byte_for_byte(app, store):
    odd = "".join(map(chr, range(1, 0x300))) + "\u2028\ufeff猫😀\r\n\x85 end\n"
    own = store.put(Document.from_text(odd))
    status, headers, body = await fetch(app, f"/live/text/{own}")
    assert status == 200
    assert body == odd.encode("utf-8")
    assert headers["content-type"] == "text/plain; charset=utf-8"
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert int(headers["content-length"]) == len(body)


@live
async def test_a_bundled_text_comes_by_its_name_and_an_empty_one_is_no_error(app, store):
    name = sample_names()[0]
    status, _, body = await fetch(app, f"/live/text/{name}")
    assert (status, body.decode("utf-8")) == (200, Store().get(name).document.text)
    assert (await fetch(app, f"/live/text/{store.put(Document.from_text(''))}"))[::2] == (200, b"")


@live
async def test_an_unknown_text_is_a_404_in_words_that_nobody_keeps(app):
    status, headers, body = await fetch(app, "/live/text/unknown")
    assert status == 404
    assert b"no longer held" in body
    assert headers["cache-control"] == "no-store"
    assert headers["content-type"].startswith("text/plain")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
@live
async def test_a_text_can_only_be_read(app, key, method):
    assert (await fetch(app, f"/live/text/{key}", method))[0] == 405
    assert (await fetch(app, f"/live/text/{key}"))[0] == 200


# --- modules -----------------------------------------------------------------------------------------------------


@live
async def test_modules_are_served_to_be_kept(app, assets):
    base = f"/live/assets/{version(assets)}"
    for path in ("stage/stage.js", "shared.js"):
        status, headers, body = await fetch(app, f"{base}/{path}")
        assert (status, body) == (200, (assets / path).read_bytes())
        assert "javascript" in headers["content-type"]
        assert headers["cache-control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "stage",
        "stage/",
        "nothing.js",
        "../secret.txt",
        "stage/../../secret.txt",
        "..%2fsecret.txt",
        "%2e%2e/secret.txt",
        "....//secret.txt",
        "..\\secret.txt",
        "//etc/passwd",
        "/etc/passwd",
        "stage/stage.js\0.txt",
        "\0",
        "x" * 5000,
    ],
    ids=lambda path: ascii(path)[:30],
)
@live
async def test_modules_are_all_that_is_served(app, assets, path):
    status, headers, body = await fetch(app, f"/live/assets/{version(assets)}/{path}")
    assert status in (307, 404, 405)
    assert b"secret" not in body
    assert b"root:" not in body
    assert "immutable" not in headers.get("cache-control", "")


@live
async def test_another_version_is_not_served(app):
    assert (await fetch(app, "/live/assets/000000000000/shared.js"))[0] == 404


def test_the_version_changes_with_every_change_of_a_module(assets):
    seen = {version(assets)}
    assert version(assets) in seen
    (assets / "shared.js").write_text("export const b = 3;", "utf-8")
    seen.add(version(assets))
    (assets / "new.js").write_text("", "utf-8")
    seen.add(version(assets))
    (assets / "new.js").rename(assets / "renamed.js")
    seen.add(version(assets))
    assert len(seen) == 4
    assert all(len(one) == 12 and one.isalnum() for one in seen)


# --- base path ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", ["tool", "/tool", "/tool/", "tool/"])
@live
async def test_the_routes_stand_under_the_base_path(store, assets, key, base):
    app = Starlette(routes=Channel(store, assets).routes(base))
    async with Visitor(app, path="/tool/live/ws") as visitor:
        await still_works(visitor, key)
    assert (await fetch(app, f"/tool/live/text/{key}"))[0] == 200
    assert (await fetch(app, f"/tool/live/assets/{version(assets)}/shared.js"))[0] == 200
    assert (await fetch(app, f"/live/text/{key}"))[0] == 404


@pytest.mark.parametrize("base", ["", "/"])
@live
async def test_without_a_base_path_they_stand_at_the_root(store, assets, key, base):
    app = Starlette(routes=Channel(store, assets).routes(base))
    assert (await fetch(app, f"/live/text/{key}"))[0] == 200


@live
async def test_the_routes_work_behind_a_mount(store, assets, key):
    app = Starlette(routes=[Mount("/proxy", routes=Channel(store, assets).routes())])
    assert (await fetch(app, f"/proxy/live/text/{key}"))[0] == 200
    async with Visitor(app, path="/proxy/live/ws") as visitor:
        await still_works(visitor, key)


def test_a_protocol_error_is_what_a_person_may_read():
    assert issubclass(ProtocolError, ValueError)
