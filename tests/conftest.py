"""Settings of all tests."""

import asyncio
import gc
import os
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path

# Before numpy is imported: tests run side by side, and matrices and trees on all cores each would wait for one another,
# the threads of OpenMP without rest.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import settings

from tests.chromium import FOR_TESTS, find
from tests.quick.sitecustomize import FEW

# Every process that a test starts computes with few people, as the tests do (`quick_curves`).
QUICK = str(Path(__file__).parent / "quick")
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (QUICK, os.environ.get("PYTHONPATH"))))

# The same examples every time: a red run must mean a change, not a draw. HYPOTHESIS_PROFILE=explore looks further.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, max_examples=500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))


# What takes long: whole pages and lessons, whole experiments and sweeps, processes that are started and killed,
# notebooks, the wheel. `make fast` leaves it out.
SLOW = (
    "app/", "datasets/test_data_guard.py", "datasets/test_data_hostile.py", "datasets/test_data_layout.py",
    "datasets/test_data_text_apart.py", "datasets/test_data_upload.py", "engine/test_experiments_",
    "engine/test_known_input.py", "engine/test_known_sample.py", "engine/test_reconstruction_figures.py",
    "engine/test_uniform_multi_pert.py", "lessons/test_lessons.py", "notebooks/", "release/test_append.py",
    "release/test_cluster.py", "release/test_crash.py", "release/test_hostile.py", "release/test_ledger.py",
    "scenarios/test_categories_frontier.py", "scenarios/test_code.py", "scenarios/test_papers",
    "scenarios/test_report.py", "scenarios/test_reproduce.py", "scenarios/test_round_trips.py",
    "scenarios/test_solve_categories.py", "scenarios/test_solve_trust.py", "scenarios/test_survey_frontier.py",
    "scenarios/test_survey_headlines.py", "serving/", "soak/", "test_benchmarks.py", "test_expressions.py",
    "test_wheel.py",
)  # fmt: skip


# Files that share what takes long to make stay with one worker. Most of these go to pages of one app in windows that
# they share (`go_to` in tests/app/conftest.py), and each worker starts the app and opens pages anew: those that go to
# Trust stay together, and those that go elsewhere. Lessons share models.
TOGETHER = {
    "Trust": (
        "app/test_trust_page.py", "app/test_keeping.py", "app/test_frame.py", "app/test_target_page.py",
        "app/test_going_there.py", "app/test_arrivals.py", "app/test_walks.py", "app/release/test_release_browser.py",
    ),
    "others": (
        "app/test_every_page.py", "app/test_categories.py", "app/test_rotation.py", "app/test_survey.py",
        "app/test_presenting.py", "app/test_presenting_a_lesson.py", "app/test_lessons_browser.py",
        "app/test_lessons_by_keyboard.py", "app/test_papers_browser.py",
    ),
    "lessons": ("app/test_lessons_walked.py", "app/test_lesson_curves.py"),
}  # fmt: skip

# A file stays with one worker. Those that take longest come first: begun last, one of them would keep one worker busy
# while the other has nothing left to do.
FIRST = (
    *TOGETHER["others"], *TOGETHER["Trust"], "soak/", "test_wheel.py", "serving/", "app/", "notebooks/",
    "scenarios/test_code.py",
    "scenarios/test_report.py", "plots/test_cards.py", "study/", "lessons/test_lessons.py", "scenarios/test_papers.py",
    "scenarios/test_rotation", "widgets/test_showcase.py", "engine/test_mixed.py", "engine/test_optimal.py",
    "engine/test_mixture.py", "engine/test_single.py", "engine/test_beforehand.py",
    "scenarios/test_trust_headlines.py", "scenarios/test_deck.py", "scenarios/test_reproduce.py",
    "engine/test_experiments_", "release/", "datasets/test_data_upload.py", "test_expressions.py",
)  # fmt: skip


