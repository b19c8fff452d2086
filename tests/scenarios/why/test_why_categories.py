"""What stands behind "Why?" on the Categories page: over generated scenarios, held against figures made here.

Each sentence must match one of the forms below, which say what its figures must be: none goes unchecked.
"""

import numpy as np
import pytest

from tests.scenarios.why.reading import FACTOR, PER_CENT, TRIED, checked, some_recipients, stands_for, the
from trustscope import datasets
from trustscope.datasets.patients import patients
from trustscope.engine import keys
from trustscope.scenarios.categories.column import column_of
from trustscope.scenarios.categories.model import Model as CategoriesModel
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.categories.why import why as categories_why


@pytest.fixture(scope="module")
def categories_models():
    iris = datasets.load("iris")
    return [
        CategoriesModel(patients(), column_of(patients(), "Disease", 10), 12, "people"),
        CategoriesModel(iris, column_of(iris, "Petal length", 4), 12),
    ]


def drawn_figures(rng, ps, shares, prior, rows=30_000):
    """Share of best guesses that are right and mean belief in the truth, of independent copies that are really made."""
    size = len(shares)
    truth = rng.choice(size, rows, p=shares)
    joint = np.tile(np.log(prior), (rows, 1))
    for p in ps:
        copy = np.where(rng.random(rows) < p, truth, rng.integers(size, size=rows))
        likelihood = np.full((rows, size), np.log((1 - p) / size))
        likelihood[np.arange(rows), copy] = np.log(p + (1 - p) / size)
        joint += likelihood
    belief = np.exp(joint - joint.max(axis=1, keepdims=True))
    belief /= belief.sum(axis=1, keepdims=True)
    likeliest = belief >= belief.max(axis=1, keepdims=True) - 1e-9  # of equally likely values any one is named
    named = float((likeliest[np.arange(rows), truth] / likeliest.sum(axis=1)).mean())
    return max(named, float(shares.max())), float(belief[np.arange(rows), truth].mean())


def factor_of(text):
    return float(text.replace("\u202f", "").replace("−", "-"))


def categories_forms(picture, model, rng):
    settings = picture.settings
    who = settings.coalition
    size, shares = model.size, np.bincount(model.codes, minlength=model.size) / model.rows
    gammas = [1 + size * r.trust / (100 - r.trust) if r.trust < 100 else np.inf for r in who]
    prior = shares if settings.prior == "statistics" else np.full(size, 1 / size)

    def odds(text, value):
        return factor_of(text) == pytest.approx(value, rel=0.06)

    def pooled(ps, right, belief):
        found = drawn_figures(rng, ps, shares, np.maximum(prior, 1e-300))
        return stands_for(right, found[0], 0.012) and stands_for(belief, found[1], 0.012)

    return {
        "original": (r"(.+)'s copy carries everything: it keeps .*", lambda name: the(name, who).trust == 100),
        "only": (
            rf"(.+)'s copy keeps a value with probability (\d+) % .* that it shows by {FACTOR}\.",
            lambda name, trust, times: len(who) == 1 and who[0].trust == int(trust) and odds(times, gammas[0]),
        ),
        "nested": (
            r"(.+)'s copy carries all the information: every other .*",
            lambda name: settings.scheme == "nested" and the(name, who).trust == max(r.trust for r in who),
        ),
        "independent": (
            rf"Each of the (\w+) copies is .*: (.+)'s multiplies .* value by {FACTOR}, .* together by {FACTOR}\.",
            lambda many, name, one, every: (
                settings.scheme == "independent"
                and the(name, who).trust == max(r.trust for r in who)
                and odds(one, max(gammas))
                and odds(every, np.prod(gammas))
            ),
        ),
        "nothing": (
            r"The attacker knows nothing beforehand, takes all (\d+) values .*",
            lambda many: settings.prior == "nothing" and int(many) == size,
        ),
        "statistics": (
            rf"The attacker knows how frequent .* naming (.+) is right for {PER_CENT}\.",
            lambda name, rate: model.column.labels[int(np.argmax(shares))] == name and stands_for(rate, shares.max()),
        ),
        "if nested": (
            rf"With nested copies they .* what (.+)'s tells alone: {PER_CENT} guessed right, .* {PER_CENT} in the .*",
            lambda name, right, belief: pooled([max(r.trust for r in who) / 100], right, belief),
        ),
        "if independent": (
            rf"With independent copies (?:about )?{PER_CENT} would be .* of (?:about )?{PER_CENT} in the .*",
            lambda right, belief: pooled([r.trust / 100 for r in who], right, belief),
        ),
    }


def test_why_on_the_categories_page(categories_models):
    rng, used = keys.rng(6, "why", "categories"), set()
    draws = keys.rng(7, "why", "draws")
    for trial in range(TRIED):
        model = categories_models[trial % 2]
        scenario = model.fit_to_data(CategoriesScenario().replace({
            "settings.recipients": some_recipients(rng, 6 if trial % 5 == 0 else 3),
            "settings.scheme": str(rng.choice(["nested", "independent"])),
            "settings.prior": str(rng.choice(["statistics", "nothing"])),
            "view.closer": "",
        }))  # fmt: skip
        picture = model.preview(scenario)
        text = categories_why(picture, model)
        assert bool(text) == bool(scenario.settings.coalition)
        forms = categories_forms(picture, model, draws)
        if trial % 6:  # copies are really made for one in six; the forms are compared for all
            forms |= {name: (forms[name][0], lambda *found: True) for name in ("if nested", "if independent")}
        used |= set(checked(text, forms))
    assert used == set(forms)
