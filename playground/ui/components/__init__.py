"""The page's own components: each a folder of HTML, CSS and JavaScript modules, without a build step."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import plotly
import streamlit as st

from playground.live.channel import version

FOLDER = Path(__file__).parent
SCRIPTS = {"plotly.js": Path(plotly.__file__).parent / "package_data" / "plotly.min.js"}
"""Scripts of libraries that components load from this server, by the name under which it has them."""

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
def component(name: str, *styles: str, isolated: bool = True) -> Callable[..., Any]:
    """Register the component in folder `name`, with shared style sheets; returns what mounts it.

    `isolated`: in a shadow root, so that its styles and the page's leave each other alone.
    """
    sheets = ["shared/tokens.css", *styles] if isolated else styles
    return st.components.v2.component(
        f"chunking_{name}",
        html=(FOLDER / name / f"{name}.html").read_text("utf-8"),
        css="\n".join((FOLDER / sheet).read_text("utf-8") for sheet in sheets),
        js=_LOADER.format(version=version(FOLDER), name=name),
        isolate_styles=isolated,
    )
