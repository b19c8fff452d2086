"""A walk over a grid of settings: headline, captions, tables and pictures are held against each other.

What is said first must never be kinder than what any of the figures says.
"""

import itertools
import re
from functools import cache, partial

import numpy as np
import pandas as pd
import pytest

from trustscope import datasets
from trustscope.app.categories.dashboard import VIEWS
from trustscope.app.categories.pictures import PersonView
from trustscope.app.categories.views import EvidenceView
from trustscope.app.copied import JoiningView
from trustscope.datasets.patients import patients
from trustscope.engine.attacks import posterior
from trustscope.scenarios.categories import promise as promises
from trustscope.scenarios.categories.column import column_of
from trustscope.scenarios.categories.model import Model
from trustscope.scenarios.categories.scenario import PRIORS, SCHEMES, CategoriesScenario, retentions
from trustscope.scenarios.categories.verdict import BELIEF, GAIN, headline, headline_numbers, leaks, measure_of, value
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.statement import MOST_WORDS
from trustscope.scenarios.words import share

TRUSTS = {
    "one": (40,),
    "two": (40, 20),
    "equal": (25, 25, 25),
    "extreme": (99, 1),
    "original": (100, 20),
    "faint": (1, 1, 1),
    "six": (30, 25, 25, 20, 20, 20),
    "eight": (12, 15, 18, 21, 24, 27, 30, 33),
}


def _own(codes, labels):
    frame = pd.DataFrame({"x": pd.Categorical.from_codes(codes, labels)})
    return datasets.Dataset("own", "own", frame, (), ("x",), None, "", "")


def _model(data, column, bins=10):
    return Model(data, column_of(data, column, bins), 12, "people")


def _models():
    return {
        "patients": _model(patients(), "Disease"),
        "1 000 diseases": _model(patients("patients-1000"), "Disease"),
        "numbers in bins": _model(datasets.load("iris"), "Petal length", 6),
        "yes or no": _model(_own(np.arange(400) % 2, ["yes", "no"]), "x"),
        "nearly constant": _model(_own(np.r_[np.zeros(970, dtype=int), np.arange(30) % 4 + 1], list("abcde")), "x"),
        "three rows": _model(_own([0, 1, 1], ["a", "b"]), "x"),
    }


MODELS = _models()
GRID = list(itertools.product(MODELS, TRUSTS, SCHEMES, PRIORS))
POOLING = partial(JoiningView, "categories", "Who joins", 300)


def picture_of(name, trusts, scheme, prior, closer=""):
    model = MODELS[name]
    changes = {"settings.recipients": recipients(*TRUSTS[trusts]), "settings.scheme": scheme, "settings.prior": prior}
    return model, model.preview(model.fit_to_data(CategoriesScenario().replace(changes | {"view.closer": closer})))


@cache
def shown(kind):
    """A view of this kind, made once: it shows one picture after the other, as on the page."""
    return kind()


def number(text):
    """A share that was written: as a pair of what it can be at least and at most."""
    digits = float(re.sub(r"[^\d.]", "", text))
    if text.startswith("<"):
        return 0.0, digits
    return (digits, 100.0) if text.startswith(">") else (digits - 0.5, digits + 0.5)


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "trusts", "scheme", "prior"), GRID)
def test_the_headline_says_what_the_figures_say(name, trusts, scheme, prior):
    model, picture = picture_of(name, trusts, scheme, prior)
    said, joining, settings = headline(picture, model.noun), picture.joining, picture.settings
    assert 0 < len(said.title.split()) <= MOST_WORDS
    assert said.title.endswith(".")
    assert "nan" not in " ".join(map(str, vars(said).values())).lower()
    measure = measure_of(joining)
    pooled = value(joining.last(settings.scheme), measure)
    low, high = number(said.after)
    assert low <= 100 * max(pooled, value(joining.alone, measure)) <= high
    if len(settings.recipients) > 1 and settings.best.trust < 100:
        # What is possible without any copy stands beside it, and is never more than what copies give.
        assert f"{share(value(joining.without, measure))} without any copy" in said.label
        assert joining.without.right <= joining.alone.right + 1e-9
        assert number(said.before)[0] <= number(said.after)[1]
    # A tone of calm only where no figure of the coalition is above its best member's.
    gains = [value(joining.last(settings.scheme), kind) - value(joining.alone, kind) for kind in ("right", "belief")]
    if said.tone == "safe":
        assert max(gains) <= 1e-9
    if "change no guess" in said.title:  # then nobody is given away whom nobody would guess without copies
        assert model.exposed(settings).worst == 0
    if said.tone == "leak" and len(settings.coalition) > 1 and settings.best.trust < 100:
        assert max(gains) > GAIN
        assert leaks(picture)
        numbers = headline_numbers(picture)
        assert numbers.gain > 0
        assert (numbers.measure == BELIEF) == ("belief" in said.label)


