"""The sentence on the requirement that binds: over generated scenarios, held against figures made here.

Each sentence must match one of the forms below, which say what its figures must be: none goes unchecked.
"""

import numpy as np
import pytest

from tests.scenarios import test_solve_categories as slow_categories
from tests.scenarios import test_solve_trust as slow_trust
from tests.scenarios.why.reading import TRIED, best_constants, checked
from trustscope import datasets
from trustscope.engine import keys
from trustscope.scenarios.rotation.model import Model as RotationModel
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.solve import categories as solve_categories
from trustscope.scenarios.solve import handles as solve_trust
from trustscope.scenarios.solve import rotation as solve_rotation
from trustscope.scenarios.solve import survey as solve_survey
from trustscope.scenarios.solve import words as requirement_words
from trustscope.scenarios.solve.requirement import (
    CategoriesRequirement,
    RotationRequirement,
    SurveyRequirement,
    TrustRequirement,
)
from trustscope.scenarios.solve.standing import binding
from trustscope.scenarios.survey.model import Model as SurveyModel
from trustscope.scenarios.survey.population import population
from trustscope.scenarios.survey.run import SurveyRun
from trustscope.scenarios.survey.scenario import SurveyScenario


def binding_forms(slow):
    """Forms of the sentence on requirements; `slow` has what is reached, the limit, whether less is better, and how
    far a figure may lie from what was written, for each requirement as it is asked for."""

    def kept(asked):
        value, limit, at_most, _ = slow[asked]
        return value <= limit + 1e-6 if at_most else value >= limit - 1e-6

    def room(asked):
        value, limit, *_ = slow[asked]
        return abs(value - limit) / max(value, limit, 1e-300)

    def is_(asked, figure):
        return float(figure.replace("\u202f", "").split(" ")[0]) == pytest.approx(slow[asked][0], abs=slow[asked][3])

    missed = [asked for asked in slow if not kept(asked)]
    words = ["no", "one", "two", "three", "four", "five", "six"]

    def counted(text, number, of):
        every = "both" if of == 2 else f"all {words[of]}"
        return text.lower() == (every if number == of else f"{words[number]} of {words[of]}")

    first = "(?:As far as can be told at once, )?"
    return {
        "missed": (
            rf"{first}[Tt]he target asks for (.+), and misses it with (.+)\.",
            lambda asked, figure: missed == [asked] and is_(asked, figure),
        ),
        "kept": (
            rf"{first}[Tt]he target asks for (.+), and keeps it with (.+)\.",
            lambda asked, figure: list(slow) == [asked] and not missed and is_(asked, figure),
        ),
        "several missed": (
            rf"{first}(.+) requirements are missed, none by more in proportion than (.+): it is (.+)\.",
            lambda number, asked, figure: (
                counted(number, len(missed), len(slow))
                and asked in missed
                and room(asked) >= max(map(room, missed)) - 1e-4
                and is_(asked, figure)
            ),
        ),
        "all kept": (
            rf"{first}(.+) requirements are kept, and none has less room in proportion than (.+): it is (.+)\.",
            lambda number, asked, figure: (
                counted(number, len(slow), len(slow))
                and not missed
                and room(asked) <= min(map(room, slow)) + 1e-4
                and is_(asked, figure)
            ),
        ),
    }


def close_call(slow):
    """Whether rounding could decide: the references are as exact as their own steps."""
    return any(abs(value - limit) < 2e-5 * max(1.0, limit) for value, limit, *_ in slow.values())


def trust_reached(model, requirement, who, scheme):
    """What the worst coalition reaches, coalitions listed one by one; what an analyst misses the mean by."""
    if requirement.what == "mean":
        trust = min(r.trust for r in who if r.number in requirement.members or not requirement.members)
        return 1.959964 * np.sqrt((100 - trust) / trust * model.population.covariance[0, 0] / model.rows)
    found = []
    for pool in slow_trust.pools(requirement, who):
        trust = slow_trust.effective([who[i].trust for i in pool], scheme)
        if requirement.what == "error":
            found.append(slow_trust.error(model, 1.0, trust))
        else:
            lower = slow_trust.noisier(model, requirement)[trust > slow_trust.FINE]
            found.append(max(slow_trust.hits(model, requirement, [trust])[0], *lower[-1:]))
    return min(found) if requirement.what == "error" else max(found)


def test_the_requirement_that_binds_on_the_trust_page():
    rng, used = keys.rng(31, "why", "binding"), set()
    models = [slow_trust.a_model(kind) for kind in ("normal", "skewed", "whole")]
    for trial in range(TRIED):
        model = models[trial % 3]
        who, asked, _ = slow_trust.a_target(rng, model)
        asked += (TrustRequirement(what="error", limit=0.01, attacker="raw"),) if trial % 7 == 0 else ()
        scheme = str(rng.choice(["nested", "independent"]))
        scenario = slow_trust.scenario_of(model, who, asked).replace({"settings.scheme": scheme})
        settings, people, slow = scenario.settings, model.population, {}
        for one in (one for one in asked if one.attacker != "raw"):
            value, percent = trust_reached(model, one, who, scheme), one.what == "hits"
            unit = 100 if percent else 1
            slack = 0.06 if percent else 6e-4 if one.what == "error" else max(0.01 * value, 0.0051)
            told = requirement_words.short(one, settings, people)
            slow[told] = unit * value, unit * one.limit, one.what != "error", slack
        if close_call(slow):
            continue
        found = solve_trust.standings(model, settings)
        used |= set(checked(binding(found, len(asked) - len(found)), binding_forms(slow)))
    assert used == set(binding_forms(slow))


