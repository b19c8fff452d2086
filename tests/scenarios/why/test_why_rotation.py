"""What stands behind "Why?" on the Rotation page: over generated scenarios, held against figures made here.

Each sentence must match one of the forms below, which say what its figures must be: none goes unchecked.
"""

from itertools import pairwise

import numpy as np
import pytest

from tests.scenarios.why.reading import PER_CENT, best_constants, checked, stands_for
from trustscope import datasets
from trustscope.engine import keys
from trustscope.scenarios.rotation.model import Model as RotationModel
from trustscope.scenarios.rotation.scenario import KINDS, RotationScenario
from trustscope.scenarios.rotation.why import why as rotation_why

pytestmark = pytest.mark.usefixtures("few_others")  # models are those of this file alone


def rotation_forms(picture, model):
    records = model.records
    reach = picture.settings.eps * records.sd / records.scale * (1 + 1e-9)

    def hits(estimate):
        true = records.private[: len(estimate)]
        return float((np.abs(estimate - true) <= reach)[:, records.varying].mean())

    def kept():
        a, b = records.private[:80], model.turned[:80]
        before, after = (np.linalg.norm(t[:, None] - t, axis=-1) for t in (a, b))
        return np.allclose(before, after, atol=1e-8 * np.linalg.norm(a, axis=1).max())

    def neighbours():
        a, b = records.private[:200], model.turned[:200]
        first, second = (np.linalg.norm(t[:, None] - t, axis=-1).argsort(axis=1)[:, 1] for t in (a, b))
        return (first == second).mean() > 0.98

    def constant(text):
        return picture.settings.kind != "value" or stands_for(text, best_constants(records, reach))

    def linked(found, known, settled, directions):
        words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
        places = [place for place, sure in picture.linked.items() if sure]
        rank = np.linalg.matrix_rank(records.private[places] - (records.private[places[0]] if model.shifted else 0))
        return (
            words[len(places)] == found
            and words[len(picture.linked)] == known
            and int(directions) == records.columns
            and int(settled) == rank
        )

    def projected(text):
        places = [place for place, sure in picture.linked.items() if sure]
        if picture.settings.kind != "value" or model.shifted or not places:
            return True
        basis = np.linalg.qr(records.private[places].T)[0]
        others = np.setdiff1d(np.arange(picture.uniform.size), places)
        true = records.private[others]
        rate = float((np.abs(true @ basis @ basis.T - true) <= reach)[:, records.varying].mean())
        return stands_for(text, rate, 0.01)

    def ordered(best):
        return stands_for(best, max(picture.means.values())) and max(picture.means.values()) > picture.without.rate

    def axes(total, right, *ratio):
        words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
        signs = np.sign(np.sum((model.release.secret.matrix @ picture.attack.sample_axes)
                               * picture.attack.released_axes, axis=0))  # fmt: skip
        value = max(float(np.count_nonzero(signs == picture.attack.signs)), 0)
        values = np.maximum(picture.attack.sample_eigenvalues, 0)
        least = min((a / b if b > 0 else np.inf for a, b in pairwise(values)), default=np.inf)
        told = float(ratio[0]) if ratio and ratio[0][0].isdigit() else None
        return (
            int(total) == len(values)
            and words[int(value)] == right
            and (told is None or told == pytest.approx(least, rel=0.06))
        )

    return {
        "kept": (r"All records are turned together, .*", kept),
        "analyst": (r"Neighbours and clusters depend on distances only: .*", neighbours),
        "nobody": (r"The insider knows nobody, .*", lambda: not picture.linked),
        "none": (r"No known \w+ is linked to a row for certain, .*", lambda: not any(picture.linked.values())),
        "links": (r".* by which (\w+) of (\w+) known \w+ (?:is|are) linked: that settles (\d+) of (\d+) dir.*", linked),
        "no use": (
            rf"No guess from the links hits more often than .* \({PER_CENT}\)\.",
            lambda rate: max(picture.means.values()) <= picture.without.rate and constant(rate),
        ),
        "all": (
            rf"The links settle the rotation: {PER_CENT} are hit, by a constant guess {PER_CENT}\.",
            lambda best, rate: not picture.attack.freedom and ordered(best) and constant(rate),
        ),
        "uniform": (
            rf"Nothing hits more often here than the uniform guess \({PER_CENT}\), .* hits {PER_CENT}\.",
            lambda best, rate: picture.leader == "uniform" and ordered(best) and constant(rate),
        ),
        "projection": (
            rf"Nothing hits more often here than the projection \({PER_CENT}\), .* hits {PER_CENT}\.",
            lambda best, rate: ordered(best) and projected(best) and constant(rate),
        ),
        "others": (
            rf"Nothing hits more often here than the best guess of who .* \({PER_CENT}\): .* hits {PER_CENT}\.",
            lambda best, rate: picture.leader == "others" and ordered(best) and constant(rate),
        ),
        "matched": (r"Turning the records turns their principal axes along: .*", lambda: True),
        "axes": (
            r"Of (\d+) (?:axis|axes) (\w+) points? the right way(?:, and the closest .* ratio (.+))?\.",
            lambda total, right, ratio: axes(total, right, *([ratio] if ratio else [])),
        ),
        "hits": (
            rf"That hits {PER_CENT}, where a constant guess hits {PER_CENT}\.",
            lambda rate, before: (
                constant(before) and (picture.settings.kind != "value" or stands_for(rate, hits(picture.estimate)))
            ),
        ),
        "one matrix": (
            rf"One matrix .* that hits {PER_CENT}, on a plain rotation {PER_CENT}, and .* hits {PER_CENT}\.",
            lambda one, plain, before: (
                constant(before)
                and stands_for(plain, picture.rotation.rate)
                and (picture.settings.kind != "value" or stands_for(one, hits(picture.one_matrix.estimate)))
            ),
        ),
        "fresh": (
            rf"A fresh matrix .*: {PER_CENT} are hit, and distances .*",
            lambda rate: picture.settings.kind != "value" or stands_for(rate, hits(picture.fresh.estimate)),
        ),
    }


