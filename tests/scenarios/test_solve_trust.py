"""Targets of the Trust page: what is found holds, one step more does not, and what cannot be is said.

The references are slow and direct: coalitions are listed, attacks are solved as matrices, shares are averaged over all
records, and every trust is tried.
"""

import re
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import norm

from trustscope.engine.noise import noise_covariance
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.solve.floors import shares
from trustscope.scenarios.solve.handles import handles
from trustscope.scenarios.solve.requirement import TrustRequirement
from trustscope.scenarios.solve.trust import figure, solve, usefulness
from trustscope.scenarios.trust.model import Model
from trustscope.scenarios.trust.scenario import LEVELS, TrustScenario

TARGETS = 75
SCHEMES = ("nested", "independent", "proportional")
NORMAL = norm.ppf(0.975)
FINE = np.arange(1, 200) / 200  # trusts at which a reference looks for the worst


def a_model(kind, rows=300):
    rng = np.random.default_rng(7)
    base = {
        "normal": rng.normal(50, 10, rows),
        "skewed": rng.gamma(1.5, 20, rows),
        "whole": rng.integers(0, 9, rows).astype(float),
        "two peaks": np.where(rng.random(rows) < 0.5, 10.0, 90.0) + rng.normal(0, 3, rows),
        "few far off": np.where(rng.random(rows) < 0.1, 100.0, 0.0) + rng.normal(0, 1, rows),
    }[kind]
    other = 0.6 * base + rng.normal(0, base.std(), rows)
    return Model(np.column_stack([base, other]), ["first", "second"], 3)


@pytest.fixture(scope="module")
def models():
    return {kind: a_model(kind) for kind in ("normal", "skewed", "whole", "two peaks", "few far off")}


# References


@cache
def _told(levels, scheme):
    ones = np.ones(len(levels))
    return float((np.linalg.pinv(np.outer(ones, ones) + noise_covariance(levels, scheme)) @ ones).sum())


def effective(trusts, scheme):
    """The trust of the one copy that tells as much as these: 1 less the error of the attack, solved as a matrix."""
    levels = tuple(sorted(LEVELS[t] for t in trusts))
    return 1.0 if levels[0] == 0 else _told(levels, scheme)


def pools(requirement, who):
    """Every coalition that a requirement is about, as places."""
    places = [i for i, r in enumerate(who) if requirement.coalition != "named" or r.number in requirement.members]
    if requirement.coalition == "named":
        return [tuple(places)]
    most = requirement.size if requirement.coalition == "size" else len(places)
    return [some for k in range(1, most + 1) for some in combinations(places, k)]


@cache
def without(model, attribute, eps):
    x = model.population.values[:, model.population.index(attribute)]
    low = x[:, None]
    return ((x >= low) & (x <= low + 2 * eps + 1e-9)).mean(axis=1).max()


def hits(model, requirement, trusts):
    """Shares of hits on copies of these trusts, over all records; a constant guess may do better."""
    trusts, eps = np.clip(trusts, 0, 1), requirement.distance
    x = model.population.values[:, model.population.index(requirement.attribute), None]
    off = -(1 - trusts) * (x - x.mean())
    sd = np.sqrt(trusts * (1 - trusts) * x.var(ddof=1))
    safe = np.where(sd > 1e-9, sd, 1.0)
    chance = ndtr((eps - off) / safe) - ndtr((-eps - off) / safe)
    rate = np.where(sd > 1e-9, chance, np.abs(off) <= eps).mean(axis=0)
    return np.maximum(rate, without(model, requirement.attribute, eps))


@cache
def noisier(model, requirement):
    """The largest share of hits on a copy of any of the fine trusts or less."""
    return np.maximum.accumulate(hits(model, requirement, FINE))


@cache
def worst(model, requirement, trust):
    """The largest share of hits on a copy of this trust, or on one with more noise."""
    return max(hits(model, requirement, [trust])[0], *noisier(model, requirement)[trust > FINE][-1:])


@cache
def error(model, similarity, trust):
    """The error of the attack on a copy of this trust, from the covariance matrices."""
    people, shape = model.population, model.noise(similarity).shape
    level = (1 - trust) / trust
    gain = np.linalg.pinv(people.covariance + level * shape) @ people.covariance
    return float(np.diag(people.covariance - people.covariance @ gain) @ people.weights)


