"""Settings of all tests."""

import asyncio
import os
from pathlib import Path

# Before numpy is imported: tests run side by side, and matrices on all cores each would wait for one another.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import settings

from tests.chromium import FLAGS, find

# The same examples every time: a red run must mean a change, not a draw. HYPOTHESIS_PROFILE=explore looks further.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, max_examples=500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))


# What takes long: whole experiments, processes that are started and killed, notebooks, the wheel. `make fast` leaves it
# out.
SLOW = (
    "app/test_command.py", "app/test_papers", "datasets/test_data_guard.py", "datasets/test_data_hostile.py",
    "engine/test_experiments_", "engine/test_known_sample.py", "notebooks/", "release/test_cluster.py",
    "release/test_crash.py", "release/test_hostile.py", "scenarios/test_papers", "scenarios/test_reproduce.py",
    "serving/", "soak/", "test_wheel.py",
)  # fmt: skip


def pytest_collection_modifyitems(items):
    """Mark what takes long."""
    here = Path(__file__).parent
    for item in items:
        if str(item.path.relative_to(here)).startswith(SLOW):
            item.add_marker(pytest.mark.slow)


def _without_loop(item):
    """Hide the loop that the browser's driver leaves running in this thread: a plain test must find none."""
    if item.get_closest_marker("browser"):
        yield
        return
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(running)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_setup(item):
    """See `_without_loop`."""
    yield from _without_loop(item)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_call(item):
    """See `_without_loop`."""
    yield from _without_loop(item)


@pytest.fixture(scope="session")
def browser():
    """One real browser for all tests that need one: its driver cannot be started twice."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=1_000 * int(os.environ.get("PATIENCE", "60")))  # see tests/app/pages.py

    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=find(), args=FLAGS)
        yield chromium
        chromium.close()
