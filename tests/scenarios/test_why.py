"""What stands behind "Why?" are claims: over generated scenarios every sentence is held against figures made here.

Each sentence must match one of the forms below, which say what its figures must be: none goes unchecked.
"""

import re
from itertools import pairwise

import numpy as np
import pytest

from tests.scenarios import test_solve_categories as slow_categories
from tests.scenarios import test_solve_trust as slow_trust
from tests.scenarios.slow import joint_error
from trustscope import datasets
from trustscope.datasets.patients import patients
from trustscope.engine import keys
from trustscope.scenarios.categories.column import column_of
from trustscope.scenarios.categories.model import Model as CategoriesModel
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.categories.why import why as categories_why
from trustscope.scenarios.coalition import NAMES, Recipient
from trustscope.scenarios.rotation.model import Model as RotationModel
from trustscope.scenarios.rotation.scenario import KINDS, RotationScenario
from trustscope.scenarios.rotation.why import why as rotation_why
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
from trustscope.scenarios.survey.scenario import MINERS, Part, SurveyScenario
from trustscope.scenarios.survey.why import why as survey_why
from trustscope.scenarios.trust.model import Model as TrustModel
from trustscope.scenarios.trust.scenario import ATTACKERS, LINEAR, SAMPLES, SCHEMES, TrustScenario
from trustscope.scenarios.trust.why import why as trust_why

TRIED = 240  # scenarios of each page, but where every one takes a pass over rows
FACTOR = "([0-9.e+\u202f]+)"
PER_CENT = r"((?:< |> )?[\d.]+ %)"


def interval(text):
    """What a share that was written may stand for."""
    if text.startswith("<"):
        return 0.0, 0.001
    if text.startswith(">"):
        return 0.99, 1.0
    value, half = float(text.removesuffix(" %")), 0.0501 if "." in text else 0.5001
    return (value - half) / 100, (value + half) / 100


def stands_for(text, value, slack=0.0):
    low, high = interval(text)
    return low - slack - 1e-9 <= value <= high + slack + 1e-9


def sentences(text):
    """No sentence of ours has a full stop but at its end, and figures keep theirs."""
    return [one for one in re.split(r"(?<=[.])\s+(?=[A-Z])", text) if one]


def checked(text, forms):
    """Every sentence matches one form, whose check it passes; at most three. The forms that were used."""
    told = sentences(text)
    assert len(told) <= 3, text
    assert not re.search(r"\b(nan|inf|None)\b", text), text
    used = []
    for one in told:
        name, found = next(((n, m) for n, (f, _) in forms.items() if (m := re.fullmatch(f, one))), (None, None))
        assert found, one
        assert forms[name][1](*found.groups()), (name, text)
        used.append(name)
    return used


def some_recipients(rng, most=8):
    number = int(rng.integers(1, most + 1))
    trusts = rng.choice([1, 5, 20, 35, 40, 50, 75, 90, 99, 100], number, p=[0.1] * 3 + [0.12] * 5 + [0.07, 0.03])
    members = rng.random(number) < 0.8
    return tuple(
        Recipient(number=i, name=NAMES[i], trust=int(t), member=bool(m))
        for i, (t, m) in enumerate(zip(trusts, members, strict=True))
    )


def the(name, who):
    return next(r for r in who if r.name == name)


# Trust


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


def test_why_on_the_trust_page(trust_models):
    rng, used = keys.rng(5, "why", "trust"), set()
    for trial in range(TRIED):
        model = trust_models[trial % len(trust_models) if trial % 40 == 39 else trial % 3]
        attackers = list(LINEAR) if trial % 10 else list(ATTACKERS)  # those on whole copies take longer
        scenario = model.fitted(TrustScenario().having({
            "settings.recipients": some_recipients(rng),
            "settings.scheme": str(rng.choice(SCHEMES)),
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
    picture = model.preview(model.fitted(TrustScenario()))
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
    picture = model.preview(model.fitted(TrustScenario()))
    told = sentences(trust_why(picture, model, "Your limit of 40 % binds."))
    assert told[-1] == "Your limit of 40 % binds."
    assert len(told) == 3
    assert told[:2] == sentences(trust_why(picture, model))[:2]


# Categories


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
        scenario = model.fitted(CategoriesScenario().having({
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


# Survey


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


def test_why_on_the_survey_page():
    rng, used, tried = keys.rng(8, "why", "survey"), set(), 0
    for name in ("votes", "iris"):
        data = datasets.load(name)
        model = SurveyModel(population(data.complete().dataset, data.label))
        settings = model.fitted(SurveyScenario()).settings
        for _ in range(20):
            parts = tuple(
                Part(name=one, weight=int(rng.integers(0, 4)) + (i == 0), level=rng.choice([0, 0, 1, 3, 9, None]))
                for i, one in enumerate(("careful", "usual", "open"))
            )
            changes = {
                "parts": parts, "miner": str(rng.choice(MINERS)), "extra_check": bool(rng.random() < 0.4),
                "target": str(rng.choice(model.people.encoding.questions)), "update_every": 50,
            }  # fmt: skip
            run = SurveyRun(model.people, settings.having(changes), 12, 20)
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
    assert tried > 120
    assert used == set(survey_forms(frame, model.people))


# Rotation


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
        return picture.settings.kind != "value" or stands_for(text, _best_constants(records, reach))

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


def _best_constants(records, reach):
    """The share of values hit by the best constant of each attribute: every pair of ends is tried."""
    found = []
    for column, wide, varies in zip(records.private[:1_000].T, reach, records.varying, strict=True):
        if varies:
            found.append(
                max(np.mean((column >= low - 1e-12) & (column <= low + 2 * wide)) for low in np.unique(column))
            )
    return float(np.mean(found))


def test_why_on_the_rotation_page():
    rng, used, tried = keys.rng(9, "why", "rotation"), set(), 0
    iris, wine = datasets.load("iris"), datasets.load("wine")
    for data, shifted in ((iris, False), (iris, True), (wine, False)):
        values = data.frame[list(data.numeric[:6])].to_numpy(float)
        model = RotationModel(values, data.numeric[:6], 12, shifted=shifted)
        for story in ("kept", *["known"] * 60, *["sample"] * 30, *["remedy"] * (12 if data is wine else 2)):
            numbers = rng.permutation(model.usual_order)[: rng.integers(0, model.most_known + 1)]
            kind = str(rng.choice(list(KINDS)[:2] if story == "known" else list(KINDS)))
            scenario = model.fitted(RotationScenario().having({
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
    assert tried > 250
    assert used == set(rotation_forms(picture, model))


# The requirement that binds


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
        scenario = slow_trust.scenario_of(model, who, asked).having({"settings.scheme": scheme})
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
    settings = model.fitted(SurveyScenario()).settings
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
        scenario = model.fitted(RotationScenario().having({
            "view.story": story, "settings.known": tuple(map(int, numbers)), "settings.sample": 20, "view.closer": "",
        }))  # fmt: skip
        limits = {round(float(rng.uniform(0, 100)), 1) for _ in range(rng.integers(1, 4))}
        asked = tuple(RotationRequirement(what=story, limit=limit) for limit in limits)
        other = RotationRequirement(what="noise", limit=10)
        picture = list(model.passes(scenario))[-1]
        reach = scenario.settings.eps * model.records.sd / model.records.scale * (1 + 1e-9)
        rates = [_best_constants(model.records, reach)]
        if story == "known":
            rates += [np.nanmean(picture.uniform), np.nanmean(picture.projection)]
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
    asked = (TrustRequirement(what="error", limit=0.4), TrustRequirement(what="error", limit=0.01))
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
