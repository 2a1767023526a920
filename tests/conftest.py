"""The hypothesis profile of all tests: the same examples on every run, and no clock."""

from __future__ import annotations

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