def broken(model, requirement, trusts, who, scheme, similarity=1.0):
    """Whether a coalition that a requirement is about gets too much, with its copies or with more noise on them."""
    for pool in pools(requirement, who):
        trust = effective([trusts[i] for i in pool], scheme)
        if requirement.what == "error":
            if error(model, similarity, trust) < requirement.limit - 1e-8:
                return True
        elif worst(model, requirement, trust) > requirement.limit + 2e-6:
            return True
    return False


def a_target(rng, model):
    """Recipients, and one to three requirements on attackers and analysts."""
    who = recipients(*(int(t) for t in rng.integers(2, 99, rng.integers(1, 6))))
    asked = []
    for _ in range(rng.integers(1, 3)):
        what = str(rng.choice(["error", "hits"]))
        sd = model.population.sd[0]
        limit = rng.uniform(0.02, 1.05) if what == "error" else rng.uniform(0.05, 0.98)
        coalition = str(rng.choice(["any", "size", "named"]))
        members = tuple(r.number for r in who if rng.random() < 0.6) or (0,)
        asked.append(TrustRequirement(attacker="perfect",
            what=what, limit=round(float(limit), 3), coalition=coalition, size=int(rng.integers(1, 4)),
            members=members if coalition == "named" else (), attribute="first",
            distance=round(float(sd * rng.uniform(0.05, 1.0)), 3),
        ))  # fmt: skip
    if rng.random() < 0.4:
        limit = float(model.population.sd[0]) * rng.uniform(0.005, 0.3)
        named = (int(rng.integers(len(who))),) if rng.random() < 0.5 else ()
        asked.append(TrustRequirement(attacker="perfect", what="mean", limit=limit, attribute="first", members=named))
    locked = tuple(r.number for r in who if rng.random() < 0.15)
    return who, tuple(asked), locked


def scenario_of(model, who, asked, locked=(), **more):
    changes = {"recipients": who, "requirements": asked, "locked": locked} | more
    return model.fit_to_data(TrustScenario().replace({f"settings.{name}": value for name, value in changes.items()}))


def useful_enough(model, requirement, trust):
    """Whether 19 noisy means in 20 are close enough."""
    sd = np.sqrt(LEVELS[trust] * model.population.sd[0] ** 2 / model.rows)
    return NORMAL * sd <= requirement.limit * (1 + 1e-9)


def lowest(model, who, asked, locked):
    """The least trusts that analysts and locks allow; None where there are none."""
    found = []
    for r in who:
        needs = [q for q in asked if q.what == "mean" and (not q.members or r.number in q.members)]
        options = [r.trust] if r.number in locked else range(1, 100)
        fine = [t for t in options if all(useful_enough(model, q, t) for q in needs)]
        if not fine:
            return None
        found.append(min(fine))
    return found


@pytest.mark.sweep
@pytest.mark.parametrize("part", range(3))
def test_generated_targets(models, part):
    """What is found keeps everything, one point more for anybody breaks something, and where nothing is found, the
    least trusts that analysts and locks allow break something: lower ones do not exist."""
    rng = np.random.default_rng((20_261, part))
    found = impossible = 0
    for number in range(TARGETS):
        model = models[str(rng.choice(list(models)))]
        who, asked, locked = a_target(rng, model)
        scheme = SCHEMES[number % 3]
        solution = solve(model, scenario_of(model, who, asked, locked), check=False, schemes=(scheme,))
        answer = solution.answer(scheme)
        protecting = [q for q in asked if q.protects]
        least = lowest(model, who, asked, locked)
        if not answer.found:
            impossible += 1
            assert least is None or _none_holds(model, protecting, least, who, locked, scheme), (number, answer.text)
            assert answer.text.endswith("."), answer.text
            continue
        found += 1
        trusts = [r.trust for r in solution.scenario(scheme).settings.recipients]
        assert least is not None
        assert all(t >= low for t, low in zip(trusts, least, strict=True)), number
        assert all(t == r.trust for t, r in zip(trusts, who, strict=True) if r.number in locked)
        assert not any(broken(model, q, trusts, who, scheme) for q in protecting), (number, trusts)
        for i, r in enumerate(who):
            if r.number not in locked and trusts[i] < 99:
                more = [*trusts[:i], trusts[i] + 1, *trusts[i + 1 :]]
                assert any(broken(model, q, more, who, scheme) for q in protecting), (number, scheme, trusts, i, asked)
    assert found > 15
    assert impossible > 15


