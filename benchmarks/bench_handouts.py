"""Films, pictures of links, reports and slides of the default Trust scenario: how large they are, and what they take.

Times are told against working the scenario out over all rows, as a report does. On one core of 2026: a film takes 2
seconds and has 690 kB as GIF (520 kB as APNG, 220 kB as WebM), a picture of a link 0.5 s and 36 kB, a report 260 kB
(735 kB as PDF), slides 58 kB, PowerPoint 104 kB. `bench_explorable.py` has explorables (19 s and 320 kB for Trust, 11 s
and 210 kB for Categories) and lessons in files (0.3 to 26 s, 82 to 181 kB).
"""

from functools import cache
from time import process_time

from benchmarks.harness import Benchmark
from trustscope.handouts.film import film, poster
from trustscope.handouts.report import report, slides
from trustscope.handouts.report.powerpoint import powerpoint
from trustscope.scenarios.trust import metrics
from trustscope.scenarios.trust.scenario import TrustScenario

SCENARIO = TrustScenario()
MEGABYTE = 1_000_000
MAKERS = {
    "film": lambda: film(SCENARIO, ".gif"),
    "picture": lambda: poster(SCENARIO),
    "report": lambda: report(SCENARIO).encode(),
    "slides": lambda: slides([SCENARIO]).encode(),
    "powerpoint": lambda: powerpoint([SCENARIO]),
}


TIMES = 2  # the first one imports what is drawn with, and finds caches as the benchmarks before left them


@cache
def made(what: str) -> tuple[int, float]:
    """Bytes, and seconds of the processor, of a hand-out of data that have been read."""
    metrics.make_model(SCENARIO)
    seconds = []
    for _ in range(TIMES):
        began = process_time()
        found = MAKERS[what]()
        seconds.append(process_time() - began)
    return len(found), min(seconds)


@cache
def worked_out() -> float:
    """Seconds of the processor for all figures, those of attackers that are not ticked too."""
    seconds = []
    for _ in range(TIMES):
        model = metrics.make_model(SCENARIO)
        began = process_time()
        metrics.metrics_of(metrics.whole(SCENARIO, complete=True, loaded=model))
        seconds.append(process_time() - began)
    return min(seconds)


def size(what: str, limit: int):
    """Bytes against what they may be."""
    return lambda: made(what)[0] / limit


def time(what: str):
    """Against working the scenario out."""
    return lambda: made(what)[1] / worked_out()


BENCHMARKS = [
    Benchmark("a film of Trust as GIF, against 2 MB", size("film", 2 * MEGABYTE), 0.5),
    Benchmark("a picture of a link, against 100 kB", size("picture", 100_000), 0.6),
    Benchmark("a report of Trust, against 2 MB", size("report", 2 * MEGABYTE), 0.3),
    Benchmark("slides of Trust, against 1 MB", size("slides", MEGABYTE), 0.15),
    Benchmark("slides for PowerPoint, against 1 MB", size("powerpoint", MEGABYTE), 0.3),
    Benchmark("time for a film, against working the scenario out", time("film"), 3.0),
    Benchmark("time for a picture of a link, against working the scenario out", time("picture"), 0.5),
    Benchmark("time for a report, against working the scenario out", time("report"), 5.0),
    Benchmark("time for slides, against working the scenario out", time("slides"), 4.0),
]