ONE_IN = 5  # of the cases of a sweep `make test` takes one in so many


def pytest_collection_modifyitems(items):
    """Mark what takes long, and begin with it; of sweeps most cases are left to `make soak`."""
    swept: dict[str, int] = {}
    for item in items:
        if _path(item).startswith(SLOW):
            item.add_marker(pytest.mark.slow)
        if item.get_closest_marker("sweep"):
            name = item.nodeid.split("[")[0]
            place = swept[name] = swept.get(name, -1) + 1
            # Each row of a table begins one case later than the row before: every value of a column has its turn.
            if (place + place // ONE_IN) % ONE_IN:
                item.add_marker(pytest.mark.long)
    items.sort(key=lambda item: next((i for i, name in enumerate(FIRST) if _path(item).startswith(name)), len(FIRST)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give the files of each of `TOGETHER` to one worker; all others go file by file, as `--dist loadfile` does."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Together(LoadFileScheduling):
        def _split_scope(self, nodeid):
            file = super()._split_scope(nodeid)
            return next((name for name, files in TOGETHER.items() if file.removeprefix("tests/") in files), file)

    return Together(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session):
    """Look for no garbage while tests are imported, and leave them out of all later collections of garbage: each would
    go through a million objects."""
    gc.disable()
    _import_a_part(session.config)
    found = yield
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 10, 10)  # one page is made of as many objects, which stay until its test is over
    return found


def _import_a_part(config):
    """Import a part of all tests first, each worker another: what one has compiled the others find compiled.

    On a new checkout three workers that begin with the same file would compile everything three times.
    """
    place, count = (os.environ.get(f"PYTEST_XDIST_{name}", "") for name in ("WORKER", "WORKER_COUNT"))
    if not place or config.args != config.getini("testpaths"):
        return
    here = Path(__file__).parent
    for path in sorted(here.rglob("test_*.py"))[int(place.removeprefix("gw")) :: int(count)]:
        with suppress(Exception):  # pytest says what is wrong with it, in its turn
            import_module(".".join(path.relative_to(here.parent).with_suffix("").parts))


def _path(item) -> str:
    return _below_here(item.path)


@cache
def _below_here(path: Path) -> str:
    return str(path.relative_to(Path(__file__).parent))


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


@pytest.fixture(scope="session", autouse=True)
def quick_curves():
    """Curves of the strongest attacker from fewer people, which takes a fiftieth of the time, here and in every process
    that a test starts (`QUICK`); `tests/engine` has the whole."""
    from trustscope.engine.attacks.optimal import Limits
    from trustscope.scenarios.trust import judge

    judge.LIMITS = Limits(**FEW)


@pytest.fixture(scope="module")
def few_others():
    """An insider who tries on fewer people how to guess, and fewer mirror images, in a quarter of the time;
    `tests/engine` has the whole."""
    from trustscope.engine.attacks.known_input import columns, others, projected
    from trustscope.engine.attacks.known_sample import clouds

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(others, "REFERENCES", 192)
        patch.setattr(columns, "TRIED", 64)
        patch.setattr(projected, "REFERENCES", 128)
        patch.setattr(clouds, "TRIED", 4)
        patch.setattr(clouds, "ROUGH", 96)
        patch.setattr(clouds, "FINE", 300)
        yield


@pytest.fixture
def half_nested():
    """A scheme that somebody registered: half of the noise is one path, the other half is drawn afresh."""
    import numpy as np

    from trustscope import schemes

    register = schemes.scheme(title="Half nested noise", words="Half of the noise is shared.", name="half_nested")
    register(lambda levels: (np.minimum.outer(levels, levels) + np.diag(levels)) / 2)
    yield "half_nested"
    schemes.unregister("half_nested")


@pytest.fixture(scope="session")
def browser():
    """One real browser for all tests that need one: its driver cannot be started twice."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=find(), args=FOR_TESTS)
        yield chromium
        chromium.close()
