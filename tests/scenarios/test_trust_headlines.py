"""Headlines and captions of the Trust page are claims: a walk over settings holds them against the figures."""

import itertools
import re

import numpy as np
import pytest

from trustscope import datasets
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.statement import MOST_WORDS
from trustscope.scenarios.trust import contest, words
from trustscope.scenarios.trust.model import Model
from trustscope.scenarios.trust.scenario import MEASURES, TrustScenario
from trustscope.scenarios.trust.verdict import errors, headline, hits, leaks, typical
from trustscope.scenarios.words import share

ROWS = 3_000
TRUSTS = [
    (50,),
    (50, 20),
    (40, 40, 40),
    (99, 1),
    (100, 50),
    (1, 1),
    (50, 45, 40, 40, 35, 35),
    (90, 80, 70, 60, 50, 40, 30, 20),
]
ODD = {
    "a constant column": np.column_stack([np.arange(60.0) % 7, np.full(60, 3.0)]),
    "three rows": np.array([[0.0, 1.0], [2.0, 5.0], [3.0, 3.0]]),
    "mostly zero": np.where(np.arange(900) % 10 == 0, np.arange(900.0), 0.0)[:, None],
    "two values": np.tile([0.0, 1.0], 300)[:, None],
}


def built_in(name):
    data = datasets.load(name)
    columns = data.numeric[:4]
    return Model(data.frame[list(columns)].to_numpy(float)[:ROWS], columns, 12, units=data.units)


@pytest.fixture(scope="module")
def models():
    found = {name: built_in(name) for name in ("census", "adult", "iris", "wine")}
    return found | {name: Model(values, [f"c{i}" for i in range(values.shape[1])], 12) for name, values in ODD.items()}


def number(text):
    """A share as it is written on the page, as an interval of what it may stand for."""
    if text == "< 0.1 %":
        return 0.0, 0.001
    if text == "> 99 %":
        return 0.99, 1.0
    value = float(text.removesuffix(" %"))
    half = 0.05 if "." in text else 0.5
    return (value - half) / 100 - 1e-9, (value + half) / 100 + 1e-9


def check(model, scenario):
    scenario = model.fit_to_data(scenario)
    *_, picture = model.stream(scenario)
    subject = words.subject_of(model.population, scenario.settings.attribute)
    said = headline(picture, subject)
    found, (alone, together) = hits(picture), errors(picture)
    where = (scenario.data.name, scenario.settings.model_dump())
    # Short, whole, and about these figures.
    assert len(said.title.split()) <= MOST_WORDS, said.title
    assert said.title.endswith("."), said.title
    assert not re.search(r"\b(nan|inf|none)\b", str(said).lower()), said
    assert (said.before, said.after) == (
        share(found.without if "alone" in said.title or "original" in said.title else found.alone),
        share(found.together),
    ), where
    # Never kinder than any attacker that is ticked, nor than a guess without copies, beyond sampling error.
    worst = max(
        (r.tally.breach_rate - r.hits_tolerance for r in (*picture.together.values(), *picture.alone.values())),
        default=0,
    )
    assert found.together >= worst - 1e-9, where
    assert found.together >= picture.baseline.rate - 1e-12, where
    assert found.alone >= picture.baseline.rate - 1e-12, where
    assert share(found.without) in said.label or "without any copy" in said.label, said
    # The tone says what the numbers say.
    if said.tone == "safe":
        assert not leaks(picture), where
        assert found.gain <= 0.002 or not found.certain, where
        assert said.before == said.after, (said, where)
    if "Too few" in said.title:
        assert not found.certain, where
    if said.tone == "leak" and "original" not in said.title:
        assert together < alone or found.gain > 0, where
    if scenario.settings.scheme == "nested" and scenario.settings.attackers == ("perfect",):
        assert said.tone != "leak" or "original" in said.title, (said, where)
    # The picture of pooling ends where the headline does, when only the attacker it is drawn for is ticked.
    if scenario.settings.attackers == ("perfect",) and scenario.settings.kind == "absolute":
        assert picture.joining.rates[scenario.settings.scheme][-1] == pytest.approx(found.together, abs=1e-9), where
        assert picture.joining.rates[scenario.settings.scheme][0] == pytest.approx(found.alone, abs=1e-9), where
    assert all(np.diff(rates).min(initial=0) >= 0 for rates in picture.joining.rates.values())
    # The table has the attackers of the headline, and its caption names one of the best.
    rows = {row.attacker: row for row in contest.rows(picture, model.population)}
    assert set(rows) == {*scenario.settings.attackers, "guess"}
    assert contest.caption(picture, model.population)
    # The table has mean squares, and the headline the root of one: its words say so.
    told = re.search(r"typical error (?:is|stays at) (.*?) of a blind guess's", said.note)
    assert told[1] == typical(errors(picture)[1]) if told else "of a blind guess's" not in said.note, where
    return said, picture