def _none_holds(model, protecting, least, who, locked, scheme):
    """No trusts at or above the least ones keep everything: the lowest of all, or, where copies are proportional and
    different ones give everything away, those that are equal."""
    tried = [least]
    if scheme == "proportional":
        tried += [
            [r.trust if r.number in locked else max(low, common) for r, low in zip(who, least, strict=True)]
            for common in range(1, 100)
        ]
    return all(any(broken(model, q, trusts, who, scheme) for q in protecting) for trusts in tried)


def test_impossible_by_brute_force(models):
    """Two recipients: all 99 x 99 pairs of trusts are tried where the answer is that there are none."""
    rng = np.random.default_rng(5)
    model, refused = models["skewed"], 0
    trusts = np.arange(1, 100)
    for _ in range(40):
        limit, mean = round(float(rng.uniform(0.3, 1.02)), 3), float(model.population.sd[0]) * rng.uniform(0.03, 0.2)
        asked = (
            TrustRequirement(attacker="perfect", what="error", limit=limit),
            TrustRequirement(attacker="perfect", what="mean", limit=mean, attribute="first"),
        )
        solution = solve(model, scenario_of(model, recipients(40, 60), asked), check=False)
        fine = np.array([useful_enough(model, asked[1], t) for t in trusts])
        for scheme in ("nested", "independent"):
            q = trusts / (100 - trusts)
            told = np.maximum.outer(q, q) if scheme == "nested" else np.add.outer(q, q)
            possible = (1 / (1 + told) >= limit - 1e-9) & np.logical_and.outer(fine, fine)
            assert solution.answer(scheme).found == possible.any()
            refused += not possible.any()
    assert refused > 20


def test_other_shapes_of_the_noise(models):
    """The covariance matrices no longer cancel: the same, with noise of other shapes."""
    rng = np.random.default_rng(31)
    model = models["normal"]
    for _ in range(12):
        similarity = float(rng.choice([0.0, -1.0, 0.5]))
        who = recipients(*(int(t) for t in rng.integers(5, 95, 3)))
        asked = (TrustRequirement(attacker="perfect", what="error", limit=round(float(rng.uniform(0.1, 0.9)), 3)),)
        solution = solve(model, scenario_of(model, who, asked, similarity=similarity), check=False)
        trusts = [r.trust for r in solution.scenario("independent").settings.recipients]
        assert not broken(model, asked[0], trusts, who, "independent", similarity)
        for i in range(3):
            more = [*trusts[:i], trusts[i] + 1, *trusts[i + 1 :]]
            assert trusts[i] == 99 or broken(model, asked[0], more, who, "independent", similarity)


def test_solving_again_changes_nothing(models):
    model = models["normal"]
    asked = (TrustRequirement(attacker="perfect", what="error", limit=0.4),)
    once = solve(model, scenario_of(model, recipients(50, 40, 20), asked), check=False)
    for scheme in ("nested", "independent"):
        applied = once.scenario(scheme)
        again = solve(model, applied, check=False)
        assert again.scenario(scheme) == applied


# Usefulness


def many_copies(model, trust, draws=400):
    people, noise = model.population, model.noise(1.0)
    rng = np.random.default_rng(1)
    root = np.linalg.cholesky(noise.shape) * np.sqrt(LEVELS[trust])
    return (people.values + rng.normal(size=people.values.shape) @ root.T for _ in range(draws))


@pytest.mark.parametrize("what", ["mean", "correlation"])
def test_errors_stay_within_their_limit_19_times_in_20(models, what):
    """400 copies with noise of their own: a share of 0.95 has a standard error of 0.011, four of them are 0.044."""
    model = models["skewed"]
    settings = scenario_of(model, recipients(40), ()).settings
    useful = usefulness(
        model,
        settings,
        TrustRequirement(attacker="perfect", what=what, limit=1.0, attribute="first"),
        lambda name: None,
    )
    bound = useful.at(30)
    off = np.array([useful.measured(copy)[0] for copy in many_copies(model, 30)])
    assert np.mean(off <= bound) == pytest.approx(0.95, abs=0.044)
    assert np.mean(off <= 0.7 * bound) < 0.9  # a bound that is too small is caught


def test_expected_error_of_a_histogram(models):
    """The mean over 400 copies, within four standard errors."""
    model = models["skewed"]
    settings = scenario_of(model, recipients(40), ()).settings
    useful = usefulness(
        model,
        settings,
        TrustRequirement(attacker="perfect", what="histogram", limit=1.0, attribute="first"),
        lambda n: None,
    )
    edges = model.population.bin_edges(0)
    true = shares(model.population.values[:, 0], edges)
    off = np.array([np.abs(shares(copy[:, 0], edges) - true).sum() / 2 for copy in many_copies(model, 30)])
    assert useful.at(30) == pytest.approx(off.mean(), abs=4 * off.std() / 20 + 0.003)


