"""Headlines of the Survey page are claims: a walk over settings holds them against the figures."""

import itertools
import re
from dataclasses import replace

import numpy as np
import pytest

from trustscope import datasets
from trustscope.scenarios.statement import MOST_WORDS
from trustscope.scenarios.survey import words
from trustscope.scenarios.survey.model import Model
from trustscope.scenarios.survey.population import population
from trustscope.scenarios.survey.run import SurveyRun
from trustscope.scenarios.survey.scenario import MINERS, START, Part, SurveyScenario
from trustscope.scenarios.survey.verdict import LITTLE, guess_in_force, headline
from trustscope.scenarios.words import share

DRAWS = 40
ALONE = (Part(name="somebody", weight=1, level=None),)
KINDS = {
    "usual": START,
    "nobody of one kind": (START[0].replace({"weight": 0, "level": None}), *START[1:]),
    "one follows nothing": (START[0].replace({"level": 0}), *START[1:]),
    "all follow nothing": tuple(part.replace({"level": 0}) for part in START),
    "anything": ALONE,
}


@pytest.fixture(scope="module")
def models():
    found = {}
    for name in ("votes", "adult", "iris", "breast"):
        data = datasets.load(name)
        found[name] = Model(population(data.complete().dataset, data.label))
    return found


def check(people, frame):
    said = headline(frame, people)
    where = (frame.arrived, frame.settings.model_dump(), said)
    assert len(said.title.split()) <= MOST_WORDS, where
    assert said.title.endswith("."), where
    captions = [
        words.arrivals(frame, people), words.guidance(frame, people, 12), words.level(frame),
        words.accuracy(frame, people, None), words.disclosure(frame, people), words.target(frame, people),
    ]  # fmt: skip
    assert not re.search(r"\b(nan|inf|none)\b", str([said, captions]).lower().replace("none of", "")), where
    if not frame.arrived:
        assert (said.after, said.tone) == ("", "quiet"), where
        return said
    target, force = frame.target, guess_in_force(frame)
    if frame.settings.miner == "hidden" and target.hidden is None:
        assert (said.after, said.tone) == ("", "quiet"), where
        return said
    # The number is what stands in force, with what the class and nothing at all tell beside it.
    assert (said.before, said.after) == (share(target.by_class), share(force)), where
    assert share(target.nothing) in said.label, where
    # Nobody who sends something is guessed less often than from the class alone.
    kinds = {"honest": target.honest, "outright": target.outright, "hidden": target.hidden}[frame.settings.miner].kinds
    for kind, guess in zip(frame.kinds, kinds, strict=True):
        assert guess == pytest.approx(target.nothing) if kind.refuses else guess >= target.by_class - 1e-9, where
    shares = [kind.share for kind in frame.settings.mix.kinds]
    assert force == pytest.approx(np.dot(shares, kinds)), where
    # The tone says what the numbers say.
    gain = force - target.by_class
    assert (said.tone == "leak") == (gain > LITTLE), where
    sending = [k for part, k in zip(frame.settings.parts, frame.kinds, strict=True) if part.weight and k.level]
    assert ("leaves" in said.title) == (not sending), where
    if "Everybody refuses" in said.title:
        refusing = [k for part, k in zip(frame.settings.parts, frame.kinds, strict=True) if part.weight]
        assert all(kind.refuses for kind in refusing), where
    if "of everybody" in said.title:
        assert force == 1, where
    return said


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["votes", "adult", "iris", "breast"])
@pytest.mark.parametrize("miner", MINERS)
def test_headlines_over_kinds_checks_and_respondents(models, name, miner):
    """With the extra check and without it; on the two larger datasets with one or the other, in turn."""
    model = models[name]
    scenario = model.fit_to_data(SurveyScenario())
    told = set()
    settings = list(itertools.product(KINDS, (False, True)))
    if name in ("adult", "breast"):
        turn = MINERS.index(miner) + (name == "adult")
        settings = [(kinds, (place + turn) % 2 == 1) for place, kinds in enumerate(KINDS)]
    for kinds, checked in settings:
        changes = {"miner": miner, "extra_check": checked, "parts": KINDS[kinds], "update_every": 100}
        run = SurveyRun(model.people, scenario.settings.replace(changes), 12, DRAWS)
        for more in (0, 1, 99, 1_900) if kinds == "usual" and name != "adult" else (0, 60):
            told.add(check(model.people, run.advance(more)).title)
    assert len(told) > 2


@pytest.mark.parametrize("name", ["votes", "iris"])
def test_headlines_in_signed_order(models, name):
    model = models[name]
    settings = model.fit_to_data(SurveyScenario()).settings.replace({"order": "signed"})
    said = check(model.people, SurveyRun(model.people, settings, 12, DRAWS).advance(150))
    assert "In signed order" in said.note


@pytest.mark.parametrize("miner", MINERS)
def test_every_question_can_be_watched(models, miner):
    for name in ("votes", "iris"):
        model = models[name]
        for target in model.people.encoding.questions[::5]:
            settings = model.fit_to_data(SurveyScenario()).settings.replace({"miner": miner, "target": target})
            check(model.people, SurveyRun(model.people, settings, 12, DRAWS).advance(30))


def test_a_headline_that_is_too_kind_would_be_caught(models):
    """The walk fails on a frame whose figure in force is smaller than what its kinds say."""
    model = models["votes"]
    frame = SurveyRun(model.people, model.fit_to_data(SurveyScenario()).settings, 12, DRAWS).advance(100)
    check(model.people, frame)
    kinder = replace(frame.target, honest=replace(frame.target.honest, guess=frame.target.nothing))
    with pytest.raises(AssertionError):
        check(model.people, replace(frame, target=kinder))