def test_the_requirement_that_binds_on_the_categories_page():
    rng, used = keys.rng(32, "why", "binding"), set()
    models = [slow_categories.a_model([0.5, 0.3, 0.2]), slow_categories.a_model([0.25] * 4)]
    for trial in range(TRIED):
        model = models[trial % 2]
        who, asked, _ = slow_categories.a_target(rng, model)
        asked += (CategoriesRequirement(what="delta", limit=round(float(rng.uniform(20, 99)), 1)),) * (trial % 3 == 0)
        scheme = str(rng.choice(["nested", "independent"]))
        scenario = slow_categories.scenario_of(model, who, asked, scheme=scheme)
        ps, slow = [r.trust / 100 for r in who], {}
        for one in asked:
            value = 100 * slow_categories.reached(model, one, ps, scheme, "statistics")
            slow[solve_categories.short(one)] = value, one.limit, True, 0.06
        if close_call(slow) or len(slow) < len(asked):
            continue
        used |= set(checked(binding(solve_categories.standings(model, scenario.settings)), binding_forms(slow)))
    assert used == set(binding_forms(slow))


def test_the_requirement_that_binds_on_the_survey_page():
    data = datasets.load("votes")
    model = SurveyModel(population(data.complete().dataset, data.label))
    settings = model.fit_to_data(SurveyScenario()).settings
    rng, used = keys.rng(33, "why", "binding"), set()
    run = SurveyRun(model.people, settings, 12, 20)
    for _ in range(60):
        frame = run.advance(5)
        asked = tuple(
            SurveyRequirement(what=str(what), limit=round(float(rng.uniform(20, 100)), 1))
            for what in rng.permutation(["disclosure", "accuracy"])[: rng.integers(1, 3)]
        )
        given = max(kind.share for part, kind in zip(settings.parts, frame.kinds, strict=True) if part.weight)
        slow = {
            solve_survey.short(one): (
                100 * (given if one.what == "disclosure" else frame.accuracy), one.limit, one.what == "disclosure", 0.06
            )
            for one in asked
        }  # fmt: skip
        used |= set(checked(binding(solve_survey.standings(frame, asked)), binding_forms(slow)))
    assert used == set(binding_forms(slow))
    assert binding(()) == ""


def test_the_requirement_that_binds_on_the_rotation_page():
    data = datasets.load("iris")
    model = RotationModel(data.frame[list(data.numeric)].to_numpy(float), data.numeric, 12)
    rng, used = keys.rng(34, "why", "binding"), set()
    for trial in range(40):
        story = ("known", "sample")[trial % 2]
        numbers = rng.permutation(model.usual_order)[: rng.integers(0, model.most_known)]
        scenario = model.fit_to_data(RotationScenario().replace({
            "view.story": story, "settings.known": tuple(map(int, numbers)), "settings.sample": 20, "view.closer": "",
        }))  # fmt: skip
        # Irises tell so much that only high limits are kept.
        limits = {round(float(100 * rng.uniform() ** 0.08), 1) for _ in range(rng.integers(1, 4))}
        asked = tuple(RotationRequirement(what=story, limit=limit) for limit in limits)
        other = RotationRequirement(what="noise", limit=10)
        pictures = (picture for picture in model.passes(scenario) if not picture.waiting)
        picture = next(pictures) if story == "known" else list(pictures)[-1]  # other numbers of records come later
        reach = scenario.settings.eps * model.records.sd / model.records.scale * (1 + 1e-9)
        rates = [best_constants(model.records, reach)]
        if story == "known":
            rates += [np.nanmean(shares) for shares in (picture.uniform, picture.projection, picture.others)]
        else:
            rates.append(np.mean(picture.others.tries))
        slow = {solve_rotation.short(one): (100 * max(rates), one.limit, True, 0.06) for one in asked}
        found = solve_rotation.standings(picture, (*asked, other))
        assert found == [solve_rotation.standing_of(model, scenario, one) for one in asked]
        used |= set(checked(binding(found), binding_forms(slow)))
        assert not solve_rotation.standing_of(model, scenario, other).kept
    assert used == set(binding_forms(slow))


def test_a_wrong_requirement_would_be_caught():
    model = slow_trust.a_model("normal")
    asked = tuple(TrustRequirement(attacker="perfect", what="error", limit=limit) for limit in (0.4, 0.01))
    scenario = slow_trust.scenario_of(model, slow_trust.recipients(50, 40), asked)
    slow = {
        requirement_words.short(one, scenario.settings, model.population): (
            trust_reached(model, one, scenario.settings.recipients, scenario.settings.scheme), one.limit, False, 6e-4
        )
        for one in asked
    }  # fmt: skip
    text = binding(solve_trust.standings(model, scenario.settings))
    forms = binding_forms(slow)
    for wrong in (text.replace("0.4 of", "0.01 of"), text.replace("misses", "keeps"), text.replace("with 0", "with 1")):
        assert wrong != text
        with pytest.raises(AssertionError):
            checked(wrong, forms)
    assert checked(text, forms) == ["missed"]