def test_least_trust_of_every_kind_of_use(models):
    """Found by halving; here every trust is tried."""
    model = models["normal"]
    settings = scenario_of(model, recipients(40), ()).settings
    for what, limit in (("mean", 0.9), ("correlation", 0.1), ("histogram", 0.25)):
        requirement = TrustRequirement(attacker="perfect", what=what, limit=limit, attribute="first", other="second")
        useful = usefulness(model, settings, requirement, lambda name: None)
        fine = [t for t in range(1, 100) if useful.at(t) <= limit]
        assert useful.least == min(fine)
        assert fine == list(range(useful.least, 100))  # more trust never hurts


def test_a_classifier(models):
    model = models["two peaks"]
    high = (model.population.values[:, 0] > 50).astype(str)
    asked = (
        TrustRequirement(attacker="perfect", what="accuracy", limit=0.9, label="side"),
        TrustRequirement(attacker="perfect", what="error", limit=0.05),
    )
    solution = solve(model, scenario_of(model, recipients(50, 40), asked), lambda name: high)
    assert solution.answer("nested").found
    useful = usefulness(model, solution.asked.settings, asked[0], lambda name: high)
    assert useful.at(useful.least) >= 0.9
    assert useful.at(useful.least - 1) < 0.9
    assert solution.answer("nested").checks[0].measured >= 0.9 - solution.answer("nested").checks[0].tolerance
    none = solve(models["normal"], scenario_of(models["normal"], recipients(50), asked), lambda name: None)
    assert "no categorical column" in none.answers[0].text


# Attackers whose figures are measured


@pytest.mark.parametrize("attacker", ["structured", "raw", "noise_distribution", "univariate", "bayes"])
@pytest.mark.parametrize("what", ["error", "hits"])
def test_every_attacker_is_checked_on_all_rows(attacker, what):
    model = a_model("skewed", 3_000)
    requirement = TrustRequirement(what=what, limit=0.5, attacker=attacker, attribute="first", distance=6.0)
    solution = solve(model, scenario_of(model, recipients(50, 30), (requirement,)))
    for answer in solution.answers:
        assert answer.found, answer.text
        assert "where ± is how far chance may move a measurement" in answer.text
        if what == "hits":
            assert re.search(r" ± [\d.]+ points \(at most 50 %\)", answer.text), "no share of a share"
        check = answer.checks[0]
        assert check.kept
        # Tight: what is found lies close to the limit, unless 99 % trust may be given.
        trusts = [r.trust for r in answer.changes["settings.recipients"]]
        assert abs(check.measured - 0.5) < 0.06 or max(trusts) == 99, (attacker, what, check)


def test_a_measurement_that_disagrees_is_not_called_found(monkeypatch, models):
    """What theory allows is shown only if measurement confirms it."""
    from trustscope.scenarios.solve import trust

    monkeypatch.setattr(trust, "tallied", lambda *arguments, among: (0.1, 0.01, 300))
    asked = (TrustRequirement(attacker="perfect", what="error", limit=0.4),)
    answer = solve(models["normal"], scenario_of(models["normal"], recipients(50), asked)).answers[0]
    assert not answer.found
    assert "does not confirm" in answer.text


# Bad input


def said(model, asked, locked=(), scheme="independent"):
    solution = solve(model, scenario_of(model, recipients(50, 40), asked, locked))
    with pytest.raises(ValueError, match="nothing to apply"):
        solution.scenario(scheme)
    return solution.answer(scheme).text


def test_sentences_for_what_cannot_be(models):
    model = models["normal"]
    assert said(model, ()) == "There is no requirement yet: add one."
    above = said(model, (TrustRequirement(attacker="perfect", what="error", limit=1.2),))
    assert "nobody errs by more" in above
    assert "0.98 is the nearest" in above  # both at 1 %: 1 / (1 + 2 / 99)
    rare = said(
        model, (TrustRequirement(attacker="perfect", what="hits", limit=0.01, attribute="first", distance=5.0),)
    )
    assert "without any copy" in rare
    assert "nearest that can be met" in rare
    gone = said(
        model, (TrustRequirement(attacker="perfect", what="error", limit=0.4, coalition="named", members=(9,)),)
    )
    assert "nobody who is here" in gone
    exact = said(model, (TrustRequirement(attacker="perfect", what="mean", limit=1e-6, attribute="first"),))
    assert "Not even 99 % trust" in exact
    held = said(model, (TrustRequirement(attacker="perfect", what="error", limit=0.6),), locked=(0,))
    assert "Ministry (50 %)" in held
    assert "0.497 is the nearest" in held  # 1 / (1 + 1 + 1 / 99)


