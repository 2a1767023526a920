"""Chunking Playground: `streamlit run app.py`."""

import streamlit as st
from streamlit import net_util

from playground.live.channel import Channel
from playground.live.store import STORE
from playground.ui.components import FOLDER, SCRIPTS

# Streamlit would ask a public service for this machine's address: to greet with it (the configuration hides that
# greeting; ours is below) and to compare origins with it. Nothing leaves the machine, so there is no such address.
net_util._external_ip = ""

base = st.get_option("server.baseUrlPath") or ""
channel = Channel(STORE, FOLDER, st.get_option("server.corsAllowedOrigins") or (), SCRIPTS)
app = st.App("playground/ui/main.py", routes=channel.routes(base))
print(f"Chunking Playground: http://localhost:{st.get_option('server.port')}/{base.strip('/')}", flush=True)
