"""Every test of the page is a visitor's first minute."""

from __future__ import annotations

import pytest
import streamlit as st
from streamlit.runtime.caching import cache_resource_api


@pytest.fixture(autouse=True)
def visitor(monkeypatch):
    """Whose session it is: `visitor[0]`. Every test starts without uploads and leaves none behind."""
    present = ["a visitor"]
    monkeypatch.setattr(cache_resource_api, "get_session_id_or_throw", lambda: present[0])
    st.cache_resource.clear()
    yield present
    st.cache_resource.clear()
