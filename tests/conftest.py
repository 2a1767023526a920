"""The hypothesis profile of all tests: the same examples on every run, and no clock."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "steady",
    deadline=None,
    derandomize=True,
    max_examples=60,
    print_blob=False,
    # How fast a slow machine generates examples says nothing about the code.
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")
