"""What stands behind "Why?" on the Survey page: over generated scenarios, held against figures made here.

Each sentence must match one of the forms below, which say what its figures must be: none goes unchecked.
"""

import numpy as np
import pytest

from tests.scenarios.why.reading import PER_CENT, checked, stands_for
from trustscope import datasets
from trustscope.engine import keys
from trustscope.scenarios.survey.model import Model as SurveyModel
from trustscope.scenarios.survey.population import population
from trustscope.scenarios.survey.run import SurveyRun
from trustscope.scenarios.survey.scenario import MINERS, Part, SurveyScenario
from trustscope.scenarios.survey.target import guessed, knowing_nothing
from trustscope.scenarios.survey.why import why as survey_why


def survey_forms(frame, people):
    there = [(p, k) for p, k in zip(frame.settings.parts, frame.kinds, strict=True) if p.weight]
    sending = [(p, k) for p, k in there if k.level]
    weights = np.array([part.weight for part in frame.settings.parts], dtype=float)
    target = frame.target
    force = {"honest": target.honest, "outright": target.outright, "hidden": target.hidden}[frame.settings.miner]
    question = people.codes[: len(people.law), target.question]
    classes = people.classes[: len(people.law)]

    def by_class():
        return sum(np.bincount(question[classes == c]).max() for c in (0, 1) if (classes == c).any()) / len(classes)

    def most(name, directions, given):
        kind = next(kind for part, kind in sending if part.name == name)
        return (
            kind.level == int(directions)
            and kind.share == max(k.share for _, k in sending)
            and stands_for(given, kind.share)
        )

    def guessed(miner, rate):
        words = {"knows": "honest", "outright": "outright", "hidden": "hidden"}
        named = next(value for word, value in words.items() if word in miner)
        return named == frame.settings.miner and stands_for(rate, float(weights @ force.kinds / weights.sum()))

    def of_class(told, nothing):
        return stands_for(told, by_class()) and stands_for(nothing, np.bincount(question).max() / len(question))

    return {
        "refused": (r"Everybody refuses this guidance, .*", lambda: all(k.refuses for _, k in there)),
        "silent": (r"Nobody sends an answer, .*", lambda: not sending),
        "most": (rf"No kind .* more than the (.+): they follow (\d+) directions?, and send {PER_CENT} of .*", most),
        "miner": (rf"The miner, who (.*?), weighs .* right for {PER_CENT}\.", guessed),
        "class": (rf"The class alone, .*, lets {PER_CENT} be guessed; knowing nothing, {PER_CENT} can be\.", of_class),
        "no class": (rf"The class alone, .*, tells no more .* \({PER_CENT}\)\.", lambda both: of_class(both, both)),
    }


@pytest.mark.sweep
@pytest.mark.parametrize("part", range(3))
def test_why_on_the_survey_page(part):
    rng, used, tried = keys.rng(8, "why", "survey", part), set(), 0
    for name in ("votes", "iris"):
        data = datasets.load(name)
        model = SurveyModel(population(data.complete().dataset, data.label))
        settings = model.fit_to_data(SurveyScenario()).settings
        # In the first trial nobody sends anything, in the second all refuse, and in the third the class tells nothing.
        questions, empty = model.people.encoding.questions, np.zeros((model.people.encoding.dimension, 0))
        untold = next(
            (q for i, q in enumerate(questions) if guessed(model.people, i, empty) <= knowing_nothing(model.people, i)),
            questions[0],
        )
        for trial in range(6):
            levels = {0: [0], 1: [1, 3, 9, None]}.get(trial, [0, 0, 1, 3, 9, None])
            parts = tuple(
                Part(name=one, weight=int(rng.integers(0, 4)) + (i == 0), level=rng.choice(levels))
                for i, one in enumerate(("careful", "usual", "open"))
            )
            changes = {
                "parts": parts, "miner": str(rng.choice(MINERS)), "extra_check": bool(rng.random() < 0.4),
                "target": str(rng.choice(questions)), "update_every": 50,
            }  # fmt: skip
            if trial == 1:
                changes |= {"miner": "outright", "extra_check": True}
            if trial == 2:
                changes["target"] = untold
            run = SurveyRun(model.people, settings.replace(changes), 12, 20)
            assert survey_why(run.advance(0), model.people) == ""
            for more in (1, 9, 40, 50):
                frame = run.advance(more)
                text = survey_why(frame, model.people)
                if changes["miner"] == "hidden" and frame.target.hidden is None:
                    assert text == ""
                    continue
                assert text
                used |= set(checked(text, survey_forms(frame, model.people)))
                tried += 1
    assert tried > 36
    assert used == set(survey_forms(frame, model.people))
