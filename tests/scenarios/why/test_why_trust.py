"""What stands behind "Why?" on the Trust page: over generated scenarios, held against figures made here.

Each sentence must match one of the forms below, which say what its figures must be: none goes unchecked.
"""

import numpy as np
import pytest

from tests.scenarios.slow import joint_error
from tests.scenarios.why.reading import PER_CENT, TRIED, checked, sentences, some_recipients, stands_for, the
from trustscope import datasets
from trustscope.engine import keys
from trustscope.scenarios.trust.model import Model as TrustModel
from trustscope.scenarios.trust.scenario import ATTACKERS, LINEAR, SAMPLES, SCHEMES, TrustScenario
from trustscope.scenarios.trust.why import why as trust_why


@pytest.fixture(scope="module")
def trust_models():
    found = []
    for name in ("census", "iris", "wine"):
        data = datasets.load(name)
        columns = data.numeric[:3]
        found.append(TrustModel(data.frame[list(columns)].to_numpy(float)[:500], columns, 12))
    same = np.column_stack([np.full(50, 3.0), np.full(50, 7.0)])
    return [*found, TrustModel(same, ("a", "b"), 12)]


def trust_forms(picture, model):
    settings, people = picture.settings, model.population
    who = settings.coalition
    s = [(100 - r.trust) / r.trust for r in who]
    shape = model.noise(settings.similarity).shape
    rates = {name: result.hits for name, result in picture.together.items()}
    without = picture.baseline.rate
    doing = {doing: name for name, doing in ATTACKERS.items()}

    def best(name):
        return the(name, who).trust == max(r.trust for r in who)

    def explained(scheme):
        return 1 - joint_error(s, scheme, people.covariance, shape)

    def averaging(many, name, weight, trust):
        precisions = 1 / np.array(s)
        own = precisions[[r.name for r in who].index(name)]
        return (
            many == ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"][len(who)]
            and own == precisions.max()
            and stands_for(weight, own / precisions.sum())
            and stands_for(trust, precisions.sum() / (1 + precisions.sum()))
            and settings.scheme == "independent"
        )

    def other(scheme, there, here):
        return (
            scheme == ("independent" if settings.scheme == "nested" else "nested")
            and stands_for(there, explained(scheme), 1e-6)
            and stands_for(here, explained(settings.scheme), 1e-6)
        )

    return {
        "same": (r"All records have the same values, so that .*", lambda: not people.sd.any()),
        "original": (r"(.+)'s copy carries everything: at 100 % trust .*", lambda name: the(name, who).trust == 100),
        "only": (
            r"(.+)'s copy at (\d+) % trust is the only one in the pool\.",
            lambda name, trust: len(who) == 1 and the(name, who).trust == int(trust),
        ),
        "one copy": (r"All copies in the pool are one and the same, .*", lambda: len({r.trust for r in who}) == 1),
        "nested": (
            r"(.+)'s copy carries all the information: with nested noise .*",
            lambda name: best(name) and settings.scheme == "nested",
        ),
        "cancel": (
            r"(.+)'s and (.+)'s copies carry the same noise at two strengths, .*",
            lambda a, b: settings.scheme == "proportional" and the(a, who).trust > the(b, who).trust,
        ),
        "average": (
            rf"Each of the (\w+) copies has noise .* more than (.+)'s \({PER_CENT} .* at {PER_CENT} trust\.",
            averaging,
        ),
        "no use": (
            rf"(?:No ticked attacker hits|The attacker who .+ does not hit) more often with these .* \({PER_CENT}\)\.",
            lambda rate: max(rates.values()) <= without + 1e-9 and stands_for(rate, without),
        ),
        "one attacker": (
            rf"The attacker who (.+?) hits {PER_CENT}, and .*",
            lambda name, rate: list(rates) == [doing[name]] and stands_for(rate, rates[doing[name]]),
        ),
        "most": (
            rf"No ticked attacker hits more often than the one who (.+?) \({PER_CENT}\): somebody who .*",
            lambda name, rate: rates[doing[name]] == max(rates.values()) and stands_for(rate, max(rates.values())),
        ),
        "as much": (
            rf"With (\w+) noise the best linear guess would explain as much of the variance \({PER_CENT}\)\.",
            lambda scheme, here: other(scheme, here, here),
        ),
        "otherwise": (
            rf"With (\w+) noise the best linear guess would explain {PER_CENT} of the variance instead of {PER_CENT}\.",
            other,
        ),
    }


@pytest.mark.sweep
@pytest.mark.parametrize("part", range(3))
def test_why_on_the_trust_page(trust_models, part):
    rng, used = keys.rng(5, "why", "trust", part), set()
    for trial in range(TRIED // 2):
        model = trust_models[trial % len(trust_models) if trial % 20 == 19 else trial % 3]
        attackers = list(LINEAR) if trial % 10 else list(ATTACKERS)  # those on whole copies take longer
        who = some_recipients(rng)
        if trial % 12 == 7:  # copies that may be one and the same
            who = tuple(r.replace({"trust": who[0].trust}) for r in who)
        scenario = model.fit_to_data(TrustScenario().replace({
            "settings.recipients": who,
            "settings.scheme": str(rng.choice(list(SCHEMES))),
            "settings.similarity": float(rng.choice([1.0, 1.0, 0.5, 0.0, -1.0])),
            "settings.attackers": tuple(map(str, rng.permutation(attackers)[: rng.integers(1, len(attackers) + 1)])),
            "settings.sample": int(rng.choice(SAMPLES[:4])),
            "view.closer": "",
        }))  # fmt: skip
        picture = model.preview(scenario)
        text = trust_why(picture, model)
        assert bool(text) == bool(scenario.settings.coalition)
        used |= set(checked(text, trust_forms(picture, model)))
    assert used == set(trust_forms(picture, model))  # every form came up


def test_a_wrong_sentence_would_be_caught(trust_models):
    model = trust_models[0]
    picture = model.preview(model.fit_to_data(TrustScenario()))
    text, forms = trust_why(picture, model), trust_forms(picture, model)
    assert len(checked(text, forms)) == 3
    for right, wrong in (
        ("Ministry", "Press"),
        ("81 %", "83 %"),
        ("independent" if "indep" in text else "nested", "x"),
    ):
        with pytest.raises(AssertionError):
            checked(text.replace(right, wrong, 1), forms)


def test_a_requirement_that_binds_takes_the_place_of_the_third_sentence(trust_models):
    model = trust_models[0]
    picture = model.preview(model.fit_to_data(TrustScenario()))
    told = sentences(trust_why(picture, model, "Your limit of 40 % binds."))
    assert told[-1] == "Your limit of 40 % binds."
    assert len(told) == 3
    assert told[:2] == sentences(trust_why(picture, model))[:2]
