"""A visit to the page script, run as Streamlit runs it, without a browser."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

SCRIPT = Path(__file__).parents[2] / "playground" / "ui" / "main.py"


def arriving(**query) -> AppTest:
    """A first visit with `query` in the address, not yet run."""
    visit = AppTest.from_file(str(SCRIPT), default_timeout=120)
    for name, value in query.items():
        visit.query_params[name] = str(value)
    return visit


def sound(visit: AppTest) -> AppTest:
    """`visit`, if its run ended without an exception."""
    assert not visit.exception, [found.message for found in visit.exception]
    return visit


def upload(visit: AppTest, *files: tuple[str, bytes]) -> AppTest:
    """Bring documents."""
    visit.file_uploader[0].set_value([(name, data, "text/plain") for name, data in files])
    return sound(visit.run())
