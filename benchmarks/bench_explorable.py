"""Explorables and lessons in a file: what a position costs against a preview, and how large the files are.

A file is to have 500 kB, and 1.5 MB at the most. All positions of an explorable of Trust, some two to four thousand,
are 320 to 380 kB; here there are a tenth of them, which takes seconds.
"""

import json
from functools import cache

from benchmarks.harness import Benchmark, speed_ratio
from trustscope.app.explorable import explorable
from trustscope.app.explorable.lessons import lesson_page
from trustscope.app.explorable.recorder import PageRecorder
from trustscope.handouts.explorable.lever import places, scenario_at
from trustscope.handouts.explorable.levers import chosen
from trustscope.handouts.explorable.packing import columns, text_of
from trustscope.lessons.reader import find
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.trust.scenario import TrustScenario

AIM = 500_000  # bytes
SOME = ["pool", "scheme=nested", "trust:Ministry=20,80"]  # 64 x 2 x 3 positions


@cache
def recorded():
    """A page, and scenarios at some positions of its controls."""
    recorder = PageRecorder(TrustScenario())
    levers = chosen(recorder.scenario, recorder.model, ["scheme", "trust:Ministry=10,20,30,40,60,70,80,90"])
    return recorder, [scenario_at(recorder.scenario, levers, place) for place in places(levers)]


def a_position_against_a_preview():
    """Recording all that a page shows against computing it."""
    recorder, scenarios = recorded()
    model = recorder.model
    plain = [one.replace({"view.closer": ""}) for one in scenarios]
    return speed_ratio(lambda: [recorder.at(one) for one in scenarios], lambda: [model.preview(one) for one in plain])


def packed_against_plain():
    """Bytes of some positions as they stand in the file, against the same as JSON."""
    recorder, scenarios = recorded()
    snapshots = [recorder.at(one) for one in scenarios]
    return len(text_of(columns(snapshots))) / len(json.dumps(snapshots))


def size_of_trust():
    return len(explorable(TrustScenario(), controls=SOME)) / AIM


def size_of_categories():
    return len(explorable(CategoriesScenario(), controls=SOME)) / AIM


def size_of_a_lesson():
    return len(lesson_page(find("two-copies"))) / AIM


BENCHMARKS = [
    Benchmark("a position of an explorable, drawn and recorded, against a preview", a_position_against_a_preview, 4.0),
    Benchmark("positions of an explorable, packed, against JSON", packed_against_plain, 0.12),
    Benchmark("an explorable of Trust with 384 positions, against 500 kB", size_of_trust, 0.5),
    Benchmark("an explorable of Categories with 384 positions, against 500 kB", size_of_categories, 0.5),
    Benchmark("a lesson in a file, against 500 kB", size_of_a_lesson, 0.6),
]
