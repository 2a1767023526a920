"""The live loop: a hand on a slider talks to the core over a WebSocket, without a rerun of the page."""
