"""The benchmark harness: it finds records, keeps limits on both sides, and says when one breaks."""

import gc
import itertools
from collections import namedtuple

import pytest

from benchmarks import harness, host
from benchmarks.__main__ import main
from benchmarks.harness import Benchmark, discover, fastest, select, speed_ratio


def fake(ratio, limit=2.0, direction="at most", title="a fake against a fake", **options):
    return Benchmark(title, lambda: ratio, limit, direction, **options)


@pytest.mark.parametrize(
    ("ratio", "direction", "code"),
    [
        (1.9, "at most", 0),
        (2.1, "at most", 1),
        (2.1, "at least", 0),
        (1.9, "at least", 1),
        (float("nan"), "at most", 1),
        (float("nan"), "at least", 1),
    ],
)
def test_a_broken_limit_is_reported_and_fails_the_run(capsys, ratio, direction, code):
    assert main([], found={"fake": [fake(ratio, direction=direction), fake(2.0)]}) == code
    printed = capsys.readouterr().out
    assert ("TOO SLOW" in printed) == bool(code)
    assert printed.count("  ok") == 2 - code


def test_a_benchmark_that_raises_fails_the_run_but_not_the_table(capsys):
    def broken():
        raise RuntimeError("no such engine")

    found = {"fake": [Benchmark("broken one", broken, 1.0), fake(1.0, title="the next one")]}
    assert main([], found=found) == 1
    printed = capsys.readouterr().out
    assert "FAILED: RuntimeError: no such engine" in printed
    assert "the next one" in printed


def test_what_the_host_takes_away_is_said_beside_the_figure(capsys, monkeypatch):
    Times = namedtuple("Times", "user idle steal")
    times = iter([Times(10, 10, 1), Times(16, 11, 4), Times(16, 11, 4), Times(20, 17, 4.1)])
    monkeypatch.setattr(host.psutil, "cpu_times", lambda: next(times))
    assert main([], found={"fake": [fake(1.0), fake(1.5)]}) == 0
    assert capsys.readouterr().out.count("the host took 30 % of the processors away") == 1


def test_words_select_by_module_tag_and_title(capsys):
    found = {
        "gaussian": [fake(1, title="All coalitions", tags=("li",)), fake(1, title="Memory")],
        "browser": [fake(1, title="a slider")],
    }
    assert [b.title for b in select(found, ["gaussian"])] == ["All coalitions", "Memory"]
    assert [b.title for b in select(found, ["li"])] == ["All coalitions"]  # a word, not part of one
    assert [b.title for b in select(found, ["slider"])] == ["a slider"]
    assert len(select(found, [])) == 3
    assert main(["nonsense"], found=found) == 2
    assert "nonsense" in capsys.readouterr().err


def test_every_record_in_the_repository_is_well_formed():
    found = discover()
    assert "gaussian" in found
    titles = [benchmark.title for benchmarks in found.values() for benchmark in benchmarks]
    assert len(titles) == len(set(titles))
    for benchmark in itertools.chain.from_iterable(found.values()):
        assert isinstance(benchmark, Benchmark)
        if benchmark.goal is not None:
            assert benchmark.holds(benchmark.goal)


@pytest.mark.parametrize("wrong", [{"direction": "below"}, {"title": ""}, {"limit": 0.0}])
def test_a_malformed_record_is_refused(wrong):
    with pytest.raises(ValueError):
        fake(1.0, **wrong)


@pytest.fixture
def little_to_collect():
    """The harness collects garbage before every run: what other tests left in this process is none of its business."""
    gc.collect()
    gc.freeze()  # never undone: all that tests/conftest.py froze would come back with it


@pytest.mark.usefixtures("little_to_collect")
def test_sides_alternate_preparation_is_not_timed_and_the_fastest_run_counts(monkeypatch):
    clock = itertools.count()
    state = {"now": 0.0}
    monkeypatch.setattr(harness.time, "perf_counter", lambda: state["now"])
    order = []

    def work(name, seconds):
        def run(*_):
            order.append(name)
            state["now"] += seconds + 5.0 * (next(clock) < 4)  # the first runs are slow

        return run

    def prepare():
        state["now"] += 100.0

    assert fastest(work("a", 3.0), (prepare, work("b", 2.0)), repetitions=4) == [3.0, 2.0]
    assert order == ["b", "a", "a", "b", "b", "a", "a", "b", "b", "a"]
    assert speed_ratio(work("a", 3.0), (prepare, work("b", 2.0)), repetitions=1) == 1.5
