"""Chunking Playground: `streamlit run app.py`."""

import streamlit as st

from playground.live.channel import Channel
from playground.live.store import STORE
from playground.ui.components import FOLDER

channel = Channel(STORE, FOLDER, st.get_option("server.corsAllowedOrigins") or ())
app = st.App("playground/ui/main.py", routes=channel.routes(st.get_option("server.baseUrlPath") or ""))