def test_a_contradiction_names_both_and_by_how_much(models):
    model = models["normal"]
    asked = (
        TrustRequirement(attacker="perfect", what="error", limit=0.5),
        TrustRequirement(attacker="perfect", what="mean", limit=0.8, attribute="first"),
    )
    text = said(model, asked)
    useful = usefulness(model, scenario_of(model, recipients(50, 40), asked).settings, asked[1], lambda name: None)
    # Two copies of trust t together: t / (1 - t) may be at most 1 / 2 each, which is 33 %.
    assert f"needs at least {useful.least} % trust" in text
    assert "allows at most 33 %" in text
    assert f"by {useful.least - 33} points" in text
    nearest = 1 / (1 + 2 * useful.least / (100 - useful.least))
    assert f"{nearest:.3f}".rstrip("0") in text


def test_constant_columns_and_three_rows():
    flat = Model(np.full((50, 2), 3.0), ["first", "second"], 1)
    assert "constant" in said(flat, (TrustRequirement(attacker="perfect", what="error", limit=0.4),))
    half = Model(np.column_stack([np.full(50, 3.0), np.arange(50.0)]), ["first", "second"], 1)
    correlation = (TrustRequirement(attacker="perfect", what="correlation", limit=0.1, attribute="first"),)
    assert "first is constant" in said(half, correlation)
    one = Model(np.arange(50.0)[:, None], ["first"], 1)
    assert "needs two attributes" in said(one, (TrustRequirement(attacker="perfect", what="correlation", limit=0.1),))
    three = Model(np.array([[1.0, 2.0], [4.0, 3.0], [9.0, 1.0]]), ["first", "second"], 1)
    for what in ("error", "hits", "mean", "correlation", "histogram"):
        asked = (TrustRequirement(attacker="perfect", what=what, limit=0.3, attribute="first", distance=1.0),)
        for answer in solve(three, scenario_of(three, recipients(50, 40), asked)).answers:
            assert answer.text.endswith(".")


# Risk at the handle


def test_bands_are_what_solving_one_recipient_at_a_time_would_say(models):
    """Every position of every slider, against the listed coalitions."""
    rng = np.random.default_rng(77)
    for number in range(12):
        model = models[("normal", "skewed")[number % 2]]
        who, asked, _ = a_target(rng, model)
        scenario = scenario_of(model, who, asked, scheme=SCHEMES[number % 3])
        found = handles(model, scenario.settings)
        trusts = [r.trust for r in who]
        for place, r in enumerate(who):
            runs = found[r.number].runs
            assert runs[0][0] == 1
            assert runs[-1][1] == 100
            for position in rng.integers(1, 100, 6):
                kept = next(fine for first, last, fine in runs if first <= position <= last)
                moved = [*trusts[:place], int(position), *trusts[place + 1 :]]
                fine = not any(broken(model, q, moved, who, scenario.settings.scheme) for q in asked if q.protects)
                for q in asked:
                    if q.what == "mean":
                        fine &= all(useful_enough(model, q, t) for t, one in zip(moved, who, strict=True)
                                    if not q.members or one.number in q.members)  # fmt: skip
                assert kept == fine, (number, place, position, asked)


def test_words_at_the_handle(models):
    model = models["normal"]
    asked = (TrustRequirement(attacker="perfect", what="error", limit=0.4),)
    scenario = scenario_of(model, recipients(50, 20), asked, scheme="nested")
    handle = handles(model, scenario.settings)[0]
    assert handle.said == "target kept: 0.5"
    assert handle.told == "target kept with 0.5; it is kept at 1 to 60 %"
    assert handles(model, scenario.replace({"settings.requirements": ()}).settings) == {}


def test_a_copy_that_does_not_help_is_not_used(models):
    """Few far off: a bad copy makes worse guesses than the constant, so that hits never fall below that."""
    model = models["few far off"]
    settings = scenario_of(model, recipients(50), ()).settings
    requirement = TrustRequirement(attacker="perfect", what="hits", limit=0.95, attribute="first", distance=3.0)
    seen = figure(model, settings, requirement)
    assert seen.at(LEVELS[5]) == seen.without
    assert np.all(np.diff([seen.worst(LEVELS[t]) for t in range(1, 100)]) >= -1e-12)
