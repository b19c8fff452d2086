"""Nobody who is shown is a lucky hit: the truth lies about where beliefs usually miss it (`typical.py`)."""

import numpy as np
import pytest

from trustscope.lessons.reader import shelf
from trustscope.lessons.stage import scenario_at
from trustscope.scenarios.categories import typical as rare
from trustscope.scenarios.categories.loading import fetch as fetch_categories
from trustscope.scenarios.categories.loading import load as load_categories
from trustscope.scenarios.categories.scenario import SCHEMES as DRAWN
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.trust.loading import fetch, load
from trustscope.scenarios.trust.scenario import SCHEMES, TrustScenario
from trustscope.scenarios.trust.typical import NEAR, amiss

# The lesson is about two copies that agree: three of four such patients have what both say, and so has this one.
AGREEING = {"diagnosis"}


@pytest.fixture(scope="module")
def census():
    return load(fetch(TrustScenario()), TrustScenario())


def missed(person) -> float:
    """How far the beliefs that are shown of a person are from the rule; what is known exactly is no belief."""
    beliefs = [one for one in (person.alone, person.together) if one is not None and one.sd > 0]
    return float(amiss(np.array([[(person.truth - one.guess) / one.sd] for one in beliefs]))[0])


def shown(page):
    """Lessons of a page, and the places of the steps that show its person."""
    for lesson in shelf():
        for place, step in enumerate(lesson.steps):
            if "person" in step.cards and scenario_at(lesson, place).page == page:
                yield lesson, place


@pytest.mark.parametrize(("lesson", "place"), [*shown("trust")], ids=lambda one: getattr(one, "id", one))
def test_nobody_in_a_lesson_is_a_lucky_hit(census, lesson, place):
    scenario = scenario_at(lesson, place)
    assert scenario.data.name == "census"
    assert scenario.view.person is not None, "the same person in all steps"
    assert missed(census.person(census.fit_to_data(scenario))) < NEAR


def test_the_rule_refuses_people_who_were_lucky_hits(census):
    """Such as somebody whose age nested noise finds to the year: students would learn the opposite."""
    lesson = next(one for one in shelf() if one.id == "nested-noise")
    scenario = census.fit_to_data(scenario_at(lesson, 3))
    guessed = [census.person(scenario.replace({"view.person": number})) for number in range(1, 150)]
    lucky = [one for one in guessed if abs(one.truth - one.alone.guess) < 1]
    assert lucky
    assert all(missed(one) > NEAR for one in lucky)


@pytest.mark.parametrize("attackers", [("strongest",), ("perfect",)])
@pytest.mark.parametrize("name", ["census", "adult", "gaussian"])
def test_who_the_page_opens_with_suits_every_scheme(name, attackers):
    """The same person under all schemes: alone, all together, and for linear guesses also on the way there."""
    opened = TrustScenario().replace({"data.name": name, "settings.attackers": attackers})
    model = load(fetch(opened), opened)
    chosen = set()
    for scheme in SCHEMES:
        scenario = model.fit_to_data(opened.replace({"settings.scheme": scheme}))
        chosen.add(scenario.view.person)
        many = len(scenario.settings.recipients)
        for size in (1, many) if attackers == ("strongest",) else range(1, many + 1):
            who = tuple(r.replace({"member": place < size}) for place, r in enumerate(scenario.settings.recipients))
            assert missed(model.person(scenario.replace({"settings.recipients": who}))) < NEAR, (scheme, size)
    assert len(chosen) == 1


@pytest.mark.parametrize("prior", ["statistics", "nothing"])
def test_whom_the_page_of_categories_opens_with_is_believed_as_far_as_usual(prior):
    opened = CategoriesScenario().replace({"settings.prior": prior})
    model = load_categories(fetch_categories(opened), opened)
    chosen = set()
    for scheme in DRAWN:
        scenario = model.fit_to_data(opened.replace({"settings.scheme": scheme}))
        chosen.add(scenario.view.person)
        person, usual = model.person(scenario), model.joining(scenario.settings)
        assert abs(person.alone[person.truth] - usual.alone.belief) < rare.NEAR
        assert abs(person.together[person.truth] - usual.last(scheme).belief) < rare.NEAR
    assert len(chosen) == 1
    # Most people are further from the averages: the rule chooses.
    others = [model.person(scenario.replace({"view.person": number})) for number in range(1, 200)]
    far = [abs(one.together[one.truth] - usual.last(scheme).belief) > rare.NEAR for one in others]
    assert np.mean(far) > 0.2


def test_the_lesson_about_copies_that_agree_shows_copies_that_agree():
    steps = list(shown("categories"))
    assert {lesson.id for lesson, _ in steps} == AGREEING
    for lesson, place in steps:
        scenario = scenario_at(lesson, place)
        model = load_categories(fetch_categories(scenario), scenario)
        person = model.person(model.fit_to_data(scenario))
        assert set(person.seen.values()) == {person.truth}