@pytest.mark.parametrize(("name", "trusts", "scheme", "prior"), GRID[::3])
def test_pictures_and_tables_show_the_headlines_numbers(name, trusts, scheme, prior):
    model, picture = picture_of(name, trusts, scheme, prior, "coalitions")
    said, joining, settings = headline(picture, model.noun), picture.joining, picture.settings
    pooling, person = shown(POOLING), shown(PersonView)
    pooling.show_picture(picture, model)
    person.show_picture(picture, model)
    lengths = pooling.plot.lengths(("nested", "independent"), pooling.plot.frame["names"])
    nested, independent = (np.array(lengths[name]) for name in ("nested", "independent"))
    last = lengths[scheme][-1]
    low, high = number(said.after)
    assert low - 0.01 <= 100 * last <= high + 0.01
    assert nested.min() == nested.max()
    assert (np.diff(independent) >= 0).all()
    assert (independent >= nested - 1e-4).all()
    measure = measure_of(joining)
    assert pooling.plot.baseline == pytest.approx(value(joining.without, measure), abs=1e-5)
    if picture.coalitions is not None:
        view = shown(VIEWS["coalitions"])
        view.show_picture(picture, model)
        names = view.plot.frame["names"]
        assert len(names) == 2 ** len(settings.recipients) - 1
        # The coalition at work has one figure everywhere, and no coalition of all is below it.
        everyone = view.plot.lengths((scheme,), [names[view.plot.frame["masks"].index(len(names))]])[scheme][0]
        assert everyone == pytest.approx(max(last, value(joining.alone, measure)), abs=2e-3)


@pytest.mark.parametrize(("name", "trusts", "scheme", "prior"), GRID[1::3])
def test_one_person_is_believed_by_bayes_rule(name, trusts, scheme, prior):
    model, picture = picture_of(name, trusts, scheme, prior)
    seen, settings = picture.person, picture.settings
    view = shown(PersonView)
    view.show_picture(picture, model)
    rows = view.candidates.rows
    assert sum(row["true"] for row in rows) == 1
    for column in view.candidates.names:
        assert sum(row[column] for row in rows) == pytest.approx(1, abs=1e-3)
    who = settings.coalition
    belief = posterior.belief(
        [seen.seen[r.number] for r in who], retentions(who), model.size, scheme=scheme, prior=model.prior(settings)
    )
    column = "together" if len(who) > 1 else "alone"
    assert next(row[column] for row in rows if row["true"]) == pytest.approx(belief[seen.truth], abs=1e-5)
    given = [one["name"] for row in rows for one in row["given"]]
    assert sorted(given) == sorted(r.name for r in settings.recipients)
    if scheme == "nested" and len(who) > 1:
        assert [row["together"] for row in rows] == [row["alone"] for row in rows]


@pytest.mark.parametrize(("name", "trusts", "scheme", "prior"), GRID[2::5])
def test_measured_marks_never_contradict_the_headline(name, trusts, scheme, prior):
    model, picture = picture_of(name, trusts, scheme, prior, "evidence")
    view = shown(EvidenceView)
    view.show_picture(picture, model)
    assert "✗" not in view.plot.html
    few = model.rows < 30
    assert ("too few rows" in view.plot.html) == few
    for result in picture.results.values():
        assert result.right.agrees in (("few",) if few else (True,))


@pytest.mark.parametrize(("name", "trusts", "scheme", "prior"), GRID[::7])
def test_no_promise_is_kept_by_one_figure_and_broken_by_another(name, trusts, scheme, prior):
    model, picture = picture_of(name, trusts, scheme, prior)
    settings = picture.settings
    judged = promises.judge(settings, model.size, settings.recipients[0])
    assert judged.worst.gamma >= judged.coalition.gamma * (1 - 1e-12)
    assert judged.worst.gamma >= judged.one.gamma * (1 - 1e-12)
    if judged.worst.keeps_rho:
        assert judged.one.keeps_rho
        assert judged.coalition.keeps_rho
    # What the person in the picture is believed to have never exceeds what is called the worst.
    seen = picture.person
    worst = promises.raised(seen.before, judged.coalition.gamma)
    assert (seen.together <= worst + 1e-9).all()
