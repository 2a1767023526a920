"""The routes beside the page: the WebSocket of the live loop, documents' texts, and the components' modules.

A connection keeps only its newest request: what arrived while an answer was computed is answered as superseded. Large
documents are computed in a thread, so that one visitor's five megabytes do not delay another's slider.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from playground.live.near import Message
from playground.live.protocol import ProtocolError, answer, is_quick
from playground.live.store import Store

LOG = logging.getLogger(__name__)
MAX_MESSAGE = 16 * 2**10
MAX_CONNECTIONS = 400
MESSAGES_PER_SECOND = 250
INLINE_CHARACTERS = 250_000
"""Up to this length a document is answered on the event loop: a thread would cost more than the answer."""


class Channel:
    """The live routes over one store."""

    def __init__(
        self,
        store: Store,
        assets: Path,
        allowed_origins: Sequence[str] = (),
        scripts: Mapping[str, Path] = MappingProxyType({}),
    ) -> None:
        self._store = store
        self._assets = assets
        self._scripts = scripts
        self._allowed = frozenset(allowed_origins)
        self._open = 0

    def routes(self, base: str = "") -> list[BaseRoute]:
        """The routes under the server's base path."""
        prefix = f"/{base.strip('/')}/live" if base.strip("/") else "/live"
        return [
            WebSocketRoute(f"{prefix}/ws", self.socket),
            Route(f"{prefix}/text/{{key}}", self.text),
            *(Route(f"{prefix}/{name}", partial(script, path)) for name, path in self._scripts.items()),
            Mount(f"{prefix}/assets/{version(self._assets)}", Assets(directory=self._assets)),
        ]

    async def text(self, request: Request) -> Response:
        """The text of a document, for whoever holds its key."""
        prepared = await to_thread.run_sync(self._store.get, request.path_params["key"])
        headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
        if prepared is None:
            return PlainTextResponse("This document is no longer held by the server.", 404, headers)
        return Response(prepared.document.text.encode("utf-8"), 200, headers, "text/plain; charset=utf-8")

    async def socket(self, websocket: WebSocket) -> None:
        """Serve one page's live loop until it leaves."""
        if not self._same_origin(websocket) or self._open >= MAX_CONNECTIONS:
            await websocket.close(code=1008)
            return
        await websocket.accept()
        self._open += 1
        try:
            await Conversation(websocket, self._store).run()
        finally:
            self._open -= 1

    def _same_origin(self, websocket: WebSocket) -> bool:
        """Whether the page that opens the socket came from this server (programs send no origin)."""
        origin = websocket.headers.get("origin")
        if origin is None or origin in self._allowed:
            return True
        try:
            return urlsplit(origin).netloc == websocket.headers.get("host")
        except ValueError:
            return False


async def script(path: Path, request: Request) -> Response:
    """A script that a library's package ships, for a day in the browser's cache."""
    return FileResponse(path, headers={"Cache-Control": "public, max-age=86400"}, media_type="text/javascript")


class Assets(StaticFiles):
    """The components' modules, under a path that holds their version: they may be kept for ever."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        """A file, with the permission to keep it."""
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def version(assets: Path) -> str:
    """A short hash of all modules and style sheets: another one whenever any of them changes."""
    digest = sha256()
    for path in sorted(path for path in assets.rglob("*") if path.suffix in (".js", ".css")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:12]


class Conversation:
    """One connection: a reader that keeps the newest request, and a writer that answers it."""

    def __init__(self, websocket: WebSocket, store: Store) -> None:
        self._websocket = websocket
        self._store = store
        self._newest: dict[str, dict[str, object]] = {}
        self._arrived = asyncio.Event()
        self._sending = asyncio.Lock()
        self._allowance, self._counted = float(MESSAGES_PER_SECOND), time.monotonic()

    async def run(self) -> None:
        """Until the page leaves."""
        writer = asyncio.create_task(self._write())
        try:
            while True:
                await self._receive(await self._websocket.receive_text())
        except (WebSocketDisconnect, KeyError):  # KeyError: a binary frame, which the page never sends
            if self._websocket.client_state is WebSocketState.CONNECTED:
                await self._websocket.close(code=1003)
        finally:
            writer.cancel()

    async def _receive(self, text: str) -> None:
        """Keep a request as the newest of its kind; say so at once where it cannot be one."""
        if len(text) > MAX_MESSAGE:
            return await self._send({"error": f"A request has at most {MAX_MESSAGE:,} characters."})
        try:
            request = json.loads(text)
        except (ValueError, RecursionError):
            return await self._send({"error": "A request is a JSON object."})
        if not isinstance(request, dict):
            return await self._send({"error": "A request is a JSON object."})
        if not isinstance(request.get("seq"), int | None):
            return await self._send({"error": "The number of a request (seq) is a whole number."})
        kind = str(request.get("kind", "chunks"))[:20]
        older = self._newest.get(kind)
        self._newest[kind] = request
        self._arrived.set()
        if older is not None:
            await self._send({"seq": older.get("seq"), "superseded": True})
        return None

    def _allowed(self) -> bool:
        """A bucket that fills with `MESSAGES_PER_SECOND` and gives one for each request."""
        now = time.monotonic()
        self._allowance = min(self._allowance + (now - self._counted) * MESSAGES_PER_SECOND, MESSAGES_PER_SECOND)
        self._counted = now
        if self._allowance < 1:
            return False
        self._allowance -= 1
        return True

    async def _write(self) -> None:
        """Answer the newest requests, one after the other, for ever."""
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            while self._newest:
                while not self._allowed():
                    await asyncio.sleep(1 / MESSAGES_PER_SECOND)
                kind = next(iter(self._newest))
                await self._send(await self._answer(self._newest.pop(kind)))

    async def _answer(self, request: dict[str, object]) -> Message:
        try:
            started = time.perf_counter()
            prepared = self._store.held(str(request.get("doc", "")))
            quick = prepared is not None and is_quick(prepared, request, INLINE_CHARACTERS)
            found = answer(self._store, request) if quick else await to_thread.run_sync(answer, self._store, request)
            return {**found, "core_ms": round(1000 * (time.perf_counter() - started), 2)}
        except ProtocolError as error:
            kind = "chunk" if request.get("kind") == "chunk" else "chunks"
            return {"seq": request.get("seq"), "kind": kind, "error": str(error)}
        except Exception:  # a fault of ours must not end the conversation; the log has its trace
            LOG.exception("a live request failed")
            return {"seq": request.get("seq"), "error": "The server could not answer this request."}

    async def _send(self, message: Message) -> None:
        async with self._sending:
            await self._websocket.send_text(json.dumps(message, separators=(",", ":"), ensure_ascii=False))
