"""For all tests: the hypothesis profile (the same examples on every run, and no clock), and an oracle for vectors."""

from __future__ import annotations

import logging
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "steady",
    deadline=None,
    derandomize=True,
    max_examples=50,
    print_blob=False,
    # How fast a slow machine generates examples says nothing about the code.
    suppress_health_check=[HealthCheck.too_slow],
)
# For a hunt by hand: pytest --hypothesis-profile=thorough
settings.register_profile("thorough", settings.get_profile("steady"), max_examples=1000, derandomize=False)
settings.load_profile("steady")


@pytest.fixture(scope="session")
def wordllama():
    """The package's own inference; importing it adds a handler to the root logger, which is taken away again."""
    before = list(logging.getLogger().handlers), logging.getLogger().level
    from wordllama import WordLlama

    folder = Path(find_spec("wordllama").submodule_search_locations[0])
    model = WordLlama.load(cache_dir=folder, disable_download=True)
    logging.getLogger().handlers[:], logging.getLogger().level = before
    model.tokenizer.encode_special_tokens = True  # "</s>" in a text is text
    return model
