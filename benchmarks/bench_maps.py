"""Maps and trade-offs in closed form, against one step of a slider: what is redrawn while it is dragged.

A step is the picture of a position that was not looked at before, with the view that the page opens with.
"""

import functools
from itertools import cycle

import numpy as np

from benchmarks.harness import Benchmark, speed_ratio
from trustscope import datasets
from trustscope.datasets.patients import patients
from trustscope.scenarios.categories import map as category_maps
from trustscope.scenarios.categories.column import column_of
from trustscope.scenarios.categories.model import Model as CategoriesModel
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.grid import along
from trustscope.scenarios.trust import map as maps
from trustscope.scenarios.trust.frontier import frontier
from trustscope.scenarios.trust.model import Model
from trustscope.scenarios.trust.scenario import TrustScenario

STEPS = 3  # steps of a slider that a map may take
SIDE = 40
TIMES = 15


@functools.cache
def trust(columns=6):
    """The adult census, six attributes, as the page opens it."""
    data = datasets.load("adult")
    names = data.numeric[:columns]
    model = Model(data.frame[list(names)].to_numpy(float), names, 12)
    return model, model.fit_to_data(TrustScenario())


def step(model, scenario):
    """A function that makes the picture of the next position of a slider."""
    first, *others = scenario.settings.recipients
    # More places than copies are remembered.
    places = cycle([(trust, other) for trust in range(51, 99) for other in range(2, 40, 5)])

    def move():
        one, other = next(places)
        who = (first.replace({"trust": one}), others[0].replace({"trust": other}), *others[1:])
        return model.preview(scenario.replace({"settings.recipients": who}))

    return move


def trust_map(figure, upwards):
    model, scenario = trust()
    across = along("trust", "trust", np.unique(np.linspace(1, 99, SIDE).round().astype(int)).tolist(), str, None)
    stops = {"recipients": [1 + n % 12 for n in range(SIDE)], "eps": np.linspace(0.5, 20, SIDE).tolist()}
    other = along(upwards, upwards, sorted(stops[upwards]), str, None)
    return speed_ratio(
        lambda: maps.values(model, scenario, figure, across, other), step(model, scenario), repetitions=TIMES
    )


def shapes(figure):
    """Over the shape of the noise there are 21 places."""
    model, scenario = trust()
    scenario = scenario.replace({"view.map.figure": figure, "view.map.upwards": "similarity"})
    return speed_ratio(lambda: maps.grid(model, scenario), step(model, scenario), repetitions=TIMES)


def trade_off():
    model, scenario = trust()
    asked = scenario.replace({"view.tradeoff.useful": "values"})
    return speed_ratio(lambda: next(frontier(model, asked)), step(model, scenario), repetitions=TIMES)


def categories():
    model = CategoriesModel(patients(), column_of(patients(), "Disease", 10), 12, "people")
    scenario = model.fit_to_data(CategoriesScenario())
    asked = scenario.replace({"view.map.figure": "raised", "view.map.upwards": "rho1"})
    return speed_ratio(lambda: next(category_maps.grid(model, asked)), step(model, scenario), repetitions=TIMES)


BENCHMARKS = [
    Benchmark("Map of 40 x 40: variance by trust and recipients, in steps of a slider",
              lambda: trust_map("explained", "recipients"), STEPS, goal=0.5, tags=("trust", "map")),
    Benchmark("Map of 40 x 40: hits by trust and closeness, in steps of a slider",
              lambda: trust_map("hits", "eps"), STEPS, goal=2, tags=("trust", "map")),
    Benchmark("Map of 40 x 21: hits by trust and shape of the noise, in steps of a slider",
              lambda: shapes("hits"), STEPS, tags=("trust", "map")),
    Benchmark("Trade-off of 2 x 99 points in closed form, in steps of a slider", trade_off, 2 * STEPS, tags=("trust",)),
    Benchmark("Map of 40 x 40: a belief at worst, in steps of a slider", categories, STEPS,
              tags=("categories", "map")),
]  # fmt: skip
