"""The line of a requirement in a trade-off or on a map parts what keeps it from what breaks it.

Every scenario that a point or a place stands for is judged by the solver: it keeps the requirement where the figure
lies on the right side of the line, and nowhere else.
"""

import numpy as np
import pytest

from tests.scenarios import test_solve_categories as slow_categories
from trustscope import datasets
from trustscope.engine import keys
from trustscope.scenarios.categories import frontier as categories_frontier
from trustscope.scenarios.categories import map as categories_map
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.grid import pair
from trustscope.scenarios.rotation import map as rotation_map
from trustscope.scenarios.rotation.model import Model as RotationModel
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.solve import categories, handles, lines, rotation
from trustscope.scenarios.solve.requirement import (
    CategoriesRequirement,
    RotationRequirement,
    SurveyRequirement,
    TrustRequirement,
)
from trustscope.scenarios.survey import frontier as survey_frontier
from trustscope.scenarios.survey.model import Model as SurveyModel
from trustscope.scenarios.survey.population import population
from trustscope.scenarios.survey.scenario import Part, SurveyScenario
from trustscope.scenarios.trust import frontier as trust_frontier
from trustscope.scenarios.trust import map as trust_map
from trustscope.scenarios.trust.model import Model as TrustModel
from trustscope.scenarios.trust.scenario import TrustScenario

PLACES = 40


def places(rng, grid):
    """Some places of a map: the figure there, and its parameters."""
    for _ in range(PLACES):
        row, column = (int(rng.integers(size)) for size in grid.values.shape)
        yield grid.values[row, column], {grid.across.key: grid.across.values[column],
                                         grid.upwards.key: grid.upwards.values[row]}  # fmt: skip


@pytest.fixture(scope="module")
def wine():
    data = datasets.load("wine")
    return TrustModel(data.frame[list(data.numeric[:3])].to_numpy(float), data.numeric[:3], 12)


def trust_scenario(model, *asked, **changes):
    who = recipients(60, 40, 20)
    made = model.fit_to_data(
        TrustScenario().replace({"settings.recipients": who, "settings.sample": 50, "settings.attackers": ("perfect",)})
    )
    return made.replace({"settings.requirements": asked} | {k.replace("__", "."): v for k, v in changes.items()})


@pytest.mark.parametrize(
    ("figure", "required", "near"),
    [
        ("explained", TrustRequirement(attacker="perfect", what="error", limit=0.35), 1e-6),
        ("learnt", TrustRequirement(what="error", limit=0.35, attacker="structured"), 1e-6),
        (
            "hits",
            TrustRequirement(attacker="perfect", what="hits", limit=0.6),
            0.02,
        ),  # the map has hits to about a point
    ],
)
@pytest.mark.parametrize("axes", [("trust", "recipients"), ("trust", "similarity"), ("recipients", "similarity")])
def test_the_line_on_the_map_of_trust(wine, figure, required, near, axes):
    asked = trust_scenario(wine, required, view__map__figure=figure, view__map__across=axes[0],
                           view__map__upwards=axes[1])  # fmt: skip
    limit = lines.on_trust_map(wine.population, asked, figure, axes)
    sides = set()
    for value, there in places(keys.rng(1, "lines", figure, *axes), trust_map.grid(wine, asked, limit.value)):
        if abs(value - limit.value) > near:
            kept = handles.standings(wine, trust_map.placed(asked, there).settings)[0].kept
            assert kept == (value < limit.value), there
            sides.add(kept)
    assert len(sides) == 2 or axes == ("recipients", "similarity")


def test_a_requirement_of_something_else_has_no_line(wine):
    def line(figure, required, axes=("trust", "recipients"), **changes):
        return lines.on_trust_map(wine.population, trust_scenario(wine, required, **changes), figure, axes)

    error, hits = (
        TrustRequirement(attacker="perfect", what="error", limit=0.3),
        TrustRequirement(attacker="perfect", what="hits", limit=0.7),
    )
    assert line("explained", error).value == pytest.approx(0.7)
    assert line("explained", error).asked == "an error of at least 0.3 of any coalition"
    assert line("hits", error) is line("gain", hits) is line("learnt", error) is None
    assert line("explained", error.replace({"attacker": "bayes"})) is None
    assert line("explained", error.replace({"limit": 1.5})) is None
    # Of this coalition only: where their number moves there is none.
    named = error.replace({"coalition": "named", "members": (0, 1, 2)})
    assert line("explained", named) is None
    assert line("explained", named, ("trust", "similarity")).value == pytest.approx(0.7)
    assert line("explained", named.replace({"members": (0, 1)}), ("trust", "similarity")) is None
    three = error.replace({"coalition": "size", "size": 3})
    assert line("explained", three, ("trust", "similarity")).value == pytest.approx(0.7)
    assert line("explained", three.replace({"size": 2}), ("trust", "similarity")) is None
    # Of this attribute and this closeness.
    eps = trust_scenario(wine).settings.eps
    assert line("hits", hits.replace({"distance": eps})).value == 0.7
    assert line("hits", hits.replace({"distance": eps}), ("trust", "eps")) is None
    assert line("hits", hits.replace({"distance": 2 * eps})) is None
    assert line("hits", hits.replace({"attribute": wine.population.names[2]})) is None
    both = trust_scenario(wine, error, error.replace({"limit": 0.5}))
    assert lines.on_trust_map(wine.population, both, "explained", ()).value == 0.5


