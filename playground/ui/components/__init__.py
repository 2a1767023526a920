"""The page's own components: each a folder of HTML, CSS and JavaScript modules, without a build step."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from playground.live.channel import version

FOLDER = Path(__file__).parent

# Streamlit takes one inline script. This one only fetches the component's module, which may then import others.
_LOADER = """
export default function (component) {{
  const path = location.pathname.endsWith("/") ? location.pathname : location.pathname + "/";
  const url = new URL(path + "live/assets/{version}/{name}/{name}.js", location.origin);
  let unmount, gone = false;
  import(url.href).then(
    (module) => {{ if (!gone) unmount = module.mount(component); }},
    () => {{
      const root = component.parentElement.firstElementChild ?? component.parentElement;
      root.textContent = "The live part of the page could not be loaded. Start it with: streamlit run app.py";
    }},
  );
  return () => {{ gone = true; unmount?.(); }};
}}
"""


@cache
def component(name: str, *styles: str) -> Callable[..., Any]:
    """Register the component in folder `name`, with shared style sheets; returns what mounts it."""
    sheets = ["shared/tokens.css", *styles]
    return st.components.v2.component(
        f"chunking_{name}",
        html=(FOLDER / name / f"{name}.html").read_text("utf-8"),
        css="\n".join((FOLDER / sheet).read_text("utf-8") for sheet in sheets),
        js=_LOADER.format(version=version(FOLDER), name=name),
    )
