"""Figures and reports of the default Trust scenario, against what its page computes when it is opened.

Drawing is left out: it depends on the number of plots, not on the rows.
"""

from benchmarks.harness import Benchmark, speed_ratio
from trustscope.scenarios.trust import metrics
from trustscope.scenarios.trust.loading import fetch, load
from trustscope.scenarios.trust.scenario import TrustScenario
from trustscope.scenarios.whole import last

SCENARIO = TrustScenario()


def opened():
    """What the page does: the data, a model of them, and one full pass over the rows."""
    model = load(fetch(SCENARIO), SCENARIO)
    return last(model.stream(model.fit_to_data(SCENARIO)))


def all_figures_against_one_pass():
    return speed_ratio(lambda: metrics.metrics_of(metrics.whole(SCENARIO)), opened)


def report_against_one_pass():
    """All views and all attackers, those that are not ticked too."""
    return speed_ratio(lambda: metrics.metrics_of(metrics.whole(SCENARIO, complete=True)), opened)


BENCHMARKS = [
    Benchmark("all figures of Trust against opening it with one pass", all_figures_against_one_pass, 2.5, tags=("li",)),
    Benchmark(
        "a report of Trust, but for drawing, against opening it with one pass", report_against_one_pass, 3.0,
        tags=("li",),
    ),
]  # fmt: skip