@pytest.mark.parametrize(("private", "limit"), [("error", 0.35), ("hits", 0.6)])
def test_the_line_in_the_trade_off_of_trust(wine, private, limit):
    required = TrustRequirement(attacker="perfect", what=private, limit=limit)
    asked = trust_scenario(wine, required, view__tradeoff__private=private)
    found = next(trust_frontier.frontier(wine, asked))
    assert found.limit == pytest.approx(limit if private == "error" else 1 - limit)
    assert found.asked
    assert "knows the statistics" in found.note
    near = 1e-6 if private == "error" else 0.02
    for line in found.lines:
        judged = [(p.private > found.limit, handles.standings(wine, p.scenario.settings)[0].kept) for p in line.points
                  if abs(p.private - found.limit) > near]  # fmt: skip
        assert all(above == kept for above, kept in judged)
        assert len(set(judged)) == 2
    assert next(trust_frontier.frontier(wine, trust_scenario(wine))).limit is None


@pytest.mark.parametrize(
    ("figure", "required"),
    [
        ("right", CategoriesRequirement(what="right", limit=70)),
        ("raised", CategoriesRequirement(what="rho", limit=60, before=10)),
        ("grown", CategoriesRequirement(what="delta", limit=60)),
    ],
)
def test_the_line_on_the_map_of_categories(figure, required):
    model = slow_categories.a_model([0.25] * 4)
    who = recipients(60, 40, 20)
    asked = slow_categories.scenario_of(model, who, (required,)).replace({
        "view.map.figure": figure, "settings.promise.rho1": 10,
    })  # fmt: skip
    axes = pair(asked.view.map.across, asked.view.map.upwards, categories_map.offered(asked))
    limit = lines.on_categories_map(asked, axes)
    assert limit.value == pytest.approx(required.limit / 100)
    *_, grid = categories_map.grid(model, asked, limit.value)
    sides = set()
    for value, there in places(keys.rng(2, "lines", figure), grid):
        if abs(value - limit.value) > (0.02 if figure == "right" else 1e-9):  # many copies are drawn
            kept = categories.standings(model, categories_map.placed(asked, there).settings)[0].kept
            assert kept == (value < limit.value), there
            sides.add(kept)
    assert len(sides) == 2
    assert lines.on_categories_map(asked.replace({"view.map.figure": "belief"}), axes) is None
    assert lines.on_categories_map(asked.replace({"settings.promise.rho1": 20}), axes) is None or figure != "raised"
    assert lines.on_categories_map(asked, ("trust", "rho1")) is None or figure != "raised"


def test_the_line_in_the_trade_off_of_categories():
    model = slow_categories.a_model([0.25] * 4)
    required = CategoriesRequirement(what="delta", limit=60)
    asked = slow_categories.scenario_of(model, recipients(60, 40), (required,)).replace({
        "view.tradeoff.private": "growth"
    })  # fmt: skip
    found = next(categories_frontier.frontier(model, asked))
    assert found.limit == pytest.approx(0.4)
    for line in found.lines:
        judged = [(p.private > found.limit, categories.standings(model, p.scenario.settings)[0].kept)
                  for p in line.points if abs(p.private - found.limit) > 1e-9]  # fmt: skip
        assert all(above == kept for above, kept in judged)
        assert len(set(judged)) == 2
    assert lines.on_categories_frontier(asked.replace({"view.tradeoff.private": "right"})) is None


def test_lines_on_the_survey_page():
    data = datasets.load("votes")
    model = SurveyModel(population(data.complete().dataset, data.label))
    asked = model.fit_to_data(SurveyScenario()).replace({
        "settings.requirements": (SurveyRequirement(what="disclosure", limit=30),
                                  SurveyRequirement(what="accuracy", limit=85),
                                  SurveyRequirement(what="accuracy", limit=90)),
    })  # fmt: skip
    assert lines.on_survey_map(asked).value == 0.9
    given = asked.replace({"view.map.figure": "disclosed"})
    # What is drawn is the average, what is required is of every kind: they are the same where there is one kind.
    assert lines.on_survey_map(given) is lines.on_survey_frontier(given) is None
    one = given.replace({"settings.parts": (Part(name="all", weight=1, level=3), Part(name="none", weight=0))})
    assert lines.on_survey_map(one).value == pytest.approx(0.3)
    assert lines.on_survey_frontier(one).value == pytest.approx(0.7)
    assert next(survey_frontier.frontier(model, one)).limit == pytest.approx(0.7)
    assert lines.on_survey_map(one.replace({"view.map.figure": "guess"})) is None


def test_the_line_on_the_map_of_rotation():
    data = datasets.load("iris")
    model = RotationModel(data.frame[list(data.numeric)].to_numpy(float), data.numeric, 12)
    required = RotationRequirement(what="known", limit=60)
    asked = model.fit_to_data(RotationScenario().replace({"view.story": "known", "settings.requirements": (required,)}))
    limit = lines.on_rotation_map(asked, "recovered")
    *_, grid = rotation_map.grid(model, asked, limit.value)
    sides = set()
    for value, there in places(keys.rng(3, "lines"), grid):
        kept = rotation.standing_of(model, rotation_map.placed(model, asked, there), required).kept
        assert kept == (value <= limit.value), there
        sides.add(kept)
    assert len(sides) == 2
    assert np.isfinite(grid.values).all()
    assert lines.on_rotation_map(asked, "exposed") is None
    assert lines.on_rotation_map(asked.replace({"view.story": "sample"}), "recovered") is None