@pytest.mark.sweep
@pytest.mark.parametrize("part", range(3))
def test_why_on_the_rotation_page(part):
    rng, used, tried = keys.rng(9, "why", "rotation", part), set(), 0
    iris, wine = datasets.load("iris"), datasets.load("wine")
    for data, shifted in ((iris, False), (iris, True), (wine, False)):
        values = data.frame[list(data.numeric[:6])].to_numpy(float)
        model = RotationModel(values, data.numeric[:6], 12, shifted=shifted)
        for story in ("kept", *["known"] * 30, *["sample"] * 15, *["remedy"] * (6 if data is wine else 2)):
            numbers = rng.permutation(model.usual_order)[: rng.integers(0, model.most_known + 1)]
            kind = str(rng.choice(list(KINDS)[:2] if story == "known" else list(KINDS)))
            scenario = model.fit_to_data(RotationScenario().replace({
                "view.story": story, "settings.known": tuple(map(int, numbers)), "settings.kind": kind,
                "settings.eps": float(rng.choice([0.02, 0.1, 0.25, 0.5])), "settings.dimensions": 24,
                "settings.sample": int(rng.integers(8, 30)),
            }))  # fmt: skip
            if story == "remedy":
                pictures = model.passes(scenario)
                picture = next(one for one in pictures if not one.waiting)
            else:
                picture = model.preview(scenario)
                if picture is None or story == "kept":
                    picture = next(one for one in model.passes(scenario) if not one.waiting)
            text = rotation_why(picture, model)
            assert text
            used |= set(checked(text, rotation_forms(picture, model)))
            tried += 1
    assert tried > 125
    assert used == set(rotation_forms(picture, model))
