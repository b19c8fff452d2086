"""Targets of the Categories page: what is found holds, a tenth more does not, and what cannot be is said.

The references are slow and direct: what copies can say is listed value by value, and beliefs follow by Bayes' rule.
"""

from functools import cache
from itertools import product

import numpy as np
import pandas as pd
import pytest

from trustscope.datasets import Dataset
from trustscope.scenarios.categories.column import column_of
from trustscope.scenarios.categories.model import Model
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.coalition import Recipient, recipients
from trustscope.scenarios.solve.categories import Scheme, gamma_limit, handles, share_error, solve
from trustscope.scenarios.solve.requirement import CategoriesRequirement

TARGETS = 75
SCHEMES = ("nested", "independent")


def a_model(shares, rows=4_000):
    rng = np.random.default_rng(2)
    values = np.array(list("abcdefghij"))[rng.choice(len(shares), rows, p=shares)]
    frame = pd.DataFrame({"letter": pd.Categorical(values)})
    data = Dataset("own", "own", frame, (), ("letter",), None, "made here", "none")
    return Model(data, column_of(data, "letter", 10), 5)


@pytest.fixture(scope="module")
def models():
    return [a_model([0.5, 0.3, 0.2]), a_model([0.25] * 4), a_model([0.4, 0.2, 0.2, 0.1, 0.1])]


# References


@cache
def law(p, size):
    """What a copy shows of each value, shape (value, shown)."""
    return p * np.eye(size) + (1 - p) / size


def everybody(ps, scheme):
    """Whose copies tell everything."""
    return (max(ps),) if scheme == "nested" else tuple(ps)


def odds(ps, size, scheme):
    """The largest ratio of the chances of any observation under two values, over everything that copies can show."""
    worst = 1.0
    for shown in product(range(size), repeat=len(everybody(ps, scheme))):
        chances = np.prod([law(p, size)[:, y] for p, y in zip(everybody(ps, scheme), shown, strict=True)], axis=0)
        worst = max(worst, chances.max() / chances.min())
    return worst


def kept(model, requirement, ps, scheme, prior):
    slack = {"shares": requirement.limit * 1e-11, "delta": 1e-6}.get(requirement.what, 1e-9)
    return reached(model, requirement, ps, scheme, prior) <= requirement.limit / 100 + slack


def reached(model, requirement, ps, scheme, prior):
    """The figure that a requirement limits."""
    size = model.size
    if requirement.what == "shares":
        p = min(ps)
        other = (1 - p) / size
        spread = [f * (p + other) * (1 - p - other) + (1 - f) * other * (1 - other) for f in model.shares]
        return np.sqrt(max(spread) / model.rows) / p
    if requirement.what == "right":
        belief = model.shares if prior == "statistics" else np.full(size, 1 / size)
        right = 0.0
        for shown in product(range(size), repeat=len(everybody(ps, scheme))):
            chances = np.prod([law(p, size)[:, y] for p, y in zip(everybody(ps, scheme), shown, strict=True)], axis=0)
            right += (belief * chances).max()
        return max(right, model.shares.max())
    gamma = odds(ps, size, scheme)
    if requirement.what == "rho":
        before = requirement.before / 100
        return gamma * before / (1 + (gamma - 1) * before)
    priors = np.linspace(0.0005, 0.9995, 2_000)
    return (gamma * priors / (1 + (gamma - 1) * priors) - priors).max()


def a_target(rng, model):
    many = int(rng.integers(1, 4))
    who = recipients(*(int(t) for t in rng.integers(2, 99, many)))
    what = str(rng.choice(["rho", "delta", "right"]))
    before = round(float(rng.uniform(2, 60)), 1)
    asked = [CategoriesRequirement(what=what, limit=round(float(rng.uniform(3, 98)), 1), before=before)]
    if rng.random() < 0.4:
        asked.append(CategoriesRequirement(what="shares", limit=round(float(rng.uniform(0.5, 12)), 2)))
    locked = (0,) if rng.random() < 0.15 else ()
    return who, tuple(asked), locked