@pytest.mark.sweep
@pytest.mark.parametrize("scheme", ["nested", "independent", "proportional"])
@pytest.mark.parametrize("name", ["census", "adult", "iris", "wine", *ODD])
def test_headlines_over_trusts_and_hits(models, name, scheme):
    model = models[name]
    for trusts, kind in itertools.product(TRUSTS, ("absolute", "entry")):
        changes = {"settings.recipients": recipients(*trusts), "settings.scheme": scheme, "settings.kind": kind}
        check(model, TrustScenario().replace(changes | {"view.closer": ""}))


@pytest.mark.sweep
@pytest.mark.parametrize(
    "attackers", [tuple(MEASURES), ("raw",), ("structured", "bayes"), ("noise_distribution",), ("neighbours",)]
)
@pytest.mark.parametrize("name", ["census", "wine", *ODD])
def test_headlines_over_attackers(models, name, attackers):
    model = models[name]
    for scheme, similarity in itertools.product(("nested", "independent"), (1.0, 0.0)):
        changes = {
            "settings.recipients": recipients(60, 40, 30), "settings.scheme": scheme, "settings.attackers": attackers,
            "settings.similarity": similarity, "view.closer": "attackers",
        }  # fmt: skip
        check(model, TrustScenario().replace(changes))


def test_every_attribute_of_adult(models):
    """Capital gain: nine in ten are guessed within 2 500 without any copy, and the headline says so."""
    model = models["adult"]
    for attribute in model.population.names:
        check(model, TrustScenario().replace({"settings.attribute": attribute, "view.closer": ""}))
    gain = built_in_capital_gain()
    changes = {"settings.eps": 2500.0, "settings.scheme": "nested", "settings.attackers": ("perfect", "univariate")}
    said, picture = check(gain, TrustScenario().replace(changes))
    assert picture.baseline.rate > 0.9
    assert number(said.after)[1] >= picture.baseline.rate
    assert said.tone == "quiet"


def built_in_capital_gain():
    data = datasets.load("adult")
    return Model(data.frame[["Capital gain"]].to_numpy(float)[:ROWS], ["Capital gain"], 12)


def test_the_best_constant_is_the_best(models):
    """Held against trying every value of the data, and points between, as the middle."""
    for model in models.values():
        for a in range(model.population.columns):
            values = model.population.values[:, a]
            for eps in (0.0, 0.3, 2.0, 11.0):
                found = model.constants.best(a, eps, "absolute")
                tried = np.unique(np.concatenate([values, values + eps, values - eps, (values[1:] + values[:-1]) / 2]))
                best = max(np.mean(np.abs(values - middle) <= eps + 1e-9) for middle in tried[:400])
                assert found.rate >= best - 1e-12
                assert np.mean(np.abs(values - found.guess) <= eps * (1 + 1e-9) + 1e-9) == pytest.approx(found.rate)


def test_a_headline_that_ignored_the_baseline_would_be_caught(models, monkeypatch):
    from trustscope.scenarios.trust import verdict

    kind = type(hits(full(models["mostly zero"])))
    monkeypatch.setattr(verdict, "hits", lambda p: kind(0.0, 0.1, 0.1, "perfect", False))
    with pytest.raises(AssertionError):
        check(models["mostly zero"], TrustScenario())


def full(model):
    *_, picture = model.stream(model.fit_to_data(TrustScenario()))
    return picture
