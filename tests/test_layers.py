"""Imports run downhill only: app, then ui, then live, then readers and settings, then core, then resources.

The imports are read from the source, those inside functions included, so that nothing hides until it is called.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "playground"

# What each part may import of the project. The package itself is the public API over the parts without a screen.
BELOW = {
    "resources": (),
    "core": ("resources",),
    "settings": ("core", "resources"),
    "readers": ("core", "resources"),
    "retrieval": ("core", "resources"),
    "export": ("core", "resources", "settings"),
    "lessons": ("core", "resources", "retrieval", "settings"),
    "live": ("core", "export", "lessons", "readers", "resources", "retrieval", "settings"),
    "ui": ("core", "export", "lessons", "live", "readers", "resources", "retrieval", "settings"),
    "cli": ("core", "export", "readers", "resources"),
    "__main__": ("cli",),
    "playground": ("core", "readers", "resources", "retrieval"),
    "app": ("ui", "live"),
}
# Who alone may import a library. A library that is not named here is free for all, except in the core.
ONLY_IN = {
    "streamlit": ("ui", "app"),
    "plotly": ("ui",),
    "pandas": ("ui",),
    "starlette": ("live",),
    "anyio": ("live",),
    "asyncio": ("live",),
    "urllib.request": ("resources",),
    "http": ("resources",),
    "socket": (),
    "requests": (),
    "httpx": (),
}
# The core is pure: no files, no processes, no clock, no chance.
NOT_IN_CORE = ("os", "pathlib", "io", "subprocess", "tempfile", "shutil", "time", "random", "secrets", "urllib", "ssl")


# What one module of the core needs all the same, and why.
ALLOWED = {
    # Repairing the errors of hostile code can take for ever; the parser is stopped by the thread's own clock.
    "playground.core.outline.syntax": "time",
    # Grammars are separate packages, each loaded when its language is first seen; the names stand in one table.
    "playground.core.outline.languages": "something computed",
}


def name_of(path: Path, root: Path = ROOT) -> str:
    """`playground/core/spans.py` -> `playground.core.spans`; a package goes by its own name."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def part_of(module: str) -> str:
    """`playground.core.spans` -> `core`; `playground` and `app` are parts of their own."""
    names = module.split(".")
    return names[1] if names[0] == "playground" and len(names) > 1 else names[0]


def imports(source: str, module: str, is_package: bool) -> Iterator[tuple[int, str]]:
    """Line and full name of every module that `source` imports, wherever the statement stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = module.split(".")
            base = base[: len(base) - node.level + is_package] if node.level else []
            origin = ".".join([*base, *filter(None, [node.module])])
            yield node.lineno, origin
            # `from playground import core` and `from urllib import request` import modules, too.
            yield from ((node.lineno, f"{origin}.{alias.name}") for alias in node.names if "." not in origin)
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func).rpartition(".")[2]
            if called in ("import_module", "__import__"):
                argument = node.args[0] if node.args else None
                known = isinstance(argument, ast.Constant) and isinstance(argument.value, str)
                yield node.lineno, argument.value if known else "something computed"


def faults(source: str, module: str, is_package: bool = False) -> list[str]:
    """What `source` imports although its layer must not."""
    part, found = part_of(module), set()
    for line, target in imports(source, module, is_package):
        where = f"{module}:{line} imports {target}"
        if ALLOWED.get(module) == target:
            continue
        if target == "something computed":
            found.add(where)
        elif target.split(".")[0] in ("playground", "app"):
            other = part_of(target)
            # `from playground import chunk`: the package lies above its parts; names that are no part are its own.
            is_module = other in BELOW or target.startswith("playground.")
            if is_module and other != part and other not in BELOW[part] and (other in BELOW or part != "playground"):
                found.add(where)
        else:
            libraries = [name for name in ONLY_IN if target == name or target.startswith(f"{name}.")]
            if any(part not in ONLY_IN[name] for name in libraries):
                found.add(where)
            if part == "core" and target.split(".")[0] in NOT_IN_CORE:
                found.add(where)
    return sorted(found)


def modules() -> list[Path]:
    return [ROOT / "app.py", *sorted(PACKAGE.rglob("*.py"))]


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_imports_run_downhill(path):
    assert faults(path.read_text("utf-8"), name_of(path), path.name == "__init__.py") == []


def test_every_part_has_its_place():
    assert {part_of(name_of(path)) for path in modules()} <= set(BELOW)


def test_the_walk_reaches_every_module():
    assert {"app", "playground", "core", "live", "ui", "readers", "resources", "settings"} <= {
        part_of(name_of(path)) for path in modules()
    }


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("playground.core.spans", "import playground.live.store"),
        ("playground.core.spans", "from playground.ui.state import State"),
        ("playground.core.spans", "from playground.readers import read"),
        ("playground.core.spans", "from playground import settings"),
        ("playground.core.spans", "from playground import Document"),
        ("playground.core.spans", "from ..live import store"),
        ("playground.core.spans", "from .. import ui"),
        ("playground.core.spans", "def f():\n    from playground.settings import parse"),
        ("playground.core.spans", "import importlib\nimportlib.import_module('playground.ui.main')"),
        ("playground.core.spans", "__import__(name)"),
        ("playground.core.spans", "import pandas as pd"),
        ("playground.core.spans", "import plotly.graph_objects as go"),
        ("playground.core.spans", "import streamlit"),
        ("playground.core.spans", "from pathlib import Path"),
        ("playground.core.spans", "import urllib.request"),
        ("playground.readers.text", "from playground.live.store import STORE"),
        ("playground.readers.text", "from playground.settings import parse"),
        ("playground.settings", "from playground.live import protocol"),
        ("playground.resources", "from playground.core.document import Document"),
        ("playground.live.store", "from playground.ui.address import PAGES"),
        ("playground.live.store", "from streamlit.runtime import get_instance"),
        ("playground.live.protocol", "import pandas"),
        ("playground.live.protocol", "from plotly import graph_objects"),
        ("playground.ui.state", "import app"),
        ("playground.ui.charts", "import socket"),
        ("playground.ui.charts", "from urllib import request"),
        ("playground", "from playground.ui.main import main"),
    ],
)
def test_a_violation_would_be_noticed(module, source):
    assert len(faults(source, module, is_package=module in ("playground", "playground.resources"))) >= 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        (
            "app",
            "import streamlit as st\nfrom playground.live.store import STORE\nfrom playground.ui import components",
        ),
        (
            "playground.ui.state",
            "import streamlit\nfrom playground.live.store import STORE\nfrom .address import PAGES",
        ),
        ("playground.live.store", "from playground.readers import read\nfrom playground.core.document import Document"),
        (
            "playground.core.rulers",
            "import numpy as np\nfrom playground.resources import encoding\nfrom . import spans",
        ),
        ("playground", "from playground.core.document import Block, Document\nfrom playground.readers import read"),
    ],
)
def test_an_import_downhill_is_free(module, source):
    assert faults(source, module, is_package=module == "playground") == []