@cache
def usual(model):
    """Where every scenario here begins: fitting looks for a person who shows something, and finds the same one."""
    return model.fit_to_data(CategoriesScenario())


def scenario_of(model, who, asked, locked=(), prior="statistics", scheme="independent"):
    return usual(model).replace({
        "settings.recipients": who, "settings.requirements": asked, "settings.locked": locked,
        "settings.prior": prior, "settings.scheme": scheme,
    })  # fmt: skip


def lowest(model, who, asked, locked):
    """The least trusts that analysts and locks allow, by trying every tenth upwards; None where there are none."""
    needs = [q for q in asked if q.what == "shares"]
    fine = (t / 10 for t in range(10, 1000) if all(kept(model, q, [t / 1000], "nested", "") for q in needs))
    least = next(fine, None)
    if least is None or any(r.number in locked and r.trust < least for r in who):
        return None
    return [r.trust if r.number in locked else least for r in who]


@pytest.mark.sweep
@pytest.mark.parametrize("part", range(3))
def test_generated_targets(models, part):
    """What is found keeps everything, a tenth more for anybody breaks something, and where nothing is found the least
    trusts that analysts and locks allow break something."""
    rng = np.random.default_rng((44, part))
    found = impossible = 0
    for number in range(TARGETS):
        model = models[number % 3]
        who, asked, locked = a_target(rng, model)
        scheme, prior = SCHEMES[number % 2], ("statistics", "nothing")[number % 5 == 0]
        solution = solve(model, scenario_of(model, who, asked, locked, prior), check=False, schemes=(scheme,))
        answer = solution.answers[0]
        protecting = [q for q in asked if q.protects]
        least = lowest(model, who, asked, locked)

        def holds(trusts):
            return all(kept(model, q, [t / 100 for t in trusts], scheme, prior) for q in protecting)  # noqa: B023

        if not answer.found:
            impossible += 1
            assert least is None or not holds(least), (number, answer.text)
            continue
        found += 1
        trusts = [r.trust for r in solution.scenario(scheme).settings.recipients]
        assert holds(trusts), (number, trusts)
        assert all(t >= low - 1e-9 for t, low in zip(trusts, least, strict=True)), (number, trusts, least)
        for i, r in enumerate(who):
            if r.number not in locked and trusts[i] < 99.9:
                more = [*trusts[:i], round(trusts[i] + 0.1, 1), *trusts[i + 1 :]]
                assert not holds(more), (number, trusts, i)
    assert found > 22
    assert impossible > 7


def test_more_than_four_independent_recipients(models):
    """Guarantees exactly; the share of right guesses exactly where it can be listed, or with its error."""
    model = models[0]
    who = recipients(30, 25, 25, 20, 20, 20)
    for asked in (CategoriesRequirement(what="rho", limit=60), CategoriesRequirement(what="right", limit=62)):
        scenario = scenario_of(model, who, (asked,))
        solution = solve(model, scenario)
        answer = solution.answer("independent")
        ps = [r.trust / 100 for r in answer.changes["settings.recipients"]]
        assert kept(model, asked, ps, "independent", "statistics")
        assert answer.checks[0].kept
        more = [p + 0.002 for p in ps]
        assert not kept(model, asked, more, "independent", "statistics")


def test_what_is_found_is_measured_on_all_rows(models):
    model = models[2]
    asked = tuple(
        CategoriesRequirement(what=w, limit=v) for w, v in (("rho", 60), ("delta", 40), ("right", 55), ("shares", 5))
    )
    for answer in solve(model, scenario_of(model, recipients(40, 20), asked)).answers:
        assert answer.found, answer.text
        assert len(answer.checks) == 4
        assert all(one.kept for one in answer.checks)
        assert "Measured on 4\u202f000 rows" in answer.text


def test_sentences_for_what_cannot_be(models):
    model = models[0]

    def said(*asked, locked=()):
        return solve(model, scenario_of(model, recipients(60, 40), asked, locked)).answer("independent").text

    assert "any copy raises it" in said(CategoriesRequirement(what="rho", limit=5, before=10))
    assert "is the nearest that can be met" in said(CategoriesRequirement(what="right", limit=20))
    assert "is the nearest" in said(CategoriesRequirement(what="delta", limit=0))
    assert "Not even 99.9 % trust" in said(CategoriesRequirement(what="shares", limit=0))
    assert "Ministry (60 %)" in said(CategoriesRequirement(what="delta", limit=20), locked=(0,))
    both = said(CategoriesRequirement(what="delta", limit=20), CategoriesRequirement(what="shares", limit=1))
    assert "contradict each other by" in both
    assert said() == "There is no requirement yet: add one."
    # Of several limits the one that leaves least: what is nearest to another one would break it.
    loose = CategoriesRequirement(what="delta", limit=40)
    assert (
        said(loose, CategoriesRequirement(what="delta", limit=20), CategoriesRequirement(what="shares", limit=1))
        == both
    )


@pytest.mark.parametrize("prior", ["statistics", "nothing"])
def test_a_promise_about_beliefs_that_nobody_has(models, prior):
    asked = (CategoriesRequirement(what="rho", limit=50, before=10),)
    scenario = scenario_of(models[1], recipients(60, 40), asked).replace({"settings.prior": prior})
    text = solve(models[1], scenario).answer("nested").text
    assert "no value is believed less than 10 % beforehand" in text
    assert "largest belief" not in text


def test_bands(models):
    """Positions of every slider, against what is listed."""
    model, rng = models[1], np.random.default_rng(9)
    for scheme in SCHEMES:
        for what, limit in (("rho", 70), ("delta", 45), ("right", 60), ("shares", 2.5)):
            asked = CategoriesRequirement(what=what, limit=limit)
            who = recipients(40, 25, 30)
            found = handles(model, scenario_of(model, who, (asked,), scheme=scheme).settings)
            for place, r in enumerate(who):
                for position in rng.integers(10, 1000, 5) / 10:
                    moved = [one.trust / 100 for one in who]
                    moved[place] = position / 100
                    fine = next(k for first, last, k in found[r.number].runs if first <= position <= last)
                    assert fine == kept(model, asked, moved, scheme, "statistics"), (scheme, what, place, position)


def test_the_guarantees_are_those_of_the_promises(models):
    """The same gamma, the same figures as on the card that was there before."""
    from trustscope.scenarios.categories import promise
    from trustscope.scenarios.categories.scenario import Promise

    rho, delta = promise.limits(Promise(rho1=10, rho2=50, delta=30))
    assert gamma_limit(CategoriesRequirement(what="rho", limit=50, before=10)) == pytest.approx(rho)
    assert gamma_limit(CategoriesRequirement(what="delta", limit=30)) == pytest.approx(delta)
    settings = scenario_of(models[0], recipients(30, 20), ()).settings
    assert Scheme(models[0], settings, "independent").gamma(np.array([290, 190])) == pytest.approx(
        promise.gamma(recipients(30, 20), "independent", 3)
    )


def test_error_of_shares(models):
    """The standard error of the worst share over 300 fresh copies, within four of its own standard errors."""
    model, rng, p = models[2], np.random.default_rng(8), 0.3
    off = []
    for _ in range(300):
        copy = np.where(rng.random(model.rows) < p, model.codes, rng.integers(model.size, size=model.rows))
        shown = np.bincount(copy, minlength=model.size) / model.rows
        off.append((shown - (1 - p) / model.size) / p - model.shares)
    spread = np.std(off, axis=0).max()
    assert share_error(p, model.shares, model.rows) == pytest.approx(spread, rel=4 / np.sqrt(600))


def test_trust_in_tenths():
    assert Recipient(number=0, name="a", trust=13.84).trust == 13.8
    assert isinstance(Recipient(number=0, name="a", trust=30.0).trust, int)
    assert Recipient(number=0, name="a", trust=30).model_dump(mode="json")["trust"] == 30
